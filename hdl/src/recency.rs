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

impl Logic for Recency {
    #[hdl_gen]
    fn update(&mut self) {
        self.order_next.next = self.order.val();
        for pair in 0..self.order.width() {
            if self.used.val().get_bit(self.first[pair].val()) {
                self.order_next.next = self.order_next.val().replace_bit(pair, true);
            } else if self.used.val().get_bit(self.second[pair].val()) {
                self.order_next.next = self.order_next.val().replace_bit(pair, false);
            }
        }
        self.oldest.next = 0.into();
        for way in 0..self.used.width() {
            self.oldest.next = self.oldest.val().replace_bit(way, true);
            for pair in 0..self.order.width() {
                if self.first[pair].val() == way && self.order.val().get_bit(pair) {
                    self.oldest.next = self.oldest.val().replace_bit(way, false);
                }
                if self.second[pair].val() == way && !self.order.val().get_bit(pair) {
                    self.oldest.next = self.oldest.val().replace_bit(way, false);
                }
            }
        }
    }
}
