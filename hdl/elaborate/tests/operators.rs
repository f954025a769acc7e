//! Every operator at every kind of width: RustHDL's simulation against the Verilog.

mod common;

use common::{Judge, compare, compare_with};
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
        self.mixed.next = ((self.a.val() & self.b.val()) + (self.a.val() | self.b.val())) ^ !(self.a.val() - self.b.val() - 1);
        self.replaced.next = self.a.val().replace_bit(self.distance.val(), self.b.val().any());
        self.fixed_bit.next = self.a.val().replace_bit(0, self.b.val().all());
        self.sum_right.next = (self.a.val() + self.b.val()) >> 1;
    }
}

bench!(
    Arithmetic,
    [a, b, distance],
    [
        sum, difference, conjunction, disjunction, exclusive, inverted, left, right, left_by_three, right_by_three,
        increment, mixed, replaced, fixed_bit, sum_right
    ]
);

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
        self.combined.next = (self.a.val().any() && !self.b.val().any() || self.a.val() == self.b.val()).into();
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
        equal, unequal, less, less_or_equal, greater, greater_or_equal, any, all, odd, picked, sum_bit, zero, at_least_one,
        below_one, grouped, combined, together, below_top
    ]
);

/// Casts and slices.
#[derive(LogicBlock)]
struct Casts {
    kind: Kind,
    pub a: Wire<In>,
    pub b: Wire<In>,
    pub distance: Wire<In>,
    pub cut: Wire<Out>,
    pub extended: Wire<Out>,
    pub slice: Wire<Out>,
    pub slice_of_sum: Wire<Out>,
    pub slice_of_shift: Wire<Out>,
    pub slice_of_logic: Wire<Out>,
    pub cut_sum: Wire<Out>,
    pub extended_sum: Wire<Out>,
    pub joined: Wire<Out>,
    pub fitted: Wire<Out>,
    pub fitted_sum: Wire<Out>,
    pub compared: Wire<Out>,
    width: Param,
    _joined: usize,
    _narrow: usize,
    _wide: usize,
}

impl Casts {
    fn new(width: usize) -> Self {
        let (narrow, wide) = (width / 3, width + 5);
        Self {
            kind: Kind::new("casts", [("width", width)]),
            a: Wire::new(width),
            b: Wire::new(width),
            distance: Wire::new(3),
            cut: Wire::new(narrow),
            extended: Wire::new(wide),
            slice: Wire::new(narrow),
            slice_of_sum: Wire::new(narrow),
            slice_of_shift: Wire::new(narrow),
            slice_of_logic: Wire::new(narrow),
            cut_sum: Wire::new(narrow),
            extended_sum: Wire::new(wide),
            joined: Wire::new(2 * width),
            fitted: Wire::new(wide),
            fitted_sum: Wire::new(narrow),
            compared: Wire::new(1),
            width: Param::new(width),
            _joined: 2 * width,
            _narrow: narrow,
            _wide: wide,
        }
    }
}

impl Logic for Casts {
    #[hdl_gen]
    fn update(&mut self) {
        self.cut.next = bits_to(self.a.val(), self._narrow);
        self.extended.next = bits_to(self.a.val(), self._wide);
        self.slice.next = bits_to(self.a.val() >> 1, self._narrow);
        self.slice_of_sum.next = bits_to((self.a.val() + self.b.val()) >> 1, self._narrow);
        self.slice_of_shift.next = bits_to(self.a.val() >> self.distance.val(), self._narrow);
        self.slice_of_logic.next = bits_to((self.a.val() ^ !self.b.val()) >> 1, self._narrow);
        self.cut_sum.next = bits_to((self.a.val() + self.b.val()) << self.distance.val(), self._narrow);
        self.extended_sum.next = bits_to(self.a.val() - self.b.val(), self._wide);
        self.joined.next = (bits_to(self.a.val(), self._joined) << self.width.val()) | bits_to(self.b.val(), self._joined);
        self.fitted.next = unsigned_cast_to_fit(self.a.val());
        self.fitted_sum.next = self.cut.val() + unsigned_cast_to_fit(self.b.val());
        self.compared.next = (self.cut.val() == unsigned_cast_to_fit(self.b.val())).into();
    }
}

bench!(
    Casts,
    [a, b, distance],
    [
        cut, extended, slice, slice_of_sum, slice_of_shift, slice_of_logic, cut_sum, extended_sum, joined, fitted,
        fitted_sum, compared
    ]
);

const WIDTHS: [usize; 13] = [0, 1, 2, 8, 31, 32, 33, 63, 64, 65, 127, 129, 200];

#[test]
fn arithmetic() {
    WIDTHS.into_iter().for_each(|width| drop(compare(Arithmetic::new(width))));
}

#[test]
fn conditions() {
    WIDTHS.into_iter().for_each(|width| drop(compare(Conditions::new(width))));
}

#[test]
fn casts() {
    WIDTHS.into_iter().for_each(|width| drop(compare(Casts::new(width))));
}

#[test]
fn verilator_agrees() {
    compare_with(Judge::Verilator, Arithmetic::new(200), Reset::Synchronous, 400, "");
}
