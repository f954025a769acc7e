//! One whole record a clock.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::encode::record::RecordFormat;

use super::{Unchunked, chunked, parameters, params, piece_most_bits, unchunked};
use crate::encode::variable_length::VariableLength;

/// Sends a whole record in one piece, through a register.
#[derive(LogicBlock)]
pub struct ParallelEncoder {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// There is a record.
    pub record_valid: Wire<In>,
    /// The record.
    pub record: Wire<In>,
    /// It is taken.
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
    held_valid: Reg,
    held: Reg,
    held_bits: Reg,
    held_last: Reg,
    numbers: Vec<VariableLength>,
    slot_code: Vec<Wire<Local>>,
    slot_length: Vec<Wire<Local>>,
    value: Vec<Wire<Local>>,
    raw_size: Vec<Wire<Local>>,
    size: Vec<Wire<Local>>,
    code: Wire<Local>,
    length: Wire<Local>,
    takes: Wire<Local>,
    flag_place: Vec<Param>,
    chunk_slot: Vec<Param>,
    chunk_place: Vec<Param>,
    plain_slot: Vec<Param>,
    plain_place: Vec<Param>,
    constant: Vec<Param>,
    is_constant: Vec<Param>,
    is_sized: Vec<Param>,
    size_place: Vec<Param>,
    width: Vec<Param>,
    pads_place: Param,
    _slots: usize,
    _chunked: usize,
    _plain: usize,
}

impl ParallelEncoder {
    /// The encoder of records of `format`.
    pub fn new(format: &RecordFormat) -> Self {
        let width = piece_most_bits(format, true);
        let length_width = index_bits(width as u32 + 1) as usize;
        let (chunked, plain) = (chunked(format), unchunked(format));
        let parts = Unchunked::new(&plain, length_width);
        let slots = format.slots().len();
        Self {
            kind: Kind::new("parallel_encoder", parameters(format)),
            domain: Domain::new(),
            record_valid: Wire::new(1),
            record: Wire::new(format.bits() as usize),
            record_ready: Wire::new(1),
            piece_valid: Wire::new(1),
            piece: Wire::new(width).describe("zero above piece_bits"),
            piece_bits: Wire::new(length_width),
            piece_last: Wire::new(1).describe("fill the word up"),
            piece_ready: Wire::new(1),
            held_valid: Reg::new(1, 0),
            held: Reg::new(width, 0),
            held_bits: Reg::new(length_width, 0),
            held_last: Reg::new(1, 0),
            numbers: chunked.iter().map(|(.., chunks)| VariableLength::new(chunks)).collect(),
            slot_code: (0..slots).map(|_| Wire::new(width)).collect(),
            slot_length: (0..slots).map(|_| Wire::new(length_width)).collect(),
            value: parts.value,
            raw_size: parts.raw_size,
            size: parts.size,
            code: Wire::new(width),
            length: Wire::new(length_width),
            takes: Wire::new(1),
            flag_place: params(format.slots(), |slot| slot.flag as usize),
            chunk_slot: params(&chunked, |(number, ..)| *number),
            chunk_place: params(&chunked, |(_, slot, _)| slot.place as usize),
            plain_slot: params(&plain, |(number, _)| *number),
            plain_place: parts.place,
            constant: parts.constant,
            is_constant: parts.is_constant,
            is_sized: parts.is_sized,
            size_place: parts.size_place,
            width: parts.width,
            pads_place: Param::new(format.pads() as usize),
            _slots: slots,
            _chunked: chunked.len(),
            _plain: plain.len(),
        }
    }
}

impl Logic for ParallelEncoder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, held_valid, held, held_bits, held_last);
        for slot in 0..self._slots {
            for each in 0..self._chunked {
                if self.chunk_slot[each].val() == slot {
                    self.numbers[each].value.next =
                        unsigned_cast_to_fit(self.record.val() >> self.chunk_place[each].val());
                    self.slot_code[slot].next = unsigned_cast_to_fit(self.numbers[each].code.val());
                    self.slot_length[slot].next =
                        unsigned_cast_to_fit(self.numbers[each].length.val());
                }
            }
            for each in 0..self._plain {
                if self.plain_slot[each].val() == slot {
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
                    self.slot_code[slot].next = unsigned_cast_to_fit(self.value[each].val());
                    self.slot_length[slot].next = unsigned_cast_to_fit(self.size[each].val());
                }
            }
        }

        // Slot after slot, each behind what is there.
        self.code.next = 0.into();
        self.length.next = 0.into();
        for slot in 0..self._slots {
            if self.record.val().get_bit(self.flag_place[slot].val()) {
                self.code.next =
                    self.code.val() | (self.slot_code[slot].val() << self.length.val());
                self.length.next = self.length.val() + self.slot_length[slot].val();
            }
        }

        self.record_ready.next = self.piece_ready.val() | !self.held_valid.q.val();
        self.takes.next = self.record_valid.val() & self.record_ready.val();
        self.piece_valid.next = self.held_valid.q.val();
        self.piece.next = self.held.q.val();
        self.piece_bits.next = self.held_bits.q.val();
        self.piece_last.next = self.held_last.q.val();
        if self.piece_ready.val().any() {
            self.held_valid.d.next = 0.into();
        }
        if self.takes.val().any() {
            self.held_valid.d.next = 1.into();
            self.held.d.next = self.code.val();
            self.held_bits.d.next = self.length.val();
            self.held_last.d.next = bits_to(self.record.val().get_bit(self.pads_place.val()), 1);
        }
    }
}
