//! Casts, slices and concatenations.

use crate::bench;
use crate::harness::{compare, widths};
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

#[kernel]
impl Logic for Casts {
    fn update(&mut self) {
        cut = resized(a);
        extended = resized(a);
        slice = resized(a >> 1, cut.width());
        slice_of_sum = resized((a + b) >> 1, cut.width());
        slice_of_shift = resized(a >> distance, cut.width());
        slice_of_logic = resized((a ^ !b) >> 1, cut.width());
        cut_sum = resized((a + b) << distance, cut.width());
        extended_sum = resized(a - b, extended.width());
        joined = (resized(a) << width) | resized(b);
        fitted = fitted(a);
        fitted_sum = cut + fitted(b);
        compared = (cut == fitted(b)).into();
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
    widths().iter().for_each(|width| drop(compare(Casts::new(*width))));
}
