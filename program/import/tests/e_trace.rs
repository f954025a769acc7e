//! Dumps of E-Trace: what an encoder of the standard says is decoded into the events that it was given.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tracewright_image::Image;
use tracewright_import::e_trace::{
    self, Code, Encoder as Parameters, Gap, Known, Options, Receiver, Summary,
};
use tracewright_sim::code::{Branch, Instruction};
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, Isa, Item, Kind, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::synthetic::{Options as SyntheticOptions, Synthetic};
use tracewright_sim::trace_io;

/// What was decoded: parts between gaps.
#[derive(Default)]
pub struct Parts {
    pub items: Vec<Vec<Item>>,
    pub gaps: Vec<Gap>,
}

impl Receiver for Parts {
    fn item(&mut self, item: &Item) -> Result<(), trace_io::Error> {
        if self.items.is_empty() {
            self.items.push(Vec::new());
        }
        self.items.last_mut().unwrap().push(*item);
        Ok(())
    }

    fn gap(&mut self, gap: &Gap) -> Result<(), trace_io::Error> {
        self.gaps.push(gap.clone());
        self.items.push(Vec::new());
        Ok(())
    }
}

impl Parts {
    pub fn events(&self, part: usize) -> Vec<Event> {
        let event = |item: &Item| if let Item::Event(event) = item { Some(*event) } else { None };
        self.items.get(part).into_iter().flatten().filter_map(event).collect()
    }
}

/// A program that is learned from events: where a run begins stands a jump to the next instruction that has an event.
pub struct Learned(BTreeMap<u64, (Known, bool)>);

impl Learned {
    pub fn of(events: &[Event]) -> Self {
        let mut known = BTreeMap::new();
        for event in events.iter().filter(|event| event.instructions > 0) {
            let Event { program_counter, kind, call, is_return, target, .. } = *event;
            let branch = Branch { kind, call, is_return, target: 0 };
            let branch = (kind != Kind::Exception).then_some(branch);
            let length = if event.call { event.length } else { 2 };
            let found =
                known.entry(program_counter).or_insert((instruction(length, branch), false));
            let is_direct = matches!(kind, Kind::DirectJump | Kind::DirectConditional);
            if let Some(branch) = &mut found.0.instruction.branch
                && is_direct
                && event.taken
            {
                branch.target = target;
            }
        }
        let stops: BTreeSet<u64> = known.keys().copied().collect();
        let after = stops.iter().map(|stop| stop + 2);
        let targets = events.iter().filter(|event| event.taken).map(|event| event.target);
        for start in after.chain(targets).collect::<Vec<_>>() {
            let run = stops.range(start..).next().map(|stop| Branch {
                kind: Kind::DirectJump,
                call: false,
                is_return: false,
                target: *stop,
            });
            known.entry(start).or_insert((instruction(2, run), true));
        }
        Learned(known)
    }

    /// Events that are compared: all but the jumps that stand for runs.
    pub fn without_runs(&self, events: &[Event]) -> Vec<Compared> {
        let is_run = |address: u64| self.0.get(&address).is_some_and(|(_, is_run)| *is_run);
        let is_own = |event: &&Event| event.instructions == 0 || !is_run(event.program_counter);
        events.iter().filter(is_own).map(compared).collect()
    }
}

fn instruction(length: u8, branch: Option<Branch>) -> Known {
    let instruction = Instruction { length, branch };
    Known { instruction, returns_from_trap: false, constant: None, register: None }
}

impl Code for Learned {
    fn at(&self, address: u64) -> Option<Known> {
        self.0.get(&address).map(|(known, _)| *known)
    }
}

pub fn decode(
    dump: &[u8],
    parameters: &Parameters,
    code: &impl Code,
    machine: Machine,
) -> (Parts, Summary) {
    let mut parts = Parts::default();
    let options = Options {
        hart: None,
        address_bits: machine.address_bits,
        thread_max: 3,
        has_states: parameters.source_id_width == 0,
        begins_in_the_middle: false,
        events_max: 10_000_000,
    };
    let parameters = parameters.clone().for_addresses(machine.address_bits);
    let summary = e_trace::decode(dump, &parameters, code, &options, &mut parts).unwrap();
    (parts, summary)
}

/// The trace of a design.
pub fn encode(
    preset: &str,
    changes: &[(&str, &str)],
    machine: Machine,
    events: &[Event],
) -> Vec<u8> {
    let mut design = Design::preset(preset).unwrap();
    changes.iter().for_each(|(name, value)| design.set(name, value).unwrap());
    design.set("address_width", &machine.address_bits.to_string()).unwrap();
    let mut encoder = Encoder::new(&design.for_machine(machine).unwrap()).unwrap();
    let mut bits = BitPacker::new();
    for event in events {
        encoder.event(event, &mut bits).unwrap();
    }
    encoder.flush(&mut bits);
    bits.finish()
}

pub fn image(name: &str) -> Image {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../workloads").join(name);
    Image::open(&path, 0).unwrap()
}

pub fn workload(name: &str) -> (Machine, Vec<Event>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../workloads").join(name);
    let mut reader = trace_io::open(&path).unwrap();
    let machine = reader.machine();
    let mut events = Vec::new();
    while let Some(item) = reader.next_item().unwrap() {
        if let Item::Event(event) = item {
            events.push(event);
        }
    }
    (machine, events)
}

