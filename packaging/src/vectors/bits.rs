//! Bits of a line of hexadecimal digits.

/// Bits, the lowest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits(Vec<bool>);

impl Bits {
    /// Adds the lowest bits of a value.
    pub(super) fn push(&mut self, value: u64, width: usize) {
        self.0.extend((0..width).map(|bit| value >> bit & 1 != 0));
    }

    /// Adds zeros up to so many bits.
    pub(super) fn fill_up_to(&mut self, bits: usize) {
        self.0.resize(bits, false);
    }

    /// The digits, the highest first.
    pub(super) fn hexadecimal(&self) -> String {
        let digit = |bits: &[bool]| {
            let value = bits.iter().rev().fold(0, |value, bit| value << 1 | u32::from(*bit));
            char::from_digit(value, 16).unwrap_or_default()
        };
        self.0.chunks(4).rev().map(digit).collect()
    }
}
