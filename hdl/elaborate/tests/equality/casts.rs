//! Casts, slices and concatenations.

use crate::bench;
use crate::harness::{WIDTHS, compare};
use tracewright_elaborate::prelude::*;

block! {
    /// Casts and slices.
    Casts("casts") of (width: usize) {
        let (narrow, wide) = (width / 3, width + 5);
    }
    parameters { width }

    in a: width;
    in b: width;
    in distance: 3;
    out cut: narrow;
    out extended: wide;
    out slice: narrow;
    out slice_of_sum: narrow;
    out slice_of_shift: narrow;
    out slice_of_logic: narrow;
    out cut_sum: narrow;
    out extended_sum: wide;
    out joined: 2 * width;
    out fitted: wide;
    out fitted_sum: narrow;
    out compared: 1;
    param width = width;
}

impl Logic for Casts {
    #[hdl_gen]
    fn update(&mut self) {
        self.cut.next = bits_to(self.a.val(), self.cut.width());
        self.extended.next = bits_to(self.a.val(), self.extended.width());
        self.slice.next = bits_to(self.a.val() >> 1, self.cut.width());
        self.slice_of_sum.next = bits_to((self.a.val() + self.b.val()) >> 1, self.cut.width());
        self.slice_of_shift.next = bits_to(self.a.val() >> self.distance.val(), self.cut.width());
        self.slice_of_logic.next = bits_to((self.a.val() ^ !self.b.val()) >> 1, self.cut.width());
        self.cut_sum.next =
            bits_to((self.a.val() + self.b.val()) << self.distance.val(), self.cut.width());
        self.extended_sum.next = bits_to(self.a.val() - self.b.val(), self.extended.width());
        self.joined.next = (bits_to(self.a.val(), self.joined.width()) << self.width.val())
            | bits_to(self.b.val(), self.joined.width());
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
