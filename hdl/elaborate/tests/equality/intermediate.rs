//! Values on their way through a kernel.

use crate::bench;
use crate::harness::compare;
use tracewright_elaborate::prelude::*;

block! {
    /// Signals that are read between their writes, under conditions that are too.
    Intermediate("intermediate") of (width: usize);
    parameters { width }

    in a: width;
    in b: width;
    out early: width;
    out late: width;
    out bits_between: 2;
    out chain: width;
    local work: width;
    local flag: 1;
    local steps: width for _ in 0..5;
}

#[kernel]
impl Logic for Intermediate {
    fn update(&mut self) {
        work = a + b;
        early = work;
        flag = work.any().into();
        bits_between = resized((work + b) >> 2, 2);
        if resized((work - b) >> 1, 2) == 1 {
            work = work ^ a;
            flag = false;
        } else if flag && work < a {
            work = !work;
        }
        if flag {
            early = early - work;
        }
        work = work + early;
        late = work;
        steps[0] = late;
        for i in 1..5 {
            steps[i] = steps[i - 1] + a;
            if steps[i] > b {
                steps[i] = steps[i] ^ i;
            }
        }
        chain = steps[4];
    }
}

bench!(Intermediate, [a, b], [early, late, bits_between, chain]);

#[test]
fn values_on_their_way() {
    for width in [4, 8, 63, 64, 65, 128] {
        compare(Intermediate::new(width));
    }
}

block! {
    /// Chains of `if` that are a choice of one value, with arms that leave some targets alone.
    Choices("choices") of ();

    in phase: 3;
    in flags: 4;
    out piece: 4;
    out more: 1;
    out done: 1;
}

#[kernel]
impl Logic for Choices {
    fn update(&mut self) {
        more = false;
        done = false;
        piece = flags;
        if phase == 0 {
            if flags.get_bit(0) {
                piece = 1;
            } else if flags.get_bit(1) {
                piece = 2;
            } else if flags.get_bit(2) {
                more = true;
            } else {
                done = true;
            }
        } else if phase == 1 {
            more = flags.any().into();
        } else if phase == 5 {
            done = flags.all().into();
        } else if phase == 6 {
            piece = !flags;
        } else {
            more = true;
        }
    }
}

bench!(Choices, [phase, flags], [piece, more, done]);

#[test]
fn choices() {
    let verilog = compare(Choices::new());
    let text = &verilog.modules[0].text;
    assert!(text.contains("case (phase)"), "{text}");
}
