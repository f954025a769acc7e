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

impl Logic for TargetDifference {
    #[hdl_gen]
    fn update(&mut self) {
        self.difference.next = self.target.val() - self.previous_target.q.val();
        self.below.next = bits_to(self.difference.val() >> self.top.val(), 1);
        self.magnitude.next = self.difference.val();
        if self.below.val().any() {
            self.magnitude.next = !self.difference.val() + 1;
        }
        if self.send.val().any() {
            self.previous_target.d.next = self.target.val();
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

impl Logic for SerialDifference {
    #[hdl_gen]
    fn update(&mut self) {
        self.address.next = (bits_to(self.source.val(), self.address.width())
            << self.place_bits.val())
            | bits_to(bits_to(self.index.val(), self.place_bits.number()), self.address.width());
        self.is_known.next = 0.into();
        for each in 0..self.has_previous.width() {
            if self.source.val() == each && self.has_previous.q.val().get_bit(each) {
                self.is_known.next = 1.into();
            }
        }
        self.at_last.next = bits_to(self.index.val() == self.last.val(), 1);
        self.at_end.next = bits_to(self.index.val() == self.end.val(), 1);
        // The index beyond the last chunk reads the first again, and nothing is made of it.
        for each in 0..self.part.len() {
            self.part[each].next =
                unsigned_cast_to_fit(self.target.val() >> self.value_place[each].val());
        }
        if self.has_registers.val() == 1 {
            self.read_source.next = self.source.val();
            self.read_index.next = self.index.val() + 1;
            if self.load.val().any() {
                self.read_source.next = self.next_source.val();
            }
            if self.load.val().any() || self.at_end.val().any() {
                self.read_index.next = 0.into();
            }
            self.read_address.next = (bits_to(self.read_source.val(), self.address.width())
                << self.place_bits.val())
                | bits_to(
                    bits_to(self.read_index.val(), self.place_bits.number()),
                    self.address.width(),
                );
            self.read_known.next = 0.into();
            for each in 0..self.has_previous.width() {
                if self.read_source.val() == each && self.has_previous.q.val().get_bit(each) {
                    self.read_known.next = 1.into();
                }
            }
            self.next_chunk.next = unsigned_cast_to_fit(self.part[0].val());
            for each in 1..self.part.len() {
                if self.read_index.val() == each {
                    self.next_chunk.next = unsigned_cast_to_fit(self.part[each].val());
                }
            }
            if self.load.val().any() || self.step.val().any() {
                self.held_target_chunk.d.next = self.next_chunk.val();
                if self.load.val().any() {
                    self.held_target_chunk.d.next = bits_to(
                        bits_to(self.next_target.val(), self.part[0].width()),
                        self.target_chunk.width(),
                    );
                }
                self.held_previous_chunk.d.next = 0.into();
                if self.read_known.val().any() {
                    self.held_previous_chunk.d.next = self.previous.read_data.val();
                }
            }
            self.previous.read_address.next = self.read_address.val();
            self.target_chunk.next = self.held_target_chunk.q.val();
            self.previous_chunk.next = self.held_previous_chunk.q.val();
        } else {
            self.previous.read_address.next = self.address.val();
            self.previous_chunk.next = 0.into();
            if self.is_known.val().any() {
                self.previous_chunk.next = self.previous.read_data.val();
            }
            self.target_chunk.next = unsigned_cast_to_fit(self.part[0].val());
            for each in 1..self.part.len() {
                if self.index.val() == each {
                    self.target_chunk.next = unsigned_cast_to_fit(self.part[each].val());
                }
            }
        }

        // target - previous is target + !previous + 1, and previous - target !(target + !previous): the
        // carry that goes in first decides, and what comes out is inverted or not.
        self.sum.next = bits_to(self.target_chunk.val(), self.sum.width())
            + bits_to(!self.previous_chunk.val(), self.sum.width())
            + bits_to(!self.borrow.q.val(), self.sum.width());
        self.difference.next = bits_to(self.sum.val(), self.target_chunk.width());
        if self.below.q.val().any() {
            self.difference.next = !bits_to(self.sum.val(), self.target_chunk.width());
        }
        self.last_index.next = self.last_up.q.val();
        if self.below.q.val().any() {
            self.last_index.next = self.last_down.q.val();
        }
        self.is_sent.next = bits_to(self.index.val() <= self.last_index.val(), 1);
        self.goes_on.next = bits_to(self.index.val() < self.last_index.val(), 1);
        self.digit_bits.next = self.digit_mask[0].val();
        self.mark.next = self.continuation[0].val();
        if !self.goes_on.val().any() {
            self.mark.next = self.sign_place[0].val();
        }
        self.size.next = self.piece_sizes[0].val();
        for each in 1..self.part.len() {
            if self.index.val() == each {
                self.digit_bits.next = self.digit_mask[each].val();
                self.mark.next = self.continuation[each].val();
                if !self.goes_on.val().any() {
                    self.mark.next = self.sign_place[each].val();
                }
                self.size.next = self.piece_sizes[each].val();
            }
        }
        self.digit.next = self.difference.val() & self.digit_bits.val();
        self.is_full.next = bits_to(self.digit.val() == self.digit_bits.val(), 1);
        self.is_shown.next = self.sending.q.val() & self.is_sent.val();
        self.piece.next = 0.into();
        self.piece_bits.next = 0.into();
        if self.is_shown.val().any() {
            self.piece.next = bits_to(self.digit.val(), self.piece.width());
            if self.goes_on.val().any() || self.below.q.val().any() {
                self.piece.next = bits_to(self.digit.val(), self.piece.width()) | self.mark.val();
            }
            self.piece_bits.next =
                self.size.val() + bits_to(!self.goes_on.val(), self.size.width());
        }

        // Above the last chunk sent the target is the known one, unless a carry goes on. One chunk more
        // tells, from a register, so that the end of a record does not wait for the subtractor.
        self.previous_index.next = self.index.val() - 1;
        self.is_even.next = !(self.borrow.q.val() ^ self.below.q.val());
        self.ends.next =
            self.at_last.val() | (self.is_known.val() & !self.is_sent.val() & self.is_even.val());
        self.more.next = !(self.sending.q.val() & self.ends.val());
        self.restart.next = !self.sending.q.val() & self.at_end.val();
        self.previous.write_enable.next = self.sending.q.val() & self.step.val();
        self.previous.write_address.next = self.address.val();
        self.previous.write_data.next = self.target_chunk.val();
        if self.step.val().any() {
            self.borrow.d.next = !bits_to(self.sum.val() >> self.carry_place.val(), 1);
            if !self.sending.q.val().any() {
                self.digit_is_nonzero.d.next =
                    bits_to(self.digit.val().any(), 1) & !self.at_end.val();
                self.digit_is_full.d.next = self.is_full.val();
                // Below, the distance's chunks are the inverse ones, one more from the first nonzero on.
                if self.digit_is_nonzero.q.val().any() {
                    self.nonzero.d.next = 1.into();
                    self.last_up.d.next = self.previous_index.val();
                    if !(self.nonzero.q.val() & self.digit_is_full.q.val()).any() {
                        self.last_down.d.next = self.previous_index.val();
                    }
                } else if self.nonzero.q.val().any() {
                    self.last_down.d.next = self.previous_index.val();
                }
                if self.at_last.val().any() {
                    self.below.d.next = bits_to(self.difference.val() >> self.top.val(), 1);
                }
                if self.at_end.val().any() {
                    self.sending.d.next = 1.into();
                    self.borrow.d.next = self.below.q.val();
                }
            } else if self.ends.val().any() {
                self.sending.d.next = 0.into();
                self.borrow.d.next = 0.into();
                self.below.d.next = 0.into();
                self.nonzero.d.next = 0.into();
                self.last_up.d.next = 0.into();
                self.last_down.d.next = 0.into();
                for each in 0..self.has_previous.width() {
                    if self.source.val() == each {
                        self.has_previous.d.next =
                            self.has_previous.q.val().replace_bit(each, true);
                    }
                }
            }
        }
    }
}
