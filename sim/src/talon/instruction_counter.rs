//! Instructions since the last symbol, which an exception and a flush tell.

use super::config::Config;

/// A counter of instructions that gives up half of its range where it would leave it.
///
/// Where that happens depends on single instructions only: where a sequential one would leave the range, and at a
/// jump that finds the counter in its upper half. So the trace does not depend on how a core cuts a straight run into
/// blocks.
#[derive(Clone, Debug)]
pub struct InstructionCounter {
    count: u64,
    bits: u32,
}

impl InstructionCounter {
    /// The counter after reset.
    pub fn new(config: &Config) -> Self {
        Self { count: 0, bits: config.instruction_count_bits }
    }

    /// Counts sequential instructions; gives how often half of the range is given up.
    #[inline]
    pub fn sequential(&mut self, instructions: u64) -> u64 {
        if self.count + instructions < 1 << self.bits {
            self.count += instructions;
            return 0;
        }
        self.overflow(instructions)
    }

    #[cold]
    fn overflow(&mut self, instructions: u64) -> u64 {
        let half = 1 << (self.bits - 1);
        let overflows = (self.count + instructions) / half - 1;
        self.count = self.count + instructions - overflows * half;
        overflows
    }

    /// Counts a jump without a symbol; true if half of the range is given up.
    #[inline]
    pub fn jump(&mut self) -> bool {
        self.count += 1;
        let half = 1 << (self.bits - 1);
        let overflows = self.count >= half;
        if overflows {
            self.count -= half;
        }
        overflows
    }

    /// The count, which begins again.
    #[inline]
    pub fn take(&mut self) -> u64 {
        std::mem::take(&mut self.count)
    }
}
