//! Pieces of any size in, whole trace words out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;

/// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros.
///
/// It takes a piece every clock as long as no piece is larger than a word and the words are taken.
#[derive(LogicBlock)]
pub struct BitPacker {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// There is a piece.
    pub piece_valid: Wire<In>,
    /// Its bits; zero above `piece_bits`.
    pub piece: Wire<In>,
    /// How many bits it has.
    pub piece_bits: Wire<In>,
    /// The word that it ends is to be filled up with zeros.
    pub piece_last: Wire<In>,
    /// The piece is taken.
    pub piece_ready: Wire<Out>,
    /// There is a word.
    pub word_valid: Wire<Out>,
    /// The word.
    pub word: Wire<Out>,
    /// The word is taken.
    pub word_ready: Wire<In>,
    /// No bit is held.
    pub is_empty: Wire<Out>,
    held: Reg,
    held_bits: Reg,
    padding: Reg,
    full: Wire<Local>,
    gives: Wire<Local>,
    rest: Wire<Local>,
    rest_bits: Wire<Local>,
    takes: Wire<Local>,
    word_bits: Param,
    _word_bits: usize,
    _held_width: usize,
    _count_width: usize,
}

impl BitPacker {
    /// A packer of pieces of up to `most_bits` into words of `word_bits`.
    pub fn new(most_bits: usize, word_bits: usize) -> Self {
        let held_width = word_bits - 1 + most_bits.max(1);
        let count_width = index_bits(held_width as u32 + 1) as usize;
        Self {
            kind: Kind::new(
                "bit_packer",
                [("piece_most_bits", most_bits), ("word_bits", word_bits)],
            ),
            domain: Domain::new(),
            piece_valid: Wire::new(1),
            piece: Wire::new(most_bits).describe("zero above piece_bits"),
            piece_bits: Wire::new(Self::piece_count_bits(most_bits)),
            piece_last: Wire::new(1).describe("fill the word up with zeros"),
            piece_ready: Wire::new(1),
            word_valid: Wire::new(1),
            word: Wire::new(word_bits),
            word_ready: Wire::new(1),
            is_empty: Wire::new(1),
            held: Reg::new(held_width, 0),
            held_bits: Reg::new(count_width, 0),
            padding: Reg::new(1, 0),
            full: Wire::new(1),
            gives: Wire::new(1),
            rest: Wire::new(held_width),
            rest_bits: Wire::new(count_width),
            takes: Wire::new(1),
            word_bits: Param::new(word_bits),
            _word_bits: word_bits,
            _held_width: held_width,
            _count_width: count_width,
        }
    }

    /// Width of `piece_bits` for pieces of up to `most_bits`.
    pub fn piece_count_bits(most_bits: usize) -> usize {
        index_bits(most_bits as u32 + 1) as usize
    }
}

impl Logic for BitPacker {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, held, held_bits, padding);
        self.full.next = bits_to(self.held_bits.q.val() >= self.word_bits.val(), 1);
        self.word.next = bits_to(self.held.q.val(), self._word_bits);
        self.word_valid.next = self.full.val();
        if self.padding.q.val().any() && self.held_bits.q.val().any() {
            self.word_valid.next = 1.into();
        }
        self.is_empty.next = !bits_to(self.held_bits.q.val().any(), 1) & !self.padding.q.val();
        self.gives.next = self.word_valid.val() & self.word_ready.val();

        self.rest.next = self.held.q.val();
        self.rest_bits.next = self.held_bits.q.val();
        if self.gives.val().any() {
            self.rest.next = self.held.q.val() >> self.word_bits.val();
            self.rest_bits.next = 0.into();
            if self.full.val().any() {
                self.rest_bits.next = self.held_bits.q.val() - self.word_bits.val();
            }
        }
        self.piece_ready.next = 0.into();
        if self.rest_bits.val() < self.word_bits.val() {
            self.piece_ready.next = !self.padding.q.val();
        }
        self.takes.next = self.piece_valid.val() & self.piece_ready.val();

        self.held.d.next = self.rest.val();
        self.held_bits.d.next = self.rest_bits.val();
        if self.takes.val().any() {
            self.held.d.next = self.rest.val()
                | (bits_to(self.piece.val(), self._held_width) << self.rest_bits.val());
            self.held_bits.d.next =
                self.rest_bits.val() + bits_to(self.piece_bits.val(), self._count_width);
            self.padding.d.next = self.piece_last.val();
        }
        if self.padding.q.val().any() && !self.rest_bits.val().any() {
            self.padding.d.next = 0.into();
        }
    }
}
