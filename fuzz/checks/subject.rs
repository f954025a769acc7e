//! The programs and designs that damaged traces are decoded with.

use std::sync::LazyLock;

use tracewright_sim::event::{Event, Kind, Machine};
use tracewright_sim::program::{Program, ProgramBuilder};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};

/// A small program and one run of it.
pub struct Subject {
    /// The processor.
    pub machine: Machine,
    /// The program that the run shows.
    pub program: Program,
    /// The run; the lengths of calls are known.
    pub events: Vec<Event>,
    /// Instructions that a replay may have; more than the run's, so that a damaged trace goes far.
    pub most_instructions: u64,
}

/// Seeds of programs for ARM, RISC-V of 64 and of 32 bits, and x86, with all kinds of instructions.
const SEEDS: [u64; 4] = [14, 24, 8, 30];

/// Events from which a program is learned: enough for exceptions at many instructions.
const LEARNED: u64 = 4000;

/// Events of the run.
const EVENTS: usize = 400;

/// Every subject.
pub static SUBJECTS: LazyLock<Vec<Subject>> =
    LazyLock::new(|| SEEDS.into_iter().map(subject).collect());

fn subject(seed: u64) -> Subject {
    let options = Options {
        events: LEARNED,
        functions: 4,
        branch_every_instruction: false,
        ..Options::from_seed(seed)
    };
    let synthetic = Synthetic::new(options).expect("legal options");
    let machine = synthetic.machine();
    let mut events: Vec<Event> = synthetic.collect();
    // An exception is no instruction: no trace says how long the one before it was.
    events
        .iter_mut()
        .filter(|event| event.kind == Kind::Exception && event.taken)
        .for_each(|event| event.length = 0);
    let mut builder = ProgramBuilder::new(machine);
    events.iter().for_each(|event| builder.event(event).expect("one program"));
    let program = builder.finish().expect("one program");
    events.truncate(EVENTS);
    let instructions: u64 = events.iter().map(|event| event.instructions).sum();
    Subject { machine, program, events, most_instructions: 2 * instructions }
}

/// Designs by preset and what is changed of it: small counters overflow, odd ports pad oddly.
pub const DESIGNS: [(&str, &[(&str, &str)]); 20] = [
    ("traptor-m4", &[]),
    ("traptor-s0", &[]),
    ("traptor-b4", &[("trace_port_width", "16")]),
    ("traptor-m4", &[("branch_count_bits", "2"), ("instruction_count_bits", "8")]),
    (
        "traptor-s3",
        &[
            ("branch_count_bits", "3"),
            ("instruction_count_bits", "8"),
            ("retire_count_bits", "1"),
            ("gshare_entries", "1"),
            ("return_address_stack_depth", "1"),
            ("indirect_branch_target_buffer_entries", "6"),
            ("indirect_branch_target_buffer_ways", "3"),
            ("trace_port_width", "33"),
            ("outcome_bit_for_jumps", "false"),
        ],
    ),
    (
        "traptor-s2",
        &[
            ("branch_count_first_chunk", "1"),
            ("branch_count_next_chunk", "1"),
            ("instruction_count_bits", "9"),
            ("instruction_count_first_chunk", "16"),
            ("target_first_chunk", "32"),
            ("target_next_chunk", "1"),
            ("elided_upper_bits", "3"),
            ("return_address_stack_depth", "0"),
            ("trace_port_width", "64"),
        ],
    ),
    ("stream-base-32", &[("retire_count_bits", "1"), ("stream_length_bits", "3")]),
    ("stream-ebase-64", &[("one_length_start_bits", "1"), ("one_length_most_bits", "3")]),
    ("stream-rbase-128", &[("upper_address_bits", "28"), ("miss_index", "allocated")]),
    ("ntuple-32x4", &[("tuple_length", "3"), ("tuple_history_entries", "4")]),
    ("nexs", &[]),
    ("nexus-n1-timed", &[("time_stamp_bits", "5"), ("stream_length_bits", "4")]),
    ("mctraptor-small-n2-timed", &[("time_stamp_bits", "6"), ("branch_count_bits", "3")]),
    ("talon-s", &[]),
    ("talon-xl", &[("trace_port_width", "16"), ("instruction_count_bits", "8")]),
    (
        "talon-xl",
        &[
            ("bimodal_entries", "8"),
            ("gshare_entries", "4"),
            ("match_history_entries", "8"),
            ("match_pointers", "4"),
            ("confidence_entries", "4"),
            ("loop_entries", "1"),
            ("return_address_stack_depth", "1"),
            ("target_buffer_sets", "1"),
            ("target_buffer_tag_bits", "1"),
            ("target_bits", "5"),
            ("retire_count_bits", "1"),
            ("instruction_count_bits", "9"),
            ("range_bits", "16"),
            ("guard_bits", "12"),
            ("address_first_chunk", "13"),
            ("trace_port_width", "33"),
        ],
    ),
    (
        "talon-s",
        &[
            ("return_confidence", "4"),
            ("single_target_confidences", "[1, 2, 3, 4]"),
            ("recent_target_confidences", "[4, 1, 1, 2]"),
            ("choice_confidences", "[1, 2, 4, 4]"),
            ("most_confidence", "4"),
            ("range_bits", "6"),
            ("guard_bits", "2"),
            ("address_first_chunk", "2"),
            ("return_addresses_compared", "2"),
            ("loop_entries", "2"),
            ("trace_port_width", "7"),
        ],
    ),
    ("etrace-base", &[("trap_cause_bits", "3")]),
    ("etrace-returns", &[("return_stack_entries", "2"), ("trace_port_width", "32")]),
    (
        "etrace-full",
        &[
            ("return_stack_entries", "4"),
            ("jump_target_cache_entries", "4"),
            ("branch_predictor_entries", "2"),
            ("branch_count_bits", "2"),
        ],
    ),
];

/// A design as it is for the subject's machine.
pub fn design(number: usize, subject: &Subject) -> Design {
    let (preset, changes) = DESIGNS[number % DESIGNS.len()];
    let mut design = Design::preset(preset).expect("a preset");
    let width = subject.machine.address_bits.to_string();
    for (name, value) in changes.iter().chain([&("address_width", width.as_str())]) {
        design.set(name, value).expect("a legal value");
    }
    design.for_machine(subject.machine).expect("a legal design")
}
