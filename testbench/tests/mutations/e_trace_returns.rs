//! Faults in the module of E-Trace with implicit return.

use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::Design;

use super::e_trace::{MACHINE, events};
use super::subject::Subject;
use super::texts::{Fault, fault};

/// A stack of two addresses, so that it is full.
pub fn subject() -> Subject {
    let mut design = Design::preset("etrace-returns").unwrap().for_machine(MACHINE).unwrap();
    design.set("retire_count_bits", "3").unwrap();
    design.set("return_stack_entries", "2").unwrap();
    let programs = [(41, 1 << 21), (42, 0xffc0_0000)].map(|(seed, code_span)| {
        let mut program = events(seed, code_span);
        program.extend(calls());
        program
    });
    Subject { design, programs }
}

/// Exceptions soon after calls and returns, and an end after a return that is not inferred: places that random programs do not
/// have.
fn calls() -> Vec<Event> {
    const CALLER: u64 = 0x000f_0000;
    const CALLED: u64 = 0x000f_0200;
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
    let call_at = |program_counter| Event {
        call: true,
        length: 4,
        ..event(Kind::DirectJump, 1, program_counter, CALLED)
    };
    let call = call_at(CALLER);
    let return_to =
        |target| Event { is_return: true, ..event(Kind::IndirectJump, 1, CALLED, target) };
    let back = return_to(CALLER + 4);
    let exception = |instructions, program_counter| {
        event(Kind::Exception, instructions, program_counter, CALLER)
    };
    let branch = Event { taken: false, ..event(Kind::DirectConditional, 2, CALLER + 8, 0) };
    let parts: [&[Event]; 5] = [
        &[exception(0, CALLER)],
        &[call, back, branch, exception(0, CALLER + 8)],
        &[call, back, exception(3, CALLER + 12)],
        &[call, back, call_at(CALLER + 4), exception(2, CALLED + 4)],
        &[call, return_to(CALLER + 0x400)],
    ];
    parts.concat()
}

/// Every fault, by module.
pub const FAULTS: &[Fault] = &[
    fault("a full stack grows", "_return_stack", "if (!is_full) begin", "if (1'b1) begin"),
    fault(
        "the stack is never empty again",
        "_return_stack",
        "if (forget) begin",
        "if (1'b0) begin",
    ),
    fault("a return leaves the depth", "_return_stack", "held <= held - 2'd1;", "held <= held;"),
    fault("a return leaves the top", "_return_stack", "free <= free - 1'b1;", "free <= free;"),
    fault(
        "every return is inferred",
        "_calls",
        "infers = (return_stack_top == target_units) & is_return",
        "infers = is_return",
    ),
    fault(
        "a return that was not inferred is not told",
        "_calls",
        "fails = (return_stack_top != target_units) & is_return",
        "fails = 1'b0",
    ),
    fault(
        "inferred returns are not counted",
        "_record_former",
        "jumps = (retire_valid & retire_direct & !retire_conditional) | infers",
        "jumps = (retire_valid & retire_direct & !retire_conditional)",
    ),
    fault(
        "the depth is not told after inferred returns",
        "_calls",
        "is_after | has_returned",
        "is_after",
    ),
    fault(
        "the depth is told at a branch",
        "_calls",
        "(reports | retire_conditional) ? is_after",
        "reports ? is_after",
    ),
    fault(
        "every block after a return is one instruction",
        "_calls",
        "is_after = has_just_returned & is_one",
        "is_after = has_just_returned",
    ),
    fault(
        "the end after a return that was not inferred has no depth",
        "_record_former",
        "reports_failed = (reports | (flush & is_target)) & calls_is_failed",
        "reports_failed = reports & calls_is_failed",
    ),
    fault(
        "indirect calls leave no address",
        "_calls",
        "return_stack_push = is_call & retire_taken",
        "return_stack_push = is_call & retire_direct",
    ),
    fault(
        "a flush leaves the stack",
        "_record_former",
        "calls_forget = excepts | flush",
        "calls_forget = excepts",
    ),
    fault(
        "a call does not end what returns say",
        "_calls",
        "(retire_valid & retire_conditional) || is_call",
        "(retire_valid & retire_conditional)",
    ),
    fault(
        "a payload with a depth has a bit less",
        "_payload_cut",
        "7'd34 + depth_found",
        "7'd33 + depth_found",
    ),
    fault(
        "the bit before the depth is not turned",
        "_payload_cut",
        "!others, others, first",
        "others, others, first",
    ),
    fault(
        "a map before a depth is cut",
        "_payload_cut",
        "!(notify | updiscon | irreport)",
        "!(notify | updiscon)",
    ),
];
