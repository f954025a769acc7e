//! Where GDB expects the next instruction of a RISC-V program.

/// The bits of a value from one on, so many.
fn bits(value: u32, from: u32, count: u32) -> u64 {
    u64::from(value >> from & ((1 << count) - 1))
}

/// A value whose sign is in a bit.
fn signed(value: u64, bit: u32) -> u64 {
    ((value << (63 - bit)) as i64 >> (63 - bit)) as u64
}

/// The address after the instruction at an address, with the values of registers as GDB has them.
pub(super) fn next(address: u64, bytes: &[u8], value: impl Fn(u32) -> u64) -> Option<u64> {
    let half = u32::from(u16::from_le_bytes(*bytes.first_chunk()?));
    if half & 3 != 3 {
        return Some(next_of_compressed(address, half, value));
    }
    let word = u32::from_le_bytes(*bytes.first_chunk()?);
    let (one, other) = (value(word >> 15 & 31), value(word >> 20 & 31));
    Some(match word & 0x7f {
        0x6f => {
            let low = bits(word, 21, 10) << 1 | bits(word, 20, 1) << 11;
            let high = bits(word, 12, 8) << 12 | bits(word, 31, 1) << 20;
            address.wrapping_add(signed(low | high, 20))
        }
        0x67 => one.wrapping_add(signed(bits(word, 20, 12), 11)),
        0x63 if is_taken(word >> 12 & 7, one, other) => {
            let low = bits(word, 8, 4) << 1 | bits(word, 25, 6) << 5;
            let high = bits(word, 7, 1) << 11 | bits(word, 31, 1) << 12;
            address.wrapping_add(signed(low | high, 12))
        }
        _ => address.wrapping_add(4),
    })
}

fn is_taken(condition: u32, one: u64, other: u64) -> bool {
    match condition {
        0 => one == other,
        1 => one != other,
        4 => (one as i64) < other as i64,
        5 => one as i64 >= other as i64,
        6 => one < other,
        7 => one >= other,
        _ => false,
    }
}

fn next_of_compressed(address: u64, half: u32, value: impl Fn(u32) -> u64) -> u64 {
    let bit = |from: u32, to: u32| bits(half, from, 1) << to;
    match (half & 3, half >> 13) {
        (1, 5) => {
            let low = bit(3, 1) | bit(4, 2) | bit(5, 3) | bit(11, 4) | bit(2, 5) | bit(7, 6);
            let high = bit(6, 7) | bit(9, 8) | bit(10, 9) | bit(8, 10) | bit(12, 11);
            address.wrapping_add(signed(low | high, 11))
        }
        (1, condition @ (6 | 7)) => {
            let register = value(8 + (half >> 7 & 7));
            if (register == 0) != (condition == 6) {
                return address.wrapping_add(2);
            }
            let low = bit(3, 1) | bit(4, 2) | bit(10, 3) | bit(11, 4);
            let high = bit(2, 5) | bit(5, 6) | bit(6, 7) | bit(12, 8);
            address.wrapping_add(signed(low | high, 8))
        }
        // A jump to a register.
        (2, 4) if half >> 2 & 31 == 0 && half >> 7 & 31 != 0 => value(half >> 7 & 31),
        _ => address.wrapping_add(2),
    }
}
