//! The parallel encoder: one whole record per cycle.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::encode::record::RecordFormat;

use super::{chunked, labels, parameters, piece_most_bits, unchunked};
use crate::encode::variable_length::VariableLength;
use crate::parts::ports::{Pieces, Stream};

block! {
    /// Sends a whole record in one piece, through a register.
    pub ParallelEncoder("parallel_encoder") of (format: &RecordFormat) {
        let width = piece_most_bits(format, true);
        let length_width = index_bits(width as u32 + 1) as usize;
        let (chunked, plain) = (chunked(format), unchunked(format));
        let coders = labels(format, chunked.iter().map(|(_, slot, _)| slot), "coder");
        let plain_slots: Vec<_> = plain.iter().map(|slot| format.slots()[slot.number]).collect();
        let values = labels(format, &plain_slots, "value");
        let sizes = labels(format, &plain_slots, "size");
        let raw_sizes = labels(format, &plain_slots, "raw_size");
        let slots = format.slots().len();
    }
    parameters {
        ..parameters(format),
    }

    /// the record stays until it is taken
    in record: Stream(format.bits());
    out piece: Pieces(width);
    reg held_valid: 1;
    reg held: width;
    reg held_bits: length_width;
    reg held_last: 1;
    #[label(label)]
    block numbers: VariableLength(chunks) for ((.., chunks), label) in chunked.iter().zip(&coders);
    local slot_code: width for _ in 0..slots;
    local slot_length: length_width for _ in 0..slots;
    #[label(label)]
    local value: slot.width for (slot, label) in plain.iter().zip(&values);
    #[label(label)]
    local raw_size: slot.size_bits for (slot, label) in plain.iter().zip(&raw_sizes);
    #[label(label)]
    local size: length_width for label in &sizes;
    local code: width;
    local length: length_width;
    local takes: 1;
    param flag_place = slot.flag for slot in format.slots();
    param chunk_slot = *number for (number, ..) in &chunked;
    param chunk_place = slot.offset for (_, slot, _) in &chunked;
    param plain_slot = slot.number for slot in &plain;
    param plain_place = slot.place for slot in &plain;
    param constant = Word::new(slot.width, slot.constant.unwrap_or(0)) for slot in &plain;
    param is_constant = slot.constant.is_some() for slot in &plain;
    param is_sized = slot.is_sized for slot in &plain;
    param size_place = slot.size_place for slot in &plain;
    param width = Word::new(length_width, slot.width as u64) for slot in &plain;
    param pads_place = format.pads() as usize;
}

impl Logic for ParallelEncoder {
    #[hdl_gen]
    fn update(&mut self) {
        for slot in 0..self.slot_code.len() {
            for each in 0..self.numbers.len() {
                if self.chunk_slot[each].val() == slot {
                    self.numbers[each].value.next = unsigned_cast_to_fit(
                        self.record.word.val() >> self.chunk_place[each].val(),
                    );
                    self.slot_code[slot].next = unsigned_cast_to_fit(self.numbers[each].code.val());
                    self.slot_length[slot].next =
                        unsigned_cast_to_fit(self.numbers[each].length.val());
                }
            }
            for each in 0..self.plain_slot.len() {
                if self.plain_slot[each].val() == slot {
                    self.value[each].next = self.constant[each].val();
                    if self.is_constant[each].val() == 0 {
                        self.value[each].next = unsigned_cast_to_fit(
                            self.record.word.val() >> self.plain_place[each].val(),
                        );
                    }
                    self.size[each].next = self.width[each].val();
                    if self.is_sized[each].val() == 1 {
                        self.raw_size[each].next = unsigned_cast_to_fit(
                            self.record.word.val() >> self.size_place[each].val(),
                        );
                        self.size[each].next = unsigned_cast_to_fit(self.raw_size[each].val());
                    }
                    self.slot_code[slot].next = unsigned_cast_to_fit(self.value[each].val());
                    self.slot_length[slot].next = unsigned_cast_to_fit(self.size[each].val());
                }
            }
        }

        // Slot after slot, each after what is there.
        self.code.next = 0.into();
        self.length.next = 0.into();
        for slot in 0..self.slot_code.len() {
            if self.record.word.val().get_bit(self.flag_place[slot].val()) {
                self.code.next =
                    self.code.val() | (self.slot_code[slot].val() << self.length.val());
                self.length.next = self.length.val() + self.slot_length[slot].val();
            }
        }

        self.record.ready.next = self.piece.ready.val() | !self.held_valid.q.val();
        self.takes.next = self.record.valid.val() & self.record.ready.val();
        self.piece.valid.next = self.held_valid.q.val();
        self.piece.word.next = self.held.q.val();
        self.piece.bits.next = self.held_bits.q.val();
        self.piece.last.next = self.held_last.q.val();
        if self.piece.ready.val().any() {
            self.held_valid.d.next = 0.into();
        }
        if self.takes.val().any() {
            self.held_valid.d.next = 1.into();
            self.held.d.next = self.code.val();
            self.held_bits.d.next = self.length.val();
            self.held_last.d.next =
                bits_to(self.record.word.val().get_bit(self.pads_place.val()), 1);
        }
    }
}
