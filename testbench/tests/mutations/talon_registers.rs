//! Faults in Talon where tables are read through registers, and the coder takes two cycles.

use super::subject::Subject;
use super::talon::{SMALL_CODER, changed};
use super::talon_programs::{returns, returns_without_calls};

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
    let mut subject = changed(&[&SMALL_CODER[..], &registers[..]].concat());
    // Before the stack was full once.
    subject.programs[1].splice(0..0, returns_without_calls().into_iter().chain(returns(0)));
    subject
}
