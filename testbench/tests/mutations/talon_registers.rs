//! Faults in Talon where tables are read through registers, and the coder takes two cycles.

use super::subject::Subject;
use super::talon::{SMALL_CODER, changed};

/// Tables read through registers, and registers at a small coder. The instruction counter is wide, so that jumps leave the module
/// empty when a flush comes.
pub fn subject() -> Subject {
    let registers = [
        ("memory_style", "synchronous"),
        ("encoder_registers", "true"),
        ("instruction_count_bits", "12"),
        ("choice_confidences", "[1, 1, 2, 5]"),
        ("address_first_chunk", "4"),
        ("target_buffer_tag_bits", "2"),
        ("targets_per_entry", "1"),
        ("return_address_stack_wraps", "true"),
    ];
    changed(&[&SMALL_CODER[..], &registers[..]].concat())
}
