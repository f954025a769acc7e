//! Conversions between formats, and of integers.

use rustc_apfloat::{Float, FloatConvert, Round, Status};

use super::Outcome;
use super::arithmetic::{
    Double, Format, INVALID, Single, flags, is_nan, is_signaling, number, result,
};

/// The integer of a number: 0 signed and 1 unsigned of 32 bits, 2 and 3 of 64 bits.
pub fn to_integer<F: Format>(a: u64, kind: u32, round: Round) -> (u64, u8) {
    let bits = if kind < 2 { 32 } else { 64 };
    let is_signed = kind & 1 == 0;
    let mut exact = false;
    let (value, status) = if is_signed {
        let converted = number::<F>(a).to_i128_r(bits, round, &mut exact);
        (converted.value as u64, converted.status)
    } else {
        let converted = number::<F>(a).to_u128_r(bits, round, &mut exact);
        (converted.value as u64, converted.status)
    };
    let value = if status.contains(Status::INVALID_OP) {
        let is_low = a & F::SIGN != 0 && !is_nan::<F>(a);
        match (is_signed, is_low) {
            (true, true) => u64::MAX << (bits - 1),
            (true, false) => u64::MAX >> (65 - bits),
            (false, true) => 0,
            (false, false) => u64::MAX >> (64 - bits),
        }
    } else {
        value
    };
    let flags = flags(status);
    let flags = if flags & INVALID != 0 { INVALID } else { flags };
    // What has 32 bits is extended by its sign, also if it has none.
    (if bits == 32 { value as i32 as u64 } else { value }, flags)
}

/// The number of an integer, of the same kinds.
pub fn of_integer<F: Format>(integer: u64, kind: u32, round: Round) -> (u64, u8) {
    let converted = match kind {
        0 => F::Number::from_i128_r((integer as i32).into(), round),
        1 => F::Number::from_u128_r((integer as u32).into(), round),
        2 => F::Number::from_i128_r((integer as i64).into(), round),
        _ => F::Number::from_u128_r(integer.into(), round),
    };
    (converted.value.to_bits() as u64, flags(converted.status))
}

/// The number in the other format; `None` for formats that there are not.
pub fn between(word: u32, register: u64, round: Round) -> Option<Outcome> {
    let outcome = |value: u64, flags: u8| Outcome { value, to_integer: false, flags };
    match (word >> 25 & 3, word >> 20 & 31) {
        (0, 1) => {
            let value = number::<Double>(register);
            let converted = value.convert_r(round, &mut false);
            let wide = || value.convert_r(round, &mut false).value;
            let (bits, flags) = result::<Single>(&[], converted, wide);
            let invalid = if is_signaling::<Double>(register) { INVALID } else { 0 };
            Some(outcome(
                Single::boxed(bits),
                if is_nan::<Double>(register) { invalid } else { flags },
            ))
        }
        (1, 0) => {
            let bits = Single::unboxed(register);
            if is_nan::<Single>(bits) {
                let invalid = if is_signaling::<Single>(bits) { INVALID } else { 0 };
                return Some(outcome(Double::NOT_A_NUMBER, invalid));
            }
            let converted: rustc_apfloat::ieee::Double =
                number::<Single>(bits).convert(&mut false).value;
            Some(outcome(converted.to_bits() as u64, 0))
        }
        _ => None,
    }
}
