//! The modules of N-Trace, and programs for their faults.

use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::Design;

use super::e_trace::{MACHINE, events};
use super::subject::Subject;

/// Small counters and histories, so that they are full, and a stack of two addresses.
pub fn history() -> Subject {
    subject("ntrace-htm", &[("history_bits", "3"), ("return_stack_entries", "2")])
}

/// A message for each taken branch.
pub fn branches() -> Subject {
    subject("ntrace-btm", &[])
}

fn subject(preset: &str, changes: &[(&str, &str)]) -> Subject {
    let mut design = Design::preset(preset).unwrap().for_machine(MACHINE).unwrap();
    for (name, value) in [("retire_count_bits", "3"), ("count_bits", "8")].iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    let programs = [(41, 1 << 21), (42, 0xffc0_0000)];
    let programs =
        programs.map(|(seed, code_span)| [hard(), events(seed, code_span), hard()].concat());
    Subject { design, programs }
}

/// What random programs do not have: a beginning with a message of its own, a history that is full at an indirect branch, a
/// run of half the address space, and parts of the trace without an instruction that changes the flow.
fn hard() -> Vec<Event> {
    const FIRST: u64 = 0x000e_0000;
    let event = |kind, program_counter| Event {
        instructions: 1,
        program_counter,
        target: FIRST,
        kind,
        call: false,
        is_return: false,
        taken: true,
        length: 0,
        thread: 0,
    };
    let branch = event(Kind::DirectConditional, FIRST);
    let jump = event(Kind::IndirectJump, FIRST);
    let indirect = event(Kind::IndirectConditional, FIRST);
    let far = event(Kind::DirectJump, FIRST + 0x8000_0000);
    let straight = Event { target: 0, taken: false, ..event(Kind::Exception, FIRST + 2) };
    let [mut events, few] = [vec![jump, branch, branch, indirect, far], vec![straight; 60]];
    events.extend(few);
    events.extend([branch, jump].repeat(3));
    events
}
