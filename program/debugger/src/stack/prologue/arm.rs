//! Prologues of A32 code.

use super::super::row::{Base, Row, Saved};

const FRAME: u16 = 11;
const STACK_POINTER: u16 = 13;
const LINK: u16 = 14;

/// The rules after this code. What is of no prologue is passed over, up to the first branch.
pub(super) fn row(code: &[u8]) -> Row {
    let (mut size, mut pointer) = (0i64, None);
    let mut saved: Vec<(u16, i64)> = Vec::new();
    let (words, _) = code.as_chunks::<4>();
    for word in words.iter().map(|word| u32::from_le_bytes(*word)) {
        let mask = match word {
            // push, with one register or several.
            0xe92d_0000..=0xe92d_ffff => word & 0xffff,
            _ if word & 0xffff_0fff == 0xe52d_0004 => 1 << (word >> 12 & 15),
            _ => 0,
        };
        for register in (0..15).rev().filter(|register| mask >> register & 1 == 1) {
            size += 4;
            if !saved.iter().any(|(known, _)| *known == register) {
                saved.push((register, -size));
            }
        }
        match word & 0xffff_f000 {
            0xe24d_d000 => size += number(word),
            0xe28d_b000 => pointer = Some(size - number(word)),
            // A branch, or what loads the program counter.
            _ if word >> 25 & 7 == 5 || word & 0xe10_f000 == 0x810_f000 => break,
            _ => {}
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

/// The number of an instruction: eight bits, rotated.
fn number(word: u32) -> i64 {
    i64::from((word & 0xff).rotate_right((word >> 8 & 15) * 2))
}
