//! A register between two sides with valid and ready.

use crate::parts::ports::Stream;
use tracewright_elaborate::prelude::*;

block! {
    /// A register for words that are taken when both sides are ready.
    pub WordRegister("word_register") of (width: usize);
    parameters {
        width,
    }

    in in_: Stream(width);
    out out_: Stream(width);
    reg held_valid: 1;
    reg held: width = undefined;
}

#[kernel]
impl Logic for WordRegister {
    fn update(&mut self) {
        in_.ready = out_.ready | !held_valid.q;
        if in_.ready {
            held_valid.d = in_.valid;
            held.d = in_.word;
        }
        out_ = Stream { valid: held_valid.q, word: held.q };
    }
}
