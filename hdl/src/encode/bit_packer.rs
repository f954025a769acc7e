//! Pieces of any size in, whole trace words out.

mod registered;

use crate::parts::ports::{Pieces, Stream};
use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;

pub use registered::RegisteredBitPacker;

block! {
    /// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros.
    ///
    /// It takes a piece every cycle as long as no piece is larger than a word and the words are taken.
    pub BitPacker("bit_packer") of (most_bits: usize, word_bits: usize) {
        let most_bits = most_bits.max(1);
        let held_width = most_bits.max(word_bits) - 1;
        let joined_width = word_bits - 1 + most_bits;
        let count_width = index_bits(joined_width as u32 + 1) as usize;
        let held_count_width = index_bits(held_width as u32 + 1) as usize;
    }
    parameters {
        piece_most_bits = most_bits,
        word_bits,
    }

    in piece: Pieces(most_bits);
    out word: Stream(word_bits);
    /// no bit is held
    out is_empty: 1;
    reg held: held_width;
    reg held_bits: held_count_width;
    reg padding: 1;
    local takes: 1;
    local gives: 1;
    local full: 1;
    local joined: joined_width;
    local joined_bits: count_width;
    param word_bits = word_bits;
}

impl BitPacker {
    /// Width of `piece_bits` for pieces of up to `most_bits`.
    pub fn piece_count_bits(most_bits: usize) -> usize {
        index_bits(most_bits as u32 + 1) as usize
    }
}

#[kernel]
impl Logic for BitPacker {
    fn update(&mut self) {
        is_empty = !bit(held_bits.q) & !padding.q;
        // Only with pieces larger than a word can whole words be held.
        piece.ready = 0;
        if resized(held_bits.q, joined_bits.width()) < word_bits {
            piece.ready = word.ready & !padding.q;
        }
        takes = piece.valid & piece.ready;

        // A word that a piece fills goes in the same cycle; the sink's room is known beforehand.
        joined = resized(held.q);
        joined_bits = resized(held_bits.q);
        if takes {
            joined = resized(held.q) | (resized(piece.word) << held_bits.q);
            joined_bits = resized(held_bits.q) + resized(piece.bits);
        }
        full = joined_bits >= word_bits;
        word = Stream { word: resized(joined), valid: full | (padding.q & bit(held_bits.q)) };
        gives = word.valid & word.ready;

        held.d = resized(joined);
        held_bits.d = resized(joined_bits);
        if gives {
            held.d = resized(joined >> word_bits);
            held_bits.d = 0;
            if full {
                held_bits.d = resized(joined_bits - word_bits);
            }
        }

        if takes {
            padding.d = piece.last;
        }
        if padding.q && !full {
            padding.d = bit(held_bits.q) & !gives;
        }
    }
}
