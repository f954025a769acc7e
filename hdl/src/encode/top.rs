//! The way out that every scheme shares, wired up: record queue, encoder, bit packer, FIFO, port.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::TracePort as Port;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::packet::framing::Framing;

use super::bit_packer::{BitPacker, RegisteredBitPacker};
use super::fifo::Fifo;
use super::record::{
    ParallelEncoder, SerialEncoder, SlotEncoder, differences, is_plain, piece_most_bits,
};
use super::trace_port::TracePort;
use crate::packet::framer::{Framer, RegisteredFramer};
use crate::parts::ports::{Headers, Pieces, Stream};
use crate::parts::word_register::WordRegister;

packed! {
    /// A piece with its size, as it waits in a register.
    WholePiece of (width: usize);
    piece: width;
    bits: BitPacker::piece_count_bits(width);
    last: 1;
}

block! {
    /// Records in, beats of the trace out.
    ///
    /// It has a record queue unless `queue_in_flight` is `None`, for records that come out of queues; so many
    /// records may still come after `record_ready` has fallen.
    pub BackEnd("back_end") of (port: &Port, format: &RecordFormat, queue_in_flight: Option<u32>, framing: Option<&Framing>, switches: bool, sends_in_steps: bool) {
        let parallel = port.is_parallel();
        let (word_bits, fifo_words) = (port.word_bits() as usize, port.fifo_words() as usize);
        let record_bits = format.bits() as usize;
        let most_bits = piece_most_bits(format, parallel).max(1);
        let whole_piece_bits = most_bits + BitPacker::piece_count_bits(most_bits) + 1;
        let header_bits = framing.map_or(0, |framing| framing.header_format().bits() as usize);
        let restarts = framing.is_some_and(|framing| framing.protocol.restarts_tables());
        let switches = usize::from(switches);
        let counts_words = framing.map_or(0, |framing| usize::from(framing.protocol.sync_bytes > 0));
        let has_differences = !parallel && !differences(format).is_empty();
        // Only if every flush record has a restart after it is it known which one a restart is after.
        let always_restarts = framing.is_some_and(|framing| {
            !framing.protocol.sync_keeps_tables && !framing.protocol.traces_state()
        });
        let waits_in_queue =
            has_differences && restarts && always_restarts && queue_in_flight.is_some();
        // Between the steps that make packets or words of pieces are registers, too.
        let has_steps = sends_in_steps || (port.encoder_registers && framing.is_some());
        let by_slots = sends_in_steps && !parallel && is_plain(format);
        let framed_bits = framing.map_or(most_bits, |framing| Framer::framed_bits(framing, most_bits));
    }

    in record: Stream(record_bits);
    /// every register takes the value that it has after a reset
    in restart_registers: switches;
    /// headers of packets, where the trace is made of packets
    in header: Headers(header_bits);
    /// after the records inside, forget the targets of which differences are sent
    in restart: usize::from(restarts);
    /// the last restart has been made, if it has to be made in this cycle
    out can_restart: usize::from(restarts);
    /// no record, piece or trace word is inside
    out is_empty: 1;
    /// trace bits
    out trace_data: port.trace_port_width as usize;
    /// a beat is ready
    out trace_valid: 1;
    /// the sink takes the beat
    in trace_ready: 1;
    /// the last beat of a trace word is taken
    out word_leaves: counts_words;
    /// trace words in the output FIFO
    out buffered_words: port.level_bits();
    block record_queue: Fifo(port.record_queue_depth as usize, queue_in_flight.unwrap_or(0) as usize, record_bits, false) if queue_in_flight.is_some();
    block serial_encoder: SerialEncoder(format, port.encoder_registers, restarts, has_steps) if !parallel && !by_slots;
    #[label("serial_encoder")]
    block slot_encoder: SlotEncoder(format) for _ in 0..usize::from(by_slots);
    block parallel_encoder: ParallelEncoder(format) if parallel;
    block record_register: WordRegister(record_bits) if port.encoder_registers && parallel;
    block piece_register: WordRegister(whole_piece_bits) if port.encoder_registers;
    #[label("framer")]
    block framer: Framer(framing, most_bits) for framing in framing.filter(|_| !port.encoder_registers);
    #[label("framer")]
    block registered_framer: RegisteredFramer(framing, most_bits) for framing in framing.filter(|_| port.encoder_registers);
    block bit_packer: BitPacker(framed_bits, word_bits) if !has_steps;
    #[label("bit_packer")]
    block registered_packer: RegisteredBitPacker(framed_bits, word_bits) for _ in 0..usize::from(has_steps);
    block output_fifo: Fifo(fifo_words, 0, word_bits, true);
    block trace_port: TracePort(port);
    /// the record that comes to the encoder next
    local next: Stream(record_bits);
    local piece: Pieces(most_bits);
    local whole_piece: WholePiece(most_bits);
    view held_piece: WholePiece(most_bits);
    local queue_is_empty: 1;
    local encoder_is_empty: 1;
    local registers_are_empty: 1;
    local piece_is_gone: 1;
    /// a flush record waits in the queue, and no restart has come after it
    reg has_flush: usize::from(waits_in_queue);
    /// a restart has come and was not made
    reg restart_is_due: usize::from(waits_in_queue);
    /// the flush record before it waits in the queue
    reg is_behind_flush: usize::from(waits_in_queue);
    local takes_flush: usize::from(waits_in_queue);
    local restarts_now: usize::from(has_differences && restarts);
    local framer_is_idle: 1;
    local packer_is_empty: 1;
    param has_queue = usize::from(queue_in_flight.is_some());
    param takes_late = Word::new(1, u64::from(queue_in_flight.unwrap_or(0) > 0));
    param restarts = restarts;
    param has_differences = has_differences;
    param switches = switches;
    param waits_in_queue = usize::from(waits_in_queue);
    param pads_place = format.pads() as usize;
    param counts_words = counts_words;
    param has_framer = usize::from(framing.is_some());
    param has_registers = usize::from(port.encoder_registers);
    param has_steps = usize::from(has_steps);
    param by_slots = usize::from(by_slots);
    param is_parallel = usize::from(parallel);
}

