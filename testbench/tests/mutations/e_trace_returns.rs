//! Faults in the module of E-Trace with implicit return.

use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::Design;

use super::e_trace::{MACHINE, events, with_distances};
use super::subject::Subject;

/// A stack of two addresses, so that it is full.
pub fn subject() -> Subject {
    let mut design = Design::preset("etrace-returns").unwrap().for_machine(MACHINE).unwrap();
    design.set("retire_count_bits", "3").unwrap();
    design.set("return_stack_entries", "2").unwrap();
    let programs = [(41, 1 << 21), (42, 0xffc0_0000)].map(|(seed, code_span)| {
        let mut program = with_distances(&events(seed, code_span));
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
        &[exception(1, CALLER), exception(0, CALLER)],
        &[call, back, branch, exception(0, CALLER + 8)],
        &[call, back, exception(3, CALLER + 12)],
        &[call, back, call_at(CALLER + 4), exception(2, CALLED + 4)],
        &[call, return_to(CALLER + 0x400)],
    ];
    let indirect = event(Kind::IndirectJump, 1, CALLED, CALLED);
    let two = |event| Event { instructions: 2, ..event };
    let jump = event(Kind::DirectJump, 1, CALLED, CALLED);
    let short: [&[Event]; 9] = [
        &[call, indirect, return_to(CALLER + 0x400), exception(0, CALLED), jump],
        &[call, return_to(CALLER + 0x400), exception(0, CALLED), jump],
        &[call, back, indirect, exception(3, CALLED)],
        &[call, back, indirect, two(jump), jump],
        &[call, back, two(Event { call: true, ..indirect }), exception(0, CALLED), jump],
        &[call, back, two(call_at(CALLER + 4)), exception(0, CALLER + 4), jump],
        &[call, call_at(CALLED), return_to(CALLED + 4), return_to(CALLER + 0x400), two(jump)],
        &[call, back, indirect, jump, exception(3, CALLED), jump],
        &[call, call_at(CALLED), return_to(CALLED + 4), return_to(CALLER + 0x400)],
    ];
    let end = [exception(0, CALLED), exception(3, CALLED), jump];
    let counted = |jumps| [&vec![jump; jumps][..], &[call, back], &end].concat();
    let first = [exception(1, CALLED), jump, jump];
    let short = short.into_iter().flat_map(|part| [&first[..], part].concat());
    short.chain((0..9).flat_map(counted)).chain(parts.concat()).collect()
}
