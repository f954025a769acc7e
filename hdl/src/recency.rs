//! True least recently used order of the ways of a set: a bit for every pair of ways.

use tracewright_elaborate::prelude::*;

block! {
    /// From a set's order and the way now used, the way to replace and the order afterwards.
    ///
    /// The bit of a pair (first, second), first < second, is 1 when the first was used later.
    pub Recency("recency") of (ways: usize) {
        let pairs: Vec<(usize, usize)> = (0..ways)
            .flat_map(|first| (first + 1..ways).map(move |second| (first, second)))
            .collect();
    }
    parameters {
        ways,
    }

    /// the order as stored, one bit per pair of ways
    in order: pairs.len();
    /// one hot
    in used: ways;
    /// one hot
    out oldest: ways;
    /// the order to store
    out order_next: pairs.len();
    param first = pair.0 for pair in &pairs;
    param second = pair.1 for pair in &pairs;
}

#[kernel]
impl Logic for Recency {
    fn update(&mut self) {
        order_next = order;
        for pair in 0..order.width() {
            if used.get_bit(first[pair]) {
                order_next = order_next.replace_bit(pair, true);
            } else if used.get_bit(second[pair]) {
                order_next = order_next.replace_bit(pair, false);
            }
        }
        oldest = 0;
        for way in 0..used.width() {
            oldest = oldest.replace_bit(way, true);
            for pair in 0..order.width() {
                if first[pair] == way && order.get_bit(pair) {
                    oldest = oldest.replace_bit(way, false);
                }
                if second[pair] == way && !order.get_bit(pair) {
                    oldest = oldest.replace_bit(way, false);
                }
            }
        }
    }
}