#[kernel]
impl Logic for BackEnd {
    fn update(&mut self) {
        if when(has_queue) {
            join(record, record_queue.in_);
            if when(waits_in_queue) {
                // A restart that came after a flush record is made when that is encoded, before the next record.
                next = Stream {
                    word: record_queue.out_.word,
                    valid: record_queue.out_.valid & (!restart_is_due.q | is_behind_flush.q),
                };
            } else {
                join(record_queue.out_, next);
            }
            queue_is_empty = !record_queue.out_.valid;
        } else {
            join(record, next);
            queue_is_empty = 1;
        }

        registers_are_empty = 1;
        if when(is_parallel) {
            if when(has_registers) {
                join(next, record_register.in_);
                join(record_register.out_, parallel_encoder.record);
                registers_are_empty = !record_register.out_.valid;
            } else {
                join(next, parallel_encoder.record);
            }
            join(parallel_encoder.piece, piece);
            encoder_is_empty = !parallel_encoder.piece.valid;
        } else if when(by_slots) {
            join(next, slot_encoder[0].record);
            join(slot_encoder[0].piece, piece);
            encoder_is_empty = slot_encoder[0].is_empty;
        } else {
            join(next, serial_encoder.record);
            join(serial_encoder.piece, piece);
            encoder_is_empty = 1;
            if when(has_registers) {
                registers_are_empty = !serial_encoder.piece.valid;
            }
        }

        if when(has_registers) {
            whole_piece = WholePiece { piece: piece.word, bits: piece.bits, last: piece.last };
            piece_register.in_.valid = piece.valid;
            piece_register.in_.word = whole_piece;
            piece.ready = piece_register.in_.ready;
            held_piece = piece_register.out_.word;
            piece_is_gone = !piece_register.out_.valid;
        } else {
            piece_is_gone = 1;
        }

        framer_is_idle = 1;
        if when(has_framer) {
            if when(has_registers) {
                registered_framer[0].payload.valid = piece_register.out_.valid;
                registered_framer[0].payload.word = held_piece.piece;
                registered_framer[0].payload.bits = held_piece.bits;
                registered_framer[0].payload.last = held_piece.last;
                piece_register.out_.ready = registered_framer[0].payload.ready;
                join(header, registered_framer[0].header);
                join(registered_framer[0].piece, registered_packer[0].piece);
                framer_is_idle = registered_framer[0].is_idle;
            } else {
                join(piece, framer[0].payload);
                join(header, framer[0].header);
                join(framer[0].piece, bit_packer.piece);
                framer_is_idle = framer[0].is_idle;
            }
        } else if when(has_steps) {
            registered_packer[0].piece.valid = piece_register.out_.valid;
            registered_packer[0].piece.word = held_piece.piece;
            registered_packer[0].piece.bits = held_piece.bits;
            registered_packer[0].piece.last = held_piece.last;
            piece_register.out_.ready = registered_packer[0].piece.ready;
        } else if when(has_registers) {
            bit_packer.piece.valid = piece_register.out_.valid;
            bit_packer.piece.word = held_piece.piece;
            bit_packer.piece.bits = held_piece.bits;
            bit_packer.piece.last = held_piece.last;
            piece_register.out_.ready = bit_packer.piece.ready;
        } else {
            join(piece, bit_packer.piece);
        }

        if when(restarts) {
            if when(waits_in_queue) {
                record_queue.out_.ready =
                    serial_encoder.record.ready & (!restart_is_due.q | is_behind_flush.q);
                takes_flush =
                    next.valid & serial_encoder.record.ready & bit(next.word.get_bit(pads_place));
                restarts_now = restart_is_due.q & !is_behind_flush.q & registers_are_empty;
                // Records that are on their way when the queue has no room are taken, too.
                if (record.valid & (record_queue.in_.ready | takes_late))
                    && record.word.get_bit(pads_place)
                {
                    has_flush.d = 1;
                }
                if takes_flush {
                    if is_behind_flush.q {
                        is_behind_flush.d = 0;
                    } else {
                        has_flush.d = 0;
                    }
                }
                if restart {
                    restart_is_due.d = 1;
                    is_behind_flush.d = has_flush.q & !takes_flush;
                    has_flush.d = 0;
                } else if restarts_now {
                    restart_is_due.d = 0;
                }
                can_restart = !restart_is_due.q;
            } else {
                can_restart = encoder_is_empty & registers_are_empty & queue_is_empty;
                if when(has_differences) {
                    restarts_now = restart;
                }
            }
            if when(has_differences) {
                serial_encoder.restart_registers = restarts_now;
                if when(switches) {
                    serial_encoder.restart_registers = restarts_now | restart_registers;
                }
            }
        }
        if when(has_steps) {
            join(registered_packer[0].word, output_fifo.in_);
            packer_is_empty = registered_packer[0].is_empty;
        } else {
            join(bit_packer.word, output_fifo.in_);
            packer_is_empty = bit_packer.is_empty;
        }
        join(output_fifo.out_, trace_port.word);
        trace_valid = trace_port.trace_valid;
        trace_data = trace_port.trace_data;
        trace_port.trace_ready = trace_ready;
        if when(counts_words) {
            word_leaves = trace_port.word.ready;
        }
        buffered_words = output_fifo.level;
        is_empty = encoder_is_empty
            & registers_are_empty
            & piece_is_gone
            & framer_is_idle
            & packer_is_empty
            & queue_is_empty
            & !output_fifo.out_.valid;
    }
}
