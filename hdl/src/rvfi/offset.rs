//! How far a direct jump or branch goes.

use tracewright_elaborate::prelude::*;

/// Bits of an offset: those above bit 0 of a number of bytes.
pub const OFFSET_BITS: usize = 20;

packed! {
    /// The offset of `jal`.
    Jump of ();
    low: 10;
    middle: 1;
    high: 8;
    sign: 1;
}

packed! {
    /// The offset of a conditional branch.
    Branch of ();
    low: 4;
    middle: 6;
    high: 1;
    sign: 9;
}

packed! {
    /// The offset of `c.j` and `c.jal`.
    CompressedJump of ();
    bit_1: 3;
    bit_4: 1;
    bit_5: 1;
    bit_6: 1;
    bit_7: 1;
    bit_8: 2;
    bit_10: 1;
    sign: 10;
}

packed! {
    /// The offset of `c.beqz` and `c.bnez`.
    CompressedBranch of ();
    bit_1: 2;
    bit_3: 2;
    bit_5: 1;
    bit_6: 2;
    sign: 13;
}

block! {
    /// How far a direct jump or branch goes.
    pub Offset("offset") of ();

    /// instruction word, a compressed instruction in the lower half
    in insn: 32;
    /// two bytes each, with a sign
    out half_words: OFFSET_BITS;
    local jump: Jump();
    local branch: Branch();
    local compressed_jump: CompressedJump();
    local compressed_branch: CompressedBranch();
    /// all bits are the sign
    local sign: 13;
    local is_long: 1;
}

#[kernel]
impl Logic for Offset {
    fn update(&mut self) {
        is_long = resized(insn, 2) == 3;
        sign = 0;
        if (is_long & resized(insn >> 31, 1)) | (!is_long & resized(insn >> 12, 1)) {
            sign = !resized(0);
        }
        jump = Jump {
            low: resized(insn >> 21, 10),
            middle: resized(insn >> 20, 1),
            high: resized(insn >> 12, 8),
            sign: resized(sign, 1),
        };
        branch = Branch {
            low: resized(insn >> 8, 4),
            middle: resized(insn >> 25, 6),
            high: resized(insn >> 7, 1),
            sign: resized(sign, 9),
        };
        compressed_jump = CompressedJump {
            bit_1: resized(insn >> 3, 3),
            bit_4: resized(insn >> 11, 1),
            bit_5: resized(insn >> 2, 1),
            bit_6: resized(insn >> 7, 1),
            bit_7: resized(insn >> 6, 1),
            bit_8: resized(insn >> 9, 2),
            bit_10: resized(insn >> 8, 1),
            sign: resized(sign, 10),
        };
        compressed_branch = CompressedBranch {
            bit_1: resized(insn >> 3, 2),
            bit_3: resized(insn >> 10, 2),
            bit_5: resized(insn >> 2, 1),
            bit_6: resized(insn >> 5, 2),
            sign,
        };
        if is_long {
            half_words = jump;
            if !insn.get_bit(2) {
                half_words = branch;
            }
        } else {
            half_words = compressed_jump;
            if insn.get_bit(14) {
                half_words = compressed_branch;
            }
        }
    }
}
