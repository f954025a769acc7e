//! Faults in the module of E-Trace with branch prediction and a jump target cache.

use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::Design;

use super::e_trace::{MACHINE, events, with_distances};
use super::subject::Subject;

/// Small tables and a small counter, so that they are full.
pub fn subject() -> Subject {
    let mut design = Design::preset("etrace-full").unwrap().for_machine(MACHINE).unwrap();
    for (name, value) in [
        ("retire_count_bits", "3"),
        ("return_stack_entries", "2"),
        ("jump_target_cache_entries", "8"),
        ("branch_predictor_entries", "8"),
        ("branch_count_bits", "3"),
    ] {
        design.set(name, value).unwrap();
    }
    let programs = [(41, 1 << 21, 5), (42, 0xffc0_0000, 7)].map(|(seed, code_span, step)| {
        let mut program = events(seed, code_span);
        program.extend(loops(step));
        program.extend(maps(step == 5));
        with_distances(&program)
    });
    Subject { design, programs }
}

/// Loops of one and of two instructions, one of them after a jump of its own.
const HEADS: [u64; 4] = [0x000f_1000, 0x000f_2004, 0x0010_3008, 0x000f_2014];
/// Rounds around the numbers at which a map or the counter is full.
const ROUNDS: [usize; 14] = [0, 1, 29, 30, 31, 32, 37, 38, 39, 40, 41, 46, 47, 70];

/// Branches that are predicted for long, and then one that is not, a jump or an exception; after jumps to each other's heads.
fn loops(step: usize) -> Vec<Event> {
    let event = |kind, instructions, program_counter, target| Event {
        instructions,
        program_counter,
        target,
        kind,
        call: false,
        is_return: false,
        taken: true,
        length: 0,
        thread: 0,
    };
    let handler = 0x000f_4000;
    let mut at = HEADS[0];
    let mut events = vec![event(Kind::Exception, 0, at, at)];
    for turn in 0..400 {
        let instructions = 1 + (at >> 2 & 1);
        let branch = at + 2 * (instructions - 1);
        let round = event(Kind::DirectConditional, instructions, branch, at);
        events.extend(std::iter::repeat_n(round, ROUNDS[step * turn % ROUNDS.len()]));
        let next = HEADS[step * turn / 3 % HEADS.len()];
        if turn % 5 == 0 {
            // After no instruction, the pins show the one before.
            let last = events.last().map_or(at, |last| last.program_counter);
            let stopped = if instructions == 1 { last } else { at };
            events.push(event(Kind::Exception, instructions - 1, stopped, handler));
            let straight = 28 + turn / 5 % 8;
            let end = 0x000f_8100;
            let start = end - 2 * straight as u64;
            // The target after these branches is in the cache.
            let length = 1 + (next >> 2 & 1);
            let first = next + 2 * (length - 1);
            events.push(event(Kind::IndirectJump, 1, handler, next));
            let round = event(Kind::DirectConditional, length, first, 0);
            events.push(Event { taken: false, ..round });
            events.push(event(Kind::IndirectJump, 1, first + 4, start));
            let branches = (start..end).step_by(2);
            let branch = |at| Event { taken: false, ..event(Kind::DirectConditional, 1, at, 0) };
            events.extend(branches.map(branch));
            // The branch at the target is the next one after these, which were all predicted.
            events.push(event(Kind::IndirectJump, 1, end, next));
        } else {
            events.push(Event { taken: false, target: 0, ..round });
            events.push(event(Kind::IndirectJump, 1, branch + 4, next));
        }
        at = next;
    }
    events
}

/// Far jumps to a few targets that are in the cache, after maps of every size in which one branch went another way than all
/// others.
fn maps(taken: bool) -> impl Iterator<Item = Event> {
    const TARGETS: [u64; 4] = [0x1000_1000, 0x2f00_2002, 0xc100_3004, 0x8800_4006];
    let event = |kind, program_counter, taken, target| Event {
        instructions: 1,
        program_counter,
        target: if taken { target } else { 0 },
        kind,
        call: false,
        is_return: false,
        taken,
        length: 2,
        thread: 0,
    };
    let pairs = (1..=31).flat_map(|branches| (0..branches).map(move |place| (branches, place)));
    (0..).zip(pairs).flat_map(move |(number, (branches, place))| {
        let at = TARGETS[number % 4];
        // The first branch is not at the address of a jump, the last one is at that of the next.
        let branch = move |each: usize| {
            let last = each == branches - 1;
            let at = if last { TARGETS[(number + 1) % 4] } else { at + 2 };
            let branch = event(Kind::DirectConditional, at, (each == place) == taken, at);
            Event { instructions: if each == 0 && !last { 2 } else { 1 }, ..branch }
        };
        let jump = event(Kind::IndirectJump, at + 4, true, TARGETS[(number + 1) % 4]);
        let jump = Event { instructions: if branches == 1 { 2 } else { 1 }, ..jump };
        let before = (0..branches - 1).map(branch);
        before.chain([jump, branch(branches - 1)])
    })
}
