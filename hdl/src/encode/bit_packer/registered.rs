//! The bit packer with registers between its steps.

use crate::parts::ports::{Pieces, Stream};
use crate::parts::word_register::WordRegister;
use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;

packed! {
    /// A piece with its place in a trace word, and how many words it completes.
    Placed of (most_bits: usize, place_bits: usize, words_bits: usize);
    piece: most_bits;
    place: place_bits;
    words: words_bits;
}

packed! {
    /// A piece at its place, and how many words it completes.
    Shifted of (joined_bits: usize, words_bits: usize);
    piece: joined_bits;
    words: words_bits;
}

block! {
    /// Does what the bit packer does in steps with registers between them: the places of pieces in the trace words are
    /// counted, a piece is shifted to its place, and joined with those before it; the words that it completes leave one in
    /// a cycle.
    pub RegisteredBitPacker("registered_bit_packer") of (most_bits: usize, word_bits: usize) {
        let most_bits = most_bits.max(1);
        let joined_bits = word_bits - 1 + most_bits;
        let most_words = joined_bits.div_ceil(word_bits);
        let words_bits = index_bits(most_words as u32 + 1) as usize;
        let place_bits = index_bits(word_bits as u32) as usize;
        // The last number of words may have more bits than there can be.
        let sum_bits = index_bits((most_words * word_bits) as u32 + 1) as usize;
        let placed_bits = Placed::<View>::new(most_bits, place_bits, words_bits).width();
        let shifted_bits = Shifted::<View>::new(joined_bits, words_bits).width();
    }
    parameters {
        piece_most_bits = most_bits,
        word_bits,
    }

    in piece: Pieces(most_bits);
    out word: Stream(word_bits);
    /// no bit is held
    out is_empty: 1;
    /// bits of the trace word at hand before the next piece
    reg position: place_bits;
    block placed_register: WordRegister(placed_bits);
    block shifted_register: WordRegister(shifted_bits);
    /// the bits of the trace word at hand
    reg held: word_bits - 1;
    /// words that wait to leave
    reg leaving: most_words * word_bits = undefined;
    reg leaving_words: words_bits;
    local sum: sum_bits;
    local whole_words: words_bits;
    local rest: place_bits;
    local words: words_bits;
    local placed: Placed(most_bits, place_bits, words_bits);
    view shifting: Placed(most_bits, place_bits, words_bits);
    local shifted: Shifted(joined_bits, words_bits);
    view joining: Shifted(joined_bits, words_bits);
    local joined: joined_bits;
    /// all words that wait have left after this cycle
    local is_free: 1;
    /// a piece is joined
    local joins: 1;
    param is_power = word_bits.is_power_of_two();
    param place_bits = place_bits;
    param word_bits = word_bits;
    param number = words for words in 1..=most_words;
    param start = words * word_bits for words in 1..=most_words;
}

#[kernel]
impl Logic for RegisteredBitPacker {
    fn update(&mut self) {
        // The place of a piece, and how many words it completes; the last one completes its word with zeros.
        sum = resized(position.q) + resized(piece.bits);
        if when(is_power) {
            whole_words = resized(sum >> place_bits);
            rest = resized(sum);
        } else {
            whole_words = 0;
            rest = resized(sum);
            for each in 0..number.len() {
                if sum >= start[each] {
                    whole_words = number[each].into();
                    rest = fitted(sum - start[each]);
                }
            }
        }
        words = whole_words;
        if piece.last && rest.any() {
            words = whole_words + 1;
        }
        placed = Placed { piece: piece.word, place: position.q, words };
        placed_register.in_.valid = piece.valid;
        placed_register.in_.word = placed;
        piece.ready = placed_register.in_.ready;
        if piece.valid && placed_register.in_.ready {
            position.d = rest;
            if piece.last {
                position.d = 0;
            }
        }

        // It is shifted there.
        shifting = placed_register.out_.word;
        shifted =
            Shifted { piece: resized(shifting.piece) << shifting.place, words: shifting.words };
        shifted_register.in_.valid = placed_register.out_.valid;
        shifted_register.in_.word = shifted;
        placed_register.out_.ready = shifted_register.in_.ready;

        // It is joined with what is held, and the words that are complete leave.
        joining = shifted_register.out_.word;
        is_free = !leaving_words.q.any();
        if leaving_words.q == 1 {
            is_free = word.ready;
        }
        shifted_register.out_.ready = is_free | !joining.words.any();
        joins = shifted_register.out_.valid & (is_free | !joining.words.any());
        joined = resized(held.q) | joining.piece;
        if word.ready && leaving_words.q.any() {
            leaving.d = resized(leaving.q >> word_bits);
            leaving_words.d = leaving_words.q - 1;
        }
        if joins {
            held.d = resized(joined);
            for each in 0..number.len() {
                if joining.words == number[each] {
                    held.d = fitted(joined >> start[each]);
                }
            }
            if joining.words.any() {
                leaving.d = resized(joined);
                leaving_words.d = joining.words;
            }
        }
        word = Stream { word: resized(leaving.q), valid: leaving_words.q.any() };
        is_empty = !bit(position.q)
            & !placed_register.out_.valid
            & !shifted_register.out_.valid
            & !leaving_words.q.any();
    }
}
