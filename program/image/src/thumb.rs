//! ARM's 16- and 32-bit instructions, T32 (Thumb-2).
//!
//! Program counters are even here; targets carry the Thumb bit. Returns and calls are those of [`arm`](crate::arm), and
//! `pop {.., pc}`. An instruction in an IT block is conditional; the instructions before it show the block.

use tracewright_sim::code::{Branch, Instruction};

use crate::arm::{FP, LR, PC, SP, conditional, direct, exception, indirect};

/// The most bytes before an instruction on which its decoding depends: an IT block, and the wide halfwords before it.
pub(crate) const BEFORE: usize = 32;

/// Decodes the instruction with these bytes; `None` for too few, and for invalid ones. `before` are the bytes directly
/// before it, as far as they are known.
pub(crate) fn instruction(address: u32, before: &[u8], bytes: &[u8]) -> Option<Instruction> {
    let first = u16::from_le_bytes(*bytes.first_chunk()?);
    let (length, branch) = if is_wide(first) {
        let second = u16::from_le_bytes(*bytes.get(2..)?.first_chunk()?);
        // udf.w
        if first & 0xfff0 == 0xf7f0 && second & 0xf000 == 0xa000 {
            return None;
        }
        (4, wide(address, first.into(), second.into()))
    } else {
        // udf
        if first >> 8 == 0xde {
            return None;
        }
        (2, narrow(address, first.into()))
    };
    let is_conditional = condition(before).is_some();
    let branch = branch.map(|b| if is_conditional { conditional(b) } else { b });
    Some(Instruction { length, branch })
}

/// True for the first half of a 32-bit instruction.
fn is_wide(half: u16) -> bool {
    half >> 11 >= 0b11101
}

fn sign_extend(value: u32, bits: u32) -> u32 {
    ((value << (32 - bits)) as i32 >> (32 - bits)) as u32
}

fn narrow(address: u32, half: u32) -> Option<Branch> {
    let ahead = |offset: u32| address.wrapping_add(4).wrapping_add(offset) | 1;
    let (source, low) = (half >> 3 & 15, half & 0xff);
    match half >> 8 {
        0xdf | 0xbe => exception(),
        0xd0..=0xdd => direct(false, ahead(sign_extend(low, 8) << 1)).map(conditional),
        0xe0..=0xe7 => direct(false, ahead(sign_extend(half & 0x7ff, 11) << 1)),
        // cbz, cbnz
        0xb1 | 0xb3 | 0xb9 | 0xbb => {
            direct(false, ahead((half >> 9 & 1) << 6 | (half >> 3 & 31) << 1)).map(conditional)
        }
        0xbd => indirect(false, true),
        0x47 => {
            let call = half & 0x80 != 0;
            indirect(call, !call && source == LR)
        }
        // add pc and mov pc
        0x44 if half & 0x87 == 0x87 => indirect(false, false),
        0x46 if half & 0x87 == 0x87 => indirect(false, source == LR),
        _ => None,
    }
}

fn wide(address: u32, first: u32, second: u32) -> Option<Branch> {
    let ahead = address.wrapping_add(4);
    let (base, target) = (first & 15, second >> 12);
    if first & 0xf800 == 0xf000 && second & 0x8000 != 0 {
        return branches(ahead, first, second);
    }
    // ldr.w
    if first & 0xff70 == 0xf850 && target == PC {
        return indirect(false, first == 0xf85d && second & 0x0f00 == 0x0b00);
    }
    match first & 0xffd0 {
        // ldmia, ldmdb
        0xe890 | 0xe910 if second & 0x8000 != 0 => indirect(false, base == SP || base == FP),
        // rfedb, rfeia
        0xe810 | 0xe990 => indirect(false, false),
        // tbb, tbh
        0xe8d0 if first & 0x20 == 0 && second & 0xffe0 == 0xf000 => indirect(false, false),
        _ => None,
    }
}

/// Branches with an immediate offset, and instructions that share their encoding; `ahead` is the value of pc as an operand.
fn branches(ahead: u32, first: u32, second: u32) -> Option<Branch> {
    let (sign, one, two) = (first >> 10 & 1, second >> 13 & 1, second >> 11 & 1);
    let far = |base: u32, low: u32| {
        let (one, two) = (one ^ sign ^ 1, two ^ sign ^ 1);
        let offset = sign << 24 | one << 23 | two << 22 | (first & 0x3ff) << 12 | low << 1;
        base.wrapping_add(sign_extend(offset, 25))
    };
    let low = second & 0x7ff;
    match second & 0xd000 {
        0x8000 if first >> 6 & 15 < 14 => {
            let offset = sign << 20 | two << 19 | one << 18 | (first & 0x3f) << 12 | low << 1;
            direct(false, ahead.wrapping_add(sign_extend(offset, 21)) | 1).map(conditional)
        }
        // bxj, and subs pc, lr
        0x8000 if first & 0xfff0 == 0xf3c0 || first == 0xf3de => indirect(false, false),
        0x9000 => direct(false, far(ahead, low) | 1),
        0xd000 => direct(true, far(ahead, low) | 1),
        // blx to A32 code
        0xc000 => direct(true, far(ahead & !3, low & !1)),
        _ => None,
    }
}

/// The condition that an IT instruction before gives the next one: the four bits that branches have for theirs.
pub(crate) fn condition(before: &[u8]) -> Option<u8> {
    let halves: Vec<u16> = before
        .rchunks_exact(2)
        .take(BEFORE / 2)
        .map(|half| u16::from_le_bytes([half[0], half[1]]))
        .collect();
    // Four instructions of four bytes begin at most seven halfwords after IT.
    (0..halves.len().min(7)).find_map(|place| {
        let it = halves[place];
        if it >> 8 != 0xbf || it & 15 == 0 || it >> 4 & 15 == 14 || !is_start(&halves, place) {
            return None;
        }
        let covered = 4 - (it & 15).trailing_zeros() as usize;
        let (mut at, mut between) = (place, 0);
        while at > 0 {
            let length = if is_wide(halves[at - 1]) { 2 } else { 1 };
            at = at.checked_sub(length)?;
            between += 1;
        }
        let first = it >> 4 & 15;
        // Below the first condition IT has the lowest bit of each of the others.
        let condition = if between == 0 { first } else { first & !1 | it >> (4 - between) & 1 };
        (between < covered).then_some(condition as u8)
    })
}

/// True if the halfword `place` back begins an instruction.
///
/// A halfword that cannot be the first of a wide instruction ends an instruction. So the halfwords after it, which
/// can be first halves, begin with an instruction, and are pairs if their number is even.
fn is_start(halves: &[u16], place: usize) -> bool {
    let run = halves[place + 1..].iter().take_while(|half| is_wide(**half)).count();
    run % 2 == 0
}
