//! Arithmetic of one format, with the flags of RISC-V.

use std::cmp::Ordering;

use rustc_apfloat::ieee::{IeeeFloat, Quad, Semantics};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};

/// The flags of `fcsr`.
pub const INVALID: u8 = 16;
const OVERFLOW: u8 = 4;
const UNDERFLOW: u8 = 2;
const INEXACT: u8 = 1;

/// A format of numbers.
pub trait Format {
    /// Its arithmetic.
    type Number: Float + FloatConvert<Self::Wide> + FloatConvert<Quad>;
    /// The same precision with more bits of exponent, so that nothing underflows.
    type Wide: Float;
    /// Its bits.
    const BITS: u8;
    /// The bits of the fraction.
    const FRACTION: u32;
    /// All of its bits.
    const MASK: u64 = u64::MAX >> (64 - Self::BITS as u32);
    /// The sign bit.
    const SIGN: u64 = 1 << (Self::BITS - 1);
    /// The smallest normal number.
    const LEAST_NORMAL: u64 = 1 << Self::FRACTION;
    /// Infinity.
    const INFINITY: u64 = Self::SIGN - Self::LEAST_NORMAL;
    /// What is not a number, in the only form that instructions give.
    const NOT_A_NUMBER: u64 = Self::INFINITY | Self::LEAST_NORMAL >> 1;

    /// The number in a register: what is not in a box is not a number.
    fn unboxed(register: u64) -> u64;

    /// A number as it is in a register.
    fn boxed(value: u64) -> u64;

    /// A register as an integer register gets it.
    fn to_integer_register(register: u64) -> u64;

    /// The number with the exponent range of another format.
    fn wide(value: Self::Number) -> Self::Wide {
        value.convert(&mut false).value
    }

    /// A number of 113 bits in this format.
    fn narrow(value: Quad, round: Round) -> StatusAnd<Self::Number>;
}

/// A format with an exponent of 15 bits and the precision of 24 bits.
pub struct WideSingle;

impl Semantics for WideSingle {
    const BITS: usize = 39;
    const EXP_BITS: usize = 15;
}

/// A format with an exponent of 15 bits and the precision of 53 bits.
pub struct WideDouble;

impl Semantics for WideDouble {
    const BITS: usize = 68;
    const EXP_BITS: usize = 15;
}

/// 32 bits.
pub struct Single;

impl Format for Single {
    type Number = rustc_apfloat::ieee::Single;
    type Wide = IeeeFloat<WideSingle>;
    const BITS: u8 = 32;
    const FRACTION: u32 = 23;

    fn unboxed(register: u64) -> u64 {
        if register >> 32 == 0xffff_ffff { register & Self::MASK } else { Self::NOT_A_NUMBER }
    }

    fn boxed(value: u64) -> u64 {
        super::boxed(value)
    }

    fn to_integer_register(register: u64) -> u64 {
        register as i32 as u64
    }

    fn narrow(value: Quad, round: Round) -> StatusAnd<Self::Number> {
        value.convert_r(round, &mut false)
    }
}

/// 64 bits.
pub struct Double;

impl Format for Double {
    type Number = rustc_apfloat::ieee::Double;
    type Wide = IeeeFloat<WideDouble>;
    const BITS: u8 = 64;
    const FRACTION: u32 = 52;

    fn unboxed(register: u64) -> u64 {
        register
    }

    fn boxed(value: u64) -> u64 {
        value
    }

    fn to_integer_register(register: u64) -> u64 {
        register
    }

    fn narrow(value: Quad, round: Round) -> StatusAnd<Self::Number> {
        value.convert_r(round, &mut false)
    }
}

/// The number of these bits.
pub fn number<F: Format>(bits: u64) -> F::Number {
    F::Number::from_bits(bits.into())
}

/// True for what is not a number.
pub fn is_nan<F: Format>(bits: u64) -> bool {
    bits & !F::SIGN > F::INFINITY
}

/// True for what is not a number and makes an operation invalid.
pub fn is_signaling<F: Format>(bits: u64) -> bool {
    is_nan::<F>(bits) && bits & F::LEAST_NORMAL >> 1 == 0
}

/// A status as flags.
pub fn flags(status: Status) -> u8 {
    [
        (Status::INVALID_OP, INVALID),
        (Status::DIV_BY_ZERO, 8),
        (Status::OVERFLOW, OVERFLOW),
        (Status::UNDERFLOW, UNDERFLOW),
        (Status::INEXACT, INEXACT),
    ]
    .into_iter()
    .fold(0, |flags, (bit, flag)| if status.contains(bit) { flags | flag } else { flags })
}

/// A result with its flags. RISC-V says that a result underflows if it is tiny after a rounding with any exponent, and
/// overflows if it is too large after it. Where the crate rounds a tiny number up to a normal one, or a large one to
/// the largest one, its flags do not say so, and `wide` makes the same operation with a larger exponent.
pub fn result<F: Format>(
    operands: &[u64],
    result: StatusAnd<F::Number>,
    wide: impl FnOnce() -> F::Wide,
) -> (u64, u8) {
    let bits = result.value.to_bits() as u64;
    let mut flags = flags(result.status);
    if operands.iter().any(|operand| is_signaling::<F>(*operand)) {
        flags = INVALID;
    }
    if flags & INVALID != 0 || is_nan::<F>(bits) {
        return (F::NOT_A_NUMBER, flags & INVALID);
    }
    let is_least = bits & !F::SIGN == F::LEAST_NORMAL;
    if is_least && flags & (INEXACT | UNDERFLOW) == INEXACT {
        let least = F::wide(number::<F>(F::LEAST_NORMAL));
        if wide().abs().partial_cmp(&least) == Some(Ordering::Less) {
            flags |= UNDERFLOW;
        }
    } else if bits & !F::SIGN == F::INFINITY - 1 && flags == INEXACT {
        let most = F::wide(number::<F>(F::INFINITY - 1));
        if wide().abs().partial_cmp(&most) == Some(Ordering::Greater) {
            flags |= OVERFLOW;
        }
    }
    (bits, flags)
}

