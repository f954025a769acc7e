//! Our E-Trace against the crate `riscv-etrace`: its generator makes the same bytes, and its tracer reads them.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU8;

use riscv_etrace::binary::from_fn;
use riscv_etrace::config::{PARAMETERS, Parameters};
use riscv_etrace::generator::hart2enc::{CType, JumpType};
use riscv_etrace::generator::step::{Kind as StepKind, Step};
use riscv_etrace::generator::{self, Generator};
use riscv_etrace::instruction::info::Info;
use riscv_etrace::instruction::{Instruction, Size};
use riscv_etrace::packet::encap::Normal;
use riscv_etrace::packet::payload::{InstructionTrace, Payload};
use riscv_etrace::packet::{self, Error as PacketError};
use riscv_etrace::tracer::{self, Tracer};
use riscv_etrace::types::Context;
use riscv_etrace::types::stack::NoStack;
use tracewright_comparators::Comparator;
use tracewright_sim::event::{Event, Isa, Kind};
use tracewright_sim::synthetic::{Options, Synthetic};

use crate::common::{Execution, encode, execution, workload};

/// An instruction that the generator sees retire.
#[derive(Clone, Copy, Debug)]
struct Retired {
    address: u64,
    kind: StepKind,
}

impl Step for Retired {
    fn address(&self) -> u64 {
        self.address
    }

    fn kind(&self) -> StepKind {
        self.kind
    }

    fn ctype(&self) -> CType {
        CType::Unreported
    }

    fn context(&self) -> Context {
        Context::default()
    }
}

pub fn parameters(execution: &Execution) -> Parameters {
    let width = NonZeroU8::new(execution.core.machine.address_bits).unwrap();
    Parameters { iaddress_width_p: width, ..PARAMETERS }
}

/// Where the trace starts, if it says so, and its other events.
fn started(events: &[Event]) -> (Option<u64>, &[Event]) {
    match events {
        [reset, rest @ ..] if reset.kind == Kind::Exception && reset.taken => {
            (Some(reset.target), rest)
        }
        all => (None, all),
    }
}

/// The retired instructions that matter to the generator: the first of a run and the last, which has an event.
fn steps(events: &[Event]) -> Vec<Retired> {
    let insn_size = Size::Normal;
    let plain = StepKind::Retirement { insn_size };
    let jump = |kind| StepKind::Jump { insn_size, kind, sequentially_inferable: false };
    let (mut start, events) = started(events);
    let mut steps = Vec::new();
    for event in events {
        if let Some(address) = start.filter(|_| event.instructions > 1) {
            steps.push(Retired { address, kind: plain });
        }
        let kind = match event.kind {
            Kind::DirectConditional => StepKind::Branch { insn_size, taken: event.taken },
            Kind::DirectJump => jump(JumpType::InferOther),
            Kind::IndirectJump | Kind::IndirectConditional => jump(JumpType::UnferOther),
            Kind::Exception => plain,
        };
        steps.push(Retired { address: event.program_counter, kind });
        start = event.taken.then_some(event.target);
    }
    // The target of a last jump is only reported with the instruction there.
    if let Some(last) = events.last().filter(|last| last.kind == Kind::IndirectJump) {
        steps.push(Retired { address: last.target, kind: plain });
    }
    steps
}

/// The packets that the crate makes.
fn by_crate(execution: &Execution) -> Vec<Vec<u8>> {
    let builder = packet::builder().with_params(&parameters(execution));
    let mut packets = Vec::new();
    let mut keep = |payload: InstructionTrace| {
        let mut buffer = [0; 64];
        let mut encoder = builder.encoder(&mut buffer);
        let packet = Normal::new(0, 0, Payload::InstructionTrace(payload));
        encoder.encode(&packet).unwrap();
        let length = 63 - encoder.uncommitted();
        packets.push(buffer[..=length].to_vec());
    };
    let mut generator: Generator<Retired> = generator::builder().build().unwrap();
    for step in steps(&execution.events) {
        generator.process_step(step, None).for_each(|payload| keep(payload.unwrap()));
    }
    generator.end_qualification(false).for_each(|payload| keep(payload.unwrap()));
    packets
}

/// An instruction of the program as far as the trace shows it.
#[derive(Clone, Copy, Debug)]
pub enum Known {
    Plain,
    Branch(i16),
    Jump(i32),
    Indirect,
    /// In place of the instructions up to the next event's: a jump there.
    Run(i32),
}

impl Info for Known {
    type Register = u8;

    fn branch_target(&self) -> Option<i16> {
        if let Known::Branch(target) = self { Some(*target) } else { None }
    }

    fn inferable_jump_target(&self) -> Option<i32> {
        if let Known::Jump(target) | Known::Run(target) = self { Some(*target) } else { None }
    }

    fn uninferable_jump_target(&self) -> Option<(u8, i16)> {
        matches!(self, Known::Indirect).then_some((1, 0))
    }

    fn upper_immediate(&self, _: u64) -> Option<(u8, u64)> {
        None
    }

    fn is_return_from_trap(&self) -> bool {
        false
    }

    fn is_ecall_or_ebreak(&self) -> bool {
        false
    }

    fn is_call(&self) -> bool {
        false
    }

    fn is_return(&self) -> bool {
        false
    }

    fn ignored() -> Self {
        Known::Plain
    }
}

pub fn distance<T: TryFrom<i64>>(from: u64, to: u64) -> T
where
    T::Error: std::fmt::Debug,
{
    T::try_from(to.wrapping_sub(from) as i64).unwrap()
}

