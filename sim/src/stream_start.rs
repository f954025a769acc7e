//! Where streams start.

use crate::config::{Processor, mask};
use crate::stream_detector::{End, Stream};

/// The start address that is used for a stream after a cut.
///
/// It only distinguishes streams, because the decoder knows where it is, so no hardware needs the program
/// counter there: the start is advanced by one instruction unit per instruction. After a flush the start
/// is not changed.
#[derive(Clone, Copy, Debug)]
pub struct CutStart {
    step: u64,
    address_mask: u64,
}

impl CutStart {
    /// The rule for streams of up to 2^`length_bits` - 1 instructions.
    pub fn new(processor: &Processor, length_bits: u32) -> Self {
        Self {
            step: mask(length_bits) << processor.alignment,
            address_mask: mask(processor.address_width),
        }
    }

    /// The start after the cut stream that starts at `start`.
    #[inline]
    pub fn after(&self, start: u64) -> u64 {
        start.wrapping_add(self.step) & self.address_mask
    }
}

/// Follows where streams start, from how they end.
#[derive(Clone, Copy, Debug)]
pub struct StreamStart {
    start: u64,
    is_inferred: bool,
    cuts: CutStart,
}

impl StreamStart {
    /// The first stream starts at the program's start, which is address 0 here.
    pub fn new(processor: &Processor, length_bits: u32) -> Self {
        Self { start: 0, is_inferred: true, cuts: CutStart::new(processor, length_bits) }
    }

    /// The byte address where this stream starts, and whether that can be inferred from the program.
    ///
    /// The next stream starts at `target` if a branch or an exception leads there, and its start can be
    /// inferred if the branch is `direct`.
    #[inline]
    pub fn of(&mut self, stream: Stream, target: u64, direct: bool) -> (u64, bool) {
        let of_this = (self.start, self.is_inferred);
        (self.start, self.is_inferred) = match stream.end {
            End::Branch => (target, direct),
            End::Exception => (target, false),
            End::Cut => (self.cuts.after(self.start), true),
            End::Flush => (self.start, true),
        };
        of_this
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_follow_ends() {
        let mut start = StreamStart::new(&Processor::default(), 4);
        let stream = |end| Stream { length: 15, end };
        let starts = [
            start.of(stream(End::Cut), 0, false),
            start.of(stream(End::Branch), 0x1000, true),
            start.of(stream(End::Branch), 0xffff_fff0, false),
            start.of(stream(End::Cut), 0, false),
            start.of(stream(End::Exception), 0x80, true),
            start.of(stream(End::Flush), 0, true),
            start.of(stream(End::Flush), 0, true),
        ];
        let expected = [
            (0, true),
            (60, true),
            (0x1000, true),
            (0xffff_fff0, false),
            (0x2c, true),
            (0x80, false),
            (0x80, true),
        ];
        assert_eq!(starts, expected);
    }
}
