//! A stage of the way through tables that are read through registers.

use tracewright_elaborate::prelude::*;

block! {
    /// A step of the way from the pins to the record former, where tables are read through registers.
    pub Stage("stage") of (flag_bits: usize, count_bits: usize, target_bits: usize);
    parameters {
        flags = flag_bits,
        count_bits,
        target_bits,
    }

    /// properties of the block in single bits
    in flags: flag_bits;
    /// instructions of the block
    in count: count_bits;
    /// target of the block in instruction units
    in target: target_bits;
    /// the flags one cycle later
    out later_flags: flag_bits;
    /// the instructions one cycle later
    out later_count: count_bits;
    /// the target one cycle later
    out later_target: target_bits;
    reg held_flags: flag_bits;
    reg held_count: count_bits = undefined;
    reg held_target: target_bits = undefined;
}

#[kernel]
impl Logic for Stage {
    fn update(&mut self) {
        held_flags.d = flags;
        held_count.d = count;
        held_target.d = target;
        later_flags = held_flags.q;
        later_count = held_count.q;
        later_target = held_target.q;
    }
}
