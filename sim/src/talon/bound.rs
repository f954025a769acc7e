//! The most bits that an event can take, whatever the program (docs/worst_case.md has the proof).

use super::config::Config;
use super::layout::ESCAPE_KIND_BITS;
use super::sizes::CHUNKS_BITS;
use crate::bound::MostBits;

impl Config {
    /// The most bits of each kind of event. Those of an exception are with one overflow before it.
    pub fn most_bits(&self) -> MostBits {
        let conditional = self.most_confidence + 1 + self.range_bits;
        // The end of the code has two bits beside those that the coder held back, and one more says which candidate it is.
        let target = 2 + 1 + CHUNKS_BITS + self.processor.instruction_address_bits();
        let escape = self.escape_code_bits() + ESCAPE_KIND_BITS + self.instruction_count_bits;
        MostBits {
            conditional,
            indirect: conditional + target,
            conditional_indirect: 2 * conditional + target,
            exception: 2 * escape + CHUNKS_BITS + self.sent_address_bits(),
            overflow: escape,
            overflow_instructions: 1 << (2 * self.instruction_count_bits - 3),
            ..MostBits::default()
        }
    }
}
