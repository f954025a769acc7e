//! The numbers of packets, as a decoder follows them.

use super::header::Header;
use super::reader::Damage;
use crate::config::{Protocol, mask};

/// Compares the number of each packet with the one that is expected.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    mask: u64,
    /// The number after that of the last packet that is whole; `None` before the first one.
    expected: Option<u64>,
    /// Packets since then that cannot be used.
    unused: u64,
}

impl Numbers {
    pub(super) fn new(protocol: &Protocol) -> Self {
        Self { mask: mask(protocol.number_bits()), expected: None, unused: 0 }
    }

    /// A packet cannot be used.
    pub(super) fn pass_over(&mut self, damage: &Damage) {
        let is_packet = !matches!(damage, Damage::Beginning | Damage::Repeated { .. });
        self.unused += u64::from(is_packet);
    }

    /// Takes the number of a packet that is whole, and says how many packets before it are missing at least.
    pub(super) fn next(&mut self, number: u64, header: &Header) -> u64 {
        let restarts = number == 0 && header.restarts_numbers();
        let expected = self.expected.filter(|_| !restarts);
        let unused = std::mem::take(&mut self.unused);
        self.expected = Some((number + 1) & self.mask);
        let missing = expected
            .map_or(0, |expected| number.wrapping_sub(expected).wrapping_sub(unused) & self.mask);
        // Damage that looks like a marker makes two packets of one, and what is repeated comes on top.
        if unused > 0 && missing > self.mask / 2 { 0 } else { missing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(bits: u32) -> Numbers {
        Numbers { mask: mask(bits), expected: None, unused: 0 }
    }

    #[test]
    fn numbers_go_round() {
        let mut numbers = numbers(2);
        assert_eq!(numbers.next(3, &Header::End), 0, "a trace may begin anywhere");
        assert_eq!(numbers.next(0, &Header::Start), 0);
        assert_eq!(numbers.next(1, &Header::End), 0);
        assert_eq!(numbers.next(3, &Header::End), 1);
        assert_eq!(numbers.next(3, &Header::End), 3, "backwards is forwards around");
        assert_eq!(numbers.next(0, &Header::Start), 0, "a reset");
    }

    #[test]
    fn what_cannot_be_used_is_not_missing() {
        let mut numbers = numbers(4);
        numbers.next(0, &Header::Start);
        (0..2).for_each(|_| numbers.pass_over(&Damage::TooLong));
        assert_eq!(numbers.next(5, &Header::End), 2);
        (0..2).for_each(|_| numbers.pass_over(&Damage::TooLong));
        assert_eq!(numbers.next(7, &Header::End), 0, "a packet that damage has divided");
        numbers.pass_over(&Damage::Repeated { number: 8 });
        assert_eq!(numbers.next(8, &Header::End), 0);
    }

    #[test]
    fn without_numbers_nothing_is_missing() {
        let mut numbers = numbers(0);
        assert_eq!((numbers.next(0, &Header::End), numbers.next(0, &Header::End)), (0, 0));
    }
}
