//! Chunked variable length numbers (paper C, section 4 and Figure 6).
//!
//! A number is cut into chunks, least significant first; every chunk is followed by a *continuation
//! bit* that is 1 when another chunk follows. Chunks are sent least significant bit first, so with
//! chunks of 3 bits `110 0` is 3 and `110 1 010 0` is 19.
//!
//! Only the shortest form of a number is ever sent. Zero with a second, empty chunk is therefore
//! free, and serves as an *escape* to the records the paper does not have.
//!
//! The messages of N-Trace have the bits that say so before each chunk, and other ones at the end of a message than at
//! that of a field in it ([`Chunks::slices`]).

use crate::config::mask;

/// How one number is cut: first chunk, later chunks, and the width of the number itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunks {
    /// Bits of the first chunk, at least 1.
    pub first: u32,
    /// Bits of every later chunk, at least 1.
    pub next: u32,
    /// Bits of the number, 1 to 64.
    pub width: u32,
    /// Times every continuation bit is sent: 1, or 2 as Nexus does on its MSEO pins.
    pub continuation_bits: u32,
    /// 0 if continuation bits follow the chunks; else they go before them, and are this before the last chunk and 0 before
    /// the others.
    pub end: u64,
}

/// The form of a number that is not the shortest, met while reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The last chunk of several is empty.
    NotShortest,
    /// There are more bits than the number has.
    TooWide,
    /// The continuation bits of a chunk differ.
    ContinuationBits,
}

impl Chunks {
    /// Chunks of `first` and then `next` bits for a number of `width` bits.
    pub fn new(first: u32, next: u32, width: u32) -> Self {
        Self { first, next, width, continuation_bits: 1, end: 0 }
    }

    /// Slices of `bits` for a number of `width` bits, each after two control bits: `end` before the last one, else 0.
    pub const fn slices(bits: u32, width: u32, end: u64) -> Self {
        Self { first: bits, next: bits, width, continuation_bits: 2, end }
    }

    /// The control bits before the chunks; 0 where continuation bits follow them.
    pub fn leading_bits(&self) -> u32 {
        if self.end == 0 { 0 } else { self.continuation_bits }
    }

    /// The same with every continuation bit sent `times`.
    #[must_use]
    pub fn with_continuation_bits(self, times: u32) -> Self {
        Self { continuation_bits: times, ..self }
    }

    /// Bits of chunk `index`.
    pub fn chunk_bits(&self, index: u32) -> u32 {
        if index == 0 { self.first } else { self.next }
    }

    /// Where chunk `index` begins in the number.
    pub fn chunk_offset(&self, index: u32) -> u32 {
        if index == 0 { 0 } else { self.first + (index - 1) * self.next }
    }

    /// The most chunks a number can have; at least 2, as the escape has two.
    pub fn most_chunks(&self) -> u32 {
        (1 + self.width.saturating_sub(self.first).div_ceil(self.next)).max(2)
    }

    /// The most bits a number can take, continuation bits included.
    pub fn most_bits(&self) -> u32 {
        self.chunk_offset(self.most_chunks()) + self.most_chunks() * self.continuation_bits
    }

    /// Chunks that `value` takes.
    pub fn chunks_of(&self, value: u64) -> u32 {
        let bits = 64 - value.leading_zeros();
        1 + bits.saturating_sub(self.first).div_ceil(self.next)
    }

    /// Bits that `value` takes, continuation bits included.
    pub fn encoded_bits(&self, value: u64) -> u32 {
        let chunks = self.chunks_of(value);
        self.chunk_offset(chunks) + chunks * self.continuation_bits
    }

    /// Sends `value` as (bits, count) pieces, one a chunk with its continuation bit.
    pub fn put(&self, value: u64, send: impl FnMut(u64, u32)) {
        self.put_chunks(value, self.chunks_of(value), send);
    }

    /// Sends the escape: zero with a second, empty chunk.
    pub fn put_escape(&self, send: impl FnMut(u64, u32)) {
        self.put_chunks(0, 2, send);
    }

    fn put_chunks(&self, value: u64, chunks: u32, mut send: impl FnMut(u64, u32)) {
        for index in 0..chunks {
            let bits = self.chunk_bits(index);
            let chunk = value.checked_shr(self.chunk_offset(index)).unwrap_or(0) & mask(bits);
            let is_last = index + 1 == chunks;
            let piece = match self.leading_bits() {
                0 if is_last => chunk,
                0 => chunk | mask(self.continuation_bits) << bits,
                leading => chunk << leading | if is_last { self.end } else { 0 },
            };
            send(piece, bits + self.continuation_bits);
        }
    }