/// A preset, and the sizes of its stack, cache and predictor.
pub type Preset = (&'static str, [u32; 3]);

/// Those whose traces are decoded.
pub const PRESETS: [Preset; 3] =
    [("etrace-base", [0, 0, 0]), ("etrace-returns", [3, 0, 0]), ("etrace-full", [3, 6, 6])];

pub fn parameters([calls, targets, branches]: [u32; 3]) -> Parameters {
    Parameters {
        return_stack_size_p: calls,
        cache_size_p: targets,
        bpred_size_p: branches,
        ..Parameters::default()
    }
}

/// What a dump tells of an event. A branch to the instruction after it looks like one that is not taken, because the
/// programs that are learned have only instructions of two bytes.
pub type Compared = (u64, Kind, Option<u64>, bool, bool);

pub fn compared(event: &Event) -> Compared {
    let Event { program_counter, kind, taken, target, call, is_return, .. } = *event;
    let falls_through = kind == Kind::DirectConditional && target == program_counter + 2;
    (program_counter, kind, (taken && !falls_through).then_some(target), call, is_return)
}

/// What the standard tells of events: no system call that came straight back, and of exceptions without an instruction
/// between them only the last handler.
pub fn told(events: &[Event]) -> Vec<Compared> {
    let mut all: Vec<Event> = Vec::new();
    for event in events.iter().filter(|event| event.kind != Kind::Exception || event.taken) {
        match all.last_mut() {
            Some(last) if last.kind == Kind::Exception && event.instructions == 0 => {
                last.target = event.target;
            }
            _ => all.push(*event),
        }
    }
    all.iter().map(compared).collect()
}

/// Fails unless these events are found, up to an exception at the end whose handler has retired nothing. The target of a
/// last jump is reported as if an instruction had retired there.
#[track_caller]
pub fn are_found(found: &[Compared], expected: &[Compared], what: &str) {
    let same = found.iter().zip(expected).take_while(|(one, other)| one == other).count();
    let at = (found.get(same), expected.get(same));
    let ends = |rest: &[Compared]| rest.is_empty() || matches!(rest, [(_, Kind::Exception, ..)]);
    assert!(ends(&expected[same..]), "{what}: event {same} of {}: {at:x?}", expected.len());
    assert!(found.len() <= expected.len() + 1, "{what}: {} events: {at:x?}", found.len());
}

/// Encodes events and decodes them with a program that is learned from them.
#[track_caller]
fn come_back(machine: Machine, events: &[Event], (preset, sizes): Preset, what: &str) {
    let what = format!("{preset}, {what}");
    let learned = Learned::of(events);
    let dump = encode(preset, &[], machine, events);
    let (parts, _) = decode(&dump, &parameters(sizes), &learned, machine);
    assert_eq!(parts.gaps, [], "{what}");
    let found = learned.without_runs(&parts.events(0));
    // A trace without the exception at reset is decoded with one.
    let first = usize::from(events.first().is_some_and(|event| event.instructions > 0));
    are_found(&found[first.min(found.len())..], &told(events), &what);
}

#[test]
fn a_program_comes_back_instruction_by_instruction() {
    let (machine, events) = workload("rv32imac-traps.pet.zst");
    let image = image("rv32imac-traps.elf");
    for (preset, sizes) in PRESETS {
        let dump = encode(preset, &[], machine, &events);
        let (parts, summary) = decode(&dump, &parameters(sizes), &image, machine);
        assert_eq!((parts.gaps.len(), summary.instructions), (0, 529_254), "{preset}");
        assert!(parts.events(0) == events, "{preset}");
    }
}

#[test]
fn traces_of_riscv_come_back() {
    for name in ["rv32-synthetic-data", "rv64-djpeg", "rv64-stringsearch"] {
        let (machine, events) = workload(&format!("{name}.pet.zst"));
        // The longest one only with all that an encoder can leave out.
        let presets = if name == "rv64-djpeg" { &PRESETS[2..] } else { &PRESETS };
        for preset in presets.iter().copied() {
            come_back(machine, &events, preset, name);
        }
    }
}

/// Random programs of RISC-V: two in five of these seeds.
pub fn random_programs(seeds: u64) -> impl Iterator<Item = (u64, Machine, Vec<Event>)> {
    (0..seeds).filter_map(|seed| {
        let options = SyntheticOptions {
            events: 3_000,
            predicated: false,
            threads: 1,
            data_accesses: 0,
            ..SyntheticOptions::from_seed(seed)
        };
        let synthetic = Synthetic::new(options).unwrap();
        let machine = synthetic.machine();
        (machine.isa == Isa::RiscV).then(|| (seed, machine, synthetic.collect()))
    })
}

#[test]
fn random_programs_come_back() {
    let mut programs = 0;
    for (seed, machine, events) in random_programs(600) {
        for preset in PRESETS {
            come_back(machine, &events, preset, &format!("seed {seed}"));
        }
        programs += 1;
    }
    assert!(programs > 200, "{programs} programs");
}
