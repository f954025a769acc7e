//! Prologues of 64-bit x86, as far as call frame information says nothing of them.

/// Bytes of a function in which its locals are allocated.
const MOST_BYTES: usize = 48;

/// The bytes that a function with this code allocates for its locals below the registers that it has pushed.
pub(in super::super) fn locals(code: &[u8]) -> u64 {
    let code = &code[..code.len().min(MOST_BYTES)];
    let is_pointer = |bytes: &[u8]| bytes == [0x48, 0x89, 0xe5];
    let Some(begin) = code.windows(3).position(is_pointer) else { return 0 };
    let code = &code[begin..];
    for place in 0..code.len() {
        match &code[place..] {
            [0x48, 0x83, 0xec, bytes, ..] if *bytes < 0x80 => return u64::from(*bytes),
            [0x48, 0x81, 0xec, a, b, c, d, ..] => {
                return u64::from(u32::from_le_bytes([*a, *b, *c, *d]));
            }
            // The first call ends what is looked at.
            [0xe8, ..] => return 0,
            _ => {}
        }
    }
    0
}
