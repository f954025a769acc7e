//! The scheme `etrace` of the specification: the crate `riscv-etrace` reads its bytes.

use std::collections::{BTreeMap, BTreeSet};

use riscv_etrace::binary::from_fn;
use riscv_etrace::config::Parameters;
use riscv_etrace::instruction::Instruction;
use riscv_etrace::packet::encap::Packet;
use riscv_etrace::packet::payload::InstructionTrace;
use riscv_etrace::packet::sync::Synchronization;
use riscv_etrace::packet::{self, Error as PacketError};
use riscv_etrace::tracer::item::Kind as ItemKind;
use riscv_etrace::tracer::{self, Tracer};
use riscv_etrace::types::{Context, trap};
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, Isa, Kind};
use tracewright_sim::field::Account;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::synthetic::{Options, Synthetic};

use crate::common::{self, Execution, execution, is_long, workload};
use crate::e_trace::{Known, distance, parameters};
use crate::e_trace_returns::Site;
use crate::stack::{Forgetful, follow, reach_branch};

/// The presets, with the binary logarithm of the entries of the stack of return addresses.
pub const PRESETS: [(&str, u8); 2] = [("etrace-base", 0), ("etrace-returns", 3)];

/// The trace of a preset with changes.
pub fn encode(preset: &str, changes: &[(&str, &str)], execution: &Execution) -> (Vec<u8>, Account) {
    let mut design = Design::preset(preset).unwrap();
    changes.iter().for_each(|(name, value)| design.set(name, value).unwrap());
    design.set("address_width", &execution.core.machine.address_bits.to_string()).unwrap();
    let mut encoder = Encoder::new(&design.for_machine(execution.core.machine).unwrap()).unwrap();
    let mut sinks = (BitPacker::new(), Account::default());
    for event in &execution.events {
        encoder.event(event, &mut sinks).unwrap();
    }
    encoder.flush(&mut sinks);
    (sinks.0.finish(), sinks.1)
}

/// The instructions that events are of, and all that leads from one to the next: where a run begins stands a jump to the
/// next of them. After one that is not taken comes whatever is 2 bytes on, as traces do not say how long it is.
pub fn program(events: &[Event]) -> BTreeMap<u64, Site> {
    let mut known = BTreeMap::new();
    for event in events.iter().filter(|event| event.instructions > 0) {
        let Event { program_counter, target, taken, .. } = *event;
        let here = known.entry(program_counter).or_insert(Site {
            known: match event.kind {
                Kind::DirectConditional => Known::Branch(0),
                Kind::Exception => Known::Plain,
                Kind::DirectJump => Known::Jump(distance(program_counter, target)),
                Kind::IndirectJump | Kind::IndirectConditional => Known::Indirect,
            },
            length: if event.call { event.length } else { 2 },
            is_call: event.call,
            is_return: event.is_return && !event.call,
        });
        if let (Known::Branch(to), true) = (&mut here.known, taken) {
            *to = distance(program_counter, target);
        }
    }
    let stops: BTreeSet<u64> = known.keys().copied().collect();
    let after = stops.iter().map(|stop| stop + 2);
    let targets = events.iter().filter(|event| event.taken).map(|event| event.target);
    for start in after.chain(targets).collect::<Vec<_>>() {
        let stop = stops.range(start..).next();
        let run = stop.map_or(Known::Plain, |stop| Known::Run(distance(start, *stop)));
        known.entry(start).or_insert(Site::plain(run));
    }
    known
}

/// The addresses that some event is at.
pub fn stops(events: &[Event]) -> BTreeSet<u64> {
    let retired = events.iter().filter(|event| event.instructions > 0);
    retired.map(|event| event.program_counter).collect()
}

/// The addresses that an execution, or a part of it, passes, of all that some event is at.
pub fn passed(stops: &BTreeSet<u64>, events: &[Event]) -> Vec<u64> {
    passes(stops, None, events).into_iter().map(|(address, _)| address).collect()
}

/// The same with the place of the event that each is of, of a part that begins at an address, if that is known.
pub fn passes(stops: &BTreeSet<u64>, begins: Option<u64>, events: &[Event]) -> Vec<(u64, usize)> {
    // Else it begins at the first event that is not sequential.
    let is_sequential = |(_, event): &(usize, &Event)| {
        begins.is_none() && event.kind == Kind::Exception && !event.taken
    };
    let (mut start, mut all) = (begins, Vec::new());
    for (place, event) in events.iter().enumerate().skip_while(is_sequential) {
        if event.instructions > 0 {
            let start = start.unwrap_or(event.program_counter);
            let passed = stops.range(start..=event.program_counter);
            all.extend(passed.map(|address| (*address, place)));
        }
        start = Some(if event.taken { event.target } else { event.program_counter + 2 });
    }
    all
}