    /// Reads a number from `take`, which gives the next bits; `None` is the escape.
    ///
    /// # Errors
    /// The reader's own, and [`Malformed`] for what [`put`](Self::put) never sends.
    pub fn take<E: From<Malformed>>(
        &self,
        mut take: impl FnMut(u32) -> Result<u64, E>,
    ) -> Result<Option<u64>, E> {
        let (mut value, mut index) = (0u128, 0);
        loop {
            let bits = self.chunk_bits(index);
            let piece = take(bits + self.continuation_bits)?;
            let leading = self.leading_bits();
            let chunk = piece >> leading & mask(bits);
            value |= u128::from(chunk) << self.chunk_offset(index);
            if value >> self.width != 0 {
                return Err(Malformed::TooWide.into());
            }
            let (goes_on, ends) = match leading {
                0 => (mask(self.continuation_bits), 0),
                leading => (0, self.end & mask(leading)),
            };
            let control = if leading == 0 { piece >> bits } else { piece & mask(leading) };
            if control != goes_on && control != ends {
                return Err(Malformed::ContinuationBits.into());
            }
            if control == ends {
                return match (index, chunk, value) {
                    (1, 0, 0) => Ok(None),
                    (1.., 0, _) => Err(Malformed::NotShortest.into()),
                    _ => Ok(Some(value as u64)),
                };
            }
            index += 1;
            if index >= self.most_chunks() {
                return Err(Malformed::TooWide.into());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The literal vectors of paper C, section 4, and the escape; each is checked both ways.
    #[test]
    fn published_vectors() {
        let chunks = Chunks::new(3, 3, 16);
        for (text, value) in
            [("1100", Some(3)), ("11010100", Some(19)), ("0000", Some(0)), ("00010000", None)]
        {
            let mut sent = String::new();
            let mut send = |bits: u64, count: u32| {
                (0..count).for_each(|i| sent.push(if bits >> i & 1 == 1 { '1' } else { '0' }));
            };
            match value {
                Some(value) => chunks.put(value, &mut send),
                None => chunks.put_escape(&mut send),
            }
            assert_eq!(sent, text);
            let mut left = text.chars();
            let read = chunks.take(|count| {
                Ok::<u64, Malformed>(
                    (0..count).map(|i| u64::from(left.next() == Some('1')) << i).sum(),
                )
            });
            assert_eq!(read, Ok(value), "{text}");
        }
    }

    fn read(chunks: Chunks, text: &str) -> Result<Option<u64>, Malformed> {
        let mut left = text.chars();
        chunks.take(|count| Ok((0..count).map(|i| u64::from(left.next() == Some('1')) << i).sum()))
    }

    #[test]
    fn slices_have_their_control_bits_in_front() {
        let slices = Chunks::slices(6, 16, 3);
        let mut pieces = Vec::new();
        slices.put(0b10_100001, |bits, count| pieces.push((bits, count)));
        assert_eq!(pieces, [(0b1000_0100, 8), (0b0000_1011, 8)]);
        let mut left = pieces.into_iter();
        let mut take = |_| Ok::<u64, Malformed>(left.next().unwrap_or_default().0);
        assert_eq!(slices.take(&mut take), Ok(Some(0b10_100001)));
        let end_of_field = |_| Ok::<u64, Malformed>(0b0000_1001);
        assert_eq!(slices.take(end_of_field), Err(Malformed::ContinuationBits));
    }

    #[test]
    fn what_is_never_sent_is_refused() {
        assert_eq!(
            read(Chunks::new(3, 3, 16), "1101 0000".replace(' ', "").as_str()),
            Err(Malformed::NotShortest)
        );
        assert_eq!(
            read(Chunks::new(3, 3, 4), "1101 0100".replace(' ', "").as_str()),
            Err(Malformed::TooWide)
        );
        assert_eq!(
            read(Chunks::new(1, 1, 2), "1111 1111".replace(' ', "").as_str()),
            Err(Malformed::TooWide)
        );
    }

    #[test]
    fn every_width_comes_back() {
        for (first, next, width) in
            [(1, 1, 1), (1, 1, 64), (16, 16, 64), (32, 32, 62), (3, 2, 16), (14, 14, 30)]
        {
            let chunks = Chunks::new(first, next, width);
            for value in [0, 1, 2, 3, mask(width), mask(width) >> 1, (mask(width) >> 1) + 1] {
                let value = value & mask(width);
                let mut pieces = Vec::new();
                chunks.put(value, |bits, count| pieces.push((bits, count)));
                let total: u32 = pieces.iter().map(|piece| piece.1).sum();
                assert_eq!(total, chunks.encoded_bits(value));
                assert!(total <= chunks.most_bits());
                let mut left = pieces.into_iter();
                let back = chunks.take(|count| {
                    let (bits, sent) = left.next().unwrap_or_default();
                    assert_eq!(sent, count);
                    Ok::<u64, Malformed>(bits)
                });
                assert_eq!(back, Ok(Some(value)), "{chunks:?}");
            }
        }
    }
}
