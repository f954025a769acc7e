//! What the instructions of the program are.

use tracewright_image::Image;
use tracewright_sim::code::{Code as _, Instruction};

use crate::flow::returns_from_trap;

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its length, and what it does to the program counter.
    pub instruction: Instruction,
    /// It returns from a trap.
    pub returns_from_trap: bool,
    /// The register that it loads with a constant, and the constant.
    pub constant: Option<(u8, u64)>,
    /// The register in which the target of a jump is, and what is added to it.
    pub register: Option<(u8, u64)>,
}

/// Instructions by their addresses.
pub trait Code {
    /// The instruction at an address; `None` where there is none.
    fn at(&self, address: u64) -> Option<Known>;
}

impl Code for Image {
    fn at(&self, address: u64) -> Option<Known> {
        // A dump that is damaged leads anywhere.
        if !address.is_multiple_of(1 << self.machine().alignment) {
            return None;
        }
        let instruction = self.instruction(address)?;
        let bytes = self.bytes_at(address).unwrap_or_default();
        let low = bytes.first_chunk().map_or(0, |bytes| u32::from(u16::from_le_bytes(*bytes)));
        let whole = bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let word = if low & 3 == 3 { whole } else { low };
        Some(Known {
            instruction,
            returns_from_trap: returns_from_trap(word),
            constant: constant(address, word),
            register: register(word),
        })
    }
}

/// The register and the constant of `lui`, `auipc` and `c.lui`. To register 0 is `lpad`, a landing pad, or a hint.
fn constant(address: u64, word: u32) -> Option<(u8, u64)> {
    let destination = (word >> 7 & 31) as u8;
    let upper = i64::from((word & 0xffff_f000) as i32) as u64;
    match word & 0x7f {
        0x37 | 0x17 if destination == 0 => None,
        0x37 => Some((destination, upper)),
        0x17 => Some((destination, address.wrapping_add(upper))),
        // `c.addi16sp` is the one with register 2.
        _ if word & 0xe003 == 0x6001 && !matches!(destination, 0 | 2) => {
            let value = (word >> 12 & 1) << 17 | (word >> 2 & 31) << 12;
            // Not the operations of Zcmop, of which shadow stacks have two.
            if value == 0 {
                return None;
            }
            let signed = i64::from((value << 14) as i32 >> 14);
            Some((destination, signed as u64))
        }
        _ => None,
    }
}

/// The register and the distance of `jalr`, `c.jr` and `c.jalr`.
fn register(word: u32) -> Option<(u8, u64)> {
    if word & 0x707f == 0x67 {
        let distance = i64::from(word as i32 >> 20);
        return Some(((word >> 15 & 31) as u8, distance as u64));
    }
    let source = (word >> 7 & 31) as u8;
    (word & 0xe07f == 0x8002 && source != 0).then_some((source, 0))
}