/// What the crate's tracer finds in a part of a trace.
#[derive(Default)]
pub struct Traced {
    /// The addresses that some event is at, each with the privilege level and the context in which it was passed.
    pub passed: Vec<(u64, Context)>,
    /// Exceptions and interrupts.
    pub traps: Vec<trap::Info>,
    /// What each trap says of its address: that of a handler, and the privilege level and the context there.
    pub trap_states: Vec<(bool, Context)>,
    /// The time of each start and trap, if they say it.
    pub times: Vec<u64>,
}

impl Traced {
    pub fn addresses(&self) -> Vec<u64> {
        self.passed.iter().map(|(address, _)| *address).collect()
    }

    /// Takes the time and the state of a start or a trap.
    fn tell(&mut self, told: &Synchronization) {
        self.times.extend(told.as_context().and_then(|context| context.time));
        if let Synchronization::Trap(trap) = told {
            self.trap_states.push((trap.thaddr, trap.ctx.into()));
        }
    }
}

/// The same, as the crate's tracer finds them; a list for each part of the trace that ends with a support payload.
pub fn traced_by_crate(
    execution: &Execution,
    bytes: &[u8],
    parameters: &Parameters,
    what: &str,
) -> Vec<Traced> {
    traced_of_source(execution, (bytes, None), parameters, what)
}

/// The same of the payloads of one source, of eight bits, in a trace of several.
pub fn traced_of_source(
    execution: &Execution,
    (bytes, source): (&[u8], Option<u16>),
    parameters: &Parameters,
    what: &str,
) -> Vec<Traced> {
    let known = program(&execution.events);
    let return_stack_size_p = parameters.return_stack_size_p;
    let is_branch = |address| {
        known.get(&address).is_some_and(|info: &Site| matches!(info.known, Known::Branch(_)))
    };
    let find = |address| {
        if is_branch(address) {
            reach_branch();
        }
        match known.get(&address) {
            Some(info) => Ok(Instruction { size: info.size(), info: *info }),
            None => Err(address),
        }
    };
    let builder = tracer::builder().with_params(parameters).with_binary(from_fn(find));
    let mut tracer: Tracer<_, Forgetful, Site> =
        builder.with_implicit_return(return_stack_size_p > 0).build().unwrap();
    let source_bits = if source.is_some() { 8 } else { 0 };
    let builder = packet::builder().with_params(parameters).with_hart_index_width(source_bits);
    let mut decoder = builder.decoder(bytes);
    let (mut parts, mut found) = (Vec::new(), Traced::default());
    let mut context = Context::default();
    loop {
        let packet = match decoder.decode_encap_packet() {
            Ok(Packet::Normal(packet)) if source.is_none_or(|id| packet.src_id() == id) => packet,
            Ok(_) => continue,
            Err(PacketError::InsufficientData(_)) => break,
            Err(error) => panic!("{what}: {error:?}"),
        };
        let payload = packet.decode_payload().unwrap();
        tracer.process_payload(&payload).unwrap_or_else(|error| {
            panic!("{what}: after {} addresses: {error:?} of {payload:?}", found.passed.len())
        });
        if let Some(InstructionTrace::Synchronization(told)) = payload.as_instruction_trace() {
            found.tell(told);
        }
        follow(&payload, is_branch);
        for item in tracer.by_ref() {
            let item = item.unwrap_or_else(|error| {
                panic!("{what}: after {} addresses: {error:?} of {payload:?}", found.passed.len())
            });
            let stops =
                known.get(&item.pc()).is_some_and(|info| !matches!(info.known, Known::Run(_)));
            match item.kind() {
                ItemKind::Regular(_) if stops => found.passed.push((item.pc(), context)),
                ItemKind::Regular(_) => {}
                ItemKind::Trap(info) => found.traps.push(*info),
                ItemKind::Context(now) => context = *now,
            }
        }
        if tracer.qual_status().is_some() {
            parts.push(std::mem::take(&mut found));
        }
    }
    parts.push(found);
    parts
}

