//! Values on their way through a kernel.

use crate::bench;
use crate::harness::compare;
use tracewright_elaborate::prelude::*;

/// Signals that are read between their writes, under conditions that are too.
#[derive(LogicBlock)]
struct Intermediate {
    kind: Kind,
    pub a: Wire<In>,
    pub b: Wire<In>,
    pub early: Wire<Out>,
    pub late: Wire<Out>,
    pub bits_between: Wire<Out>,
    pub chain: Wire<Out>,
    work: Wire<Local>,
    flag: Wire<Local>,
    steps: Vec<Wire<Local>>,
}

impl Intermediate {
    fn new(width: usize) -> Self {
        Self {
            kind: Kind::new("intermediate", [("width", width)]),
            a: Wire::new(width),
            b: Wire::new(width),
            early: Wire::new(width),
            late: Wire::new(width),
            bits_between: Wire::new(2),
            chain: Wire::new(width),
            work: Wire::new(width),
            flag: Wire::new(1),
            steps: (0..5).map(|_| Wire::new(width)).collect(),
        }
    }
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

/// Chains of `if` that are a choice of one value, with arms that leave some targets alone.
#[derive(LogicBlock)]
struct Choices {
    kind: Kind,
    pub phase: Wire<In>,
    pub flags: Wire<In>,
    pub piece: Wire<Out>,
    pub more: Wire<Out>,
    pub done: Wire<Out>,
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
    let choices = Choices {
        kind: Kind::plain("choices"),
        phase: Wire::new(3),
        flags: Wire::new(4),
        piece: Wire::new(4),
        more: Wire::new(1),
        done: Wire::new(1),
    };
    let verilog = compare(choices);
    let text = &verilog.modules[0].text;
    assert!(text.contains("case (phase)"), "{text}");
    assert!(text.contains("if (!(flags[0] || flags[1] || flags[2])) begin"), "{text}");
}
