//! Faults in the module of E-Trace with branch prediction and a jump target cache.

use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::Design;

use super::e_trace::{MACHINE, events};
use super::subject::{Fault, Subject, fault};

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
        program
    });
    Subject { design, programs, faults: FAULTS }
}

/// Loops of one and of two instructions, one of them behind a jump of its own.
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
            events.push(event(Kind::Exception, instructions - 1, at, handler));
            events.push(event(Kind::IndirectJump, 1, handler, next));
        } else {
            events.push(Event { taken: false, target: 0, ..round });
            events.push(event(Kind::IndirectJump, 1, branch + 4, next));
        }
        at = next;
    }
    events
}

/// Every fault, by module.
const FAULTS: &[Fault] = &[
];
