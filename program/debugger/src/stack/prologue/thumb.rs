//! Prologues of Thumb code.

use super::super::row::{Base, Row, Saved};

const FRAME: u16 = 7;
const STACK_POINTER: u16 = 13;
const LINK: u16 = 14;

/// The bytes that a debugger looks at.
const MOST_BYTES: usize = 64;

/// The rules after this code. What is of no prologue is passed over, up to the first branch.
pub(super) fn row(code: &[u8]) -> Row {
    let (mut size, mut pointer, mut at) = (0i64, None, 0);
    let mut saved: Vec<(u16, i64)> = Vec::new();
    let code = &code[..code.len().min(MOST_BYTES)];
    while let Some(half) = half_at(code, at) {
        at += 2;
        let mask = match half {
            0xb400..=0xb5ff => Some(half & 0xff | (half & 0x100) << 6),
            0xe92d => {
                at += 2;
                half_at(code, at - 2)
            }
            0xb080..=0xb0ff => {
                size += i64::from(half & 0x7f) << 2;
                None
            }
            0xaf00..=0xafff => {
                pointer = Some(size - (i64::from(half & 0xff) << 2));
                None
            }
            // Branches, and what pops the program counter.
            0xd000..=0xdfff | 0xe000..=0xe7ff | 0x4700..=0x47ff | 0xbd00..=0xbdff => break,
            0xf000..=0xf7ff if half_at(code, at).is_some_and(|next| next & 0x8000 != 0) => {
                let next = half_at(code, at).unwrap_or(0);
                // An operation with a number is no branch.
                if next & 0xd000 == 0xd000 || next & 0xd000 == 0x9000 {
                    break;
                }
                at += 2;
                None
            }
            _ => {
                at += if half >= 0xe800 { 2 } else { 0 };
                None
            }
        };
        let Some(mask) = mask else { continue };
        for register in (0..15).rev().filter(|register| mask >> register & 1 == 1) {
            size += 4;
            if !saved.iter().any(|(known, _)| *known == register) {
                saved.push((register, -size));
            }
        }
    }
    let link = saved.iter().find(|(register, _)| *register == LINK);
    Row {
        frame: match pointer {
            Some(offset) => Base::Register(FRAME, offset),
            None => Base::Register(STACK_POINTER, size),
        },
        return_address: link.map_or(Saved::Same, |(_, offset)| Saved::At(*offset)),
        saved: saved.iter().map(|(register, offset)| (*register, Saved::At(*offset))).collect(),
        depth: u64::try_from(size).unwrap_or(0),
    }
}

fn half_at(code: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*code.get(at..)?.first_chunk()?))
}
