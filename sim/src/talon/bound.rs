//! The most bits that an event can take, whatever the program (docs/worst_case.md has the proof).

use super::config::Config;
use super::layout::ESCAPE_KIND_BITS;
use super::sizes::CHUNKS_BITS;

/// Bits at most, where no run is so long that the count of overflows of the instruction counter leaves its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MostBits {
    /// Of a direct conditional branch.
    pub conditional: u32,
    /// Of an unconditional indirect branch.
    pub indirect: u32,
    /// Of a conditional indirect branch.
    pub conditional_indirect: u32,
    /// Of an exception, and of the overflows before it.
    pub exception: u32,
    /// Of each time that the count of overflows leaves its range.
    pub overflow: u32,
}

impl Config {
    /// The most bits of each kind of event.
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
        }
    }
}
