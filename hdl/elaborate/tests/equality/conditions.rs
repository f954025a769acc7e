//! Operators that give one bit.

use crate::bench;
use crate::harness::{WIDTHS, compare};
use tracewright_elaborate::prelude::*;

#[derive(LogicBlock)]
struct Conditions {
    kind: Kind,
    pub a: Wire<In>,
    pub b: Wire<In>,
    pub position: Wire<In>,
    pub equal: Wire<Out>,
    pub unequal: Wire<Out>,
    pub less: Wire<Out>,
    pub less_or_equal: Wire<Out>,
    pub greater: Wire<Out>,
    pub greater_or_equal: Wire<Out>,
    pub any: Wire<Out>,
    pub all: Wire<Out>,
    pub odd: Wire<Out>,
    pub picked: Wire<Out>,
    pub sum_bit: Wire<Out>,
    pub zero: Wire<Out>,
    pub at_least_one: Wire<Out>,
    pub below_one: Wire<Out>,
    pub grouped: Wire<Out>,
    pub combined: Wire<Out>,
    pub together: Wire<Out>,
    top_value: Param,
    pub below_top: Wire<Out>,
}

impl Conditions {
    fn new(width: usize) -> Self {
        Self {
            kind: Kind::new("conditions", [("width", width)]),
            a: Wire::new(width),
            b: Wire::new(width),
            position: Wire::new(address_width(width)),
            equal: Wire::new(1),
            unequal: Wire::new(1),
            less: Wire::new(1),
            less_or_equal: Wire::new(1),
            greater: Wire::new(1),
            greater_or_equal: Wire::new(1),
            any: Wire::new(1),
            all: Wire::new(1),
            odd: Wire::new(1),
            picked: Wire::new(1),
            sum_bit: Wire::new(1),
            zero: Wire::new(1),
            at_least_one: Wire::new(1),
            below_one: Wire::new(1),
            grouped: Wire::new(1),
            combined: Wire::new(1),
            together: Wire::new(6),
            top_value: Param::new(!Word::zero(width)),
            below_top: Wire::new(1),
        }
    }
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
