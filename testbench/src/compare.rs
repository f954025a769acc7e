//! The model's bits against the golden encoder's, as they come.

use std::collections::VecDeque;

use crate::bit_queue::BitQueue;
use crate::port::mask;
use crate::report::{Bits, Mismatch};

/// Clocks that are waited at most for what follows a wrong bit.
const AFTERMATH_CYCLES: u64 = 4096;

/// Where the co-simulation is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Clocks after reset.
    pub(crate) cycle: u64,
    /// The event on the input pins.
    pub(crate) event: u64,
}

/// The bits that are owed and, once one is wrong, what surrounds it.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// Where the golden encoder puts its bits.
    pub(crate) expected: BitQueue,
    /// The place after the last bit of an event's records, and the event; `None` for a flush.
    ends: VecDeque<(u64, Option<u64>)>,
    mismatch: Option<Mismatch>,
    ended: bool,
}

impl Comparison {
    /// Notes that the bits up to here are this event's.
    #[inline]
    pub(crate) fn end_event(&mut self, event: Option<u64>) {
        let end = self.expected.pushed();
        if self.ends.back().map_or(0, |back| back.0) == end {
            return;
        }
        while self.ends.front().is_some_and(|front| front.0 <= self.expected.popped()) {
            self.ends.pop_front();
        }
        self.ends.push_back((end, event));
    }

    /// Compares a beat of `width` bits.
    #[inline]
    pub(crate) fn beat(&mut self, data: u64, width: u32, place: Place) {
        let bit = self.expected.popped();
        let expected = self.expected.pop(width);
        if expected != Some(data) || self.mismatch.is_some() {
            self.wrong_beat(bit, expected, data, width, place);
        }
    }

    #[cold]
    fn wrong_beat(&mut self, bit: u64, expected: Option<u64>, data: u64, width: u32, place: Place) {
        if let Some(mismatch) = &mut self.mismatch {
            if !self.ended {
                mismatch.actual.push(data, width);
            }
            return;
        }
        let owed = if expected.is_some() { width } else { self.expected.len() as u32 };
        let expected = expected.or_else(|| self.expected.pop(owed)).unwrap_or(0);
        let first = ((expected ^ data) & mask(owed)).trailing_zeros().min(owed);
        self.begin_mismatch(
            bit + u64::from(first),
            expected.unbounded_shr(first),
            owed - first,
            place,
        );
        if let Some(mismatch) = &mut self.mismatch {
            mismatch.actual.push(data.unbounded_shr(first), width - first);
        }
    }

    /// Everything was discarded: nothing is owed.
    pub(crate) fn discard(&mut self) {
        self.expected.discard();
        self.ends.clear();
    }

    /// Everything is flushed: nothing may be owed.
    pub(crate) fn end(&mut self, place: Place) {
        if !self.expected.is_empty() && self.mismatch.is_none() {
            self.begin_mismatch(self.expected.popped(), 0, 0, place);
            self.ended = true;
        }
    }

    /// A mismatch at `bit`, where the golden encoder has `count` bits and then the queue.
    fn begin_mismatch(&mut self, bit: u64, expected: u64, count: u32, place: Place) {
        let location = self.expected.piece_of(bit);
        let mut window = Bits::default();
        window.push(expected, count);
        let more = self.expected.len().min(u64::from(64 - window.count)) as u32;
        window.push(self.expected.pop(more).unwrap_or(0), more);
        let owner = self.ends.iter().find(|(end, _)| *end > bit);
        self.mismatch = Some(Mismatch {
            cycle: place.cycle,
            bit,
            expected: window,
            actual: Bits::default(),
            event: owner.and_then(|(_, event)| *event),
            event_at_input: place.event,
            location,
        });
    }

    /// The first wrong bit, with what the model sent after it so far.
    pub(crate) fn mismatch(&self) -> Option<&Mismatch> {
        self.mismatch.as_ref()
    }

    /// True if there is a wrong bit and nothing more to learn about it in `cycle`.
    #[inline]
    pub(crate) fn is_over(&self, cycle: u64) -> bool {
        self.mismatch.as_ref().is_some_and(|mismatch| {
            self.ended || mismatch.actual.count == 64 || cycle - mismatch.cycle > AFTERMATH_CYCLES
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place { cycle: 7, event: 2 };

    fn owing(bits: u64, count: u32) -> Comparison {
        let mut comparison = Comparison::default();
        comparison.end_event(Some(0));
        comparison.expected.push(bits, count);
        comparison.end_event(Some(1));
        comparison
    }

    #[test]
    fn right_bits_are_right() {
        let mut comparison = owing(0b1011, 4);
        comparison.beat(0b11, 2, PLACE);
        comparison.beat(0b10, 2, PLACE);
        comparison.end(PLACE);
        assert_eq!(comparison.mismatch(), None);
    }

    #[test]
    fn the_first_wrong_bit_is_told_with_what_follows() {
        let mut comparison = owing(0b1011_0110, 8);
        comparison.beat(0b0110, 4, PLACE);
        comparison.beat(0b1001, 4, PLACE);
        comparison.beat(0b1, 4, PLACE);
        let expected = Mismatch {
            cycle: 7,
            bit: 5,
            expected: Bits { bits: 0b101, count: 3 },
            actual: Bits { bits: 0b1100, count: 7 },
            event: Some(1),
            event_at_input: 2,
            location: None,
        };
        assert_eq!(comparison.mismatch(), Some(&expected));
        assert_eq!(expected.expected.to_string(), "101");
        assert_eq!(expected.actual.to_string(), "0011000");
    }

    #[test]
    fn bits_too_many_and_too_few() {
        let mut comparison = owing(0b01, 2);
        comparison.beat(0b001, 3, PLACE);
        let mismatch = comparison.mismatch().expect("one bit too many");
        assert_eq!((mismatch.bit, mismatch.expected.count, mismatch.event), (2, 0, None));
        assert_eq!(mismatch.actual, Bits { bits: 0, count: 1 });

        let mut comparison = owing(0b101, 3);
        comparison.beat(1, 1, PLACE);
        comparison.end(PLACE);
        let mismatch = comparison.mismatch().expect("two bits too few");
        assert_eq!((mismatch.bit, mismatch.expected), (1, Bits { bits: 0b10, count: 2 }));
        assert_eq!(mismatch.actual.to_string(), "nothing");
    }
}
