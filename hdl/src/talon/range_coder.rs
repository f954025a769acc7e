//! The range coder: one symbol, detour or escape per step, by shifts and additions.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{index_bits, mask};
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::config::sizes::CHUNKS_BITS;

block! {
    /// Says what a step sends, and takes it when its record is taken. Bits of the code have the first one lowest.
    ///
    /// A step can take two cycles, the parts of the range and then where they lie, unless it is a symbol as predicted that
    /// sends nothing.
    pub RangeCoder("range_coder") of (config: &Config) {
        let two_cycles = config.codes_in_two_cycles();
        let held = |bits: usize| if two_cycles { bits } else { 0 };
        let (range_bits, guard_bits) = (config.range_bits as usize, config.guard_bits as usize);
        let low_bits = config.low_bits() as usize;
        let code_bits = config.code_bits() as usize;
        let confidence_bits = config.confidence_bits() as usize;
        let size = |most: usize| index_bits(most as u32 + 1) as usize;
        let detour_bits = config.detour_bits() as usize;
        let head_bits = guard_bits + 2;
        let chunks_bits = CHUNKS_BITS as usize;
    }
    parameters {
        range_bits,
        guard_bits,
        most_confidence = config.most_confidence as usize,
        escape_ones = config.escape_ones as usize,
        two_cycles if two_cycles,
    }

    /// a step is wanted; it stays until it is taken
    in valid: held(1);
    /// a symbol that sends nothing: it can be taken at once
    out is_plain: held(1);
    /// this is the step's second cycle
    out is_second: held(1);
    /// the step is taken
    in step: 1;
    in has_symbol: 1;
    /// the symbol is not as predicted
    in wrong: 1;
    in confidence: confidence_bits;
    in escape: 1;
    /// the target is not the candidate
    in has_detour: 1;
    /// there is another candidate
    in has_other: 1;
    /// it is the target
    in is_other: 1;
    /// chunks after the first of the address that follows
    in chunks: chunks_bits;
    /// the step ends with a number that the coder holds back
    in has_guard: 1;
    /// that number
    in guard: guard_bits;
    out code: code_bits;
    out code_count: size(code_bits);
    /// the code could carry: ones go after it
    out carries: 1;
    /// ones that keep it below the carry
    out ones: range_bits;
    out carry_bits: size(range_bits);
    out detour: detour_bits;
    out detour_count: size(detour_bits);
    /// the highest code
    out highest: low_bits;
    reg low: low_bits;
    reg range: range_bits = mask(config.range_bits);
    reg second: held(1);
    reg held_base: held(low_bits) = undefined;
    reg held_range: held(range_bits) = undefined;
    reg held_sent: held(code_bits) = undefined;
    reg held_count: held(size(code_bits)) = undefined;
    local unlikely: range_bits;
    local likely: range_bits;
    local moved: low_bits;
    /// the bits below the unlikely part
    local below: range_bits;
    local cleared: range_bits - 1;
    /// what a wrong symbol leaves to escapes, less 1
    local reserved: range_bits - 1;
    local is_short: 1;
    local doubles: 1;
    /// the places of the bits that leave
    local leaving: code_bits;
    local leaving_count: size(code_bits);
    /// the low end before they leave
    local unshifted: low_bits;
    local part: range_bits;
    // The same four in the cycle in which the step is taken.
    local sent: code_bits;
    local base: low_bits;
    local new_range: range_bits;
    local shifted: low_bits;
    local sum: low_bits + 1;
    local room: range_bits;
    local after: low_bits;
    /// the bits below those that end the code
    local rest: range_bits - 2;
    /// the bits that end the code, in order of their values
    local head: head_bits;
    local reversed_head: head_bits;
    local reversed_chunks: chunks_bits;
    local tail: chunks_bits + 1;
    local next_guard: guard_bits;
    local restarts: 1;
    local moves: 1;
    param top = range_bits - 1;
    param half = Word::new(range_bits, 1 << (range_bits - 1));
    param low_top = low_bits - 1;
    // The reserved part is one unit up to this confidence, and doubles from one to the next above.
    param reserved_confidence = (config.escape_ones - 1).min(config.most_confidence) as usize;
    param unit_bits = range_bits - 2;
    // The places that a confidence can be compared with.
    param places = place for place in 0..range_bits.min(1 << confidence_bits);
    param range_bits = range_bits;
    param two_cycles = usize::from(two_cycles);
    param low_bits = low_bits;
    param head_top = head_bits - 1;
    param head_bits = head_bits;
    param chunks_top = chunks_bits - 1;
    param whole = Word::new(range_bits, mask(config.range_bits));
    param held_back = Word::new(low_bits, mask(config.guard_bits) << range_bits);
    param other_head = Word::new(head_bits, 7);
    param other_count = 3usize;
    param chunks_count = chunks_bits;
    param address_count = head_bits + chunks_bits;
    param both_count = head_bits + chunks_bits + 1;
    param carry_count = range_bits - place for place in 0..range_bits;
}

