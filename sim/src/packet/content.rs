//! What a reader of packets gives of one packet.

use std::io::Read;

use super::header::Header;
use crate::encode::bit_packer::{BitPacker, BitUnpacker, TakeError};

/// A packet that is as it was sent, as far as its checksum can tell.
#[derive(Clone, Debug)]
pub struct Content {
    /// Its number; 0 where packets have none.
    pub sequence: u64,
    /// Its header.
    pub header: Header,
    /// The header and what follows, without stuffed zeros.
    pub bytes: Vec<u8>,
    /// Bits of the header.
    pub header_bits: u64,
    /// Bits of the header and of what follows.
    pub bits: u64,
    /// The header of the packet that follows, if it can be read and has the number after this one.
    pub following: Option<Header>,
    /// How much of it is there.
    pub ending: Ending,
}

/// How much of a packet is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All of it, and its checksum, if it has one, is right.
    Whole,
    /// All of it, but the trace ends before its checksum.
    Unchecked,
    /// The trace ends in it.
    Open,
}

impl Content {
    /// The bits after the header.
    ///
    /// # Errors
    /// Never: the header has been read from the same bits.
    pub fn payload(&self) -> Result<BitUnpacker<&[u8]>, TakeError> {
        let mut bits = BitUnpacker::new(self.bytes.as_slice());
        pass(&mut bits, self.header_bits)?;
        Ok(bits)
    }

    /// The bits after the header up to the last one that is certainly of the trace, shifted so that they end with a
    /// byte. It gives the bytes and the number of bits before them.
    ///
    /// # Errors
    /// Never, as with [`payload`](Self::payload).
    pub fn sent_payload(&self) -> Result<(Vec<u8>, u32), TakeError> {
        let mut source = self.payload()?;
        let mut left = sent_bits(&self.bytes).saturating_sub(self.header_bits);
        let shift = ((8 - left % 8) % 8) as u32;
        let mut bits = BitPacker::new();
        bits.push(0, shift);
        while left > 0 {
            let count = left.min(64) as u32;
            bits.push(source.take(count)?, count);
            left -= u64::from(count);
        }
        Ok((bits.finish(), shift))
    }
}

/// Passes over bits.
fn pass<R: Read + ?Sized>(bits: &mut BitUnpacker<R>, mut left: u64) -> Result<(), TakeError> {
    while left > 0 {
        let count = left.min(64);
        bits.take(count as u32)?;
        left -= count;
    }
    Ok(())
}

/// The bits up to the last one that is 1: zeros after it may fill up what a trace was written to.
pub(super) fn sent_bits(bytes: &[u8]) -> u64 {
    let last = bytes.iter().rposition(|byte| *byte > 0);
    last.map_or(0, |last| 8 * last as u64 + u64::from(8 - bytes[last].leading_zeros()))
}
