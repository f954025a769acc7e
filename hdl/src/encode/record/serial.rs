//! One piece a clock.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::encode::record::RecordFormat;

use super::{Unchunked, chunked, differences, parameters, params, piece_most_bits, unchunked};
use crate::encode::bit_packer::BitPacker;
use crate::encode::variable_length::{ChunkSelector, chunk_index_bits};
use crate::target_difference::SerialDifference;

/// Sends a record slot by slot, a large slot piece by piece.
#[derive(LogicBlock)]
pub struct SerialEncoder {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// There is a record.
    pub record_valid: Wire<In>,
    /// The record, which stays until it is taken.
    pub record: Wire<In>,
    /// Its last piece goes.
    pub record_ready: Wire<Out>,
    /// There is a piece.
    pub piece_valid: Wire<Out>,
    /// Its bits, first bit lowest; zero above `piece_bits`.
    pub piece: Wire<Out>,
    /// How many bits it has.
    pub piece_bits: Wire<Out>,
    /// The word that it ends is to be filled up.
    pub piece_last: Wire<Out>,
    /// It is taken.
    pub piece_ready: Wire<In>,
    sent: Reg,
    index: Reg,
    chunks: Vec<ChunkSelector>,
    differences: Vec<SerialDifference>,
    flags: Wire<Local>,
    stages: Wire<Local>,
    pending: Wire<Local>,
    current: Wire<Local>,
    active: Wire<Local>,
    restart: Wire<Local>,
    more: Wire<Local>,
    is_last: Wire<Local>,
    value: Vec<Wire<Local>>,
    raw_size: Vec<Wire<Local>>,
    size: Vec<Wire<Local>>,
    left: Wire<Local>,
    flag_place: Vec<Param>,
    chunk_slot: Vec<Param>,
    chunk_place: Vec<Param>,
    difference_slot: Vec<Param>,
    difference_place: Vec<Param>,
    source_place: Param,
    plain_slot: Vec<Param>,
    plain_place: Vec<Param>,
    constant: Vec<Param>,
    is_constant: Vec<Param>,
    is_sized: Vec<Param>,
    size_place: Vec<Param>,
    width: Vec<Param>,
    pieces: Vec<Param>,
    piece_step: Param,
    pads_place: Param,
    stage: Vec<Param>,
    _slots: usize,
    _chunked: usize,
    _differences: usize,
    _plain: usize,
    _most_pieces: usize,
    _piece_width: usize,
    _left_bits: usize,
    _count_bits: usize,
}

impl SerialEncoder {
    /// The encoder of records of `format`.
    pub fn new(format: &RecordFormat) -> Self {
        let width = piece_most_bits(format, false);
        let (chunked, plain) = (chunked(format), unchunked(format));
        let differences = differences(format);
        let (source_place, source_bits) = format.source();
        let most_width = plain.iter().map(|(_, slot)| slot.width as usize).max().unwrap_or(1);
        let left_bits = index_bits(most_width.max(width) as u32 + 1) as usize;
        let most_pieces = most_width.div_ceil(width).max(1);
        let index = chunked
            .iter()
            .map(|(.., chunks)| chunk_index_bits(chunks))
            .chain(differences.iter().map(|(.., chunks)| SerialDifference::index_bits(chunks)))
            .max()
            .unwrap_or(0);
        let parts = Unchunked::new(&plain, left_bits);
        let (slots, stages) = (format.slots().len(), format.stages() as usize);
        Self {
            kind: Kind::new("serial_encoder", parameters(format)),
            domain: Domain::new(),
            record_valid: Wire::new(1),
            record: Wire::new(format.bits() as usize),
            record_ready: Wire::new(1),
            piece_valid: Wire::new(1),
            piece: Wire::new(width).describe("zero above piece_bits"),
            piece_bits: Wire::new(BitPacker::piece_count_bits(width)),
            piece_last: Wire::new(1).describe("fill the word up"),
            piece_ready: Wire::new(1),
            sent: Reg::new(stages, 0).describe("stages of the record that are out"),
            index: Reg::new(index.max(index_bits(most_pieces as u32) as usize), 0)
                .describe("the piece of the slot"),
            chunks: chunked.iter().map(|(.., chunks)| ChunkSelector::new(chunks, width)).collect(),
            differences: differences
                .iter()
                .map(|(.., chunks)| SerialDifference::new(chunks, source_bits as usize, width))
                .collect(),
            flags: Wire::new(slots).describe("slots that are sent"),
            stages: Wire::new(stages).describe("stages that send one"),
            pending: Wire::new(stages),
            current: Wire::new(stages).describe("one hot"),
            active: Wire::new(slots).describe("one hot: the slot of this clock"),
            restart: Wire::new(1).describe("from the slot's first piece again"),
            more: Wire::new(1).describe("the slot has more pieces"),
            is_last: Wire::new(1).describe("no slot is left"),
            value: parts.value,
            raw_size: parts.raw_size,
            size: parts.size,
            left: Wire::new(left_bits),
            flag_place: params(format.slots(), |slot| slot.flag as usize),
            chunk_slot: params(&chunked, |(number, ..)| *number),
            chunk_place: params(&chunked, |(_, slot, _)| slot.place as usize),
            difference_slot: params(&differences, |(number, ..)| *number),
            difference_place: params(&differences, |(_, slot, _)| slot.place as usize),
            source_place: Param::new(source_place as usize),
            plain_slot: params(&plain, |(number, _)| *number),
            plain_place: parts.place,
            constant: parts.constant,
            is_constant: parts.is_constant,
            is_sized: parts.is_sized,
            size_place: parts.size_place,
            width: parts.width,
            pieces: params(&plain, |(_, slot)| (slot.width as usize).div_ceil(width)),
            piece_step: Param::new(width),
            pads_place: Param::new(format.pads() as usize),
            stage: params(format.slots(), |slot| slot.stage as usize),
            _slots: slots,
            _chunked: chunked.len(),
            _differences: differences.len(),
            _plain: plain.len(),
            _most_pieces: most_pieces,
            _piece_width: width,
            _left_bits: left_bits,
            _count_bits: BitPacker::piece_count_bits(width),
        }
    }
}

