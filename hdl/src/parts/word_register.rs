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

impl Logic for WordRegister {
    #[hdl_gen]
    fn update(&mut self) {
        self.in_.ready.next = self.out_.ready.val() | !self.held_valid.q.val();
        if self.in_.ready.val().any() {
            self.held_valid.d.next = self.in_.valid.val();
            self.held.d.next = self.in_.word.val();
        }
        self.out_.valid.next = self.held_valid.q.val();
        self.out_.word.next = self.held.q.val();
    }
}
