//! The serial encoder in two steps, for records of plain slots.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::encode::record::RecordFormat;

use super::{labels, parameters, piece_most_bits, unchunked};
use crate::encode::bit_packer::BitPacker;
use crate::parts::ports::{Pieces, Stream};

block! {
    /// Sends a record slot by slot, a large slot piece by piece, with a register between the choice of a slot and its pieces.
    ///
    /// No number of the record goes in chunks.
    pub SlotEncoder("slot_encoder") of (format: &RecordFormat) {
        let record_bits = format.bits() as usize;
        let width = piece_most_bits(format, false);
        let plain = unchunked(format);
        let most_width = plain.iter().map(|slot| slot.width).max().unwrap_or(1).max(width);
        let size_bits = index_bits(most_width as u32 + 1) as usize;
        let plain_slots: Vec<_> = plain.iter().map(|slot| format.slots()[slot.number]).collect();
        let values = labels(format, &plain_slots, "value");
        let sizes = labels(format, &plain_slots, "size");
        let raw_sizes = labels(format, &plain_slots, "raw_size");
        let (slots, stages) = (format.slots().len(), format.stages() as usize);
    }
    parameters {
        ..parameters(format),
    }

    in record: Stream(format.bits());
    out piece: Pieces(width);
    /// no record and no slot is inside
    out is_empty: 1;
    reg held_valid: 1;
    reg held_record: record_bits = undefined;
    /// stages of the held record that are not out
    reg held_stages: stages = undefined;
    /// one hot: the lowest of them
    reg held_current: stages = undefined;
    reg slot_valid: 1;
    /// what is left of the slot
    reg slot_value: most_width = undefined;
    reg slot_bits: size_bits = undefined;
    /// more than a piece is left
    reg slot_more: 1 = undefined;
    reg slot_last: 1 = undefined;
    /// slots that are sent
    local flags: slots;
    /// stages that send one
    local stages: stages;
    /// stages that are not out after this one
    local rest: stages;
    /// one hot: the slot that comes next
    local active: slots;
    local is_last: 1;
    #[label(label)]
    local value: slot.width for (slot, label) in plain.iter().zip(&values);
    #[label(label)]
    local raw_size: slot.size_bits for (slot, label) in plain.iter().zip(&raw_sizes);
    #[label(label)]
    local size: size_bits for label in &sizes;
    /// the value of the slot, if it comes next, and its bits
    local picked: most_width for _ in &plain;
    local picked_bits: size_bits for _ in &plain;
    local chosen: most_width;
    local chosen_bits: size_bits;
    /// the last piece of the slot is taken, or there is none
    local is_free: 1;
    local left: size_bits;
    param flag_place = slot.flag for slot in format.slots();
    param plain_slot = slot.number for slot in &plain;
    param plain_place = slot.place for slot in &plain;
    param constant = Word::new(slot.width, slot.constant.unwrap_or(0)) for slot in &plain;
    param is_constant = slot.constant.is_some() for slot in &plain;
    param is_sized = slot.is_sized for slot in &plain;
    param size_place = slot.size_place for slot in &plain;
    param width = Word::new(size_bits, slot.width as u64) for slot in &plain;
    param piece_width = width;
    param piece_bits = Word::new(BitPacker::piece_count_bits(width), width as u64);
    param pads_place = format.pads() as usize;
    param stage = slot.stage for slot in format.slots();
}

#[kernel]
impl Logic for SlotEncoder {
    fn update(&mut self) {
        // The slot that comes next.
        flags = 0;
        stages = 0;
        for slot in 0..flags.width() {
            if held_record.q.get_bit(flag_place[slot]) {
                flags = flags.replace_bit(slot, true);
            }
            if record.word.get_bit(flag_place[slot]) {
                stages = stages.replace_bit(stage[slot], true);
            }
        }
        active = 0;
        for slot in 0..flags.width() {
            if held_current.q.get_bit(stage[slot]) {
                active = active.replace_bit(slot, flags.get_bit(slot));
            }
        }
        chosen = 0;
        chosen_bits = 0;
        for each in 0..plain_slot.len() {
            value[each] = constant[each];
            if is_constant[each] == 0 {
                value[each] = fitted(held_record.q >> plain_place[each]);
            }
            size[each] = width[each];
            if is_sized[each] == 1 {
                raw_size[each] = fitted(held_record.q >> size_place[each]);
                size[each] = fitted(raw_size[each]);
            }
            picked[each] = 0;
            picked_bits[each] = 0;
            if active.get_bit(plain_slot[each]) {
                picked[each] = fitted(value[each]);
                picked_bits[each] = size[each];
            }
            chosen = chosen | picked[each];
            chosen_bits = chosen_bits | picked_bits[each];
        }
        rest = held_stages.q & !held_current.q;
        is_last = !rest.any();

        // Its pieces.
        left = slot_bits.q - piece_width;
        piece = Pieces {
            valid: slot_valid.q,
            word: resized(slot_value.q),
            bits: resized(slot_bits.q),
            last: slot_last.q & !slot_more.q,
        };
        if slot_more.q {
            piece.bits = piece_bits;
        }
        is_free = !slot_valid.q | (piece.ready & !slot_more.q);
        if piece.ready {
            slot_value.d = slot_value.q >> piece_width;
            slot_bits.d = left;
            slot_more.d = left > piece_width;
        }
        if is_free {
            slot_valid.d = held_valid.q;
            slot_value.d = chosen;
            slot_bits.d = chosen_bits;
            slot_more.d = chosen_bits > piece_width;
            slot_last.d = bit(held_record.q.get_bit(pads_place)) & is_last;
            held_stages.d = rest;
            held_current.d = rest & (!rest + 1);
            if is_last {
                held_valid.d = 0;
            }
        }
        // That the register is free depends on nothing else, so the record is taken a cycle after its last slot.
        record.ready = !held_valid.q;
        if !held_valid.q {
            held_valid.d = record.valid;
            held_record.d = record.word;
            held_stages.d = stages;
            held_current.d = stages & (!stages + 1);
        }
        is_empty = !held_valid.q & !slot_valid.q;
    }
}
