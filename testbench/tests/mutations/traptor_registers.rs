//! Faults in T-raptor with registers on the way: tables read through registers, whole records encoded at once, and a
//! serial encoder that holds its record.

use tracewright_sim::event::{Event, Kind};

use super::subject::Subject;
use super::traptor::changed;

/// Tables read through registers, and registers around a parallel encoder that has to wait.
pub fn subject() -> Subject {
    let registers =
        [("memory_style", "synchronous"), ("encoder_registers", "true"), ("encoder", "parallel")];
    let mut subject = changed(&registers);
    subject.programs[1].extend(repeated_jumps());
    subject
}

/// New indirect jumps that follow each other at once, on a path that branches beside them have made the same.
fn repeated_jumps() -> Vec<Event> {
    let repeated = |kind, program_counter, target, times| {
        (0..times).map(move |time| Event {
            instructions: if time == 0 { 400 } else { 1 },
            program_counter,
            target,
            kind,
            call: false,
            is_return: false,
            taken: true,
            length: 2,
            thread: 0,
        })
    };
    let group = |number: u64| {
        let place = 0x8000 + 0x40 * number;
        repeated(Kind::DirectConditional, place, 0x9000, 20).chain(repeated(
            Kind::IndirectJump,
            place + 2,
            0xa000 + place,
            3,
        ))
    };
    // An indirect jump, a direct one and the indirect one again, in three cycles.
    let alternating = |number: u64| {
        let place = 0x8000 + 0x40 * number;
        let indirect = move || repeated(Kind::IndirectJump, place + 2, 0xa000 + place, 2).skip(1);
        let direct = repeated(Kind::DirectJump, place + 4, place + 2, 2).skip(1);
        let branches = repeated(Kind::DirectConditional, place, 0x9000, 20);
        branches.chain(indirect()).chain(direct).chain(indirect())
    };
    (0..40).flat_map(group).chain((40..80).flat_map(alternating)).collect()
}

/// Registers around the serial encoder.
pub fn serial_subject() -> Subject {
    changed(&[("encoder_registers", "true")])
}
