//! Instructions since the last symbol, which an exception and a flush tell.

use super::config::Config;
use crate::config::mask;

/// A counter of instructions that gives up half of its range where it would leave it, and counts how often it did.
///
/// A symbol makes both begin again, so that only an exception or a flush has to say them. Where half of the range is
/// given up depends on single instructions only: where a sequential one would leave the range, and at a
/// jump that finds the counter in its upper half. So the trace does not depend on how a core cuts a straight run into
/// blocks.
#[derive(Clone, Debug)]
pub struct InstructionCounter {
    count: u64,
    bits: u32,
    /// How often half of the range was given up since the last symbol or escape.
    overflows: u64,
    overflow_bits: u32,
}

impl InstructionCounter {
    /// The counter after reset.
    pub fn new(config: &Config) -> Self {
        Self {
            count: 0,
            bits: config.instruction_count_bits,
            overflows: 0,
            overflow_bits: config.overflow_count_bits(),
        }
    }

    /// Counts sequential instructions; gives how often the count of overflows leaves its range and begins again.
    #[inline]
    pub fn sequential(&mut self, instructions: u64) -> u64 {
        if self.count + instructions < 1 << self.bits {
            self.count += instructions;
            return 0;
        }
        self.leave_range(instructions)
    }

    #[cold]
    fn leave_range(&mut self, instructions: u64) -> u64 {
        let half = 1 << (self.bits - 1);
        let overflows = (self.count + instructions) / half - 1;
        self.count = self.count + instructions - overflows * half;
        self.overflow(overflows)
    }

    /// Counts overflows; gives how often their count begins again.
    fn overflow(&mut self, overflows: u64) -> u64 {
        self.overflows += overflows;
        let wraps = self.overflows >> self.overflow_bits;
        self.overflows &= mask(self.overflow_bits);
        wraps
    }

    /// Counts a jump without a symbol; gives how often the count of overflows begins again.
    #[inline]
    pub fn jump(&mut self) -> u64 {
        self.count += 1;
        let half = 1 << (self.bits - 1);
        if self.count < half {
            return 0;
        }
        self.count -= half;
        self.overflow(1)
    }

    /// A symbol or an escape: both counts begin again. Gives the instructions.
    #[inline]
    pub fn take(&mut self) -> u64 {
        self.overflows = 0;
        std::mem::take(&mut self.count)
    }

    /// How often half of the range was given up, if it was.
    pub fn overflows(&self) -> Option<u64> {
        Some(self.overflows).filter(|overflows| *overflows > 0)
    }
}
