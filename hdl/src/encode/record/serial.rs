//! The serial encoder: one piece per cycle.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::encode::record::RecordFormat;

use super::{chunked, differences, labels, parameters, piece_most_bits, unchunked};
use crate::encode::variable_length::{ChunkSelector, chunk_index_bits};
use crate::parts::ports::{Pieces, Stream};
use crate::target_difference::SerialDifference;

block! {
    /// Sends a record slot by slot, a large slot piece by piece.
    ///
    /// With registers it keeps the record itself, with what follows from it and from the next piece alone, so that the
    /// longest path is from the subtractor of differences to the piece. It then needs a cycle more for every record.
    ///
    /// Where it `restarts`, it forgets the targets of which it sends differences on request.
    pub SerialEncoder("serial_encoder") of (format: &RecordFormat, registers: bool, restarts: bool) {
        let held = |bits| if registers { bits } else { 0 };
        let record_bits = format.bits() as usize;
        let width = piece_most_bits(format, false);
        let (chunked, plain) = (chunked(format), unchunked(format));
        let differences = differences(format);
        let (source_place, source_bits) = format.source();
        let most_width = plain.iter().map(|slot| slot.width).max().unwrap_or(1);
        let left_bits = index_bits(most_width.max(width) as u32 + 1) as usize;
        let most_pieces = most_width.div_ceil(width).max(1);
        let index = chunked
            .iter()
            .map(|(.., chunks)| chunk_index_bits(chunks))
            .chain(differences.iter().map(|(.., chunks)| SerialDifference::index_bits(chunks)))
            .max()
            .unwrap_or(0);
        let selectors = labels(format, chunked.iter().map(|(_, slot, _)| slot), "selector");
        let serial_differences =
            labels(format, differences.iter().map(|(_, slot, _)| slot), "difference");
        let plain_slots: Vec<_> = plain.iter().map(|slot| format.slots()[slot.number]).collect();
        let values = labels(format, &plain_slots, "value");
        let sizes = labels(format, &plain_slots, "size");
        let raw_sizes = labels(format, &plain_slots, "raw_size");
        let (slots, stages) = (format.slots().len(), format.stages() as usize);
    }
    parameters {
        ..parameters(format),
        registers if registers,
    }

    /// every register takes the value that it has after a reset
    in restart_registers: usize::from(restarts && !differences.is_empty());
    /// without registers it stays until it is taken
    in record: Stream(format.bits());
    out piece: Pieces(width);
    /// stages of the record that are out
    reg sent: if registers { 0 } else { stages };
    reg held_valid: held(1);
    reg held_record: held(record_bits) = undefined;
    /// stages of the held record that are not out
    reg held_stages: held(stages) = undefined;
    /// the piece of the slot
    reg index: index.max(index_bits(most_pieces as u32) as usize);
    #[label(label)]
    block chunks: ChunkSelector(chunks, width, registers) for ((.., chunks), label) in chunked.iter().zip(&selectors);
    #[label(label)]
    block differences: SerialDifference(chunks, source_bits as usize, width, registers) for ((.., chunks), label) in differences.iter().zip(&serial_differences);
    /// a record is sent
    local sends: 1;
    local sent_record: record_bits;
    /// slots that are sent
    local flags: slots;
    /// stages that send one
    local stages: stages;
    local pending: stages;
    /// one hot
    local current: stages;
    /// one hot: the slot of this cycle
    local active: slots;
    /// from the slot's first piece again
    local restart: 1;
    /// the slot has more pieces
    local more: 1;
    /// no slot is left
    local is_last: 1;
    #[label(label)]
    local value: slot.width for (slot, label) in plain.iter().zip(&values);
    #[label(label)]
    local raw_size: slot.size_bits for (slot, label) in plain.iter().zip(&raw_sizes);
    #[label(label)]
    local size: left_bits for label in &sizes;
    local left: left_bits;
    param flag_place = slot.flag for slot in format.slots();
    param chunk_slot = *number for (number, ..) in &chunked;
    param chunk_place = slot.offset for (_, slot, _) in &chunked;
    param difference_slot = *number for (number, ..) in &differences;
    param difference_place = slot.offset for (_, slot, _) in &differences;
    param source_place = source_place as usize;
    param plain_slot = slot.number for slot in &plain;
    param plain_place = slot.place for slot in &plain;
    param constant = Word::new(slot.width, slot.constant.unwrap_or(0)) for slot in &plain;
    param is_constant = slot.constant.is_some() for slot in &plain;
    param is_sized = slot.is_sized for slot in &plain;
    param size_place = slot.size_place for slot in &plain;
    param width = Word::new(left_bits, slot.width as u64) for slot in &plain;
    param pieces = slot.width.div_ceil(width) for slot in &plain;
    param piece_number = number for number in 0..most_pieces;
    param piece_step = width;
    param has_registers = usize::from(registers);
    param pads_place = format.pads() as usize;
    param stage = slot.stage for slot in format.slots();
}

