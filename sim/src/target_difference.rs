//! Targets as differences from the last target sent (|diffTA|; paper C, section 4), shared by T-raptor
//! and the Nexus-like modules.

use crate::config::{Processor, mask};

/// The last target sent, in instruction units, as encoder and decoder keep it.
#[derive(Clone, Debug)]
pub struct TargetDifference {
    previous: u64,
    alignment: u32,
    bits: u32,
}

impl TargetDifference {
    /// Differences between addresses of `processor`; the first is from address 0.
    pub fn new(processor: &Processor) -> Self {
        Self {
            previous: 0,
            alignment: processor.alignment,
            bits: processor.instruction_address_bits(),
        }
    }

    /// How far a byte address lies from the last one, the shorter way round, and whether below it.
    pub fn send(&mut self, target: u64) -> (u64, bool) {
        let unit = target >> self.alignment;
        let sent = self.between(unit, self.previous);
        self.previous = unit;
        sent
    }

    /// The byte address that lies so far from the last one.
    pub fn receive(&mut self, difference: u64, below: bool) -> u64 {
        let previous = self.previous;
        let moved = if below {
            previous.wrapping_sub(difference)
        } else {
            previous.wrapping_add(difference)
        };
        self.previous = moved & mask(self.bits);
        debug_assert!(
            difference > mask(self.bits - 1)
                || self.between(self.previous, previous).0 == difference
        );
        self.previous << self.alignment
    }

    fn between(&self, target: u64, previous: u64) -> (u64, bool) {
        let up = target.wrapping_sub(previous) & mask(self.bits);
        let below = up >> (self.bits - 1) == 1;
        (if below { up.wrapping_neg() & mask(self.bits) } else { up }, below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_way_round() {
        let processor = Processor { address_width: 32, alignment: 2, ..Processor::default() };
        let (mut sender, mut receiver) =
            (TargetDifference::new(&processor), TargetDifference::new(&processor));
        for (target, expected) in [
            (0x10, (4, false)),
            (0x4, (3, true)),
            (0xffff_fffc, (2, true)),
            (0x0, (1, false)),
            (0x8000_0000, (0x2000_0000, true)),
            (0x7fff_fffc, (1, true)),
        ] {
            let (difference, below) = sender.send(target);
            assert_eq!((difference, below), expected, "{target:#x}");
            assert_eq!(receiver.receive(difference, below), target);
        }
    }
}
