//! Casts, slices and concatenations.

use crate::bench;
use crate::harness::{WIDTHS, compare};
use tracewright_elaborate::prelude::*;

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
        self.cut_sum.next =
            bits_to((self.a.val() + self.b.val()) << self.distance.val(), self._narrow);
        self.extended_sum.next = bits_to(self.a.val() - self.b.val(), self._wide);
        self.joined.next = (bits_to(self.a.val(), self._joined) << self.width.val())
            | bits_to(self.b.val(), self._joined);
        self.fitted.next = unsigned_cast_to_fit(self.a.val());
        self.fitted_sum.next = self.cut.val() + unsigned_cast_to_fit(self.b.val());
        self.compared.next = (self.cut.val() == unsigned_cast_to_fit(self.b.val())).into();
    }
}

bench!(
    Casts,
    [a, b, distance],
    [
        cut,
        extended,
        slice,
        slice_of_sum,
        slice_of_shift,
        slice_of_logic,
        cut_sum,
        extended_sum,
        joined,
        fitted,
        fitted_sum,
        compared
    ]
);

#[test]
fn casts() {
    WIDTHS.into_iter().for_each(|width| drop(compare(Casts::new(width))));
}
