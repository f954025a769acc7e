//! The difference of a target from the last one sent, the shorter way round: at once, or chunk by chunk.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, index_bits, mask};
use tracewright_sim::encode::variable_length::Chunks;

use crate::encode::bit_packer::BitPacker;

/// Keeps the last target sent.
#[derive(LogicBlock)]
pub struct TargetDifference {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The target, in instruction units.
    pub target: Wire<In>,
    /// It is sent.
    pub send: Wire<In>,
    /// Its distance from the last one sent.
    pub magnitude: Wire<Out>,
    /// It lies below that.
    pub below: Wire<Out>,
    previous_target: Reg,
    difference: Wire<Local>,
    top: Param,
}

impl TargetDifference {
    /// The difference of targets of `processor`.
    pub fn new(processor: &Processor) -> Self {
        let target_bits = processor.instruction_address_bits() as usize;
        Self {
            kind: Kind::new("target_difference", [("target_bits", target_bits)]),
            domain: Domain::new(),
            target: Wire::new(target_bits).describe("in instruction units"),
            send: Wire::new(1),
            magnitude: Wire::new(target_bits),
            below: Wire::new(1),
            previous_target: Reg::new(target_bits, 0),
            difference: Wire::new(target_bits),
            top: Param::new(target_bits - 1),
        }
    }
}

impl Logic for TargetDifference {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, previous_target);
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

/// Sends a difference with a subtractor of one chunk, in two passes over the chunks.
///
/// The first pass finds the sign and the last chunk that is not zero (a clock later, so that this does
/// not wait for the subtractor), the second sends: a third of the gates of [`TargetDifference`] and a selector of chunks, and records with targets are rare.
#[derive(LogicBlock)]
pub struct SerialDifference {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The target, in instruction units, which stays until all is sent.
    pub target: Wire<In>,
    /// Whose target it is.
    pub source: Wire<In>,
    /// The chunk, counted by the encoder.
    pub index: Wire<In>,
    /// The piece of this clock is taken.
    pub step: Wire<In>,
    /// The piece: nothing in the first pass, then chunk and connect bit, at last the sign.
    pub piece: Wire<Out>,
    /// Its bits.
    pub piece_bits: Wire<Out>,
    /// More pieces follow.
    pub more: Wire<Out>,
    /// They begin with chunk 0 again.
    pub restart: Wire<Out>,
    previous: Memory,
    has_previous: Reg,
    sending: Reg,
    below: Reg,
    borrow: Reg,
    digit_is_nonzero: Reg,
    digit_is_full: Reg,
    nonzero: Reg,
    last_up: Reg,
    last_down: Reg,
    last_index: Wire<Local>,
    address: Wire<Local>,
    target_chunk: Wire<Local>,
    part: Vec<Wire<Local>>,
    is_known: Wire<Local>,
    previous_chunk: Wire<Local>,
    sum: Wire<Local>,
    difference: Wire<Local>,
    digit: Wire<Local>,
    is_full: Wire<Local>,
    is_even: Wire<Local>,
    ends: Wire<Local>,
    at_last: Wire<Local>,
    at_end: Wire<Local>,
    previous_index: Wire<Local>,
    is_sent: Wire<Local>,
    goes_on: Wire<Local>,
    value_place: Vec<Param>,
    digit_mask: Vec<Param>,
    connect: Vec<Param>,
    sign_place: Vec<Param>,
    piece_sizes: Vec<Param>,
    top: Param,
    carry_place: Param,
    last: Param,
    end: Param,
    place_bits: Param,
    _chunks: usize,
    _chunk_bits: usize,
    _sum_bits: usize,
    _place_bits: usize,
    _address_bits: usize,
    _piece_width: usize,
    _sources: usize,
}

