//! Dumps of N-Trace: what our encoder says is decoded into the events that it was given, by a decoder of the standard.

use std::collections::BTreeMap;
use std::sync::Arc;

use tracewright_import::e_trace::{Code, Known, Options, Summary};
use tracewright_import::n_trace::{self, Encoder};
use tracewright_sim::code::{Branch, Instruction};
use tracewright_sim::event::{Event, Kind, Machine};
use tracewright_sim::program::Program;

use crate::e_trace::{
    Compared, Parts, are_found, compared, encode, image, random_programs, workload,
};

/// A program that is learned from events: all other instructions are as short as the machine's can be, and where the encoder
/// knows no lengths but those of calls, all but calls.
pub struct Learned {
    branches: BTreeMap<u64, Known>,
    shortest: u8,
}

pub fn known(length: u8, branch: Option<Branch>) -> Known {
    let instruction = Instruction { length, branch };
    Known { instruction, returns_from_trap: false, constant: None, register: None }
}

impl Learned {
    pub fn of(machine: Machine, events: &[Event], has_lengths: bool) -> Self {
        let shortest = 2 * machine.alignment;
        let mut branches = BTreeMap::new();
        let has_place = |event: &&Event| match event.kind {
            Kind::Exception => has_lengths && event.instructions > 0,
            _ => true,
        };
        for event in events.iter().filter(has_place) {
            let Event { program_counter, kind, call, is_return, target, length, .. } = *event;
            let branch = Branch { kind, call, is_return, target };
            let branch = (kind != Kind::Exception).then_some(branch);
            let length = if call || has_lengths { length } else { shortest };
            let found = branches.entry(program_counter).or_insert(known(length, branch));
            if let Some(branch) = &mut found.instruction.branch
                && event.taken
            {
                branch.target = target;
            }
        }
        Learned { branches, shortest }
    }
}

impl Code for Learned {
    fn at(&self, address: u64) -> Option<Known> {
        Some(self.branches.get(&address).copied().unwrap_or(known(self.shortest, None)))
    }
}

pub fn decode(
    dump: &[u8],
    encoder: &Encoder,
    code: &impl Code,
    machine: Machine,
) -> (Parts, Summary) {
    let mut parts = Parts::default();
    let options = Options {
        hart: None,
        address_bits: machine.address_bits,
        thread_max: 3,
        has_states: encoder.source_bits == 0,
        begins_in_the_middle: false,
        events_max: 10_000_000,
    };
    let summary = n_trace::decode(dump, encoder, code, &options, &mut parts).unwrap();
    (parts, summary)
}

/// The parameters of our encoder, which knows the lengths of all instructions or of calls alone.
pub fn ours(machine: Machine, has_lengths: bool) -> Encoder {
    let is_short = machine.alignment == 1 && !has_lengths;
    Encoder { taken_half_words: u32::from(is_short), ..Encoder::default() }
}

/// The parameters of a design with exact lengths.
pub fn exact<'a>(changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [changes, &[("exact_lengths", "true")]].concat()
}

const DESIGNS: [(&str, &[(&str, &str)]); 5] = [
    ("ntrace-btm", &[("trace_port_width", "8")]),
    ("ntrace-htm", &[("trace_port_width", "8"), ("count_bits", "8")]),
    ("ntrace-htm", &[("trace_port_width", "32"), ("return_stack_entries", "8")]),
    ("ntrace-btm", &[("trace_port_width", "8"), ("repeat_bits", "4")]),
    (
        "ntrace-htm",
        &[("trace_port_width", "8"), ("return_stack_entries", "8"), ("repeat_bits", "16")],
    ),
];

#[test]
fn a_program_comes_back_instruction_by_instruction() {
    let (machine, events) = workload("rv32imac-traps.pet.zst");
    let image = image("rv32imac-traps.elf");
    for (preset, changes) in DESIGNS {
        let dump = encode(preset, changes, machine, &events);
        let (parts, summary) = decode(&dump, &ours(machine, false), &image, machine);
        assert_eq!((parts.gaps.len(), summary.instructions), (0, 529_254), "{preset}");
        assert!(parts.events(0) == events, "{preset}");
    }
}

/// The parameters of an encoder say nothing of lengths where it knows them all.
#[test]
fn a_compressed_program_needs_no_parameter_with_exact_lengths() {
    let (machine, events) = workload("rv32imac-traps.pet.zst");
    let image = Arc::new(image("rv32imac-traps.elf"));
    let program = Program::of_code(machine, image.clone(), None).unwrap();
    let known: Vec<Event> = events.iter().map(|event| program.with_length(*event)).collect();
    for (preset, changes) in DESIGNS {
        let dump = encode(preset, &exact(changes), machine, &known);
        let (parts, summary) = decode(&dump, &Encoder::default(), &*image, machine);
        assert_eq!((parts.gaps.len(), summary.instructions), (0, 529_254), "{preset}");
        assert!(parts.events(0) == events, "{preset}");
    }
}

/// What a dump tells of events: no system call that came straight back.
pub fn told(events: &[Event]) -> Vec<Compared> {
    let is_told = |event: &&Event| event.kind != Kind::Exception || event.taken;
    events.iter().filter(is_told).map(compared).collect()
}

#[test]
fn random_programs_come_back() {
    let mut programs = 0;
    for (seed, machine, events) in random_programs(300) {
        let has_lengths = seed.is_multiple_of(2);
        let learned = Learned::of(machine, &events, has_lengths);
        for (preset, changes) in DESIGNS {
            let what = format!("{preset}, seed {seed}");
            let changes = if has_lengths { exact(changes) } else { changes.to_vec() };
            let dump = encode(preset, &changes, machine, &events);
            let (parts, _) = decode(&dump, &ours(machine, has_lengths), &learned, machine);
            assert_eq!(parts.gaps, [], "{what}");
            let found: Vec<_> = parts.events(0).iter().map(compared).collect();
            // A trace without the exception at reset is decoded with one.
            let first = usize::from(events.first().is_some_and(|event| event.instructions > 0));
            are_found(&found[first.min(found.len())..], &told(&events), &what);
        }
        programs += 1;
    }
    assert!(programs > 100, "{programs} programs");
}
