//! The most bits that an event can take, whatever the program (docs/worst_case.md has the proof).

use super::config::Config;
use super::layout::EXTENDED_BITS;
use crate::bound::MostBits;

impl Config {
    /// The most bits of each kind of event: those of its longest record, and of an overflow of the instruction counter before
    /// it.
    pub fn most_bits(&self) -> MostBits {
        let count = self.branch_count_chunks();
        let mut overflow = EXTENDED_BITS;
        count.put_escape(|_, bits| overflow += bits);
        let target = self.target_chunks().most_bits() + 1;
        // A branch that is predicted can bring the overflow of the branch counter.
        let conditional = overflow + count.most_bits().max(overflow);
        MostBits {
            conditional,
            indirect: conditional + u32::from(self.outcome_bit_for_jumps) + target,
            conditional_indirect: conditional + 1 + target,
            exception: overflow
                + count.encoded_bits(0)
                + self.instruction_count_chunks().most_bits()
                + target,
            overflow,
            overflow_instructions: 1 << (self.instruction_count_bits - 1),
            ..MostBits::default()
        }
    }
}
