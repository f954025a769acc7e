//! When a core that cannot wait has pauses, so that most of what it retires is traced.

use super::patience::Waiting;

/// One in so many times the core does not care what is lost.
const CARELESS: u64 = 16;

/// Cycles after which the core draws again how it retires, on average.
const MOOD_CYCLES: u64 = 4096;

/// The longest pauses after a block that may change the flow, besides the time that its bits take, one of which is
/// drawn.
const LONGEST_GAPS: [u64; 8] = [0, 0, 0, 4, 4, 16, 32, 128];

/// Bits of the trace that the core lets the module owe at the least, besides a word that is not full.
const LEAST_OWED: u64 = 16;

/// A range of numbers above that, one of which is drawn.
const MORE_OWED: u64 = 128;

/// What the core knows of the module when it might retire a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    pub(super) waiting: Waiting,
    /// A block was neither lost nor did it wait in the cycle before, or would not have.
    pub(super) is_open: bool,
    /// What takes time is over, or the port is idle.
    pub(super) is_over: bool,
    /// Bits of the trace that have not left the module.
    pub(super) owed: u64,
}

/// How the core retires.
#[derive(Debug)]
pub(super) struct Pauses {
    word_bits: u64,
    waiting: Waiting,
    is_careless: bool,
    most_owed: u64,
    longest_gap: u64,
    /// Cycles of the pause at hand that are left.
    left: u64,
}

impl Pauses {
    /// The pauses of a core whose module has trace words of so many bits.
    pub(super) fn new(word_bits: u64) -> Self {
        Pauses {
            word_bits,
            waiting: Waiting::Nothing,
            is_careless: false,
            most_owed: 0,
            longest_gap: 0,
            left: 0,
        }
    }

    /// The core retires nothing in this cycle.
    pub(super) fn has(&mut self, sight: &Sight, noise: u64) -> bool {
        let is_new = std::mem::replace(&mut self.waiting, sight.waiting) != sight.waiting;
        if is_new || (noise >> 11).is_multiple_of(MOOD_CYCLES) {
            self.is_careless = (noise >> 23).is_multiple_of(CARELESS);
            self.most_owed = self.word_bits + LEAST_OWED + (noise >> 26) % MORE_OWED;
            self.longest_gap = LONGEST_GAPS[(noise >> 47) as usize % LONGEST_GAPS.len()];
        }
        let is_in_gap = self.left > 0;
        self.left = self.left.saturating_sub(1);
        let may_lose = match sight.waiting {
            Waiting::ForTables => !sight.is_open && !sight.is_over,
            Waiting::ForPacket => true,
            Waiting::ForEnd => !sight.is_over,
            Waiting::Nothing => sight.owed > self.most_owed && !sight.is_over,
        };
        is_in_gap || may_lose && !self.is_careless
    }

    /// A block that may change the flow is taken, for which so many bits are sent: an encoder that sends one in a
    /// cycle needs as many.
    pub(super) fn follow(&mut self, bits: u64, noise: u64) {
        let encoding = if self.is_careless { 0 } else { bits };
        self.left = encoding + (noise >> 37) % (self.longest_gap + 1);
    }

    /// The core retires nothing in a cycle in which tracing is off.
    pub(super) fn rests(noise: u64) -> bool {
        !(noise >> 19).is_multiple_of(CARELESS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_waits_mostly_for_what_is_due() {
        let sight = Sight { waiting: Waiting::ForPacket, is_open: false, is_over: false, owed: 0 };
        let waits = |noise: u64| Pauses::new(8).has(&sight, noise << 23);
        assert_eq!((0..64).filter(|noise| !waits(*noise)).count(), 4);
        let open = Sight { waiting: Waiting::Nothing, ..sight };
        assert!(!Pauses::new(8).has(&open, 0));
    }
}
