//! Prologues of RISC-V.

use super::super::row::{Base, Row, Saved};

const RA: u16 = 1;
const SP: u16 = 2;
const FP: u16 = 8;

/// What an instruction of a prologue does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Moves the stack pointer by so many bytes.
    Move(i64),
    /// Stores a register so many bytes above the stack pointer.
    Store(u16, i64),
    /// Sets the frame pointer so many bytes above the stack pointer.
    Pointer(i64),
    /// Something else that a prologue may have between.
    Other,
}

/// The rules after this code.
pub(super) fn row(code: &[u8], word: usize) -> Row {
    let (mut size, mut pointer, mut at) = (0, None, 0);
    let mut saved: Vec<(u16, Saved)> = Vec::new();
    while let Some((step, length)) = next(&code[at..], word) {
        match step {
            Step::Move(bytes) => size -= bytes,
            Step::Store(register, offset) => {
                if !saved.iter().any(|(known, _)| *known == register) {
                    saved.push((register, Saved::At(offset - size)));
                }
            }
            Step::Pointer(offset) => pointer = Some(size - offset),
            Step::Other => {}
        }
        at += length;
    }
    let return_address = saved.iter().find(|(register, _)| *register == RA);
    Row {
        frame: match pointer {
            Some(offset) => Base::Register(FP, offset),
            None => Base::Register(SP, size),
        },
        return_address: return_address.map_or(Saved::Same, |(_, rule)| *rule),
        saved: saved.iter().copied().filter(|(register, _)| *register != RA).collect(),
        depth: size.try_into().unwrap_or(0),
    }
}

/// The next instruction and its bytes; `None` at the end, and for one that is of no prologue.
fn next(code: &[u8], word: usize) -> Option<(Step, usize)> {
    let half = u32::from(u16::from_le_bytes(*code.first_chunk()?));
    if half & 3 != 3 {
        return Some((compressed(half, word)?, 2));
    }
    let whole = u32::from_le_bytes(*code.first_chunk()?);
    Some((full(whole, word)?, 4))
}

fn full(code: u32, word: usize) -> Option<Step> {
    let (rd, rs1, rs2) = (code >> 7 & 31, code >> 15 & 31, code >> 20 & 31);
    let immediate = i64::from(code as i32 >> 20);
    let store = i64::from((code as i32 >> 25 << 5) | (code >> 7 & 31) as i32);
    let width = if word == 8 { 3 } else { 2 };
    match (code & 0x7f, code >> 12 & 7) {
        (0x13, 0) if rd == 2 && rs1 == 2 => Some(Step::Move(immediate)),
        (0x13, 0) if rd == 8 && rs1 == 2 => Some(Step::Pointer(immediate)),
        (0x23, kind) if rs1 == 2 && kind == width => Some(Step::Store(rs2 as u16, store)),
        (0x23, 0..=3) if rs1 == 2 || rs1 == 8 => Some(Step::Other),
        (0x13, 0) if rs1 == 0 || rd == rs1 => Some(Step::Other),
        (0x37 | 0x17, _) => Some(Step::Other),
        _ => None,
    }
}

fn compressed(code: u32, word: usize) -> Option<Step> {
    let bit = |from: u32, to: u32| i64::from(code >> from & 1) << to;
    let rd = code >> 7 & 31;
    match (code & 3, code >> 13) {
        (1, 3) if rd == 2 => {
            let value = bit(6, 4) | bit(2, 5) | bit(5, 6) | bit(3, 7) | bit(4, 8);
            Some(Step::Move(value - bit(12, 9)))
        }
        (1, 0) if rd == 2 => Some(Step::Move(i64::from(code >> 2 & 31) - bit(12, 5))),
        (0, 0) if code >> 2 & 7 == 0 => {
            let value = i64::from(code >> 11 & 3) << 4 | i64::from(code >> 7 & 15) << 6;
            Some(Step::Pointer(value | bit(6, 2) | bit(5, 3)))
        }
        (2, 6) if word == 4 => {
            let offset = i64::from(code >> 9 & 15) << 2 | i64::from(code >> 7 & 3) << 6;
            Some(Step::Store((code >> 2 & 31) as u16, offset))
        }
        (2, 7) if word == 8 => {
            let offset = i64::from(code >> 10 & 7) << 3 | i64::from(code >> 7 & 7) << 6;
            Some(Step::Store((code >> 2 & 31) as u16, offset))
        }
        (1, 2 | 3) => Some(Step::Other),
        (2, 4) if code >> 12 & 1 == 0 && code >> 2 & 31 != 0 => Some(Step::Other),
        _ => None,
    }
}
