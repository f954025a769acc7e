//! The symbols of a time: as the surer entry expects, else as the other one, else the difference from the surer one.

use super::front::Expected;
use super::generator::Generator;
use crate::talon::time_parameters::MOST_CONFIDENCE;

/// Bits for the places of a difference's highest one; the last is that of all places above, too.
pub const CLASSES: usize = 8;

/// Bits that adapt.
pub const ADAPTIVE_BITS: u32 = 2 * 4 + 1 + CLASSES as u32;

/// A bit whose value is expected with a confidence that adapts.
#[derive(Clone, Copy, Debug)]
struct AdaptiveBit {
    expected: bool,
    confidence: u32,
}

impl Default for AdaptiveBit {
    fn default() -> Self {
        Self { expected: false, confidence: 1 }
    }
}

/// The bits that adapt, and their random bits.
#[derive(Clone, Debug, Default)]
pub struct Back {
    /// The other entry is wrong, too: by which table's the surer one was, and the upper bits of the other one's confidence.
    other_is_wrong: [[AdaptiveBit; 4]; 2],
    is_negative: AdaptiveBit,
    classes: [AdaptiveBit; CLASSES],
    random: Generator,
}

impl Back {
    /// Bits of the state of one of the bits that adapt: its value, and its confidence less 1.
    pub const BITS: u32 = 4;

    /// Codes the cycles above the usual ones, of which a decoder knows nothing. `None` where it reads what no encoder sends:
    /// a difference of more bits than there are, or a value that another symbol says.
    ///
    /// # Errors
    /// Those of `symbol`.
    pub fn excess<E>(
        &mut self,
        expected: &Expected,
        excess: i64,
        difference_bits: u32,
        symbol: &mut impl FnMut(bool, u32) -> Result<bool, E>,
    ) -> Result<Option<i64>, E> {
        let Expected { first, second, is_of_second, confidence, .. } = *expected;
        if !symbol(excess != first.value, confidence)? {
            return Ok(Some(first.value));
        }
        let Self { other_is_wrong, is_negative, classes, random } = self;
        if !expected.is_same() {
            let of_table = &mut other_is_wrong[usize::from(is_of_second)];
            let bit = &mut of_table[usize::from(second.confidence >> 1)];
            if !bit.code(excess != second.value, random, symbol)? {
                return Ok(Some(second.value));
            }
        }
        let difference = excess - first.value;
        let is_negative = is_negative.code(difference < 0, random, symbol)?;
        let size = difference.unsigned_abs().max(1);
        let most = difference_bits - 1;
        let mut place = 0;
        while classes[(place as usize).min(CLASSES - 1)].code(
            place < size.ilog2(),
            random,
            symbol,
        )? {
            place += 1;
            if place >= most {
                return Ok(None);
            }
        }
        let mut read = 1u64;
        for place in (0..place).rev() {
            read = read << 1 | u64::from(symbol(size >> place & 1 == 1, 1)?);
        }
        let difference = if is_negative { -(read as i64) } else { read as i64 };
        let excess = first.value + difference;
        Ok(Some(excess).filter(|excess| expected.is_same() || *excess != second.value))
    }
}

impl AdaptiveBit {
    fn code<E>(
        &mut self,
        bit: bool,
        random: &mut Generator,
        symbol: &mut impl FnMut(bool, u32) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let is_wrong = symbol(bit != self.expected, self.confidence)?;
        let bit = self.expected ^ is_wrong;
        let bits = random.step();
        if !is_wrong {
            let grows = Generator::are_zero(bits, self.confidence as u8);
            self.confidence += u32::from(self.confidence < MOST_CONFIDENCE && grows);
        } else if self.confidence > 1 {
            self.confidence -= 1;
        } else {
            self.expected = bit;
        }
        Ok(bit)
    }
}
