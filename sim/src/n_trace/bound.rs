//! The most bits that an event can take, whatever the program (docs/worst_case.md has the proof).

use super::config::Config;
use super::layout::{field, last};
use crate::bound::MostBits;

/// Bits of a byte.
const BYTE: u32 = 8;

impl Config {
    /// The most bits of each kind of event; `None` where messages count how often they come, and where the trace is switched
    /// without packets, which begins anew when it is asked to.
    pub fn most_bits(&self) -> Option<MostBits> {
        if self.protocol.switches_alone() || self.counts_repeats() {
            return None;
        }
        let head = BYTE + self.source_bytes_bits();
        let time = if self.stamps() { self.time_chunks().most_bits() } else { 0 };
        let ending = |width| self.ending(width).most_bits() + time;
        let address = self.address_bits();
        let (of_outcome, of_target) = match self.branch_history {
            true => (
                head + self.full_history_chunks().most_bits() + time,
                field(address).most_bits() + ending(self.history_width()),
            ),
            false => (head + ending(self.count_bits), ending(address)),
        };
        let of_target = head + self.branch_chunks().most_bits() + of_target;
        // The counter of code is full before the message.
        let full = head + BYTE * self.zero_bytes() + last(self.upper_bits()).most_bits();
        Some(MostBits {
            direct_jump: full,
            conditional: full + of_outcome,
            indirect: full + of_target,
            conditional_indirect: full + of_outcome.max(of_target),
            exception: full + of_target,
            beginning: BYTE + head + BYTE + ending(address),
            ..MostBits::default()
        })
    }
}
