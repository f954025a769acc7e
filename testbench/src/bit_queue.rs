//! Bits the model still owes.

use std::collections::VecDeque;

use tracewright_sim::field::{Field, Location, Sink};

use crate::port::mask;

/// A first-in first-out queue of bits, written by the golden encoder and read by the comparison.
#[derive(Clone, Debug, Default)]
pub struct BitQueue {
    front: u64,
    front_bits: u32,
    words: VecDeque<u64>,
    back: u64,
    back_bits: u32,
    pushed: u64,
    popped: u64,
    /// Where padding counts from.
    origin: u64,
    pieces: Option<Pieces>,
}

/// What the bits in the queue belong to.
#[derive(Clone, Debug, Default)]
struct Pieces {
    record: u64,
    pieces: VecDeque<Location>,
}

impl Pieces {
    /// Notes the piece that is appended; those that have been taken out are forgotten.
    fn push(&mut self, piece: Location, popped: u64) {
        while self.pieces.front().is_some_and(|front| !front.ends_behind(popped)) {
            self.pieces.pop_front();
        }
        self.pieces.push_back(piece);
    }
}

impl BitQueue {
    /// An empty queue.
    pub fn new() -> BitQueue {
        BitQueue::default()
    }

    /// From now on the queue knows which record and field its bits belong to.
    pub fn keep_pieces(&mut self) {
        self.pieces.get_or_insert_default();
    }

    /// The piece of a field with this bit, if it is known.
    pub fn piece_of(&self, bit: u64) -> Option<Location> {
        let pieces = self.pieces.iter().flat_map(|pieces| &pieces.pieces);
        pieces.copied().find(|piece| piece.first_bit <= bit && piece.ends_behind(bit))
    }

    /// Appends the lowest `count` bits of `bits`, the least significant first; `count` is 0 to 64.
    #[inline]
    pub fn push(&mut self, bits: u64, count: u32) {
        debug_assert!(count <= 64);
        let bits = bits & mask(count);
        self.back |= bits.checked_shl(self.back_bits).unwrap_or(0);
        self.pushed += u64::from(count);
        let held = self.back_bits + count;
        if held < 64 {
            self.back_bits = held;
            return;
        }
        self.words.push_back(self.back);
        self.back = bits.checked_shr(64 - self.back_bits).unwrap_or(0);
        self.back_bits = held - 64;
    }

    /// Forgets every bit in the queue; what is appended next is the beginning of what follows the bits that were taken.
    pub fn discard(&mut self) {
        let (popped, pieces) = (self.popped, self.pieces.take());
        let pieces = pieces.map(|pieces| Pieces { record: pieces.record, ..Pieces::default() });
        *self = BitQueue { pushed: popped, popped, origin: popped, pieces, ..BitQueue::default() };
    }

    /// Appends zeros up to a multiple of `unit` bits since the beginning.
    pub fn push_padding(&mut self, unit: u32) {
        let (unit, since) = (u64::from(unit.max(1)), self.pushed - self.origin);
        let mut padding = since.next_multiple_of(unit) - since;
        while padding > 0 {
            let piece = padding.min(64);
            self.push(0, piece as u32);
            padding -= piece;
        }
    }

    /// Takes the next `count` bits, 1 to 64, if there are as many.
    #[inline]
    pub fn pop(&mut self, count: u32) -> Option<u64> {
        if self.front_bits >= count {
            let bits = self.front & mask(count);
            self.front = self.front.checked_shr(count).unwrap_or(0);
            self.front_bits -= count;
            self.popped += u64::from(count);
            return Some(bits);
        }
        self.pop_across(count)
    }

    fn pop_across(&mut self, count: u32) -> Option<u64> {
        if self.len() < u64::from(count) {
            return None;
        }
        let (mut bits, have) = (self.front, self.front_bits);
        (self.front, self.front_bits) = match self.words.pop_front() {
            Some(word) => (word, 64),
            None => (std::mem::take(&mut self.back), std::mem::take(&mut self.back_bits)),
        };
        bits |= self.front << have;
        // A word may hold less than what is wanted only when it is the back, and that has enough
        // for the length to suffice.
        let rest = count - have;
        self.front = self.front.checked_shr(rest).unwrap_or(0);
        self.front_bits -= rest;
        self.popped += u64::from(count);
        Some(bits & mask(count))
    }

    /// Bits in the queue.
    pub fn len(&self) -> u64 {
        self.pushed - self.popped
    }

    /// True if no bit is in the queue.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bits appended since the beginning.
    pub fn pushed(&self) -> u64 {
        self.pushed
    }

    /// Bits taken since the beginning.
    pub fn popped(&self) -> u64 {
        self.popped
    }
}

impl Sink for BitQueue {
    #[inline]
    fn put(&mut self, field: &Field, bits: u64, count: u32) {
        if let Some(pieces) = &mut self.pieces {
            let (record, first_bit) = (pieces.record, self.pushed);
            let field = Some(field.name);
            pieces.push(Location { record, field, first_bit, bits, count }, self.popped);
        }
        self.push(bits, count);
    }

    #[inline]
    fn end_record(&mut self) {
        if let Some(pieces) = &mut self.pieces {
            pieces.record += 1;
        }
    }

    fn align(&mut self, unit: u32) {
        let first_bit = self.pushed;
        self.push_padding(unit);
        if let Some(pieces) = &mut self.pieces {
            let (record, count) = (pieces.record, (self.pushed - first_bit) as u32);
            pieces.push(Location { record, field: None, first_bit, bits: 0, count }, self.popped);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn what_goes_in_comes_out_in_any_pieces() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut queue = BitQueue::new();
        let mut expected = VecDeque::new();
        for step in 0..200_000 {
            if random.random_bool(0.5) && step < 150_000 {
                let (bits, count) = (random.random::<u64>(), random.random_range(0..=64));
                queue.push(bits, count);
                expected.extend((0..count).map(|place| bits >> place & 1));
            } else {
                let count = random.random_range(1..=64);
                let popped = queue.pop(count);
                assert_eq!(popped.is_some(), expected.len() >= count as usize);
                if let Some(bits) = popped {
                    assert_eq!(bits & !mask(count), 0);
                    for place in 0..count {
                        assert_eq!(Some(bits >> place & 1), expected.pop_front());
                    }
                }
            }
            assert_eq!(queue.len(), expected.len() as u64);
        }
        assert_eq!(queue.is_empty(), expected.is_empty());
        assert!(queue.pushed() > 1_000_000);
    }

    #[test]
    fn padding_is_zeros_to_the_unit() {
        let mut queue = BitQueue::new();
        queue.push(0b111, 3);
        queue.push_padding(9);
        assert_eq!(queue.pop(9), Some(0b111));
        queue.push_padding(9);
        assert!(queue.is_empty());
        queue.push(1, 1);
        queue.push_padding(200);
        assert_eq!(queue.pushed(), 200);
    }

    #[test]
    fn padding_begins_anew_after_what_was_discarded() {
        let mut queue = BitQueue::new();
        queue.push(0b111, 3);
        assert_eq!(queue.pop(2), Some(0b11));
        queue.discard();
        assert!(queue.is_empty());
        queue.push(1, 1);
        queue.push_padding(8);
        assert_eq!((queue.len(), queue.pop(8), queue.popped()), (8, Some(1), 10));
    }
}