impl Logic for SerialEncoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.flags.next = 0.into();
        self.stages.next = 0.into();
        self.sends.next = self.record.valid.val();
        self.sent_record.next = self.record.word.val();
        if self.has_registers.val() == 1 {
            self.sends.next = self.held_valid.q.val();
            self.sent_record.next = self.held_record.q.val();
        }
        for slot in 0..self.flags.width() {
            if self.sent_record.val().get_bit(self.flag_place[slot].val()) {
                self.flags.next = self.flags.val().replace_bit(slot, true);
            }
            if self.record.word.val().get_bit(self.flag_place[slot].val()) {
                self.stages.next = self.stages.val().replace_bit(self.stage[slot].val(), true);
            }
        }
        // The lowest pending stage: adding to the inverse carries up to it.
        if self.has_registers.val() == 1 {
            self.pending.next = self.held_stages.q.val();
        } else {
            self.pending.next = self.stages.val() & !self.sent.q.val();
        }
        self.current.next = self.pending.val() & (!self.pending.val() + 1);
        self.is_last.next = bits_to(self.pending.val() == self.current.val(), 1);
        self.active.next = 0.into();
        for slot in 0..self.flags.width() {
            if self.current.val().get_bit(self.stage[slot].val()) {
                self.active.next =
                    self.active.val().replace_bit(slot, self.flags.val().get_bit(slot));
            }
        }

        self.piece.word.next = 0.into();
        self.piece.bits.next = 0.into();
        self.more.next = 0.into();
        for each in 0..self.chunks.len() {
            self.chunks[each].value.next =
                unsigned_cast_to_fit(self.sent_record.val() >> self.chunk_place[each].val());
            self.chunks[each].index.next = unsigned_cast_to_fit(self.index.q.val());
            if self.has_registers.val() == 1 {
                self.chunks[each].load.next = !self.held_valid.q.val();
                self.chunks[each].next_value.next =
                    unsigned_cast_to_fit(self.record.word.val() >> self.chunk_place[each].val());
            }
            if self.active.val().get_bit(self.chunk_slot[each].val()) {
                self.piece.word.next = self.piece.word.val() | self.chunks[each].piece.val();
                self.piece.bits.next = self.piece.bits.val() | self.chunks[each].piece_bits.val();
                self.more.next = self.chunks[each].more.val();
            }
        }
        self.restart.next = 0.into();
        for each in 0..self.differences.len() {
            self.differences[each].target.next =
                unsigned_cast_to_fit(self.sent_record.val() >> self.difference_place[each].val());
            self.differences[each].source.next =
                unsigned_cast_to_fit(self.sent_record.val() >> self.source_place.val());
            self.differences[each].index.next = unsigned_cast_to_fit(self.index.q.val());
            if self.has_registers.val() == 1 {
                self.differences[each].load.next = !self.held_valid.q.val();
                self.differences[each].next_target.next = unsigned_cast_to_fit(
                    self.record.word.val() >> self.difference_place[each].val(),
                );
                self.differences[each].next_source.next =
                    unsigned_cast_to_fit(self.record.word.val() >> self.source_place.val());
            }
            self.differences[each].step.next = 0.into();
            if self.active.val().get_bit(self.difference_slot[each].val()) {
                self.differences[each].step.next = self.sends.val() & self.piece.ready.val();
                self.piece.word.next = self.piece.word.val() | self.differences[each].piece.val();
                self.piece.bits.next =
                    self.piece.bits.val() | self.differences[each].piece_bits.val();
                self.more.next = self.differences[each].more.val();
                self.restart.next = self.differences[each].restart.val();
            }
        }
        self.left.next = 0.into();
        for each in 0..self.plain_slot.len() {
            self.value[each].next = self.constant[each].val();
            if self.is_constant[each].val() == 0 {
                self.value[each].next =
                    unsigned_cast_to_fit(self.sent_record.val() >> self.plain_place[each].val());
            }
            self.size[each].next = self.width[each].val();
            if self.is_sized[each].val() == 1 {
                self.raw_size[each].next =
                    unsigned_cast_to_fit(self.sent_record.val() >> self.size_place[each].val());
                self.size[each].next = unsigned_cast_to_fit(self.raw_size[each].val());
            }
            if self.active.val().get_bit(self.plain_slot[each].val()) {
                if self.pieces[each].val() == 1 {
                    self.piece.word.next =
                        self.piece.word.val() | unsigned_cast_to_fit(self.value[each].val());
                    self.piece.bits.next =
                        self.piece.bits.val() | unsigned_cast_to_fit(self.size[each].val());
                } else {
                    for number in 0..self.piece_number.len() {
                        if self.pieces[each].val() > number && self.index.q.val() == number {
                            self.piece.word.next = unsigned_cast_to_fit(
                                self.value[each].val() >> (number * self.piece_step.val()),
                            );
                            self.left.next =
                                self.size[each].val() - (number * self.piece_step.val());
                        }
                    }
                    self.piece.bits.next = unsigned_cast_to_fit(self.left.val());
                    if self.left.val() > self.piece_step.val() {
                        self.piece.bits.next = self.piece_step.val();
                        self.more.next = 1.into();
                    }
                }
            }
        }

        self.piece.valid.next = self.sends.val();
        self.piece.last.next = bits_to(self.sent_record.val().get_bit(self.pads_place.val()), 1)
            & self.is_last.val()
            & !self.more.val();
        if self.sends.val().any() && self.piece.ready.val().any() {
            if self.more.val().any() {
                self.index.d.next = self.index.q.val() + 1;
                if self.restart.val().any() {
                    self.index.d.next = 0.into();
                }
            } else {
                self.index.d.next = 0.into();
                if self.has_registers.val() == 1 {
                    self.held_stages.d.next = self.pending.val() & !self.current.val();
                    if self.is_last.val().any() {
                        self.held_valid.d.next = 0.into();
                    }
                } else {
                    self.sent.d.next = self.sent.q.val() | self.current.val();
                    if self.is_last.val().any() {
                        self.sent.d.next = 0.into();
                    }
                }
            }
        }
        if self.has_registers.val() == 1 {
            // That the register is free depends on nothing else, so the record is taken a cycle after the last piece.
            self.record.ready.next = !self.held_valid.q.val();
            if !self.held_valid.q.val().any() {
                self.held_valid.d.next = self.record.valid.val();
                self.held_record.d.next = self.record.word.val();
                self.held_stages.d.next = self.stages.val();
            }
        } else {
            self.record.ready.next = self.piece.ready.val() & self.is_last.val() & !self.more.val();
        }
    }
}