/// The program without the instructions that no event is of. After a branch that is not taken comes whatever is 2 bytes
/// on, as traces do not say how long it is, and nothing else can be there.
fn program(events: &[Event]) -> HashMap<u64, Known> {
    let (mut start, events) = started(events);
    let mut known = HashMap::new();
    for event in events {
        let Event { program_counter, target, taken, .. } = *event;
        let here = known.entry(program_counter).or_insert(match event.kind {
            Kind::DirectConditional => Known::Branch(0),
            Kind::Exception => Known::Plain,
            Kind::DirectJump => Known::Jump(distance(program_counter, target)),
            Kind::IndirectJump | Kind::IndirectConditional => Known::Indirect,
        });
        if let (Known::Branch(to), true) = (here, taken) {
            *to = distance(program_counter, target);
        }
    }
    for event in events {
        if let Some(start) = start {
            let run = || Known::Run(distance(start, event.program_counter));
            known.entry(start).or_insert_with(run);
        }
        start = Some(if event.taken { event.target } else { event.program_counter + 2 });
    }
    if let Some(last) = events.last().filter(|last| last.taken) {
        known.entry(last.target).or_insert(Known::Plain);
    }
    known
}

/// The addresses of the events that the crate's tracer finds in these bytes.
fn traced_by_crate(execution: &Execution, bytes: &[u8]) -> Vec<u64> {
    let known = program(&execution.events);
    let is_event: HashSet<u64> = known
        .iter()
        .filter(|(_, known)| !matches!(known, Known::Run(_)))
        .map(|(at, _)| *at)
        .collect();
    let parameters = parameters(execution);
    let find = |address| match known.get(&address) {
        Some(info) => Ok(Instruction { size: Size::Compressed, info: *info }),
        None => Err(address),
    };
    let mut tracer: Tracer<_, NoStack, Known> =
        tracer::builder().with_params(&parameters).with_binary(from_fn(find)).build().unwrap();
    let mut decoder = packet::builder().with_params(&parameters).decoder(bytes);
    let mut found = Vec::new();
    loop {
        let packet = match decoder.decode_encap_packet() {
            Ok(packet) => packet.into_normal().unwrap(),
            Err(PacketError::InsufficientData(_)) => break,
            Err(error) => panic!("{error:?}"),
        };
        tracer.process_payload(&packet.decode_payload().unwrap()).unwrap();
        for item in tracer.by_ref() {
            let item =
                item.unwrap_or_else(|error| panic!("after {} events: {error:?}", found.len()));
            if item.instruction().is_some() && is_event.contains(&item.pc()) {
                found.push(item.pc());
            }
        }
    }
    found
}

/// Compares with the generator's bytes, and the tracer's events with the input; false if the tracer cannot read it.
#[track_caller]
fn equals_the_crate(execution: &Execution, what: &str) -> bool {
    let (bytes, account) = encode(Comparator::named("e-trace").unwrap(), execution).unwrap();
    let packets = by_crate(execution);
    // The crate does not say whether the last instruction is one that retired.
    let (last, all_but_last) = packets.split_last().unwrap();
    let expected = all_but_last.concat();
    let same = bytes.iter().zip(&expected).take_while(|(one, other)| one == other).count();
    assert_eq!(same, expected.len(), "{what}: byte {same}");
    let (ours, theirs) = (bytes.len(), expected.len() + last.len());
    assert!(ours.abs_diff(theirs) <= 12, "{what}: {ours} bytes, not {theirs}");
    assert_eq!(account.bits, 8 * ours as u64, "{what}");

    // The crate's tracer stops at a branch to itself, and does not expect that a last address is reported twice because
    // it could be an earlier place.
    let (_, events) = started(&execution.events);
    if ours > theirs
        || events.iter().any(|event| event.taken && event.target == event.program_counter)
    {
        return false;
    }
    let found = traced_by_crate(execution, &bytes);
    let addresses: Vec<u64> = events.iter().map(|event| event.program_counter).collect();
    let same = found.iter().zip(&addresses).take_while(|(one, other)| one == other).count();
    assert_eq!(same, addresses.len(), "{what}: event {same}");
    // The instruction after a last jump is reported.
    assert!(found.len() <= addresses.len() + 1, "{what}: {} events", found.len());
    true
}

/// All events before the first exception that is not the reset.
pub fn without_exceptions(mut execution: Execution) -> Execution {
    let exception = |event: &Event| event.kind == Kind::Exception && event.taken;
    let first = execution.events.iter().skip(1).position(exception);
    execution.events.truncate(first.map_or(usize::MAX, |first| first + 1));
    execution
}

#[test]
fn workloads_have_the_bytes_of_the_crate() {
    for name in ["rv32-synthetic-data", "rv32imac-traps", "rv64-djpeg", "rv64-stringsearch"] {
        let execution = without_exceptions(workload(name, usize::MAX));
        assert!(execution.events.len() > 100, "{name}: {} events", execution.events.len());
        assert!(equals_the_crate(&execution, name), "{name}");
    }
}

#[test]
fn random_programs_have_the_bytes_of_the_crate() {
    let (mut programs, mut read) = (0, 0);
    for seed in 0..100 {
        let options = Options {
            events: 2_000,
            exceptions: false,
            predicated: false,
            threads: 1,
            data_accesses: 0,
            ..Options::from_seed(seed)
        };
        let synthetic = Synthetic::new(options).unwrap();
        let machine = synthetic.machine();
        if machine.isa != Isa::RiscV {
            continue;
        }
        let all: Vec<Event> = synthetic.collect();
        for most in [1, 2, 40, 2_000] {
            let execution = execution(machine, all[..most].to_vec());
            let what = format!("seed {seed}, {most} events");
            read += u32::from(equals_the_crate(&execution, &what));
        }
        programs += 1;
    }
    assert!(programs > 20 && read > programs, "{read} traces of {programs} programs");
}
