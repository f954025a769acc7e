//! The counter that the registers of the time control.

use tracewright_elaborate::prelude::*;

block! {
    /// Counts cycles, or groups of 4, 16 or 64 of them, which are the time of the trace.
    pub TimestampUnit("timestamp_unit") of (bits: u32) {
        let bits = bits as usize;
    }
    parameters {
        time_bits = bits,
    }

    /// the unit is not held in reset
    in active: 1;
    /// the time goes on
    in counts: 1;
    /// the time becomes 0
    in resets: 1;
    /// a time has 4 to the power of this cycles
    in prescale: 2;
    /// the request to become 0 is done
    out reset_done: 1;
    out timestamp: bits;
    reg count: bits;
    /// cycles in which the time could count
    reg cycles: 6;
    local next_cycles: 6;
    /// the bits of the cycles above those that a time has
    local others: 6;
    constant above_four: 6 = 0b11_1100;
    constant above_sixteen: 6 = 0b11_0000;
}

#[kernel]
impl Logic for TimestampUnit {
    fn update(&mut self) {
        reset_done = resets;
        timestamp = count.q;
        next_cycles = cycles.q + 1;
        others = 0;
        if prescale == 0 {
            others = !resized(0);
        } else if prescale == 1 {
            others = above_four;
        } else if prescale == 2 {
            others = above_sixteen;
        }
        if counts {
            cycles.d = next_cycles;
            if !(next_cycles & !others) {
                count.d = count.q + 1;
            }
        }
        if resets | !active {
            cycles.d = 0;
            count.d = 0;
        }
    }
}
