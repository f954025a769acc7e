//! Faults in Talon where counters of bimodal and gshare decide.

use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::Design;

use super::subject::Subject;
use super::talon_programs::{
    bursts, choice, far_targets, first_region, high_addresses, indirect_runs, interrupt,
    interrupt_after_symbol, late_exception, loops, nested_returns, overflows, overflows_anywhere,
    overflows_at_limits, returns, returns_without_calls, stale_returns,
};
use super::traptor::{MACHINE, events};
use crate::straight_runs;

/// talon-xl, which has every structure, with tables so small that branches share entries.
pub fn subject() -> Subject {
    changed(&[])
}

/// A coder whose limits are met often: seven bits, of which it holds two back.
pub const SMALL_CODER: [(&str, &str); 6] = [
    ("return_confidence", "5"),
    ("single_target_confidences", "[2, 3, 5, 5]"),
    ("choice_confidences", "[1, 2, 4, 5]"),
    ("most_confidence", "5"),
    ("range_bits", "7"),
    ("guard_bits", "2"),
];

/// The same with that coder, and longer programs, because a code seldom comes to a carry.
pub fn small_coder() -> Subject {
    let mut subject = changed(&SMALL_CODER);
    for (program, seed) in subject.programs.iter_mut().zip([31, 32]) {
        program.extend(events(seed, 12_000));
    }
    subject
}

/// talon-xl with small tables, counters that overflow, and `changes`.
pub fn changed(changes: &[(&str, &str)]) -> Subject {
    let mut design = Design::preset("talon-xl").unwrap().for_machine(MACHINE).unwrap();
    let small = [
        ("bimodal_entries", "64"),
        ("gshare_entries", "64"),
        ("gshare_history_bits", "7"),
        ("gshare_path_bits", "8"),
        ("gshare_address_rotation", "2"),
        ("bimodal_counters_per_magnitude", "2"),
        ("gshare_counters_per_magnitude", "2"),
        ("match_history_entries", "64"),
        ("match_pointers", "8"),
        ("confidence_entries", "16"),
        ("loop_entries", "4"),
        ("return_address_stack_depth", "3"),
        ("return_address_stack_wraps", "false"),
        ("target_buffer_sets", "2"),
        ("target_buffer_ages", "false"),
        ("target_buffer_random_victim", "false"),
        ("address_first_chunk", "6"),
        ("targets_per_entry", "2"),
        ("target_buffer_tag_bits", "4"),
        ("target_bits", "14"),
        ("retire_count_bits", "7"),
        ("instruction_count_bits", "8"),
    ];
    for (name, value) in small.iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    let mut programs = [events(21, 5_000), events(22, 5_000)];
    programs[1].extend(straight_runs::runs_around(&[128, 256]));
    for program in &mut programs {
        program.extend((0..160).flat_map(choice));
        program.extend((0..20).flat_map(nested_returns));
        program.extend((0..60).flat_map(high_addresses));
        program.extend((0..20).flat_map(late_exception));
    }
    with_programs(design, programs, 3)
}

/// A design of Talon, and programs that come to its limits. There are 24 rounds of loops and 100 of jumps after pauses, or
/// one in so many of them.
pub fn with_programs(design: Design, mut programs: [Vec<Event>; 2], share: usize) -> Subject {
    let rounds = 24 / share;
    programs[0].extend(loops(23, rounds));
    programs[0].extend(indirect_runs());
    programs[1].extend(indirect_runs());
    programs[1].extend(loops(24, rounds));
    // Between two of its flushes there is nothing else: the second finds the module empty.
    let jump = Event { instructions: 1, ..branch(Kind::DirectJump, 0x8000, true, 0x8000) };
    programs[0].extend([jump; 2_200]);
    programs[0].extend(overflows());
    programs[0].extend(overflows_anywhere());
    programs[0].extend(overflows_at_limits());
    for program in &mut programs {
        program.splice(0..0, returns_without_calls());
        program.insert(0, branch(Kind::Exception, 0x8000, true, 0x8400));
        program.extend((0..150).flat_map(interrupt));
        program.extend((0..40).flat_map(interrupt_after_symbol));
        program.extend((0..20).flat_map(returns));
        program.extend(bursts(100 / share));
        program.extend(far_targets(27));
        program.extend(stale_returns());
        let first = first_region().into_iter().chain(far_targets(28).into_iter().take(300));
        program.splice(0..0, first);
    }
    Subject { design, programs }
}

/// A taken or untaken branch that is of no program.
pub fn branch(kind: Kind, program_counter: u64, taken: bool, target: u64) -> Event {
    Event {
        instructions: 3,
        program_counter,
        target: if taken { target } else { 0 },
        kind,
        call: false,
        is_return: false,
        taken,
        length: 4,
        thread: 0,
    }
}
