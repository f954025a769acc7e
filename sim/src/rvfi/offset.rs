//! How far a direct jump or branch of RISC-V goes.

/// The bits of a word at these places, from the sign down to bit 1 of a number of bytes, as that number.
fn signed<const N: usize>(word: u32, places: [u32; N]) -> i64 {
    let bits = places.iter().fold(0i64, |bits, place| bits << 1 | i64::from(word >> place & 1));
    (bits << (64 - N)) >> (64 - N) << 1
}

/// The bytes from the address of a direct jump or branch to its target; nothing that is of use for other instructions.
pub fn offset(instruction: u32) -> i64 {
    let is_conditional = |bit: u32| instruction >> bit & 1;
    match instruction & 3 {
        3 if is_conditional(2) == 0 => {
            signed(instruction, [31, 7, 30, 29, 28, 27, 26, 25, 11, 10, 9, 8])
        }
        3 => signed(
            instruction,
            [31, 19, 18, 17, 16, 15, 14, 13, 12, 20, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21],
        ),
        _ if is_conditional(14) == 1 => signed(instruction, [12, 6, 5, 2, 11, 10, 4, 3]),
        _ => signed(instruction, [12, 8, 10, 9, 6, 7, 2, 11, 5, 4, 3]),
    }
}
