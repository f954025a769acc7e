//! The difference of a target from the last one sent, the shorter way round: at once, or chunk by chunk.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, index_bits, mask};
use tracewright_sim::encode::variable_length::Chunks;

use crate::encode::bit_packer::BitPacker;

block! {
    /// Keeps the last target sent.
    pub TargetDifference("target_difference") of (processor: &Processor) {
        let target_bits = processor.instruction_address_bits() as usize;
    }
    parameters {
        target_bits,
    }

    /// in instruction units
    in target: target_bits;
    /// the target is sent
    in send: 1;
    /// distance of the target from the last one sent
    out magnitude: target_bits;
    /// the target lies below the last one sent
    out below: 1;
    reg previous_target: target_bits;
    local difference: target_bits;
    param top = target_bits - 1;
}

#[kernel]
impl Logic for TargetDifference {
    fn update(&mut self) {
        difference = target - previous_target.q;
        below = resized(difference >> top, 1);
        magnitude = difference;
        if below {
            magnitude = !difference + 1;
        }
        if send {
            previous_target.d = target;
        }
    }
}

block! {
    /// Sends a difference with a subtractor of one chunk, in two passes over the chunks.
    ///
    /// The first pass finds the sign and the last chunk that is not zero (one cycle later, so that this does
    /// not wait for the subtractor), the second sends: a third of the gates of [`TargetDifference`] and a selector of chunks, and records with targets are rare.
    ///
    /// With registers it reads the chunks of the next step ahead, and those of a record's first step while `load` is high.
    pub SerialDifference("serial_difference") of (chunks: &Chunks, source_bits: usize, width: usize, registers: bool) {
        let held = |bits| if registers { bits } else { 0 };
        let most = chunks.chunks_of(mask(chunks.width));
        let chunk_bits = chunks.first.max(chunks.next) as usize;
        let index = Self::index_bits(chunks);
        let place = index_bits(most) as usize;
        let sources = 1 << source_bits;
        let depth = ((sources - 1) << place) + most as usize;
        let size = |value: u32| Word::new(index_bits(width as u32 + 1) as usize, value.into());
        let at = |place: u32| Word::new(width, 1) << place as usize;
        let digit_mask = |number| {
            let left = chunks.width - chunks.chunk_offset(number);
            Word::new(chunk_bits, mask(chunks.chunk_bits(number).min(left)))
        };
        let continuation_bits = Word::new(width, if chunks.continuation_bits == 2 { 3 } else { 1 });
        let piece_bits = |index| chunks.chunk_bits(index) + chunks.continuation_bits;
    }
    parameters {
        first = chunks.first as usize,
        next = chunks.next as usize,
        width = chunks.width as usize,
        sources,
        piece_width = width,
        registers if registers,
    }

    /// in instruction units
    in target: chunks.width as usize;
    /// core of the target
    in source: source_bits;
    /// the chunk
    in index: index;
    /// the piece is taken
    in step: 1;
    /// the next record comes
    in load: held(1);
    in next_target: held(chunks.width as usize);
    in next_source: held(source_bits);
    /// chunk and continuation bit, at last the sign
    out piece: width;
    /// bits of the piece
    out piece_bits: BitPacker::piece_count_bits(width);
    /// more pieces follow
    out more: 1;
    /// from chunk 0 again
    out restart: 1;
    memory previous: [chunk_bits; depth];
    reg has_previous: sources;
    reg held_target_chunk: held(chunk_bits) = undefined;
    reg held_previous_chunk: held(chunk_bits) = undefined;
    reg sending: 1;
    reg below: 1;
    reg borrow: 1;
    /// the chunk before
    reg digit_is_nonzero: 1;
    /// all bits of the chunk before are set
    reg digit_is_full: 1;
    /// a chunk so far is not zero
    reg nonzero: 1;
    /// the last one that is not, if the target is above
    reg last_up: index;
    /// the last one that is not, if the target is below
    reg last_down: index;
    local last_index: index;
    local address: place + source_bits;
    local read_source: source_bits;
    local read_index: index;
    local read_address: place + source_bits;
    local read_known: 1;
    local next_chunk: chunk_bits;
    local target_chunk: chunk_bits;
    local part: chunks.chunk_bits(index) as usize for index in 0..most;
    local is_known: 1;
    local previous_chunk: chunk_bits;
    local sum: chunk_bits + 1;
    local difference: chunk_bits;
    local digit: chunk_bits;
    /// bits of the chunk
    local digit_bits: chunk_bits;
    /// it is sent in this step
    local is_shown: 1;
    /// what follows the digit: the continuation bit or the sign
    local mark: width;
    local size: BitPacker::piece_count_bits(width);
    local is_full: 1;
    local is_even: 1;
    local ends: 1;
    local at_last: 1;
    local at_end: 1;
    local previous_index: index;
    local is_sent: 1;
    local goes_on: 1;
    param value_place = chunks.chunk_offset(n) as usize for n in 0..most;
    param digit_mask = digit_mask(number) for number in 0..most;
    param continuation = continuation_bits.clone() << chunks.chunk_bits(number) as usize for number in 0..most;
    param sign_place = at(piece_bits(number)) for number in 0..most;
    param piece_sizes = size(piece_bits(number)) for number in 0..most;
    param top = (chunks.width - chunks.chunk_offset(most - 1)) as usize - 1;
    param carry_place = chunk_bits;
    param last = most as usize - 1;
    param end = most as usize;
    param place_bits = place;
    param has_registers = usize::from(registers);
}

