//! Pseudo-random bits, of which a step gives three new ones.

/// Feedback of the shift register: x^16 + x^14 + x^13 + x^11 + 1.
pub const TAPS: u16 = 0xb400;
/// Its value after reset.
pub const SEED: u16 = 0xace1;
/// Shifts of a step.
pub const SHIFTS: u32 = 3;

/// A shift register.
#[derive(Clone, Copy, Debug)]
pub struct Generator(u16);

impl Default for Generator {
    fn default() -> Self {
        Self(SEED)
    }
}

impl Generator {
    /// Takes a step, and gives the bits after it.
    pub fn step(&mut self) -> u16 {
        for _ in 0..SHIFTS {
            self.0 = self.0 >> 1 ^ if self.0 & 1 == 1 { TAPS } else { 0 };
        }
        self.0
    }

    /// True if the lowest `count` of these bits are all 0, which has a probability of 2^-count.
    pub fn are_zero(bits: u16, count: u8) -> bool {
        bits & ((1 << count) - 1) == 0
    }
}
