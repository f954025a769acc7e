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
    takes: Wire<Local>,
    gives: Wire<Local>,
    full: Wire<Local>,
    joined: Wire<Local>,
    joined_bits: Wire<Local>,
    word_bits: Param,
    _word_bits: usize,
    _held_width: usize,
    _held_count_width: usize,
    _joined_width: usize,
    _count_width: usize,
}

impl BitPacker {
    /// A packer of pieces of up to `most_bits` into words of `word_bits`.
    pub fn new(most_bits: usize, word_bits: usize) -> Self {
        let most_bits = most_bits.max(1);
        let held_width = most_bits.max(word_bits) - 1;
        let joined_width = word_bits - 1 + most_bits;
        let count_width = index_bits(joined_width as u32 + 1) as usize;
        let held_count_width = index_bits(held_width as u32 + 1) as usize;
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
            held_bits: Reg::new(held_count_width, 0),
            padding: Reg::new(1, 0),
            takes: Wire::new(1),
            gives: Wire::new(1),
            full: Wire::new(1),
            joined: Wire::new(joined_width),
            joined_bits: Wire::new(count_width),
            word_bits: Param::new(word_bits),
            _word_bits: word_bits,
            _held_width: held_width,
            _held_count_width: held_count_width,
            _joined_width: joined_width,
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
        self.is_empty.next = !bits_to(self.held_bits.q.val().any(), 1) & !self.padding.q.val();
        // Only with pieces larger than a word can whole words be held.
        self.piece_ready.next = 0.into();
        if bits_to(self.held_bits.q.val(), self._count_width) < self.word_bits.val() {
            self.piece_ready.next = self.word_ready.val() & !self.padding.q.val();
        }
        self.takes.next = self.piece_valid.val() & self.piece_ready.val();

        // A word that a piece fills goes in the same clock; the sink's room is known beforehand.
        self.joined.next = bits_to(self.held.q.val(), self._joined_width);
        self.joined_bits.next = bits_to(self.held_bits.q.val(), self._count_width);
        if self.takes.val().any() {
            self.joined.next = bits_to(self.held.q.val(), self._joined_width)
                | (bits_to(self.piece.val(), self._joined_width) << self.held_bits.q.val());
            self.joined_bits.next = bits_to(self.held_bits.q.val(), self._count_width)
                + bits_to(self.piece_bits.val(), self._count_width);
        }
        self.full.next = bits_to(self.joined_bits.val() >= self.word_bits.val(), 1);
        self.word.next = bits_to(self.joined.val(), self._word_bits);
        self.word_valid.next =
            self.full.val() | (self.padding.q.val() & bits_to(self.held_bits.q.val().any(), 1));
        self.gives.next = self.word_valid.val() & self.word_ready.val();

        self.held.d.next = bits_to(self.joined.val(), self._held_width);
        self.held_bits.d.next = bits_to(self.joined_bits.val(), self._held_count_width);
        if self.gives.val().any() {
            self.held.d.next = bits_to(self.joined.val() >> self.word_bits.val(), self._held_width);
            self.held_bits.d.next = 0.into();
            if self.full.val().any() {
                self.held_bits.d.next =
                    bits_to(self.joined_bits.val() - self.word_bits.val(), self._held_count_width);
            }
        }

        if self.takes.val().any() {
            self.padding.d.next = self.piece_last.val();
        }
        if self.padding.q.val().any() && !self.full.val().any() {
            self.padding.d.next = bits_to(self.held_bits.q.val().any(), 1) & !self.gives.val();
        }
    }
}
