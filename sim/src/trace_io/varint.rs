//! Variable-length integers: LEB128, and zigzag for the signed ones.

/// The most bytes of a varint of 64 bits.
pub(super) const MAX_BYTES: usize = 10;

/// Bit 7 of each byte, set where the number goes on.
const MORE: u64 = 0x8080_8080_8080_8080;

/// The number at `at` and its bytes; 0 bytes if it has more than 64 bits.
///
/// At least [`MAX_BYTES`] have to be readable there.
#[inline(always)]
pub(super) fn take(bytes: &[u8], at: usize) -> (u64, usize) {
    let word = word(bytes, at);
    let stops = !word & MORE;
    if stops == 0 {
        return take_long(&bytes[at..at + MAX_BYTES]);
    }
    (value_of(word, stops), (stops.trailing_zeros() / 8 + 1) as usize)
}

/// The number at `at`, if it takes up to eight bytes.
#[inline(always)]
pub(super) fn take_short(bytes: &[u8], at: usize) -> u64 {
    let word = word(bytes, at);
    value_of(word, !word & MORE)
}

/// The signed number that the one at `at` stands for, and its bytes, if they are up to four.
#[inline(always)]
pub(super) fn take_up_to_four(bytes: &[u8], at: usize) -> Option<(i64, usize)> {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    let word = u32::from_le_bytes(word);
    let stops = !word & MORE as u32;
    // As in `value_of`.
    let payload = word & (stops ^ stops.wrapping_sub(1)) & !(MORE as u32);
    let pairs = (payload & 0x007f_007f) | ((payload & 0x7f00_7f00) >> 1);
    let value = (pairs & 0x3fff) | ((pairs & 0x3fff_0000) >> 2);
    let size = (stops.trailing_zeros() / 8 + 1) as usize;
    (stops != 0).then_some(((value >> 1) as i64 ^ -i64::from(value & 1), size))
}

/// A bit for each of the first 16 bytes, set where the byte does not ask for another.
#[inline(always)]
pub(super) fn stops(bytes: &[u8]) -> u64 {
    // Moves the top bits of eight bytes next to each other, into the top byte.
    let gathered = |at| ((!word(bytes, at) & MORE) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    gathered(0) | gathered(8) << 8
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

/// The number that a word begins with, from the top bits of the bytes that do not go on.
///
/// Without a branch, because the number of bytes is what a branch predictor cannot know.
#[inline(always)]
fn value_of(word: u64, stops: u64) -> u64 {
    let payload = word & (stops ^ stops.wrapping_sub(1)) & !MORE;
    // Squeezes the eight groups of 7 bits together: pairs, then fours, then all.
    let pairs = (payload & 0x007f_007f_007f_007f) | ((payload & 0x7f00_7f00_7f00_7f00) >> 1);
    let fours = (pairs & 0x0000_3fff_0000_3fff) | ((pairs & 0x3fff_0000_3fff_0000) >> 2);
    (fours & 0x0fff_ffff) | ((fours & 0x0fff_ffff_0000_0000) >> 4)
}

#[cold]
fn take_long(bytes: &[u8]) -> (u64, usize) {
    let mut value = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        if index == MAX_BYTES - 1 && byte > 1 {
            break;
        }
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return (value, index + 1);
        }
    }
    (0, 0)
}

/// Appends the shortest varint of `value`.
pub(super) fn put(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// The varint of a number below 2^56 in a word, and its number of bytes; the others are 0.
///
/// Without a branch, as in `value_of`.
#[inline(always)]
pub(super) fn spread(value: u64) -> (u64, u32) {
    let fours = (value & 0x0fff_ffff) | ((value << 4) & 0x0fff_ffff_0000_0000);
    let pairs = (fours & 0x0000_3fff_0000_3fff) | ((fours << 2) & 0x3fff_0000_3fff_0000);
    let payload = (pairs & 0x007f_007f_007f_007f) | ((pairs << 1) & 0x7f00_7f00_7f00_7f00);
    let size = (70 - (value | 1).leading_zeros()) / 7;
    let last = 8 * (size - 1);
    (payload | MORE & ((1 << last) - 1), size)
}

/// The same of a number below 2^28.
#[inline(always)]
pub(super) fn spread_up_to_four(value: u32) -> (u32, usize) {
    let pairs = (value & 0x3fff) | ((value << 2) & 0x3fff_0000);
    let payload = (pairs & 0x007f_007f) | ((pairs << 1) & 0x7f00_7f00);
    let size = (38 - (value | 1).leading_zeros()) / 7;
    let last = 8 * (size - 1);
    (payload | MORE as u32 & ((1 << last) - 1), size as usize)
}

/// The most that [`spread_up_to_four`] takes, and one.
pub(super) const SHORT_END: u64 = 1 << 28;

/// The most that [`spread`] takes, and one.
pub(super) const SPREAD_END: u64 = 1 << 56;

/// The signed number that `value` stands for: 0, -1, 1, -2 and so on.
#[inline(always)]
pub(super) fn from_zigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// The number that stands for the signed `value`.
#[inline(always)]
pub(super) fn to_zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Padded as the reader's buffer is.
    fn taken(bytes: &[u8]) -> (u64, usize) {
        let mut padded = bytes.to_vec();
        padded.resize(bytes.len() + MAX_BYTES, 0);
        take(&padded, 0)
    }

    #[test]
    fn every_length_round_trips() {
        for bits in 0..=64 {
            let largest = if bits == 0 { 0 } else { u64::MAX >> (64 - bits) };
            for value in [largest, largest / 3, largest - largest / 2] {
                let mut bytes = Vec::new();
                put(&mut bytes, value);
                assert_eq!(taken(&bytes), (value, bytes.len()), "{value:#x}");
                if value < SPREAD_END {
                    let (word, size) = spread(value);
                    let word = word.to_le_bytes();
                    let (put, behind) = word.split_at(size as usize);
                    assert_eq!((put, behind.iter().max().unwrap_or(&0)), (&bytes[..], &0));
                    if value < SHORT_END {
                        let (word, size) = spread_up_to_four(value as u32);
                        assert_eq!(word.to_le_bytes().split_at(size).0, &bytes[..]);
                    }
                }
                assert_eq!(to_zigzag(from_zigzag(value)), value);
            }
        }
    }

    #[test]
    fn known_bytes() {
        assert_eq!(taken(&[0xe5, 0x8e, 0x26]), (624_485, 3));
        assert_eq!([0, 1, 2, 3].map(from_zigzag), [0, -1, 1, -2]);
        assert_eq!(from_zigzag(u64::MAX), i64::MIN);
    }

    #[test]
    fn more_than_64_bits_is_no_number() {
        assert_eq!(
            taken(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
            (u64::MAX, 10)
        );
        assert_eq!(taken(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]).1, 0);
        assert_eq!(taken(&[0x80; 11]).1, 0);
    }
}
