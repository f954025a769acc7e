//! Operators that give words.

use crate::bench;
use crate::harness::{Judge, WIDTHS, compare, compare_with};
use tracewright_elaborate::Reset;
use tracewright_elaborate::prelude::*;

block! {
    Arithmetic("arithmetic") of (width: usize);
    parameters { width }

    in a: width;
    in b: width;
    in distance: (width + 2).next_power_of_two().ilog2() as usize;
    out sum: width;
    out difference: width;
    out conjunction: width;
    out disjunction: width;
    out exclusive: width;
    out inverted: width;
    out left: width;
    out right: width;
    out left_by_three: width;
    out right_by_three: width;
    out increment: width;
    out mixed: width;
    out replaced: width;
    out fixed_bit: width;
    out sum_right: width;
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
