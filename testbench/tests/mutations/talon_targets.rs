//! Faults in a target buffer of Talon whose second way has an index of its own.

use super::subject::Subject;
use super::talon::changed;
use super::texts::{Fault, fault};
use tracewright_sim::event::{Event, Kind};

/// A second way found by the tag, and by the history for a branch with more than two targets.
pub fn subject() -> Subject {
    let targets = [
        ("targets_per_entry", "1"),
        ("target_buffer_sets", "4"),
        ("target_buffer_tag_bits", "3"),
        ("target_buffer_random_victim", "true"),
        ("target_buffer_skewed", "true"),
        ("target_history_bits", "5"),
        ("target_history_shift", "1"),
        ("target_bits", "64"),
    ];
    dispatches(changed(&targets))
}

/// The same with jumps that have many targets.
pub fn dispatches(mut subject: Subject) -> Subject {
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

const BUFFER: &str = "_single_target_buffer";

/// Every fault, by module.
pub const FAULTS: &[Fault] = &[
    fault(
        "every branch is found by the history",
        BUFFER,
        "lookup_hits & polymorphic_read_data",
        "1'b1",
    ),
    fault(
        "a branch that is not known is found by the history",
        BUFFER,
        "lookup_hits & polymorphic_read_data",
        "polymorphic_read_data",
    ),
    fault("the history is not shifted", BUFFER, "{history[3:0], 1'b0}", "history"),
    fault("the upper half of a target is left out", BUFFER, " ^ target[9:5]", ""),
    fault("the history begins with ones", BUFFER, "history <= 5'd0", "history <= 5'd31"),
    fault(
        "the oldest bits of the history are left out",
        BUFFER,
        "history[1:0] ^ history[3:2]",
        "history[1:0]",
    ),
    fault(
        "the second way is read in the first one's set",
        BUFFER,
        "tags_1_cells[second_set]",
        "tags_1_cells[lookup_set]",
    ),
    fault(
        "a target is read in the other way's set",
        BUFFER,
        "targets_1_cells[second_set]",
        "targets_1_cells[lookup_set]",
    ),
    fault(
        "a confidence is read in the other way's set",
        BUFFER,
        "confidences_1_cells[second_set]",
        "confidences_1_cells[lookup_set]",
    ),
    fault(
        "the second way is written in the first one's set",
        BUFFER,
        "clear_index[1:0] : second_set",
        "clear_index[1:0] : lookup_set",
    ),
    fault(
        "a branch with two targets is found by the history",
        BUFFER,
        "becomes_polymorphic = has_two & !(|confidence)",
        "becomes_polymorphic = has_two",
    ),
    fault(
        "a new branch is found by the history of the one before",
        BUFFER,
        "!clear_valid & lookup_hits & ",
        "!clear_valid & ",
    ),
    fault(
        "a branch is found by the history once",
        BUFFER,
        "(polymorphic_read_data | becomes_polymorphic)",
        "becomes_polymorphic",
    ),
    fault(
        "of two equal targets the first is the recent one",
        BUFFER,
        "(|known) ? is_second",
        "(|known) ? !known[0]",
    ),
];
