//! The stuffed zeros in two steps: what follows from a piece alone is found in the first one.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;

use crate::encode::bit_packer::BitPacker;
use crate::packet::framer::lowest_ones;

packed! {
    /// What of a piece decides whether a zero is stuffed into it, and how many ones may follow it.
    pub Measure of (marker_ones: usize, width: usize) {
        let ones_bits = MeasuredStuffer::ones_bits(marker_ones);
    }
    /// ones with which the piece begins
    leading: BitPacker::piece_count_bits(width);
    /// it has ones only
    is_ones: 1;
    /// ones that may follow it if it has a zero
    after_zero: ones_bits;
    /// its bits, in the width of the counter of ones
    ones: ones_bits;
    /// what a zero after a run adds to the ones that may follow, less its bits
    gained: ones_bits;
}

block! {
    /// Measures a piece.
    pub PieceMeasure("piece_measure") of (marker_ones: usize, width: usize) {
        let ones_bits = MeasuredStuffer::ones_bits(marker_ones);
        let count_bits = BitPacker::piece_count_bits(width);
    }
    parameters {
        marker_ones,
        width,
    }

    /// zero above bits
    in word: width;
    in bits: count_bits;
    /// the piece is of a marker: nothing is stuffed, and any run of ones begins anew
    in is_marker: 1;
    out measure: Measure(marker_ones, width);
    local leading: count_bits;
    local is_ones: 1;
    /// the bits after the last zero begin here
    local start: ones_bits;
    local after_zero: ones_bits;
    local ones: ones_bits;
    param most_ones = Word::new(ones_bits, marker_ones as u64 - 1);
    param place_after = Word::new(count_bits, place as u64 + 1) for place in 0..width;
    param start_after = Word::new(ones_bits, place as u64 + 1) for place in 0..width;
    param ones_up_to = lowest_ones(width, place + 1) for place in 0..width;
}

#[kernel]
impl Logic for PieceMeasure {
    fn update(&mut self) {
        leading = 0;
        for place in 0..place_after.len() {
            if (word & ones_up_to[place]) == ones_up_to[place] {
                leading = place_after[place];
            }
        }
        is_ones = leading == bits;
        start = 0;
        for place in 0..start_after.len() {
            if bits > place && !word.get_bit(place) {
                start = start_after[place];
            }
        }
        ones = resized(bits);
        after_zero = most_ones + start - ones;
        if is_marker {
            leading = 0;
            is_ones = 0;
            after_zero = most_ones;
        }
        measure = Measure { leading, is_ones, after_zero, ones, gained: most_ones - ones };
    }
}

block! {
    /// Stuffs a zero into a piece, as `Stuffer` does, with the measure of the piece at hand.
    pub MeasuredStuffer("measured_stuffer") of (marker_ones: usize, width: usize) {
        let ones_bits = Self::ones_bits(marker_ones);
    }
    parameters {
        marker_ones,
        width,
    }

    /// the piece is sent
    in takes: 1;
    /// zero above bits
    in word: width;
    in bits: BitPacker::piece_count_bits(width);
    in measured: Measure(marker_ones, width);
    out stuffed: width + 1;
    out stuffed_bits: BitPacker::piece_count_bits(width + 1);
    /// ones after which a zero is stuffed
    reg left: ones_bits = marker_ones as u64 - 1;
    view measure: Measure(marker_ones, width);
    /// ones in the bits in front of the zero, if one is stuffed
    local in_front: width;
    local stuffs: 1;
}

impl MeasuredStuffer {
    /// Width of a number of ones that may follow.
    fn ones_bits(marker_ones: usize) -> usize {
        index_bits(marker_ones as u32) as usize
    }
}

#[kernel]
impl Logic for MeasuredStuffer {
    fn update(&mut self) {
        measure = measured;
        in_front = 0;
        for place in 0..word.width() {
            if left.q > place {
                in_front = in_front.replace_bit(place, true);
            }
        }
        stuffs = 0;
        if left.q <= resized(measure.leading, left.width()) {
            stuffs = 1;
        }
        stuffed = resized(word);
        stuffed_bits = resized(bits);
        if stuffs {
            stuffed = resized(word & in_front) | (resized(word & !in_front) << 1);
            stuffed_bits = resized(bits) + 1;
        }
        if takes {
            left.d = measure.after_zero;
            if measure.is_ones {
                left.d = left.q - measure.ones;
                if stuffs {
                    left.d = left.q + measure.gained;
                }
            }
        }
    }
}
