//! Values on their way through a kernel.

use crate::bench;
use crate::harness::compare;
use tracewright_elaborate::prelude::*;

block! {
    /// Signals that are read between their writes, under conditions that are too.
    Intermediate("intermediate") of (width: usize);
    parameters { width }

    in a: width;
    in b: width;
    out early: width;
    out late: width;
    out bits_between: 2;
    out chain: width;
    local work: width;
    local flag: 1;
    local steps: width for _ in 0..5;
}

impl Logic for Intermediate {
    #[hdl_gen]
    fn update(&mut self) {
        self.work.next = self.a.val() + self.b.val();
        self.early.next = self.work.val();
        self.flag.next = self.work.val().any().into();
        self.bits_between.next = bits_to((self.work.val() + self.b.val()) >> 2, 2);
        if bits_to((self.work.val() - self.b.val()) >> 1, 2) == 1 {
            self.work.next = self.work.val() ^ self.a.val();
            self.flag.next = false.into();
        } else if self.flag.val().any() && self.work.val() < self.a.val() {
            self.work.next = !self.work.val();
        }
        if self.flag.val().any() {
            self.early.next = self.early.val() - self.work.val();
        }
        self.work.next = self.work.val() + self.early.val();
        self.late.next = self.work.val();
        self.steps[0].next = self.late.val();
        for i in 1..5 {
            self.steps[i].next = self.steps[i - 1].val() + self.a.val();
            if self.steps[i].val() > self.b.val() {
                self.steps[i].next = self.steps[i].val() ^ i;
            }
        }
        self.chain.next = self.steps[4].val();
    }
}

bench!(Intermediate, [a, b], [early, late, bits_between, chain]);

#[test]
fn values_on_their_way() {
    for width in [4, 8, 63, 64, 65, 128] {
        compare(Intermediate::new(width));
    }
}

block! {
    /// Chains of `if` that are a choice of one value, with arms that leave some targets alone.
    Choices("choices") of ();

    in phase: 3;
    in flags: 4;
    out piece: 4;
    out more: 1;
    out done: 1;
}

impl Logic for Choices {
    #[hdl_gen]
    fn update(&mut self) {
        self.more.next = false.into();
        self.done.next = false.into();
        self.piece.next = self.flags.val();
        if self.phase.val() == 0 {
            if self.flags.val().get_bit(0) {
                self.piece.next = 1.into();
            } else if self.flags.val().get_bit(1) {
                self.piece.next = 2.into();
            } else if self.flags.val().get_bit(2) {
                self.more.next = true.into();
            } else {
                self.done.next = true.into();
            }
        } else if self.phase.val() == 1 {
            self.more.next = self.flags.val().any().into();
        } else if self.phase.val() == 5 {
            self.done.next = self.flags.val().all().into();
        } else if self.phase.val() == 6 {
            self.piece.next = !self.flags.val();
        } else {
            self.more.next = true.into();
        }
    }
}

bench!(Choices, [phase, flags], [piece, more, done]);

#[test]
fn choices() {
    let verilog = compare(Choices::new());
    let text = &verilog.modules[0].text;
    assert!(text.contains("case (phase)"), "{text}");
}
