//! Operators that give words.

use crate::bench;
use crate::harness::{Judge, compare, compare_with, widths};
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

#[kernel]
impl Logic for Arithmetic {
    fn update(&mut self) {
        sum = a + b;
        difference = a - b;
        conjunction = a & b;
        disjunction = a | b;
        exclusive = a ^ b;
        inverted = !a;
        left = a << distance;
        right = a >> distance;
        left_by_three = a << 3;
        right_by_three = a >> 3;
        increment = a + 1;
        mixed = ((a & b) + (a | b)) ^ !(a - b - 1);
        replaced = a.replace_bit(distance, b.any());
        fixed_bit = a.replace_bit(0, b.all());
        sum_right = (a + b) >> 1;
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
    widths().iter().for_each(|width| drop(compare(Arithmetic::new(*width))));
}

#[test]
fn verilator_agrees() {
    compare_with(Judge::Verilator, Arithmetic::new(200), Reset::Synchronous, 400, "");
}
