//! The highest bit of a word in two steps: among which eight bits it is, and which of them.

use tracewright_elaborate::prelude::*;

use super::words::{GROUP, group_bits};

block! {
    /// The eight bits among which the highest one is.
    pub HighestGroup("highest_group") of (width: usize) {
        let groups = width.div_ceil(GROUP);
        let bits = group_bits(width);
    }
    parameters {
        width,
    }

    in word: width;
    /// their number
    out group: bits;
    out chosen: GROUP;
    local part: GROUP for _ in 0..groups;
    local place: bits + 3;
    param start = GROUP * group for group in 0..groups;
    param number = Word::new(bits, group as u64) for group in 0..groups;
    param below = 3usize;
}

#[kernel]
impl Logic for HighestGroup {
    fn update(&mut self) {
        group = 0;
        for each in 0..part.len() {
            part[each] = fitted(word >> start[each]);
            if part[each] {
                group = number[each];
            }
        }
        place = resized(group) << below;
        chosen = fitted(word >> place);
    }
}

block! {
    /// How many bits there are up to the highest one, of which the last eight are `chosen`.
    pub HighestBit("highest_bit") of (group_bits: usize, sum_bits: usize);
    parameters {
        group_bits,
        sum_bits,
    }

    in group: group_bits;
    in chosen: GROUP;
    out found: sum_bits;
    local place: 4;
    param number = Word::new(4, place as u64 + 1) for place in 0..GROUP;
    param below = 3usize;
}

#[kernel]
impl Logic for HighestBit {
    fn update(&mut self) {
        place = 0;
        for each in 0..chosen.width() {
            if chosen.get_bit(each) {
                place = number[each];
            }
        }
        found = (resized(group) << below) + resized(place);
    }
}