/// The number of events that are read: the crate's tracer stops at a branch to itself.
#[track_caller]
pub fn is_read_by_the_crate(
    mut execution: Execution,
    (preset, return_stack_size_p): (&str, u8),
    what: &str,
) -> usize {
    let what = &format!("{preset}, {what}");
    let to_itself = |event: &Event| event.taken && event.target == event.program_counter;
    let first = execution.events.iter().position(to_itself);
    execution.events.truncate(first.unwrap_or(usize::MAX));
    let execution = &execution;
    let (bytes, _) = encode(preset, &[], execution);
    let parameters = Parameters { return_stack_size_p, ..parameters(execution) };
    let traced = traced_by_crate(execution, &bytes, &parameters, what);
    let found: Vec<u64> = traced.iter().flat_map(Traced::addresses).collect();
    let passed = passed(&stops(&execution.events), &execution.events);
    let same = found.iter().zip(&passed).take_while(|(one, other)| one == other).count();
    assert_eq!(
        same,
        passed.len(),
        "{what}: address {same}: {:?} {:?}",
        found.get(same),
        passed.get(same)
    );
    // The target of a last jump is reported as if an instruction had retired there.
    assert!(found.len() <= passed.len() + 1, "{what}: {} addresses", found.len());
    execution.events.len()
}

/// The traces of RISC-V in `workloads/`, and those in the folder that the environment names.
pub fn riscv_traces() -> Vec<(String, Execution)> {
    let names = ["rv32-synthetic-data", "rv32imac-traps", "rv64-djpeg", "rv64-stringsearch"];
    let mut traces: Vec<_> =
        names.iter().map(|name| ((*name).to_owned(), workload(name, usize::MAX))).collect();
    if let Some(folder) = std::env::var_os("RISCV_TRACES") {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.to_string_lossy().contains(".pet") {
                traces.push((path.display().to_string(), common::trace(&path, usize::MAX)));
            }
        }
    }
    traces
}

#[test]
fn the_crate_reads_every_trace_of_riscv() {
    for (name, execution) in riscv_traces() {
        for preset in PRESETS {
            let all = execution.events.len();
            let read = is_read_by_the_crate(execution.clone(), preset, &name);
            println!("{}, {name}: {read} of {all} events", preset.0);
            assert!(read > 500, "{name}: {read} events");
        }
    }
}

/// Of [`random_programs`] there are at least so many.
pub fn fewest_programs() -> usize {
    if is_long() { 616 } else { 61 }
}

/// Random programs of RISC-V: two in five of 2,000 seeds, or of 200.
pub fn random_programs(exceptions: bool) -> impl Iterator<Item = (u64, Execution)> {
    let seeds = if is_long() { 2_000 } else { 200 };
    (0..seeds).filter_map(move |seed| {
        let options = Options {
            events: 3_000,
            predicated: false,
            threads: 1,
            data_accesses: 0,
            ..Options::from_seed(seed)
        };
        let exceptions = exceptions && options.exceptions;
        let synthetic = Synthetic::new(Options { exceptions, ..options }).unwrap();
        let machine = synthetic.machine();
        let is_riscv = machine.isa == Isa::RiscV;
        is_riscv.then(|| (seed, execution(machine, synthetic.collect())))
    })
}

/// Seeds of random programs that come to the last instruction before an exception or the end twice, by inferred returns and
/// without a branch or an address between: a decoder of the standard takes the first time.
pub const COMES_AGAIN: [u64; 3] = [157, 776, 1302];
/// Where the crate takes the first return at a depth for one that was not inferred, which is a later one; the decoder after the
/// standard's text follows them.
const TAKES_FIRST_RETURN: [u64; 3] = [1695, 1700, 1852];

#[test]
fn the_crate_reads_random_programs_with_exceptions() {
    let mut programs = 0;
    for (seed, execution) in random_programs(true) {
        is_read_by_the_crate(execution, PRESETS[0], &format!("seed {seed}"));
        programs += 1;
    }
    assert!(programs >= fewest_programs(), "{programs} programs");
}

#[test]
fn the_crate_reads_inferred_returns_of_random_programs() {
    for exceptions in [false, true] {
        let mut programs = 0;
        for (seed, execution) in random_programs(exceptions) {
            let is_ambiguous = COMES_AGAIN.contains(&seed) || TAKES_FIRST_RETURN.contains(&seed);
            if !is_ambiguous {
                is_read_by_the_crate(execution, PRESETS[1], &format!("seed {seed}"));
                programs += 1;
            }
        }
        assert!(programs >= fewest_programs(), "{programs} programs");
    }
}