impl SerialDifference {
    /// Differences cut as `chunks` says, of as many sources as `source_bits` can number, in pieces of
    /// `width` bits.
    pub fn new(chunks: &Chunks, source_bits: usize, width: usize) -> Self {
        let most = chunks.chunks_of(mask(chunks.width));
        let chunk_bits = chunks.first.max(chunks.next) as usize;
        let index = Self::index_bits(chunks);
        let place = index_bits(most) as usize;
        let sources = 1 << source_bits;
        let depth = ((sources - 1) << place) + most as usize;
        let each =
            |f: &dyn Fn(u32) -> Word| (0..most).map(|number| Param::new(f(number))).collect();
        let number = |value: u32| Word::new(index_bits(width as u32 + 1) as usize, value.into());
        let at = |place: u32| Word::new(width, 1) << place as usize;
        let piece_bits = |index| chunks.chunk_bits(index) + chunks.connect_bits;
        Self {
            kind: Kind::new(
                "serial_difference",
                [
                    ("first", chunks.first as usize),
                    ("next", chunks.next as usize),
                    ("width", chunks.width as usize),
                    ("sources", sources),
                    ("piece_width", width),
                ],
            ),
            domain: Domain::new(),
            target: Wire::new(chunks.width as usize).describe("in instruction units"),
            source: Wire::new(source_bits),
            index: Wire::new(index).describe("the chunk"),
            step: Wire::new(1).describe("the piece is taken"),
            piece: Wire::new(width).describe("chunk and connect bit, at last the sign"),
            piece_bits: Wire::new(BitPacker::piece_count_bits(width)),
            more: Wire::new(1).describe("more pieces follow"),
            restart: Wire::new(1).describe("from chunk 0 again"),
            previous: Memory::new(depth, chunk_bits),
            has_previous: Reg::new(sources, 0),
            sending: Reg::new(1, 0),
            below: Reg::new(1, 0),
            borrow: Reg::new(1, 0),
            digit_is_nonzero: Reg::new(1, 0).describe("the chunk before"),
            digit_is_full: Reg::new(1, 0).describe("all its bits are set"),
            nonzero: Reg::new(1, 0).describe("a chunk so far is not zero"),
            last_up: Reg::new(index, 0)
                .describe("the last one that is not, if the target is above"),
            last_down: Reg::new(index, 0).describe("the same if it is below"),
            last_index: Wire::new(index),
            address: Wire::new(place + source_bits),
            target_chunk: Wire::new(chunk_bits),
            part: (0..most).map(|index| Wire::new(chunks.chunk_bits(index) as usize)).collect(),
            is_known: Wire::new(1),
            previous_chunk: Wire::new(chunk_bits),
            sum: Wire::new(chunk_bits + 1),
            difference: Wire::new(chunk_bits),
            digit: Wire::new(chunk_bits),
            is_full: Wire::new(1),
            is_even: Wire::new(1),
            ends: Wire::new(1),
            at_last: Wire::new(1),
            at_end: Wire::new(1),
            previous_index: Wire::new(index),
            is_sent: Wire::new(1),
            goes_on: Wire::new(1),
            value_place: (0..most).map(|n| Param::new(chunks.chunk_offset(n) as usize)).collect(),
            digit_mask: each(&|index| {
                let left = chunks.width - chunks.chunk_offset(index);
                Word::new(chunk_bits, mask(chunks.chunk_bits(index).min(left)))
            }),
            connect: each(&|index| {
                let bits = Word::new(width, if chunks.connect_bits == 2 { 3 } else { 1 });
                bits << chunks.chunk_bits(index) as usize
            }),
            sign_place: each(&|index| at(piece_bits(index))),
            piece_sizes: each(&|index| number(piece_bits(index))),
            top: Param::new((chunks.width - chunks.chunk_offset(most - 1)) as usize - 1),
            carry_place: Param::new(chunk_bits),
            last: Param::new(most as usize - 1),
            end: Param::new(most as usize),
            place_bits: Param::new(place),
            _chunks: most as usize,
            _chunk_bits: chunk_bits,
            _sum_bits: chunk_bits + 1,
            _place_bits: place,
            _address_bits: place + source_bits,
            _piece_width: width,
            _sources: sources,
        }
    }

