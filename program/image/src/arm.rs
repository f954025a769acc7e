//! ARM's 32-bit instructions, A32.
//!
//! A return is `bx lr`, `mov pc, lr`, a load of the program counter from the stack (`ldr pc, [sp], #n`, `ldm` from sp
//! or the frame pointer r11). A call is `bl`, `blx`, or an indirect jump right after `mov lr, pc`.

use tracewright_sim::code::{Branch, Instruction};
use tracewright_sim::event::Kind;

pub(crate) const SP: u32 = 13;
pub(crate) const LR: u32 = 14;
pub(crate) const PC: u32 = 15;
/// The frame pointer of A32 code.
pub(crate) const FP: u32 = 11;

/// A branch that is not conditional.
pub(crate) fn direct(call: bool, target: u32) -> Option<Branch> {
    Some(Branch { kind: Kind::DirectJump, call, is_return: false, target: target.into() })
}

/// An indirect jump that is not conditional.
pub(crate) fn indirect(call: bool, is_return: bool) -> Option<Branch> {
    Some(Branch { kind: Kind::IndirectJump, call, is_return, target: 0 })
}

/// A system call.
pub(crate) fn exception() -> Option<Branch> {
    Some(Branch { kind: Kind::Exception, call: false, is_return: false, target: 0 })
}

/// The same instruction under a condition.
pub(crate) fn conditional(branch: Branch) -> Branch {
    let kind = match branch.kind {
        Kind::DirectJump => Kind::DirectConditional,
        Kind::IndirectJump => Kind::IndirectConditional,
        other => other,
    };
    Branch { kind, ..branch }
}

/// Decodes the instruction with these bytes; `None` for too few, and for invalid ones. `before` are the bytes directly
/// before it, as far as they are known.
pub(crate) fn instruction(address: u32, before: &[u8], bytes: &[u8]) -> Option<Instruction> {
    let word = u32::from_le_bytes(*bytes.first_chunk()?);
    // udf: permanently undefined.
    if word & 0x0ff0_00f0 == 0x07f0_00f0 {
        return None;
    }
    let condition = word >> 28;
    let mut branch =
        if condition == 15 { unconditional(address, word) } else { any(address, word) };
    if let Some(Branch { kind: Kind::IndirectJump, call, is_return, .. }) = &mut branch
        && follows_link(before)
    {
        (*call, *is_return) = (true, false);
    }
    let branch = if condition < 14 { branch.map(conditional) } else { branch };
    Some(Instruction { length: 4, branch })
}

/// True for `mov lr, pc`, which stores the address after the next instruction.
fn follows_link(before: &[u8]) -> bool {
    before.last_chunk().is_some_and(|bytes| u32::from_le_bytes(*bytes) & 0x0fff_ffff == 0x01a0_e00f)
}

fn branch_offset(word: u32) -> u32 {
    ((word << 8) as i32 >> 6) as u32
}

fn unconditional(address: u32, word: u32) -> Option<Branch> {
    match word >> 25 & 7 {
        // blx to Thumb code
        5 => {
            let half = word >> 23 & 2;
            let target =
                address.wrapping_add(8).wrapping_add(branch_offset(word)).wrapping_add(half);
            direct(true, target | 1)
        }
        // rfe
        4 if word >> 20 & 5 == 1 => indirect(false, false),
        _ => None,
    }
}

fn any(address: u32, word: u32) -> Option<Branch> {
    let bit = |place: u32| word >> place & 1 == 1;
    let (first, destination) = (word >> 16 & 15, word >> 12 & 15);
    match word >> 25 & 7 {
        5 => direct(bit(24), address.wrapping_add(8).wrapping_add(branch_offset(word))),
        7 if bit(24) => exception(),
        // ldm
        4 if bit(20) && bit(15) => indirect(false, first == SP || first == FP),
        // ldr; with bit 4 the register form is something else
        form @ (2 | 3) if bit(20) && !bit(22) && destination == PC && !(form == 3 && bit(4)) => {
            indirect(false, form == 2 && first == SP && !bit(24))
        }
        form @ (0 | 1) => processing(word, form == 0),
        _ => None,
    }
}

/// Data processing, and the instructions that share its encoding.
fn processing(word: u32, is_register: bool) -> Option<Branch> {
    match word & 0x0fff_fff0 {
        0x012f_ff10 => return indirect(false, word & 15 == LR),
        // bxj
        0x012f_ff20 => return indirect(false, false),
        0x012f_ff30 => return indirect(true, false),
        _ => {}
    }
    // bkpt
    if word & 0x0ff0_00f0 == 0x0120_0070 {
        return exception();
    }
    // Multiplications and short loads.
    if is_register && word & 0x90 == 0x90 {
        return None;
    }
    let operation = word >> 21 & 15;
    let has_destination = !(8..=11).contains(&operation);
    let is_return = word & 0x0fef_ffff == 0x01a0_f00e;
    if has_destination && word >> 12 & 15 == PC { indirect(false, is_return) } else { None }
}