impl Logic for RangeCoder {
    #[hdl_gen]
    fn update(&mut self) {
        // An escape is the highest code: that of the last unit of the range.
        self.unlikely.next = self.range.q.val() >> self.confidence.val();
        if self.escape.val().any() {
            self.unlikely.next = 1.into();
        }
        self.likely.next = self.range.q.val() - self.unlikely.val();
        self.moved.next = self.low.q.val() + bits_to(self.likely.val(), self.low.width());

        // The range of a wrong symbol: whole units of the old one, less what is left to escapes.
        self.below.next = 0.into();
        for place in 0..self.places.len() {
            if self.confidence.val() > place {
                self.below.next = self.below.val().replace_bit(place, true);
            }
        }
        self.reserved.next =
            bits_to(self.below.val() >> self.reserved_confidence.val(), self.reserved.width());
        // Its top bit is set: if the others are all clear, one less is doubled, and the bit below the unit with it.
        self.cleared.next = bits_to(self.range.q.val() & !self.below.val(), self.cleared.width());
        self.is_short.next = !bits_to(self.cleared.val().any(), 1);
        self.doubles.next =
            self.has_symbol.val() & !bits_to(self.likely.val() >> self.top.val(), 1);
        self.part.next = self.likely.val();
        self.unshifted.next = self.low.q.val();
        self.leaving_count.next = bits_to(self.doubles.val(), self.code_count.width());
        self.leaving.next = bits_to(self.doubles.val(), self.sent.width());
        if self.wrong.val().any() {
            self.unshifted.next = self.moved.val();
            self.leaving_count.next = bits_to(self.confidence.val(), self.code_count.width())
                + bits_to(self.is_short.val(), self.code_count.width());
            self.part.next = self.half.val()
                | bits_to((self.cleared.val() - 1) & !self.reserved.val(), self.range.width());
            self.leaving.next = bits_to(self.below.val(), self.sent.width());
            if self.is_short.val().any() {
                self.leaving.next = (bits_to(self.below.val(), self.sent.width()) << 1) | 1;
            }
        } else if self.doubles.val().any() {
            self.part.next = self.likely.val() << 1;
        }
        if self.escape.val().any() {
            self.unshifted.next = self.moved.val();
        }

        if self.two_cycles.val() == 1 {
            self.second.d.next = self.valid.val() & !self.step.val();
            self.held_base.d.next = self.unshifted.val();
            self.held_range.d.next = self.part.val();
            self.held_sent.d.next = self.leaving.val();
            self.held_count.d.next = self.leaving_count.val();
            self.is_second.next = self.second.q.val();
            self.is_plain.next = self.has_symbol.val()
                & !self.wrong.val()
                & !self.doubles.val()
                & !self.second.q.val();
            self.base.next = self.held_base.q.val();
            self.new_range.next = self.held_range.q.val();
            self.sent.next = self.held_sent.q.val();
            self.code_count.next = self.held_count.q.val();
        } else {
            self.base.next = self.unshifted.val();
            self.new_range.next = self.part.val();
            self.sent.next = self.leaving.val();
            self.code_count.next = self.leaving_count.val();
        }

        // Bits leave at the top.
        self.shifted.next = self.base.val() << self.code_count.val();
        self.code.next = 0.into();
        for place in 0..self.code.width() {
            if self.sent.val().get_bit(place) && self.base.val().get_bit(self.low_top.val() - place)
            {
                self.code.next = self.code.val().replace_bit(place, true);
            }
        }

        // Where the range reaches beyond a carry, what is above is given up.
        self.sum.next = bits_to(self.shifted.val(), self.sum.width())
            + bits_to(self.new_range.val(), self.sum.width());
        self.carries.next = bits_to(self.sum.val() >> self.low_bits.val(), 1)
            & bits_to(bits_to(self.sum.val(), self.low.width()).any(), 1);
        self.room.next = !bits_to(self.shifted.val(), self.range.width()) + 1;
        self.carry_bits.next = 0.into();
        self.ones.next = 0.into();
        for place in 0..self.carry_count.len() {
            if self.room.val().get_bit(place) {
                self.carry_bits.next = self.carry_count[place].val();
            }
            if !(self.room.val() >> (self.range_bits.val() - place)).any() {
                self.ones.next = self.ones.val().replace_bit(place, true);
            }
        }
        self.after.next = self.shifted.val();
        if self.carries.val().any() {
            self.after.next = self.held_back.val();
        }

        // A detour ends the code.
        self.head.next = bits_to(self.shifted.val() >> self.unit_bits.val(), self.head.width());
        self.rest.next = bits_to(self.shifted.val(), self.rest.width());
        if self.rest.val().any() {
            self.head.next =
                bits_to(self.shifted.val() >> self.unit_bits.val(), self.head.width()) + 1;
        }
        if self.carries.val().any() {
            self.head.next =
                bits_to(self.held_back.val() >> self.unit_bits.val(), self.head.width());
        }
        self.reversed_head.next = 0.into();
        for place in 0..self.reversed_head.width() {
            if self.head.val().get_bit(self.head_top.val() - place) {
                self.reversed_head.next = self.reversed_head.val().replace_bit(place, true);
            }
        }
        self.reversed_chunks.next = 0.into();
        for place in 0..self.reversed_chunks.width() {
            if self.chunks.val().get_bit(self.chunks_top.val() - place) {
                self.reversed_chunks.next = self.reversed_chunks.val().replace_bit(place, true);
            }
        }
        self.tail.next = bits_to(self.reversed_chunks.val(), self.tail.width());
        self.detour_count.next = self.address_count.val();
        if self.has_other.val().any() {
            self.tail.next = bits_to(self.reversed_chunks.val(), self.tail.width()) << 1;
            self.detour_count.next = self.both_count.val();
        }
        self.detour.next = bits_to(self.reversed_head.val(), self.detour.width())
            | (bits_to(self.tail.val(), self.detour.width()) << self.head_bits.val());
        self.next_guard.next = 0.into();
        if self.has_guard.val().any() {
            self.next_guard.next = self.guard.val();
        } else if self.is_other.val().any() {
            self.next_guard.next = (bits_to(self.head.val(), self.guard.width()) << 1) | 1;
        }
        if self.is_other.val().any() {
            self.detour_count.next = self.other_count.val();
            self.detour.next =
                bits_to(self.reversed_head.val() & self.other_head.val(), self.detour.width());
        }
        if self.escape.val().any() {
            self.detour_count.next = self.chunks_count.val();
            self.detour.next = bits_to(self.reversed_chunks.val(), self.detour.width());
        }
        self.restarts.next = self.escape.val() | self.has_detour.val();

        self.highest.next = 0.into();
        for place in 0..self.highest.width() {
            if self.base.val().get_bit(self.low_top.val() - place) {
                self.highest.next = self.highest.val().replace_bit(place, true);
            }
        }
        self.moves.next = self.step.val();
        if self.two_cycles.val() == 1 {
            self.moves.next = self.step.val() & self.second.q.val();
            if self.step.val().any() {
                self.range.d.next = self.likely.val();
            }
        }
        if self.moves.val().any() {
            self.low.d.next = self.after.val();
            self.range.d.next = self.new_range.val();
            if self.carries.val().any() || self.restarts.val().any() {
                self.range.d.next = self.whole.val();
            }
            if self.restarts.val().any() {
                self.low.d.next =
                    bits_to(self.next_guard.val(), self.low.width()) << self.range_bits.val();
            }
        }
    }
}
