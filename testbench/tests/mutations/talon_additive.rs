//! Faults in Talon where the sum of tables' weights decides an outcome, with regions and a history of targets.

use super::subject::Subject;
use super::talon::{branch, with_programs};
use super::talon_programs::first_region;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::Design;

use super::traptor::{MACHINE, events};
use crate::straight_runs;

/// talon-a, which has everything that additive designs can have, with tables so small that branches share entries.
pub fn subject() -> Subject {
    let mut design = Design::preset("talon-a").unwrap().for_machine(MACHINE).unwrap();
    let small = [
        ("bimodal_entries", "64"),
        ("history_entries", "64"),
        ("short_history_bits", "4"),
        ("long_history_bits", "9"),
        ("local_histories", "4"),
        ("local_history_bits", "6"),
        ("local_entries", "64"),
        ("match_history_entries", "64"),
        ("match_pointers", "8"),
        ("match_random_pointers", "true"),
        ("confidence_entries", "16"),
        ("return_address_stack_depth", "3"),
        ("target_buffer_sets", "4"),
        ("target_buffer_tag_bits", "3"),
        ("target_history_bits", "5"),
        ("target_regions", "4"),
        ("target_bits", "14"),
        ("retire_count_bits", "7"),
        ("instruction_count_bits", "8"),
    ];
    for (name, value) in small {
        design.set(name, value).unwrap();
    }
    let mut programs = [events(21, 6_000), events(22, 6_000)];
    programs[1].extend(straight_runs::runs_around(&[128, 256]));
    let mut subject = dispatches(with_programs(design, programs, 1));
    subject.programs[0].splice(0..0, first_region());
    subject.programs[0].extend((0..24).flat_map(third_targets));
    // So long a run that the counters reach their highest magnitude, and what is learned after it.
    let rounds = |taken| branch(Kind::DirectConditional, 0x8000, taken, 0x7ff8);
    subject.programs[1].extend([rounds(true); 12_000]);
    subject.programs[1].extend([rounds(false); 20]);
    subject.programs[1].extend(own_pattern());
    subject.programs[0].extend(far_pattern());
    subject.programs[0].extend((0..2_000).map(sure_choice));
    subject
}

/// A branch that goes where a random one went seven branches before, which only the longer history says; then the other
/// way.
fn far_pattern() -> Vec<Event> {
    let mut random = ChaCha8Rng::seed_from_u64(30);
    let conditional = |place, taken| branch(Kind::DirectConditional, place, taken, 0x7ff8);
    let mut round = |turns: bool| {
        let outcome = random.random();
        let between = (0..6).map(|number| conditional(0x8210 + 4 * number, true));
        let last = conditional(0x8300, outcome != turns);
        let first = [conditional(0x8200, outcome)].into_iter();
        first.chain(between).chain([last]).collect::<Vec<_>>()
    };
    (0..2_500).flat_map(|number| round(number >= 2_400)).collect()
}

/// A jump that goes to two targets in turn, until the choice is as sure as any can be.
fn sure_choice(number: u64) -> Event {
    branch(Kind::IndirectJump, 0x8a00, true, 0x9000 + 0x40 * (number % 2))
}

/// A jump that is sure of two targets when it goes to a third one.
fn third_targets(number: u64) -> impl Iterator<Item = Event> {
    let place = 0x8000 + 0x26 * number;
    "AAAAAABBBBBBAACCCCCABC".bytes().map(move |letter| {
        let target = 0x9000 + 0x40 * u64::from(letter - b'A');
        branch(Kind::IndirectJump, place, true, target)
    })
}

/// A branch that goes either way in turn, which its own history alone says, between others that are random.
fn own_pattern() -> Vec<Event> {
    let mut random = ChaCha8Rng::seed_from_u64(29);
    let mut pair = |round: u64| {
        let conditional = |place, taken| branch(Kind::DirectConditional, place, taken, 0x7ff8);
        [conditional(0x8000, round.is_multiple_of(2)), conditional(0x8102, random.random())]
    };
    let mut events: Vec<Event> = (0..5_000).flat_map(&mut pair).collect();
    events.extend((0..200).flat_map(|round| pair(round / 3)));
    events
}

/// The same with jumps that have many targets.
fn dispatches(mut subject: Subject) -> Subject {
    for (program, phase) in subject.programs.iter_mut().zip(0..) {
        // What reset leaves of the history is still in it when the first branch asks for it.
        program.splice(0..0, (0..9).map(dispatch));
        program.extend((0..1_200).map(|number| dispatch(number + 7 * phase)));
    }
    subject
}

/// A jump that goes to six targets in turn, and now and then another one with one or two of its own.
fn dispatch(number: u64) -> Event {
    let (place, target) = match number % 11 {
        10 => (0x8100, 0xa000 + 0x40 * (number / 22 % 2)),
        9 => (0x8244, 0xb000),
        step => (0x8000, 0x9000 + 0x14 * (step % 6)),
    };
    Event {
        instructions: 4,
        program_counter: place,
        target,
        kind: Kind::IndirectJump,
        call: false,
        is_return: false,
        taken: true,
        length: 4,
        thread: 0,
    }
}
