//! Faults in T-raptor where ways are replaced in turn and the instruction counter numbers the entries of the clear sweep.

use super::subject::Subject;
use super::traptor::changed;

/// An instruction counter that is just wide enough for the clear sweep, and a tag without address bits.
pub fn subject() -> Subject {
    let smaller = [
        ("instruction_count_bits", "10"),
        ("indirect_branch_target_buffer_replacement", "round-robin"),
        ("indirect_branch_target_buffer_tag_shift", "64"),
    ];
    changed(&smaller)
}
