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
    /// Where it `selects`, that register says which piece is next, too.
    ///
    /// Where it `restarts`, it forgets the targets of which it sends differences on request.
    pub SerialEncoder("serial_encoder") of (format: &RecordFormat, registers: bool, restarts: bool, selects: bool) {
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
        selects if selects,
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
    /// one hot: the lowest of them
    reg held_current: if selects { stages } else { 0 } = undefined;
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
    /// stages that are not out after this one
    local rest: if selects { stages } else { 0 };
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
    param selects = usize::from(selects);
    param pads_place = format.pads() as usize;
    param stage = slot.stage for slot in format.slots();
}

#[kernel]
impl Logic for SerialEncoder {
    fn update(&mut self) {
        flags = 0;
        stages = 0;
        sends = record.valid;
        sent_record = record.word;
        if when(has_registers) {
            sends = held_valid.q;
            sent_record = held_record.q;
        }
        for slot in 0..flags.width() {
            if sent_record.get_bit(flag_place[slot]) {
                flags = flags.replace_bit(slot, true);
            }
            if record.word.get_bit(flag_place[slot]) {
                stages = stages.replace_bit(stage[slot], true);
            }
        }
        // The lowest pending stage: adding to the inverse carries up to it.
        if when(has_registers) {
            pending = held_stages.q;
        } else {
            pending = stages & !sent.q;
        }
        if when(selects) {
            current = held_current.q;
            rest = pending & !current;
        } else {
            current = pending & (!pending + 1);
        }
        is_last = pending == current;
        active = 0;
        for slot in 0..flags.width() {
            if current.get_bit(stage[slot]) {
                active = active.replace_bit(slot, flags.get_bit(slot));
            }
        }

        piece = Pieces { word: 0, bits: 0 };
        more = 0;
        for each in 0..chunks.len() {
            chunks[each] = ChunkSelector {
                value: fitted(sent_record >> chunk_place[each]),
                index: fitted(index.q),
            };
            if when(has_registers) {
                chunks[each] = ChunkSelector {
                    load: !held_valid.q,
                    next_value: fitted(record.word >> chunk_place[each]),
                };
            }
            if active.get_bit(chunk_slot[each]) {
                piece = Pieces {
                    word: piece.word | chunks[each].piece,
                    bits: piece.bits | chunks[each].piece_bits,
                };
                more = chunks[each].more;
            }
        }
        restart = 0;
        for each in 0..differences.len() {
            differences[each] = SerialDifference {
                target: fitted(sent_record >> difference_place[each]),
                source: fitted(sent_record >> source_place),
                index: fitted(index.q),
            };
            if when(has_registers) {
                differences[each] = SerialDifference {
                    load: !held_valid.q,
                    next_target: fitted(record.word >> difference_place[each]),
                    next_source: fitted(record.word >> source_place),
                };
            }
            differences[each].step = 0;
            if active.get_bit(difference_slot[each]) {
                differences[each].step = sends & piece.ready;
                piece = Pieces {
                    word: piece.word | differences[each].piece,
                    bits: piece.bits | differences[each].piece_bits,
                };
                more = differences[each].more;
                restart = differences[each].restart;
            }
        }
        left = 0;
        for each in 0..plain_slot.len() {
            value[each] = constant[each];
            if is_constant[each] == 0 {
                value[each] = fitted(sent_record >> plain_place[each]);
            }
            size[each] = width[each];
            if is_sized[each] == 1 {
                raw_size[each] = fitted(sent_record >> size_place[each]);
                size[each] = fitted(raw_size[each]);
            }
            if active.get_bit(plain_slot[each]) {
                if pieces[each] == 1 {
                    piece = Pieces {
                        word: piece.word | fitted(value[each]),
                        bits: piece.bits | fitted(size[each]),
                    };
                } else {
                    for number in 0..piece_number.len() {
                        if pieces[each] > number && index.q == number {
                            piece.word = fitted(value[each] >> (number * piece_step));
                            left = size[each] - (number * piece_step);
                        }
                    }
                    piece.bits = fitted(left);
                    if left > piece_step {
                        piece.bits = piece_step;
                        more = 1;
                    }
                }
            }
        }

        piece =
            Pieces { valid: sends, last: bit(sent_record.get_bit(pads_place)) & is_last & !more };
        if sends && piece.ready {
            if more {
                index.d = index.q + 1;
                if restart {
                    index.d = 0;
                }
            } else {
                index.d = 0;
                if when(has_registers) {
                    held_stages.d = pending & !current;
                    if when(selects) {
                        held_current.d = rest & (!rest + 1);
                    }
                    if is_last {
                        held_valid.d = 0;
                    }
                } else {
                    sent.d = sent.q | current;
                    if is_last {
                        sent.d = 0;
                    }
                }
            }
        }
        if when(has_registers) {
            // That the register is free depends on nothing else, so the record is taken a cycle after the last piece.
            record.ready = !held_valid.q;
            if !held_valid.q {
                held_valid.d = record.valid;
                held_record.d = record.word;
                held_stages.d = stages;
                if when(selects) {
                    held_current.d = stages & (!stages + 1);
                }
            }
        } else {
            record.ready = piece.ready & is_last & !more;
        }
    }
}
