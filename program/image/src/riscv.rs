//! RISC-V, 32 and 64 bits, with compressed instructions.
//!
//! Calls and returns are the hints for a return address stack of the unprivileged manual (table 3, "Return-address
//! stack prediction hints"): link registers are x1 and x5. The extensions Zcmp and Zcmt give other meanings to words of
//! `c.fsdsp`; their table jumps are indirect ones, as the table is where a register of the machine says.

use tracewright_sim::code::{Branch, Instruction};
use tracewright_sim::event::Kind;
use tracewright_sim::rvfi::Extensions;

/// Decodes the instruction with these bytes; `None` for too few bytes, and for bytes that are not an instruction.
pub(crate) fn instruction(
    is_64_bit: bool,
    extensions: Extensions,
    address: u64,
    bytes: &[u8],
) -> Option<Instruction> {
    let low = u16::from_le_bytes(*bytes.first_chunk()?);
    let (length, branch) = if low & 3 == 3 {
        // Longer than 32 bits: no such instruction is standard.
        if low & 0x1f == 0x1f {
            return None;
        }
        (4, full(address, u32::from_le_bytes(*bytes.first_chunk()?)))
    } else {
        // Illegal by definition.
        if low == 0 {
            return None;
        }
        (2, compressed(is_64_bit, extensions, address, low))
    };
    let wrap = |target: u64| if is_64_bit { target } else { target & u64::from(u32::MAX) };
    let branch = branch.map(|branch| Branch { target: wrap(branch.target), ..branch });
    Some(Instruction { length, branch })
}

/// The place in the table of jumps to which the instruction with these bytes goes.
pub(crate) fn table_index(extensions: Extensions, bytes: &[u8]) -> Option<u64> {
    let half = u16::from_le_bytes(*bytes.first_chunk()?);
    let is_jump = extensions.zcmt && half & 3 == 2 && half >> 10 == 0b10_1000;
    is_jump.then_some(u64::from(half >> 2 & 0xff))
}

fn is_link(register: u32) -> bool {
    register == 1 || register == 5
}

fn direct(kind: Kind, call: bool, address: u64, offset: i64) -> Option<Branch> {
    Some(Branch { kind, call, is_return: false, target: address.wrapping_add_signed(offset) })
}

/// `jalr`, whose target is in `source` and whose return address goes to `destination`.
fn indirect(destination: u32, source: u32) -> Option<Branch> {
    let call = is_link(destination);
    let is_return = is_link(source) && !(call && destination == source);
    Some(Branch { kind: Kind::IndirectJump, call, is_return, target: 0 })
}

fn exception() -> Option<Branch> {
    Some(Branch { kind: Kind::Exception, call: false, is_return: false, target: 0 })
}

/// The signed number whose bits are at these positions of `word`, from the sign down to bit 1.
fn offset<const N: usize>(word: u32, places: [u32; N]) -> i64 {
    let bits = places.iter().fold(0i64, |bits, place| bits << 1 | i64::from(word >> place & 1));
    (bits << (64 - N)) >> (64 - N) << 1
}

fn full(address: u64, word: u32) -> Option<Branch> {
    let (destination, function, source) = (word >> 7 & 31, word >> 12 & 7, word >> 15 & 31);
    match word & 0x7f {
        0x6f => {
            let places =
                [31, 19, 18, 17, 16, 15, 14, 13, 12, 20, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21];
            direct(Kind::DirectJump, is_link(destination), address, offset(word, places))
        }
        0x67 if function == 0 => indirect(destination, source),
        0x63 if function != 2 && function != 3 => {
            let places = [31, 7, 30, 29, 28, 27, 26, 25, 11, 10, 9, 8];
            direct(Kind::DirectConditional, false, address, offset(word, places))
        }
        0x73 => match word {
            // ecall, ebreak
            0x0000_0073 | 0x0010_0073 => exception(),
            // uret, sret, mret, mnret, dret: the target is in a register of the machine
            0x0020_0073 | 0x1020_0073 | 0x3020_0073 | 0x7020_0073 | 0x7b20_0073 => {
                Some(Branch { kind: Kind::IndirectJump, call: false, is_return: false, target: 0 })
            }
            _ => None,
        },
        _ => None,
    }
}

fn compressed(is_64_bit: bool, extensions: Extensions, address: u64, half: u16) -> Option<Branch> {
    let word = u32::from(half);
    let jump_places = [12, 8, 10, 9, 6, 7, 2, 11, 5, 4, 3];
    let branch_places = [12, 6, 5, 2, 11, 10, 4, 3];
    match (word & 3, word >> 13) {
        (1, 1) if !is_64_bit => direct(Kind::DirectJump, true, address, offset(word, jump_places)),
        (1, 5) => direct(Kind::DirectJump, false, address, offset(word, jump_places)),
        (1, 6 | 7) => direct(Kind::DirectConditional, false, address, offset(word, branch_places)),
        // c.jr, c.jalr and c.ebreak have no second source.
        (2, 4) if word >> 2 & 31 == 0 => match (word >> 12 & 1, word >> 7 & 31) {
            (0, 0) => None,
            (0, source) => indirect(0, source),
            (_, 0) => exception(),
            (_, source) => indirect(1, source),
        },
        // c.fsdsp without these extensions.
        (2, 5) => match word >> 8 & 0xff {
            // cm.popretz, cm.popret; the lists of registers below 4 are reserved.
            0xbc | 0xbe if extensions.zcmp && word >> 4 & 15 >= 4 => indirect(0, 1),
            // cm.jt, cm.jalt
            0xa0..=0xa3 if extensions.zcmt => indirect((word >> 2 & 0xff >= 32).into(), 0),
            _ => None,
        },
        _ => None,
    }
}
