//! Words from integers, and casts between widths.

use super::{Sizing, Word};

macro_rules! word_from_integer {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Word {
            fn from(value: $integer) -> Self {
                Word::literal(&[value as u64])
            }
        }
    )*};
}
word_from_integer!(u8, u16, u32, u64, usize, i32);

impl From<u128> for Word {
    fn from(value: u128) -> Self {
        Word::literal(&[value as u64, (value >> 64) as u64])
    }
}

impl From<bool> for Word {
    fn from(value: bool) -> Self {
        Word::new(1, value.into())
    }
}

/// `value` cut or zero-extended to `width` bits.
///
/// In a kernel the width may be any expression of fields, constants and functions, but not of a loop's
/// index: RustHDL evaluates the call outside the loop. [`unsigned_cast_to_fit`] is for there.
pub fn bits_to(value: impl Into<Word>, width: usize) -> Word {
    value.into().fitted(width)
}

/// `value` cut or zero-extended to the width of the operand or signal it meets.
///
/// RustHDL's macro takes any function whose name starts with `unsigned_cast` as a cast that it need not
/// evaluate, so this one works on signals picked by a loop's index.
pub fn unsigned_cast_to_fit(value: impl Into<Word>) -> Word {
    Word { sizing: Sizing::Fit, ..value.into() }
}
