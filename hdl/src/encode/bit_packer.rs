//! Pieces of any size in, whole trace words out.

use crate::parts::ports::{Pieces, Stream};
use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;

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

impl Logic for BitPacker {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_empty.next = !bits_to(self.held_bits.q.val().any(), 1) & !self.padding.q.val();
        // Only with pieces larger than a word can whole words be held.
        self.piece.ready.next = 0.into();
        if bits_to(self.held_bits.q.val(), self.joined_bits.width()) < self.word_bits.val() {
            self.piece.ready.next = self.word.ready.val() & !self.padding.q.val();
        }
        self.takes.next = self.piece.valid.val() & self.piece.ready.val();

        // A word that a piece fills goes in the same cycle; the sink's room is known beforehand.
        self.joined.next = bits_to(self.held.q.val(), self.joined.width());
        self.joined_bits.next = bits_to(self.held_bits.q.val(), self.joined_bits.width());
        if self.takes.val().any() {
            self.joined.next = bits_to(self.held.q.val(), self.joined.width())
                | (bits_to(self.piece.word.val(), self.joined.width()) << self.held_bits.q.val());
            self.joined_bits.next = bits_to(self.held_bits.q.val(), self.joined_bits.width())
                + bits_to(self.piece.bits.val(), self.joined_bits.width());
        }
        self.full.next = bits_to(self.joined_bits.val() >= self.word_bits.val(), 1);
        self.word.word.next = bits_to(self.joined.val(), self.word.word.width());
        self.word.valid.next =
            self.full.val() | (self.padding.q.val() & bits_to(self.held_bits.q.val().any(), 1));
        self.gives.next = self.word.valid.val() & self.word.ready.val();

        self.held.d.next = bits_to(self.joined.val(), self.held.width());
        self.held_bits.d.next = bits_to(self.joined_bits.val(), self.held_bits.width());
        if self.gives.val().any() {
            self.held.d.next =
                bits_to(self.joined.val() >> self.word_bits.val(), self.held.width());
            self.held_bits.d.next = 0.into();
            if self.full.val().any() {
                self.held_bits.d.next =
                    bits_to(self.joined_bits.val() - self.word_bits.val(), self.held_bits.width());
            }
        }

        if self.takes.val().any() {
            self.padding.d.next = self.piece.last.val();
        }
        if self.padding.q.val().any() && !self.full.val().any() {
            self.padding.d.next = bits_to(self.held_bits.q.val().any(), 1) & !self.gives.val();
        }
    }
}
