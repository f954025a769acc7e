//! Floating point of 32 and 64 bits: the instructions of F and D, and their compressed forms.
//!
//! The arithmetic is that of the crate `rustc_apfloat`, which is LLVM's. Registers have 64 bits; a number of 32 bits is
//! in the lower half of one, with ones above it.

mod arithmetic;
mod convert;

use arithmetic::{Double, Format, Single};
use rustc_apfloat::Round;

/// What an instruction reads.
pub struct Operands<'a> {
    /// The registers for floating point.
    pub floats: &'a [u64; 32],
    /// The integer register of the first operand.
    pub integer: u64,
    /// Bits of integer registers.
    pub bits: u8,
    /// The rounding mode of `fcsr`.
    pub mode: u64,
}

/// What an instruction gives.
pub struct Outcome {
    /// The value of the destination.
    pub value: u64,
    /// True if that is an integer register.
    pub to_integer: bool,
    /// The flags that are raised, as in `fcsr`.
    pub flags: u8,
}

/// A load or a store.
pub struct Access {
    /// The integer register with the address.
    pub base: usize,
    /// What is added to it.
    pub offset: u64,
    /// The register for floating point.
    pub register: usize,
    /// 4 or 8.
    pub bytes: usize,
    /// True for a store.
    pub is_store: bool,
}

const LOAD: u32 = 0x07;
const STORE: u32 = 0x27;
const OPERATION: u32 = 0x53;

/// A number of 32 bits as it is in a register.
pub fn boxed(value: u64) -> u64 {
    value | 0xffff_ffff << 32
}

/// An instruction for floating point in 32 bits, also if it is a compressed one.
pub fn expanded(word: u32, bits: u8) -> Option<u32> {
    if word & 3 == 3 {
        let is_one = matches!(word & 0x7f, LOAD | STORE | 0x43 | 0x47 | 0x4b | 0x4f | OPERATION);
        let is_access = matches!(word & 0x7f, LOAD | STORE);
        return (is_one && (!is_access || matches!(word >> 12 & 7, 2 | 3))).then_some(word);
    }
    let (function, quadrant) = (word >> 13 & 7, word & 3);
    let is_double = function & 1 == 1 && function & 2 == 0;
    let is_single = bits == 32 && function & 3 == 3;
    if quadrant == 1 || !(is_double || is_single) {
        return None;
    }
    let is_store = function & 4 != 0;
    let width = if is_double { 3 } else { 2 };
    Some(match quadrant {
        0 => {
            let base = 8 + (word >> 7 & 7);
            let register = 8 + (word >> 2 & 7);
            let upper = match is_double {
                true => (word >> 5 & 3) << 6,
                false => (word >> 6 & 1) << 2 | (word >> 5 & 1) << 6,
            };
            of_access(is_store, width, base, register, (word >> 10 & 7) << 3 | upper)
        }
        _ if is_store => {
            let offset = match is_double {
                true => (word >> 10 & 7) << 3 | (word >> 7 & 7) << 6,
                false => (word >> 9 & 15) << 2 | (word >> 7 & 3) << 6,
            };
            of_access(true, width, 2, word >> 2 & 31, offset)
        }
        _ => {
            let offset = match is_double {
                true => (word >> 12 & 1) << 5 | (word >> 5 & 3) << 3 | (word >> 2 & 7) << 6,
                false => (word >> 12 & 1) << 5 | (word >> 4 & 7) << 2 | (word >> 2 & 3) << 6,
            };
            of_access(false, width, 2, word >> 7 & 31, offset)
        }
    })
}

/// The load or store of a compressed one.
fn of_access(is_store: bool, width: u32, base: u32, register: u32, offset: u32) -> u32 {
    let common = width << 12 | base << 15;
    match is_store {
        true => STORE | common | register << 20 | (offset & 31) << 7 | (offset >> 5) << 25,
        false => LOAD | common | register << 7 | offset << 20,
    }
}

/// True if an instruction needs registers of 64 bits.
pub fn is_double(word: u32) -> bool {
    match word & 0x7f {
        LOAD | STORE => word >> 12 & 7 == 3,
        // Conversions between both formats have the other one in place of the second operand.
        OPERATION if word >> 27 == 0b01000 => true,
        _ => word >> 25 & 3 == 1,
    }
}