impl SerialDifference {
    /// Bits of `index`, which goes one beyond the last chunk.
    pub fn index_bits(chunks: &Chunks) -> usize {
        index_bits(chunks.chunks_of(mask(chunks.width)) + 1) as usize
    }
}

#[kernel]
impl Logic for SerialDifference {
    fn update(&mut self) {
        address = (resized(source) << place_bits) | resized(resized(index, place_bits.number()));
        is_known = 0;
        for each in 0..has_previous.width() {
            if source == each && has_previous.q.get_bit(each) {
                is_known = 1;
            }
        }
        at_last = index == last;
        at_end = index == end;
        // The index beyond the last chunk reads the first again, and nothing is made of it.
        for each in 0..part.len() {
            part[each] = fitted(target >> value_place[each]);
        }
        if when(has_registers) {
            read_source = source;
            read_index = index + 1;
            if load {
                read_source = next_source;
            }
            if load || at_end {
                read_index = 0;
            }
            read_address = (resized(read_source) << place_bits)
                | resized(resized(read_index, place_bits.number()));
            read_known = 0;
            for each in 0..has_previous.width() {
                if read_source == each && has_previous.q.get_bit(each) {
                    read_known = 1;
                }
            }
            next_chunk = fitted(part[0]);
            for each in 1..part.len() {
                if read_index == each {
                    next_chunk = fitted(part[each]);
                }
            }
            if load || step {
                held_target_chunk.d = next_chunk;
                if load {
                    held_target_chunk.d =
                        resized(resized(next_target, part[0].width()), target_chunk.width());
                }
                held_previous_chunk.d = 0;
                if read_known {
                    held_previous_chunk.d = previous.read_data;
                }
            }
            previous.read_address = read_address;
            target_chunk = held_target_chunk.q;
            previous_chunk = held_previous_chunk.q;
        } else {
            previous.read_address = address;
            previous_chunk = 0;
            if is_known {
                previous_chunk = previous.read_data;
            }
            target_chunk = fitted(part[0]);
            for each in 1..part.len() {
                if index == each {
                    target_chunk = fitted(part[each]);
                }
            }
        }

        // target - previous is target + !previous + 1, and previous - target !(target + !previous): the
        // carry that goes in first decides, and what comes out is inverted or not.
        sum = resized(target_chunk) + resized(!previous_chunk) + resized(!borrow.q);
        difference = resized(sum);
        if below.q {
            difference = !resized(sum);
        }
        last_index = last_up.q;
        if below.q {
            last_index = last_down.q;
        }
        is_sent = index <= last_index;
        goes_on = index < last_index;
        digit_bits = digit_mask[0];
        mark = continuation[0];
        if !goes_on {
            mark = sign_place[0];
        }
        size = piece_sizes[0];
        for each in 1..part.len() {
            if index == each {
                digit_bits = digit_mask[each];
                mark = continuation[each];
                if !goes_on {
                    mark = sign_place[each];
                }
                size = piece_sizes[each];
            }
        }
        digit = difference & digit_bits;
        is_full = digit == digit_bits;
        is_shown = sending.q & is_sent;
        piece = 0;
        piece_bits = 0;
        if is_shown {
            piece = resized(digit);
            if goes_on || below.q {
                piece = resized(digit) | mark;
            }
            piece_bits = size + resized(!goes_on);
        }

        // Above the last chunk sent the target is the known one, unless a carry goes on. One chunk more
        // tells, from a register, so that the end of a record does not wait for the subtractor.
        previous_index = index - 1;
        is_even = !(borrow.q ^ below.q);
        ends = at_last | (is_known & !is_sent & is_even);
        more = !(sending.q & ends);
        restart = !sending.q & at_end;
        previous.write_enable = sending.q & step;
        previous.write_address = address;
        previous.write_data = target_chunk;
        if step {
            borrow.d = !resized(sum >> carry_place, 1);
            if !sending.q {
                digit_is_nonzero.d = bit(digit) & !at_end;
                digit_is_full.d = is_full;
                // Below, the distance's chunks are the inverse ones, one more from the first nonzero on.
                if digit_is_nonzero.q {
                    nonzero.d = 1;
                    last_up.d = previous_index;
                    if !(nonzero.q & digit_is_full.q) {
                        last_down.d = previous_index;
                    }
                } else if nonzero.q {
                    last_down.d = previous_index;
                }
                if at_last {
                    below.d = resized(difference >> top, 1);
                }
                if at_end {
                    sending.d = 1;
                    borrow.d = below.q;
                }
            } else if ends {
                sending.d = 0;
                borrow.d = 0;
                below.d = 0;
                nonzero.d = 0;
                last_up.d = 0;
                last_down.d = 0;
                for each in 0..has_previous.width() {
                    if source == each {
                        has_previous.d = has_previous.q.replace_bit(each, true);
                    }
                }
            }
        }
    }
}
