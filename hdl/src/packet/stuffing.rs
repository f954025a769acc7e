//! The zeros that keep data from looking like a marker.

mod measured;

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;

use crate::encode::bit_packer::BitPacker;

pub use measured::{Measure, MeasuredStuffer, PieceMeasure};

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

#[kernel]
impl Logic for Stuffer {
    fn update(&mut self) {
        in_front = 0;
        for place in 0..word.width() {
            if left.q > place {
                in_front = in_front.replace_bit(place, true);
            }
        }
        stuffs = 0;
        if (word & in_front) == in_front && left.q <= resized(bits, left.width()) {
            stuffs = 1;
        }
        stuffed = resized(word);
        stuffed_bits = resized(bits);
        if stuffs {
            stuffed = resized(word & in_front) | (resized(word & !in_front) << 1);
            stuffed_bits = resized(bits) + 1;
        }

        start = 0;
        allowed = left.q;
        if stuffs {
            start = left.q;
            allowed = most_ones;
        }
        for place in 0..word.width() {
            if bits > place && !word.get_bit(place) {
                start = (place + 1).into();
                allowed = most_ones;
            }
        }
        if restart {
            left.d = most_ones;
        } else if takes {
            left.d = allowed + start - resized(bits);
        }
    }
}
