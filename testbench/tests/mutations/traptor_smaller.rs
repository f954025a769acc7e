//! Faults in T-raptor where ways are replaced in turn and the instruction counter numbers the entries of the clear sweep.

use super::subject::{Fault, Subject, fault};
use super::traptor::changed;

/// An instruction counter that is just wide enough for the clear sweep, and a tag without address bits.
pub fn subject() -> Subject {
    let smaller = [
        ("instruction_count_bits", "10"),
        ("indirect_branch_target_buffer_replacement", "round-robin"),
        ("indirect_branch_target_buffer_tag_shift", "64"),
    ];
    changed(&smaller, FAULTS)
}

const BUFFER: &str = "_indirect_branch_target_buffer";
const QUEUE: &str = "_fifo_depth2";

const FAULTS: &[Fault] = &[
    fault(
        "the instruction count is not 0 after the clear sweep",
        "_record_former",
        "clears || is_swept",
        "clears",
    ),
    fault(
        "the clear sweep counts by two",
        "_record_former",
        "counted_now | {7'd0, clearing}",
        "counted_now | {6'd0, clearing, clearing}",
    ),
    fault("the clear sweep ends one early", "_sequencer", "if (&swept)", "if (&swept[8:1])"),
    fault("a hit advances the next victim", BUFFER, "learn && !(|matching)", "learn"),
    fault(
        "a branch that is not taken advances the next victim",
        BUFFER,
        "learn && !(|matching)",
        "!(|matching)",
    ),
    fault(
        "the next victim stays",
        BUFFER,
        "next_victim <= next_victim + 1'b1",
        "next_victim <= next_victim",
    ),
    fault(
        "the tag is not the path's latest part",
        BUFFER,
        "path_history[7:0]",
        "path_history[8:1]",
    ),
    fault(
        "a full queue shows no record",
        QUEUE,
        "(write_pointer != read_pointer) | is_filled",
        "write_pointer != read_pointer",
    ),
    fault("an empty queue counts as full", QUEUE, "is_filled <= puts", "is_filled <= 1'b1"),
    fault("a full queue counts as empty", QUEUE, "is_filled <= puts", "is_filled <= 1'b0"),
];
