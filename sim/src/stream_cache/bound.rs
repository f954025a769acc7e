//! The most bits that an event can take, whatever the program (docs/worst_case.md has the proof).

use super::config::{Config, LastValueStartAddress};
use crate::bound::MostBits;
use crate::config::mask;
use crate::stream_detector::STREAM_CODE_BITS;

impl Config {
    /// The most bits of each kind of event: those of a run of predicted streams, and of a stream that is not in the cache.
    pub fn most_bits(&self) -> MostBits {
        let length = self.cache.stream_length_bits;
        let run = if self.one_length_counter { 1 + self.one_length_most_bits } else { 0 };
        let whole = u32::from(self.last_value_start_address != LastValueStartAddress::None);
        let start = whole + self.processor.instruction_address_bits();
        let stream = run + 1 + self.cache.index_bits() + start + length;
        MostBits {
            conditional: stream,
            indirect: stream,
            conditional_indirect: stream,
            exception: stream + STREAM_CODE_BITS + length,
            overflow: stream + STREAM_CODE_BITS,
            overflow_instructions: mask(length),
            ..MostBits::default()
        }
    }
}
