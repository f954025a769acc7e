//! True least recently used order of the ways of a set: a bit for every pair of ways.

use tracewright_elaborate::prelude::*;

/// From a set's order and the way now used, the way to replace and the order afterwards.
///
/// The bit of a pair (first, second), first < second, is 1 when the first was used later.
#[derive(LogicBlock)]
pub struct Recency {
    kind: Kind,
    /// The order as stored, a bit a pair.
    pub order: Wire<In>,
    /// The way used now, one hot.
    pub used: Wire<In>,
    /// The least recently used way, one hot.
    pub oldest: Wire<Out>,
    /// The order to store.
    pub order_next: Wire<Out>,
    first: Vec<Param>,
    second: Vec<Param>,
    _pairs: usize,
    _ways: usize,
}

impl Recency {
    /// The order of `ways` ways, 1 or more.
    pub fn new(ways: usize) -> Self {
        let pairs: Vec<(usize, usize)> = (0..ways)
            .flat_map(|first| (first + 1..ways).map(move |second| (first, second)))
            .collect();
        Self {
            kind: Kind::new("recency", [("ways", ways)]),
            order: Wire::new(pairs.len()),
            used: Wire::new(ways).describe("one hot"),
            oldest: Wire::new(ways).describe("one hot"),
            order_next: Wire::new(pairs.len()),
            first: pairs.iter().map(|pair| Param::new(pair.0)).collect(),
            second: pairs.iter().map(|pair| Param::new(pair.1)).collect(),
            _pairs: pairs.len(),
            _ways: ways,
        }
    }
}

impl Logic for Recency {
    #[hdl_gen]
    fn update(&mut self) {
        self.order_next.next = self.order.val();
        for pair in 0..self._pairs {
            if self.used.val().get_bit(self.first[pair].val()) {
                self.order_next.next = self.order_next.val().replace_bit(pair, true);
            } else if self.used.val().get_bit(self.second[pair].val()) {
                self.order_next.next = self.order_next.val().replace_bit(pair, false);
            }
        }
        self.oldest.next = 0.into();
        for way in 0..self._ways {
            self.oldest.next = self.oldest.val().replace_bit(way, true);
            for pair in 0..self._pairs {
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
