//! ARM's 64-bit instructions, A64.
//!
//! A return is `ret`, whatever register it names, and a call is `bl` or `blr`; so are their forms that authenticate the
//! address. `br` is neither, whatever register it names.

use tracewright_sim::code::{Branch, Instruction};
use tracewright_sim::event::Kind;

/// Decodes the instruction with these bytes; `None` for too few, and for `udf`.
pub(crate) fn instruction(address: u64, bytes: &[u8]) -> Option<Instruction> {
    let word = u32::from_le_bytes(*bytes.first_chunk()?);
    (word >> 16 != 0).then(|| Instruction { length: 4, branch: branch(address, word) })
}

fn branch(address: u64, word: u32) -> Option<Branch> {
    let to = |kind, call, offset: i64| {
        let target = address.wrapping_add_signed(offset);
        Some(Branch { kind, call, is_return: false, target })
    };
    let conditional = |bits| to(Kind::DirectConditional, false, offset(word, bits, 5));
    match word >> 24 {
        // b, bl
        0x14..=0x17 => to(Kind::DirectJump, false, offset(word, 26, 0)),
        0x94..=0x97 => to(Kind::DirectJump, true, offset(word, 26, 0)),
        // b.al and b.nv, bc.al and bc.nv: they always branch
        0x54 if word & 14 == 14 => to(Kind::DirectJump, false, offset(word, 19, 5)),
        // b and bc with other conditions, cbz and cbnz
        0x54 | 0x34 | 0x35 | 0xb4 | 0xb5 => conditional(19),
        // tbz, tbnz
        0x36 | 0x37 | 0xb6 | 0xb7 => conditional(14),
        0x74 | 0x75 | 0xf4 | 0xf5 if compares(word) => conditional(9),
        // retaasppc, retabsppc
        0x55 if word & 0xffc0_001f == 0x5500_001f => indirect(false, true),
        0xd4 if matches!((word >> 21 & 7, word & 31), (0 | 5, 1..=3) | (1 | 2, 0)) => {
            // svc, hvc, smc, dcps, brk, hlt
            Some(Branch { kind: Kind::Exception, call: false, is_return: false, target: 0 })
        }
        0xd6 | 0xd7 => by_register(word),
        _ => None,
    }
}

/// The signed number of words whose `bits` are from bit `low` on, in bytes.
fn offset(word: u32, bits: u32, low: u32) -> i64 {
    i64::from((word << (32 - low - bits)) as i32 >> (32 - bits)) * 4
}

/// True for `cb`, `cbb` and `cbh` with a condition, which compare and branch (FEAT_CMPBR).
fn compares(word: u32) -> bool {
    let has_condition = word >> 22 & 3 != 2;
    let size = word >> 14 & 3;
    has_condition
        && match word >> 24 {
            // Two registers: words, bytes, halves.
            0x74 => size != 1,
            0xf4 => size == 0,
            // A register and a number, whose lowest bit is bit 15.
            _ => size & 1 == 0,
        }
}

fn indirect(call: bool, is_return: bool) -> Option<Branch> {
    Some(Branch { kind: Kind::IndirectJump, call, is_return, target: 0 })
}

/// Branches to the address in a register.
fn by_register(word: u32) -> Option<Branch> {
    let jump = || indirect(false, false);
    match word & !(31 << 5) {
        // br, braaz, brabz
        0xd61f_0000 | 0xd61f_081f | 0xd61f_0c1f => return jump(),
        // blr, blraaz, blrabz
        0xd63f_0000 | 0xd63f_081f | 0xd63f_0c1f => return indirect(true, false),
        0xd65f_0000 => return indirect(false, true),
        _ => {}
    }
    match word {
        // eret, eretaa, eretab, drps
        0xd69f_03e0 | 0xd69f_0bff | 0xd69f_0fff | 0xd6bf_03e0 => jump(),
        // retaa, retab, retaasppcr, retabsppcr
        _ if word & 0xffff_fbe0 == 0xd65f_0be0 => indirect(false, true),
        // braa, brab
        _ if word & 0xffff_f800 == 0xd71f_0800 => jump(),
        // blraa, blrab
        _ if word & 0xffff_f800 == 0xd73f_0800 => indirect(true, false),
        _ => None,
    }
}
