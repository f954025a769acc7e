//! The most bits that an event can take, whatever the program (docs/worst_case.md has the proof).

use super::config::Config;
use crate::bound::MostBits;
use crate::config::mask;
use crate::stream_detector::STREAM_CODE_BITS;

/// Bits of the header of a stream, and of an exception before its code.
const HEADER_BITS: u32 = 2;

impl Config {
    /// The most bits of each kind of event: those of a stream that is not in the cache, and of the tuple that it fills.
    pub fn most_bits(&self) -> MostBits {
        let length = self.cache.stream_length_bits;
        let start = self.processor.instruction_address_bits();
        let tuple = 1 + self.age_bits() + self.tuple_bits();
        let stream = HEADER_BITS + start + length + tuple;
        let broken = HEADER_BITS + STREAM_CODE_BITS + self.count_bits() + start + length;
        MostBits {
            // It tells branches from sequential instructions by whether they are taken alone.
            direct_jump: stream,
            conditional: stream,
            indirect: stream,
            conditional_indirect: stream,
            exception: broken,
            overflow: stream,
            overflow_instructions: mask(length),
            ..MostBits::default()
        }
    }
}
