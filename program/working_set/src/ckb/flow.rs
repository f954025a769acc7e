//! What instructions are, before the emulator carries them out.

use tracewright_image::InstructionSet;

use crate::emulator::Flow;

/// The handler of instructions that the table of handlers does not have.
const STORE_CONDITIONAL: u32 = 0b00011;

/// The effect of an instruction on the program counter.
pub(super) fn flow(address: u64, word: u32, bits: u8) -> Flow {
    let set = if bits == 32 { InstructionSet::RV32 } else { InstructionSet::RV64 };
    let length = if word & 3 == 3 { 4 } else { 2 };
    let branch = set.instruction(address, &[], &word.to_le_bytes()).and_then(|known| known.branch);
    Flow {
        kind: branch.map(|branch| branch.kind),
        call: branch.is_some_and(|branch| branch.call),
        is_return: branch.is_some_and(|branch| branch.is_return),
        length,
    }
}

/// The mask of addresses of this many bits.
pub(super) fn mask(bits: u8) -> u64 {
    u64::MAX >> (64 - u32::from(bits))
}

/// SYSTEM instructions, `c.ebreak`, the store conditionals, and compressed accesses of floating point, which are other
/// instructions on 64 bits.
pub(super) fn is_left(word: u32, bits: u8) -> bool {
    let is_compressed_float = matches!((word & 3, word >> 13 & 7), (0 | 2, 1 | 5))
        || bits == 32 && matches!((word & 3, word >> 13 & 7), (0 | 2, 3 | 7));
    // Of the instructions with bits, those with words of 32 bits on a processor of 64 bits.
    let is_word = bits == 32 && word & 0x7f == 0x3b;
    // A shift by 32 or more of a register of 32 bits.
    let is_shift = bits == 32 && matches!(word & 0x707f, 0x1013 | 0x5013) && word >> 25 & 1 == 1;
    word & 0x7f == 0x73
        || word == 0x9002
        || store_conditional(word).is_some()
        || is_compressed_float
        || is_word
        || is_shift
}

/// The bytes that a store conditional writes.
pub(super) fn store_conditional(word: u32) -> Option<usize> {
    let is_one = word & 0x7f == 0x2f && word >> 27 == STORE_CONDITIONAL;
    match word >> 12 & 7 {
        2 if is_one => Some(4),
        3 if is_one => Some(8),
        _ => None,
    }
}
