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

impl Logic for Checksum {
    #[hdl_gen]
    fn update(&mut self) {
        self.after.next = self.check.q.val();
        for place in 0..self.word.width() {
            self.stages[place].next = self.after.val();
            if self.bits.val() > place {
                self.stages[place].next = self.after.val() >> 1;
                if self.after.val().get_bit(0) ^ self.word.val().get_bit(place) {
                    self.stages[place].next = (self.after.val() >> 1) ^ self.polynomial.val();
                }
            }
            self.after.next = self.stages[place].val();
        }
        if self.restart.val().any() {
            self.check.d.next = self.ones.val();
        } else if self.takes.val().any() {
            self.check.d.next = self.after.val();
        }
        self.value.next = self.check.q.val();
        if self.is_inverted.val() == 1 {
            self.value.next = !self.check.q.val();
        }
    }
}
