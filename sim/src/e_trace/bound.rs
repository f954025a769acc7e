//! The most bits that an event can take, whatever the program (docs/worst_case.md has the proof).

use super::config::Config;
use super::extensions::Extensions;
use super::payload::{ADDRESS_HEAD, BRANCHES_HEAD, FULL_MAP, START_HEAD, TRAP_HEAD};
use super::slots::{COUNT_BITS, COUNT_FORMAT_BITS};
use crate::bound::MostBits;

/// Bits of a header, and of an idle byte.
const HEADER_BITS: u32 = 8;

impl Config {
    /// The most bits of each kind of event; `None` where the trace is switched without packets, which begins anew when it is
    /// asked to.
    pub fn most_bits(&self) -> Option<MostBits> {
        if self.protocol.switches_alone() {
            return None;
        }
        let extensions = Extensions::new(self);
        let payload =
            |bits: u32| HEADER_BITS + self.protocol.source_bits + bits.next_multiple_of(8);
        // Two bits say more of an address, and another one that the depth of the stack follows.
        let depth = if self.depth_bits() > 0 { 1 + self.depth_bits() } else { 0 };
        let address = self.address_bits() + 2 + depth;
        let plain = payload(ADDRESS_HEAD + address);
        let (branches, failed) = match self.predicts_branches() {
            false => (payload(BRANCHES_HEAD + FULL_MAP + address), 0),
            true => (
                payload(extensions.counted_head() + address),
                payload(extensions.head() + COUNT_BITS + COUNT_FORMAT_BITS),
            ),
        };
        let told = self.address_bits() + self.told_bits();
        let start = payload(START_HEAD + told);
        let trap = payload(TRAP_HEAD + told + self.trap_cause_bits + self.trap_value_bits().max(1));
        // What the event before left, after an idle byte.
        let arrival = HEADER_BITS + branches.max(start).max(trap);
        // A branch that was predicted wrong can come at once.
        let conditional = arrival + failed;
        let last = (arrival + HEADER_BITS + plain).max(HEADER_BITS + branches + HEADER_BITS + trap);
        Some(MostBits {
            direct_jump: arrival,
            conditional,
            indirect: arrival,
            conditional_indirect: conditional,
            exception: last,
            ..MostBits::default()
        })
    }
}
