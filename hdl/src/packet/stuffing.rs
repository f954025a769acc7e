//! The zeros that keep data from looking like a marker.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;

use crate::encode::bit_packer::BitPacker;

block! {
    /// Stuffs a zero into a piece after a run of ones that is one shorter than a marker.
    ///
    /// A piece is shorter than a marker, so at most one zero is stuffed, and only after a run that goes on from the
    /// pieces before, or that begins with the piece.
    pub Stuffer("stuffer") of (marker_ones: usize, width: usize) {
        let most_ones = marker_ones - 1;
        let ones_bits = index_bits(marker_ones as u32) as usize;
    }
    parameters {
        marker_ones,
        width,
    }

    /// nothing was sent since the marker
    in restart: 1;
    /// the piece is sent
    in takes: 1;
    /// zero above bits
    in word: width;
    in bits: BitPacker::piece_count_bits(width);
    out stuffed: width + 1;
    out stuffed_bits: BitPacker::piece_count_bits(width + 1);
    /// ones after which a zero is stuffed
    reg left: ones_bits = most_ones as u64;
    /// ones in the bits in front of the zero, if one is stuffed
    local in_front: width;
    local stuffs: 1;
    /// the bits after the last zero of the piece, or after the stuffed one, begin here
    local start: ones_bits;
    /// ones that could follow that zero
    local allowed: ones_bits;
    param most_ones = most_ones;
}

impl Logic for Stuffer {
    #[hdl_gen]
    fn update(&mut self) {
        self.in_front.next = 0.into();
        for place in 0..self.word.width() {
            if self.left.q.val() > place {
                self.in_front.next = self.in_front.val().replace_bit(place, true);
            }
        }
        self.stuffs.next = 0.into();
        if (self.word.val() & self.in_front.val()) == self.in_front.val()
            && self.left.q.val() <= bits_to(self.bits.val(), self.left.width())
        {
            self.stuffs.next = 1.into();
        }
        self.stuffed.next = bits_to(self.word.val(), self.stuffed.width());
        self.stuffed_bits.next = bits_to(self.bits.val(), self.stuffed_bits.width());
        if self.stuffs.val().any() {
            self.stuffed.next =
                bits_to(self.word.val() & self.in_front.val(), self.stuffed.width())
                    | (bits_to(self.word.val() & !self.in_front.val(), self.stuffed.width()) << 1);
            self.stuffed_bits.next = bits_to(self.bits.val(), self.stuffed_bits.width()) + 1;
        }

        self.start.next = 0.into();
        self.allowed.next = self.left.q.val();
        if self.stuffs.val().any() {
            self.start.next = self.left.q.val();
            self.allowed.next = self.most_ones.val();
        }
        for place in 0..self.word.width() {
            if self.bits.val() > place && !self.word.val().get_bit(place) {
                self.start.next = (place + 1).into();
                self.allowed.next = self.most_ones.val();
            }
        }
        if self.restart.val().any() {
            self.left.d.next = self.most_ones.val();
        } else if self.takes.val().any() {
            self.left.d.next =
                self.allowed.val() + self.start.val() - bits_to(self.bits.val(), self.left.width());
        }
    }
}