/// The sum.
pub fn add<F: Format>(a: u64, b: u64, round: Round) -> (u64, u8) {
    let [x, y] = [a, b].map(number::<F>);
    result::<F>(&[a, b], x.add_r(y, round), || F::wide(x).add_r(F::wide(y), round).value)
}

/// The product.
pub fn multiply<F: Format>(a: u64, b: u64, round: Round) -> (u64, u8) {
    let [x, y] = [a, b].map(number::<F>);
    result::<F>(&[a, b], x.mul_r(y, round), || F::wide(x).mul_r(F::wide(y), round).value)
}

/// The quotient.
pub fn divide<F: Format>(a: u64, b: u64, round: Round) -> (u64, u8) {
    let [x, y] = [a, b].map(number::<F>);
    result::<F>(&[a, b], x.div_r(y, round), || F::wide(x).div_r(F::wide(y), round).value)
}

/// The product and a sum, rounded once.
pub fn multiply_add<F: Format>(a: u64, b: u64, c: u64, round: Round) -> (u64, u8) {
    let [x, y, z] = [a, b, c].map(number::<F>);
    let is_infinite = |bits: u64| bits & !F::SIGN == F::INFINITY;
    let is_zero = |bits: u64| bits & !F::SIGN == 0;
    // Also where the addend is not a number.
    if is_infinite(a) && is_zero(b) || is_zero(a) && is_infinite(b) {
        return (F::NOT_A_NUMBER, INVALID);
    }
    result::<F>(&[a, b, c], x.mul_add_r(y, z, round), || {
        F::wide(x).mul_add_r(F::wide(y), F::wide(z), round).value
    })
}

/// The square root, from that of an integer of 125 or 126 bits: what is lost of it is one more bit, which is rounded
/// with the rest.
pub fn square_root<F: Format>(a: u64, round: Round) -> (u64, u8) {
    if is_nan::<F>(a) {
        return (F::NOT_A_NUMBER, if is_signaling::<F>(a) { INVALID } else { 0 });
    }
    if a & !F::SIGN == 0 || a == F::INFINITY {
        return (a, 0);
    }
    if a & F::SIGN != 0 {
        return (F::NOT_A_NUMBER, INVALID);
    }
    let quad: Quad = number::<F>(a).convert(&mut false).value;
    let exponent = quad.ilogb();
    // 1 <= significand < 4 as an integer of 125 or 126 bits.
    let half = exponent.div_euclid(2);
    let scaled = quad.scalbn(64 - 2 * half).to_u128(128).value;
    let square = scaled << 60;
    let root = square.isqrt();
    let sticky = u128::from(root * root != square);
    let value = Quad::from_u128(root << 1 | sticky).value.scalbn(half - 63);
    let rounded = F::narrow(value, round);
    result::<F>(&[a], rounded, || F::wide(number::<F>(F::LEAST_NORMAL)))
}

/// The lesser or the greater of two.
pub fn least<F: Format>(a: u64, b: u64, greatest: bool) -> (u64, u8) {
    let invalid = is_signaling::<F>(a) || is_signaling::<F>(b);
    let flags = if invalid { INVALID } else { 0 };
    let value = match (is_nan::<F>(a), is_nan::<F>(b)) {
        (true, true) => F::NOT_A_NUMBER,
        (true, false) => b,
        (false, true) => a,
        // Minus 0 is less than 0.
        (false, false) if order::<F>(a) < order::<F>(b) => {
            if greatest {
                b
            } else {
                a
            }
        }
        (false, false) => {
            if greatest {
                a
            } else {
                b
            }
        }
    };
    (value, flags)
}

/// A number that is ordered as the one of these bits.
fn order<F: Format>(bits: u64) -> i64 {
    let magnitude = (bits & !F::SIGN) as i64;
    if bits & F::SIGN == 0 { magnitude } else { -1 - magnitude }
}

/// Less or equal (0), less (1), equal (2); `None` for another function.
pub fn compare<F: Format>(a: u64, b: u64, function: u32) -> Option<(u64, u8)> {
    let order = number::<F>(a).partial_cmp(&number::<F>(b));
    let is_nan = is_nan::<F>(a) || is_nan::<F>(b);
    let is_signaling = is_signaling::<F>(a) || is_signaling::<F>(b);
    let (holds, is_quiet) = match function {
        0 => (order.is_some_and(Ordering::is_le), false),
        1 => (order.is_some_and(Ordering::is_lt), false),
        2 => (order.is_some_and(Ordering::is_eq), true),
        _ => return None,
    };
    let invalid = if is_quiet { is_signaling } else { is_nan };
    Some((holds.into(), if invalid { INVALID } else { 0 }))
}

/// The class of a number, as one of ten bits.
pub fn class<F: Format>(a: u64) -> u64 {
    let magnitude = a & !F::SIGN;
    let of_positive = match magnitude {
        _ if is_nan::<F>(a) => return if is_signaling::<F>(a) { 1 << 8 } else { 1 << 9 },
        0 => 4,
        _ if magnitude == F::INFINITY => 7,
        _ if magnitude < F::LEAST_NORMAL => 5,
        _ => 6,
    };
    1 << if a & F::SIGN == 0 { of_positive } else { 7 - of_positive }
}
