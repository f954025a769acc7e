//! The most bits that an event can take, whatever the program (docs/worst_case.md has the proof).

use super::config::{Config, StreamLengthCoding, TargetCoding};
use crate::bound::MostBits;
use crate::config::mask;
use crate::stream_detector::STREAM_CODE_BITS;

impl Config {
    /// The most bits of each kind of event, in one core's records.
    pub fn most_bits(&self) -> MostBits {
        let (length, zero) = match self.stream_length_coding {
            StreamLengthCoding::Fixed => (self.stream_length_bits, self.stream_length_bits),
            StreamLengthCoding::Chunks => {
                let chunks = self.stream_length_chunks();
                (chunks.most_bits(), chunks.encoded_bits(0))
            }
        };
        let sign = u32::from(self.target_coding == TargetCoding::Difference);
        let target = self.target_chunks().most_bits() + sign;
        // A stream of exactly the longest length has a code instead of it.
        let conditional = length.max(zero + STREAM_CODE_BITS);
        MostBits {
            conditional,
            indirect: conditional + target,
            conditional_indirect: conditional + target,
            exception: zero + STREAM_CODE_BITS + length + target,
            overflow: length,
            overflow_instructions: mask(self.stream_length_bits),
            ..MostBits::default()
        }
    }
}