    /// Bits of `index`, which goes one beyond the last chunk.
    pub fn index_bits(chunks: &Chunks) -> usize {
        index_bits(chunks.chunks_of(mask(chunks.width)) + 1) as usize
    }
}

impl Logic for SerialDifference {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, has_previous, sending, below, borrow);
        dff_setup!(self, domain, digit_is_nonzero, digit_is_full, nonzero, last_up, last_down);
        clock!(self, domain, previous);
        self.address.next = (bits_to(self.source.val(), self._address_bits)
            << self.place_bits.val())
            | bits_to(bits_to(self.index.val(), self._place_bits), self._address_bits);
        self.previous.read_address.next = self.address.val();
        self.is_known.next = 0.into();
        for each in 0..self._sources {
            if self.source.val() == each && self.has_previous.q.val().get_bit(each) {
                self.is_known.next = 1.into();
            }
        }
        self.previous_chunk.next = 0.into();
        if self.is_known.val().any() {
            self.previous_chunk.next = self.previous.read_data.val();
        }
        // The index beyond the last chunk reads the first again, and nothing is made of it.
        self.target_chunk.next = 0.into();
        for each in 0..self._chunks {
            self.part[each].next =
                unsigned_cast_to_fit(self.target.val() >> self.value_place[each].val());
            if each == 0 || self.index.val() == each {
                self.target_chunk.next = unsigned_cast_to_fit(self.part[each].val());
            }
        }

        // target - previous is target + !previous + 1, and previous - target !(target + !previous): the
        // carry that goes in first decides, and what comes out is inverted or not.
        self.sum.next = bits_to(self.target_chunk.val(), self._sum_bits)
            + bits_to(!self.previous_chunk.val(), self._sum_bits)
            + bits_to(!self.borrow.q.val(), self._sum_bits);
        self.difference.next = bits_to(self.sum.val(), self._chunk_bits);
        if self.below.q.val().any() {
            self.difference.next = !bits_to(self.sum.val(), self._chunk_bits);
        }
        self.last_index.next = self.last_up.q.val();
        if self.below.q.val().any() {
            self.last_index.next = self.last_down.q.val();
        }
        self.digit.next = 0.into();
        self.is_full.next = 0.into();
        self.is_sent.next = bits_to(self.index.val() <= self.last_index.val(), 1);
        self.goes_on.next = bits_to(self.index.val() < self.last_index.val(), 1);
        self.piece.next = 0.into();
        self.piece_bits.next = 0.into();
        for each in 0..self._chunks {
            if each == 0 || self.index.val() == each {
                self.digit.next = self.difference.val() & self.digit_mask[each].val();
                self.is_full.next = 0.into();
                self.piece.next = 0.into();
                self.piece_bits.next = 0.into();
                if self.digit.val() == self.digit_mask[each].val() {
                    self.is_full.next = 1.into();
                }
                if self.sending.q.val().any() && self.is_sent.val().any() {
                    self.piece.next = bits_to(self.digit.val(), self._piece_width);
                    if self.goes_on.val().any() {
                        self.piece.next =
                            bits_to(self.digit.val(), self._piece_width) | self.connect[each].val();
                    } else if self.below.q.val().any() {
                        self.piece.next = bits_to(self.digit.val(), self._piece_width)
                            | self.sign_place[each].val();
                    }
                    self.piece_bits.next = self.piece_sizes[each].val();
                    if !self.goes_on.val().any() {
                        self.piece_bits.next = self.piece_sizes[each].val() + 1;
                    }
                }
            }
        }

        // Above the last chunk sent the target is the known one, unless a carry goes on. One chunk more
        // tells, from a register, so that the end of a record does not wait for the subtractor.
        self.at_last.next = bits_to(self.index.val() == self.last.val(), 1);
        self.at_end.next = bits_to(self.index.val() == self.end.val(), 1);
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
                for each in 0..self._sources {
                    if self.source.val() == each {
                        self.has_previous.d.next =
                            self.has_previous.q.val().replace_bit(each, true);
                    }
                }
            }
        }
    }
}
