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

#[kernel]
impl Logic for RangeCoder {
    fn update(&mut self) {
        // An escape is the highest code: that of the last unit of the range.
        unlikely = range.q >> confidence;
        if escape {
            unlikely = 1;
        }
        likely = range.q - unlikely;
        moved = low.q + resized(likely);

        // The range of a wrong symbol: whole units of the old one, less what is left to escapes.
        below = 0;
        for place in 0..places.len() {
            if confidence > place {
                below = below.replace_bit(place, true);
            }
        }
        reserved = resized(below >> reserved_confidence);
        // Its top bit is set: if the others are all clear, one less is doubled, and the bit below the unit with it.
        cleared = resized(range.q & !below);
        is_short = !bit(cleared);
        doubles = has_symbol & !resized(likely >> top, 1);
        part = likely;
        unshifted = low.q;
        leaving_count = resized(doubles);
        leaving = resized(doubles);
        if wrong {
            unshifted = moved;
            leaving_count =
                resized(confidence, code_count.width()) + resized(is_short, code_count.width());
            part = half | resized((cleared - 1) & !reserved);
            leaving = resized(below);
            if is_short {
                leaving = (resized(below) << 1) | 1;
            }
        } else if doubles {
            part = likely << 1;
        }
        if escape {
            unshifted = moved;
        }

        if when(two_cycles) {
            second.d = valid & !step;
            held_base.d = unshifted;
            held_range.d = part;
            held_sent.d = leaving;
            held_count.d = leaving_count;
            is_second = second.q;
            is_plain = has_symbol & !wrong & !doubles & !second.q;
            base = held_base.q;
            new_range = held_range.q;
            sent = held_sent.q;
            code_count = held_count.q;
        } else {
            base = unshifted;
            new_range = part;
            sent = leaving;
            code_count = leaving_count;
        }

        // Bits leave at the top.
        shifted = base << code_count;
        code = 0;
        for place in 0..code.width() {
            if sent.get_bit(place) && base.get_bit(low_top - place) {
                code = code.replace_bit(place, true);
            }
        }

        // Where the range reaches beyond a carry, what is above is given up.
        sum = resized(shifted) + resized(new_range);
        carries = resized(sum >> low_bits, 1) & bit(resized(sum, low.width()).any());
        room = !resized(shifted) + 1;
        carry_bits = 0;
        ones = 0;
        for place in 0..carry_count.len() {
            if room.get_bit(place) {
                carry_bits = carry_count[place];
            }
            if !(room >> (range_bits - place)) {
                ones = ones.replace_bit(place, true);
            }
        }
        after = shifted;
        if carries {
            after = held_back;
        }

        // A detour ends the code.
        head = resized(shifted >> unit_bits);
        rest = resized(shifted);
        if rest {
            head = resized(shifted >> unit_bits) + 1;
        }
        if carries {
            head = resized(held_back >> unit_bits);
        }
        reversed_head = 0;
        for place in 0..reversed_head.width() {
            if head.get_bit(head_top - place) {
                reversed_head = reversed_head.replace_bit(place, true);
            }
        }
        reversed_chunks = 0;
        for place in 0..reversed_chunks.width() {
            if chunks.get_bit(chunks_top - place) {
                reversed_chunks = reversed_chunks.replace_bit(place, true);
            }
        }
        tail = resized(reversed_chunks);
        detour_count = address_count;
        if has_other {
            tail = resized(reversed_chunks) << 1;
            detour_count = both_count;
        }
        detour = resized(reversed_head) | (resized(tail) << head_bits);
        next_guard = 0;
        if has_guard {
            next_guard = guard;
        } else if is_other {
            next_guard = (resized(head) << 1) | 1;
        }
        if is_other {
            detour_count = other_count;
            detour = resized(reversed_head & other_head);
        }
        if escape {
            detour_count = chunks_count;
            detour = resized(reversed_chunks);
        }
        restarts = escape | has_detour;

        highest = 0;
        for place in 0..highest.width() {
            if base.get_bit(low_top - place) {
                highest = highest.replace_bit(place, true);
            }
        }
        moves = step;
        if when(two_cycles) {
            moves = step & second.q;
            if step {
                range.d = likely;
            }
        }
        if moves {
            low.d = after;
            range.d = new_range;
            if carries || restarts {
                range.d = whole;
            }
            if restarts {
                low.d = resized(next_guard) << range_bits;
            }
        }
    }
}
