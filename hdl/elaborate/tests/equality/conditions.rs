//! Operators that give one bit.

use crate::bench;
use crate::harness::{WIDTHS, compare};
use tracewright_elaborate::prelude::*;

block! {
    Conditions("conditions") of (width: usize);
    parameters { width }

    in a: width;
    in b: width;
    in position: width.next_power_of_two().ilog2() as usize;
    out equal: 1;
    out unequal: 1;
    out less: 1;
    out less_or_equal: 1;
    out greater: 1;
    out greater_or_equal: 1;
    out any: 1;
    out all: 1;
    out odd: 1;
    out picked: 1;
    out sum_bit: 1;
    out zero: 1;
    out at_least_one: 1;
    out below_one: 1;
    out grouped: 1;
    out combined: 1;
    out together: 6;
    param top_value = !Word::zero(width);
    out below_top: 1;
}

impl Logic for Conditions {
    #[hdl_gen]
    fn update(&mut self) {
        self.equal.next = (self.a.val() == self.b.val()).into();
        self.unequal.next = (self.a.val() != self.b.val()).into();
        self.less.next = (self.a.val() < self.b.val()).into();
        self.less_or_equal.next = (self.a.val() <= self.b.val()).into();
        self.greater.next = (self.a.val() > self.b.val()).into();
        self.greater_or_equal.next = (self.a.val() >= self.b.val()).into();
        self.any.next = self.a.val().any().into();
        self.all.next = self.a.val().all().into();
        self.odd.next = self.a.val().xor().into();
        self.picked.next = self.a.val().get_bit(self.position.val()).into();
        self.sum_bit.next = (self.a.val() + self.b.val()).get_bit(self.position.val()).into();
        self.zero.next = (self.a.val() == 0).into();
        self.at_least_one.next = (self.a.val() >= 1).into();
        self.below_one.next = (self.a.val() < 1).into();
        self.grouped.next = (self.a.val() & 1 == self.b.val()).into();
        self.combined.next =
            (self.a.val().any() && !self.b.val().any() || self.a.val() == self.b.val()).into();
        self.together.next = (bits_to(self.a.val().any(), 6) << 5)
            | (bits_to(self.a.val(), 6) >> 2)
            | bits_to(self.a.val() < self.b.val(), 6);
        self.below_top.next = (self.a.val() < self.top_value.val()).into();
    }
}

bench!(
    Conditions,
    [a, b, position],
    [
        equal,
        unequal,
        less,
        less_or_equal,
        greater,
        greater_or_equal,
        any,
        all,
        odd,
        picked,
        sum_bit,
        zero,
        at_least_one,
        below_one,
        grouped,
        combined,
        together,
        below_top
    ]
);

#[test]
fn conditions() {
    WIDTHS.into_iter().for_each(|width| drop(compare(Conditions::new(width))));
}
