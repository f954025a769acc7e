//! Operators that give one bit.

use crate::bench;
use crate::harness::{compare, widths};
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

#[kernel]
impl Logic for Conditions {
    fn update(&mut self) {
        equal = (a == b).into();
        unequal = (a != b).into();
        less = (a < b).into();
        less_or_equal = (a <= b).into();
        greater = (a > b).into();
        greater_or_equal = (a >= b).into();
        any = a.any().into();
        all = a.all().into();
        odd = a.xor().into();
        picked = a.get_bit(position).into();
        sum_bit = (a + b).get_bit(position).into();
        zero = (a == 0).into();
        at_least_one = (a >= 1).into();
        below_one = (a < 1).into();
        grouped = (a & 1 == b).into();
        combined = (a.any() && !b.any() || a == b).into();
        together = (resized(a.any(), 6) << 5) | (resized(a, 6) >> 2) | resized(a < b, 6);
        below_top = (a < top_value).into();
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
    widths().iter().for_each(|width| drop(compare(Conditions::new(*width))));
}