/// The load or store that an instruction is, if it is one.
pub fn access(word: u32) -> Option<Access> {
    let is_store = word & 0x7f == STORE;
    if !is_store && word & 0x7f != LOAD {
        return None;
    }
    let signed = word as i32;
    let (register, offset) = match is_store {
        true => (word >> 20 & 31, signed >> 25 << 5 | (word >> 7 & 31) as i32),
        false => (word >> 7 & 31, signed >> 20),
    };
    Some(Access {
        base: (word >> 15 & 31) as usize,
        offset: i64::from(offset) as u64,
        register: register as usize,
        bytes: if word >> 12 & 7 == 3 { 8 } else { 4 },
        is_store,
    })
}

/// The result of an instruction that is no load or store; `None` if it is illegal.
pub fn compute(word: u32, operands: &Operands<'_>) -> Option<Outcome> {
    match word >> 25 & 3 {
        0 => of_format::<Single>(word, operands),
        1 => of_format::<Double>(word, operands),
        _ => None,
    }
}

/// The rounding of an instruction, which may be that of `fcsr`; `None` if it is reserved.
fn rounding(word: u32, mode: u64) -> Option<Round> {
    let mode = match u64::from(word >> 12 & 7) {
        7 => mode,
        mode => mode,
    };
    Some(match mode {
        0 => Round::NearestTiesToEven,
        1 => Round::TowardZero,
        2 => Round::TowardNegative,
        3 => Round::TowardPositive,
        4 => Round::NearestTiesToAway,
        _ => return None,
    })
}

fn of_format<F: Format>(word: u32, operands: &Operands<'_>) -> Option<Outcome> {
    let raw = |shift: u32| operands.floats[(word >> shift & 31) as usize];
    let [a, b, c] = [15, 20, 27].map(|shift| F::unboxed(raw(shift)));
    let float =
        |(value, flags): (u64, u8)| Outcome { value: F::boxed(value), to_integer: false, flags };
    let integer = |(value, flags): (u64, u8)| Outcome { value, to_integer: true, flags };
    let round = || rounding(word, operands.mode);
    let function = word >> 12 & 7;
    let second = word >> 20 & 31;
    if word & 0x7f != OPERATION {
        let (of_product, of_addend) = match word & 0x7f {
            0x43 => (0, 0),
            0x47 => (0, F::SIGN),
            0x4b => (F::SIGN, 0),
            _ => (F::SIGN, F::SIGN),
        };
        return Some(float(arithmetic::multiply_add::<F>(
            a ^ of_product,
            b,
            c ^ of_addend,
            round()?,
        )));
    }
    Some(match word >> 27 {
        0b00000 => float(arithmetic::add::<F>(a, b, round()?)),
        0b00001 => float(arithmetic::add::<F>(a, b ^ F::SIGN, round()?)),
        0b00010 => float(arithmetic::multiply::<F>(a, b, round()?)),
        0b00011 => float(arithmetic::divide::<F>(a, b, round()?)),
        0b01011 if second == 0 => float(arithmetic::square_root::<F>(a, round()?)),
        0b00100 => {
            let sign = match function {
                0 => b & F::SIGN,
                1 => !b & F::SIGN,
                2 => (a ^ b) & F::SIGN,
                _ => return None,
            };
            float((a & !F::SIGN | sign, 0))
        }
        0b00101 if function < 2 => float(arithmetic::least::<F>(a, b, function == 1)),
        0b10100 => integer(arithmetic::compare::<F>(a, b, function)?),
        0b11100 if second == 0 && function == 1 => integer((arithmetic::class::<F>(a), 0)),
        0b11100 if second == 0 && function == 0 && F::BITS <= operands.bits => {
            integer((F::to_integer_register(raw(15)), 0))
        }
        0b11110 if second == 0 && function == 0 && F::BITS <= operands.bits => {
            float((operands.integer & F::MASK, 0))
        }
        0b11000 if second < 4 && (second < 2 || operands.bits == 64) => {
            integer(convert::to_integer::<F>(a, second, round()?))
        }
        0b11010 if second < 4 && (second < 2 || operands.bits == 64) => {
            float(convert::of_integer::<F>(operands.integer, second, round()?))
        }
        0b01000 => convert::between(word, raw(15), round()?)?,
        _ => return None,
    })
}