impl Logic for SerialEncoder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, sent, index);
        self.flags.next = 0.into();
        self.stages.next = 0.into();
        for slot in 0..self._slots {
            if self.record.val().get_bit(self.flag_place[slot].val()) {
                self.flags.next = self.flags.val().replace_bit(slot, true);
                self.stages.next = self.stages.val().replace_bit(self.stage[slot].val(), true);
            }
        }
        // The lowest pending stage: adding to the inverse carries up to it.
        self.pending.next = self.stages.val() & !self.sent.q.val();
        self.current.next = self.pending.val() & (!self.pending.val() + 1);
        self.is_last.next = bits_to(self.pending.val() == self.current.val(), 1);
        self.active.next = 0.into();
        for slot in 0..self._slots {
            if self.current.val().get_bit(self.stage[slot].val()) {
                self.active.next =
                    self.active.val().replace_bit(slot, self.flags.val().get_bit(slot));
            }
        }

        self.piece.next = 0.into();
        self.piece_bits.next = 0.into();
        self.more.next = 0.into();
        for each in 0..self._chunked {
            self.chunks[each].value.next =
                unsigned_cast_to_fit(self.record.val() >> self.chunk_place[each].val());
            self.chunks[each].index.next = unsigned_cast_to_fit(self.index.q.val());
            if self.active.val().get_bit(self.chunk_slot[each].val()) {
                self.piece.next = self.chunks[each].piece.val();
                self.piece_bits.next = self.chunks[each].piece_bits.val();
                self.more.next = self.chunks[each].more.val();
            }
        }
        self.restart.next = 0.into();
        for each in 0..self._differences {
            self.differences[each].domain.next = self.domain.val();
            self.differences[each].target.next =
                unsigned_cast_to_fit(self.record.val() >> self.difference_place[each].val());
            self.differences[each].source.next =
                unsigned_cast_to_fit(self.record.val() >> self.source_place.val());
            self.differences[each].index.next = unsigned_cast_to_fit(self.index.q.val());
            self.differences[each].step.next = 0.into();
            if self.active.val().get_bit(self.difference_slot[each].val()) {
                self.differences[each].step.next = self.record_valid.val() & self.piece_ready.val();
                self.piece.next = self.differences[each].piece.val();
                self.piece_bits.next = self.differences[each].piece_bits.val();
                self.more.next = self.differences[each].more.val();
                self.restart.next = self.differences[each].restart.val();
            }
        }
        self.left.next = 0.into();
        for each in 0..self._plain {
            self.value[each].next = self.constant[each].val();
            if self.is_constant[each].val() == 0 {
                self.value[each].next =
                    unsigned_cast_to_fit(self.record.val() >> self.plain_place[each].val());
            }
            self.size[each].next = self.width[each].val();
            if self.is_sized[each].val() == 1 {
                self.raw_size[each].next =
                    unsigned_cast_to_fit(self.record.val() >> self.size_place[each].val());
                self.size[each].next = unsigned_cast_to_fit(self.raw_size[each].val());
            }
            if self.active.val().get_bit(self.plain_slot[each].val()) {
                if self.pieces[each].val() == 1 {
                    self.piece.next = unsigned_cast_to_fit(self.value[each].val());
                    self.piece_bits.next = unsigned_cast_to_fit(self.size[each].val());
                } else {
                    for number in 0..self._most_pieces {
                        if self.pieces[each].val() > number && self.index.q.val() == number {
                            self.piece.next = unsigned_cast_to_fit(
                                self.value[each].val() >> (number * self.piece_step.val()),
                            );
                            self.left.next =
                                self.size[each].val() - (number * self.piece_step.val());
                        }
                    }
                    self.piece_bits.next = unsigned_cast_to_fit(self.left.val());
                    if self.left.val() > self.piece_step.val() {
                        self.piece_bits.next = self.piece_step.val();
                        self.more.next = 1.into();
                    }
                }
            }
        }

        self.piece_valid.next = self.record_valid.val();
        self.record_ready.next = self.piece_ready.val() & self.is_last.val() & !self.more.val();
        self.piece_last.next = bits_to(self.record.val().get_bit(self.pads_place.val()), 1)
            & self.is_last.val()
            & !self.more.val();
        if self.record_valid.val().any() && self.piece_ready.val().any() {
            if self.more.val().any() {
                self.index.d.next = self.index.q.val() + 1;
                if self.restart.val().any() {
                    self.index.d.next = 0.into();
                }
            } else {
                self.index.d.next = 0.into();
                self.sent.d.next = self.sent.q.val() | self.current.val();
                if self.is_last.val().any() {
                    self.sent.d.next = 0.into();
                }
            }
        }
    }
}
