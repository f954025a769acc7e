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

#[kernel]
impl Logic for ParallelEncoder {
    fn update(&mut self) {
        for slot in 0..slot_code.len() {
            for each in 0..numbers.len() {
                if chunk_slot[each] == slot {
                    numbers[each].value = fitted(record.word >> chunk_place[each]);
                    slot_code[slot] = fitted(numbers[each].code);
                    slot_length[slot] = fitted(numbers[each].length);
                }
            }
            for each in 0..plain_slot.len() {
                if plain_slot[each] == slot {
                    value[each] = constant[each];
                    if is_constant[each] == 0 {
                        value[each] = fitted(record.word >> plain_place[each]);
                    }
                    size[each] = width[each];
                    if is_sized[each] == 1 {
                        raw_size[each] = fitted(record.word >> size_place[each]);
                        size[each] = fitted(raw_size[each]);
                    }
                    slot_code[slot] = fitted(value[each]);
                    slot_length[slot] = fitted(size[each]);
                }
            }
        }

        // Slot after slot, each after what is there.
        code = 0;
        length = 0;
        for slot in 0..slot_code.len() {
            if record.word.get_bit(flag_place[slot]) {
                code = code | (slot_code[slot] << length);
                length = length + slot_length[slot];
            }
        }

        record.ready = piece.ready | !held_valid.q;
        takes = record.valid & record.ready;
        piece = Pieces { valid: held_valid.q, word: held.q, bits: held_bits.q, last: held_last.q };
        if piece.ready {
            held_valid.d = 0;
        }
        if takes {
            held_valid.d = 1;
            held.d = code;
            held_bits.d = length;
            held_last.d = record.word.get_bit(pads_place);
        }
    }
}
