//! A register between two sides with valid and ready, both of which come from registers.

use crate::parts::ports::Stream;
use tracewright_elaborate::prelude::*;

block! {
    /// A register for words, and one more for the word that comes in the cycle in which the other side stops taking.
    ///
    /// That it is ready depends on a register alone, so a stop goes one such buffer further in each cycle.
    pub SkidBuffer("skid_buffer") of (width: usize);
    parameters {
        width,
    }

    in in_: Stream(width);
    out out_: Stream(width);
    reg held_valid: 1;
    reg held: width = undefined;
    reg spare_valid: 1;
    reg spare: width = undefined;
}

#[kernel]
impl Logic for SkidBuffer {
    fn update(&mut self) {
        in_.ready = !spare_valid.q;
        if !spare_valid.q {
            spare.d = in_.word;
        }
        if out_.ready | !held_valid.q {
            held_valid.d = in_.valid | spare_valid.q;
            held.d = in_.word;
            if spare_valid.q {
                held.d = spare.q;
            }
            spare_valid.d = 0;
        } else if !spare_valid.q {
            spare_valid.d = in_.valid;
        }
        out_ = Stream { valid: held_valid.q, word: held.q };
    }
}
