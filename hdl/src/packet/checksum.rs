//! The checksum of a packet.

use tracewright_elaborate::prelude::*;

use crate::encode::bit_packer::BitPacker;

block! {
    /// A cyclic redundancy check of 8 or 16 bits over the bits of a packet, those of a piece in one cycle.
    pub Checksum("checksum") of (checksum_bits: usize, width: usize) {
        let check = tracewright_sim::packet::checksum::Checksum::new(checksum_bits as u32);
    }
    parameters {
        checksum_bits,
        width,
    }

    /// a packet begins
    in restart: 1;
    /// the bits are a part of the packet
    in takes: 1;
    in word: width;
    in bits: BitPacker::piece_count_bits(width);
    /// checksum of the bits so far
    out value: checksum_bits;
    reg check: checksum_bits = check.ones();
    local after: checksum_bits;
    /// checksum after each bit of the piece; signals of their own, so that no expression has another twice
    local stages: checksum_bits for _ in 0..width;
    param ones = Word::new(checksum_bits, check.ones());
    param polynomial = Word::new(checksum_bits, check.polynomial());
    param is_inverted = check.is_inverted();
}

#[kernel]
impl Logic for Checksum {
    fn update(&mut self) {
        after = check.q;
        for place in 0..word.width() {
            stages[place] = after;
            if bits > place {
                stages[place] = after >> 1;
                if after.get_bit(0) ^ word.get_bit(place) {
                    stages[place] = (after >> 1) ^ polynomial;
                }
            }
            after = stages[place];
        }
        if restart {
            check.d = ones;
        } else if takes {
            check.d = after;
        }
        value = check.q;
        if when(is_inverted) {
            value = !check.q;
        }
    }
}
