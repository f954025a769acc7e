//! Operators that give words.

use crate::bench;
use crate::harness::{Judge, WIDTHS, compare, compare_with};
use tracewright_elaborate::Reset;
use tracewright_elaborate::prelude::*;

#[derive(LogicBlock)]
struct Arithmetic {
    kind: Kind,
    pub a: Wire<In>,
    pub b: Wire<In>,
    pub distance: Wire<In>,
    pub sum: Wire<Out>,
    pub difference: Wire<Out>,
    pub conjunction: Wire<Out>,
    pub disjunction: Wire<Out>,
    pub exclusive: Wire<Out>,
    pub inverted: Wire<Out>,
    pub left: Wire<Out>,
    pub right: Wire<Out>,
    pub left_by_three: Wire<Out>,
    pub right_by_three: Wire<Out>,
    pub increment: Wire<Out>,
    pub mixed: Wire<Out>,
    pub replaced: Wire<Out>,
    pub fixed_bit: Wire<Out>,
    pub sum_right: Wire<Out>,
}

impl Arithmetic {
    fn new(width: usize) -> Self {
        Self {
            kind: Kind::new("arithmetic", [("width", width)]),
            a: Wire::new(width),
            b: Wire::new(width),
            distance: Wire::new(address_width(width + 2)),
            sum: Wire::new(width),
            difference: Wire::new(width),
            conjunction: Wire::new(width),
            disjunction: Wire::new(width),
            exclusive: Wire::new(width),
            inverted: Wire::new(width),
            left: Wire::new(width),
            right: Wire::new(width),
            left_by_three: Wire::new(width),
            right_by_three: Wire::new(width),
            increment: Wire::new(width),
            mixed: Wire::new(width),
            replaced: Wire::new(width),
            fixed_bit: Wire::new(width),
            sum_right: Wire::new(width),
        }
    }
}

impl Logic for Arithmetic {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = self.a.val() + self.b.val();
        self.difference.next = self.a.val() - self.b.val();
        self.conjunction.next = self.a.val() & self.b.val();
        self.disjunction.next = self.a.val() | self.b.val();
        self.exclusive.next = self.a.val() ^ self.b.val();
        self.inverted.next = !self.a.val();
        self.left.next = self.a.val() << self.distance.val();
        self.right.next = self.a.val() >> self.distance.val();
        self.left_by_three.next = self.a.val() << 3;
        self.right_by_three.next = self.a.val() >> 3;
        self.increment.next = self.a.val() + 1;
        self.mixed.next = ((self.a.val() & self.b.val()) + (self.a.val() | self.b.val()))
            ^ !(self.a.val() - self.b.val() - 1);
        self.replaced.next = self.a.val().replace_bit(self.distance.val(), self.b.val().any());
        self.fixed_bit.next = self.a.val().replace_bit(0, self.b.val().all());
        self.sum_right.next = (self.a.val() + self.b.val()) >> 1;
    }
}

bench!(
    Arithmetic,
    [a, b, distance],
    [
        sum,
        difference,
        conjunction,
        disjunction,
        exclusive,
        inverted,
        left,
        right,
        left_by_three,
        right_by_three,
        increment,
        mixed,
        replaced,
        fixed_bit,
        sum_right
    ]
);

#[test]
fn arithmetic() {
    WIDTHS.into_iter().for_each(|width| drop(compare(Arithmetic::new(width))));
}

#[test]
fn verilator_agrees() {
    compare_with(Judge::Verilator, Arithmetic::new(200), Reset::Synchronous, 400, "");
}
