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

/// What comes again is counted, up to three times.
pub fn repeats() -> Subject {
    subject("ntrace-htm", &[("history_bits", "2"), ("repeat_bits", "2")])
}

/// The same of taken branches.
pub fn branch_repeats() -> Subject {
    subject("ntrace-btm", &[("repeat_bits", "2")])
}

/// Packets that keep the tables, because the last message of one may wait when the next one begins.
fn subject(preset: &str, changes: &[(&str, &str)]) -> Subject {
    let mut design = Design::preset(preset).unwrap().for_machine(MACHINE).unwrap();
    let always = [
        ("retire_count_bits", "3"),
        ("count_bits", "8"),
        ("framing", "packets"),
        ("sync_keeps_tables", "true"),
    ];
    for (name, value) in always.iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    let programs = [(41, 1 << 21), (42, 0xffc0_0000)];
    let programs =
        programs.map(|(seed, code_span)| [hard(), events(seed, code_span), hard()].concat());
    Subject { design, programs }
}

const FIRST: u64 = 0x000e_0000;
const CALLED: u64 = 0x000e_0100;

/// A jump to itself, and one to the same place that counts half as much code more as the counter has.
pub fn jumps() -> [Event; 2] {
    let jump = |program_counter| event(Kind::IndirectJump, program_counter, FIRST);
    [jump(FIRST), jump(FIRST + 0x100)]
}

/// A call, and the return to the address after it.
pub fn returned() -> [Event; 2] {
    let call = Event { call: true, length: 4, ..event(Kind::DirectJump, FIRST, CALLED) };
    [call, Event { is_return: true, ..event(Kind::IndirectJump, CALLED, FIRST + 4) }]
}

/// Beginnings with an exception before which no instruction has retired, in front of a jump, where flushes come after every
/// fifth event.
pub fn beginnings() -> Vec<Event> {
    let exception = event(Kind::Exception, FIRST, FIRST);
    let straight = Event { target: 0, taken: false, ..exception };
    [straight, Event { instructions: 0, ..exception }, jumps()[0]].repeat(40)
}

/// One instruction at the address, which goes to `target`.
fn event(kind: Kind, program_counter: u64, target: u64) -> Event {
    Event {
        instructions: 1,
        program_counter,
        target,
        kind,
        call: false,
        is_return: false,
        taken: true,
        length: 0,
        thread: 0,
    }
}

/// What random programs do not have.
pub fn hard() -> Vec<Event> {
    let jump = event(Kind::IndirectJump, FIRST, FIRST);
    let branch = event(Kind::DirectConditional, FIRST, FIRST);
    let indirect = event(Kind::IndirectConditional, FIRST, FIRST);
    let far = event(Kind::DirectJump, FIRST + 0x8000_0000, FIRST);
    let behind = event(Kind::DirectJump, FIRST - 2, FIRST);
    let exception = event(Kind::Exception, FIRST, FIRST);
    let at_once = Event { instructions: 0, ..exception };
    let straight = Event { target: 0, taken: false, ..event(Kind::Exception, FIRST + 2, 0) };

    // Flushes come after every fifth event, so seven events begin the trace in turn: with a message of its own, with an
    // exception, and after instructions that the flush has counted.
    let beginnings = [exception, straight, at_once, jump, branch, indirect, straight].repeat(5);
    // A history that is full at an indirect branch, and runs of half the address space and of all of it.
    let long = [jump, branch, branch, indirect, far, behind, behind];
    // Parts of the trace without an instruction that changes the flow.
    let few = [straight; 60];
    let ends = [branch, jump].repeat(3);
    [&beginnings[..], &long, &returns(), &again(), &few, &ends].concat()
}

/// What comes again, and what differs in one thing.
fn again() -> Vec<Event> {
    const NEAR: u64 = FIRST + 0x20;
    let taken = event(Kind::DirectConditional, FIRST, FIRST);
    let left = Event { taken: false, target: 0, ..taken };
    let jump = event(Kind::IndirectJump, FIRST, FIRST);
    let away = event(Kind::IndirectJump, FIRST, NEAR);
    let back = event(Kind::IndirectJump, NEAR, FIRST);
    let later = event(Kind::IndirectJump, FIRST + 4, FIRST);
    let later_branch = event(Kind::DirectConditional, FIRST + 4, FIRST);
    let exception = event(Kind::Exception, FIRST, FIRST);
    let indirect = event(Kind::IndirectConditional, FIRST, FIRST);
    let parts: [&[Event]; 11] = [
        &[taken; 21],
        // The history is as full at the jump as the one that waits.
        &[taken, taken, taken, indirect, jump],
        &[jump, left, jump, indirect, jump, indirect],
        &[left, taken, left, taken, taken, taken, taken],
        &[jump; 7],
        &[jump, later, later, jump, away, back, away, back],
        &[taken, jump, left, jump, left, jump, taken, jump],
        &[jump, exception, exception, jump, jump],
        &[taken, taken, jump, jump, taken, jump],
        &[later_branch, later_branch, taken, taken, jump, later_branch],
        &[taken, taken, taken, taken, jump, taken, taken],
    ];
    parts.concat()
}

/// Returns that are not to the address on the stack, and what looks like one.
fn returns() -> Vec<Event> {
    let [call, back] = returned();
    let long_call = Event { length: 8, ..call };
    let to = |kind, target| Event { is_return: true, ..event(kind, CALLED, target) };
    let elsewhere = to(Kind::IndirectJump, FIRST + 16);
    let jump = Event { is_return: false, ..back };
    let direct = to(Kind::DirectJump, FIRST + 4);
    let swap = Event { call: true, length: 2, ..to(Kind::IndirectConditional, FIRST + 4) };
    let stays = Event { taken: false, target: 0, ..swap };
    let parts: [&[Event]; 6] = [
        &[long_call, elsewhere],
        &[call, jump, back],
        &[call, call, direct, back, back],
        &[call, stays, back],
        &[call, swap, back],
        &[call, call, call, back, back, back],
    ];
    parts.concat()
}
