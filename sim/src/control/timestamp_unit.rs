//! The counter that the registers of the time control.

use crate::config::mask;

/// Bits of the counter of cycles between two of the time.
const PRESCALER_BITS: u32 = 6;

/// What the registers say in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// `trTsActive`, which is `trTeActive`: without it the time is 0.
    pub is_active: bool,
    /// `trTsCount`.
    pub counts: bool,
    /// `trTsReset`.
    pub resets: bool,
    /// `trTsPrescale`: a time has 1, 4, 16 or 64 cycles.
    pub prescale: u32,
}

/// The timestamp unit.
#[derive(Clone, Debug)]
pub struct TimestampUnit {
    bits: u32,
    time: u64,
    /// Cycles in which the time could count.
    cycles: u64,
}

impl TimestampUnit {
    /// A unit of a time of so many bits, as it is after a reset.
    pub fn new(bits: u32) -> Self {
        Self { bits, time: 0, cycles: 0 }
    }

    /// The time.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// The end of the cycle.
    pub fn clock(&mut self, inputs: &Inputs) {
        if !inputs.is_active || inputs.resets {
            (self.time, self.cycles) = (0, 0);
            return;
        }
        if !inputs.counts {
            return;
        }
        self.cycles = (self.cycles + 1) & mask(PRESCALER_BITS);
        if self.cycles & mask(2 * inputs.prescale) == 0 {
            self.time = self.time.wrapping_add(1) & mask(self.bits);
        }
    }
}
