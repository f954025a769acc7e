//! The way out that every scheme shares, wired up: record queue, encoder, bit packer, FIFO, port.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::TracePort as Port;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::packet::framing::Framing;

use super::bit_packer::BitPacker;
use super::fifo::Fifo;
use super::record::{ParallelEncoder, SerialEncoder, differences, piece_most_bits};
use super::trace_port::TracePort;
use crate::packet::framer::Framer;
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
    pub BackEnd("back_end") of (port: &Port, format: &RecordFormat, queue_in_flight: Option<u32>, framing: Option<&Framing>) {
        let parallel = port.is_parallel();
        let (word_bits, fifo_words) = (port.word_bits() as usize, port.fifo_words() as usize);
        let record_bits = format.bits() as usize;
        let most_bits = piece_most_bits(format, parallel).max(1);
        let whole_piece_bits = most_bits + BitPacker::piece_count_bits(most_bits) + 1;
        let header_bits = framing.map_or(0, |framing| framing.header_format().bits() as usize);
        let restarts = framing.is_some_and(|framing| framing.protocol.restarts_tables());
        let switches = framing.map_or(0, |framing| usize::from(framing.protocol.enable_pin));
        let counts_words = framing.map_or(0, |framing| usize::from(framing.protocol.sync_bytes > 0));
        let has_differences = !parallel && !differences(format).is_empty();
        // Only if every flush record has a restart after it is it known which one a restart is after.
        let always_restarts = framing.is_some_and(|framing| {
            !framing.protocol.sync_keeps_tables && !framing.protocol.traces_state()
        });
        let waits_in_queue =
            has_differences && restarts && always_restarts && queue_in_flight.is_some();
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
    out buffered_words: Fifo::level_bits(fifo_words);
    block record_queue: Fifo(port.record_queue_depth as usize, queue_in_flight.unwrap_or(0) as usize, record_bits, false) if queue_in_flight.is_some();
    block serial_encoder: SerialEncoder(format, port.encoder_registers, restarts) if !parallel;
    block parallel_encoder: ParallelEncoder(format) if parallel;
    block record_register: WordRegister(record_bits) if port.encoder_registers && parallel;
    block piece_register: WordRegister(whole_piece_bits) if port.encoder_registers;
    #[label("framer")]
    block framer: Framer(framing, most_bits) for framing in framing;
    block bit_packer: BitPacker(framed_bits, word_bits);
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
    param is_parallel = usize::from(parallel);
}

impl BackEnd {
    /// Width of `buffered_words`.
    pub fn level_bits(port: &Port) -> usize {
        Fifo::level_bits(port.fifo_words() as usize)
    }
}

impl Logic for BackEnd {
    #[hdl_gen]
    fn update(&mut self) {
        if self.has_queue.val() == 1 {
            connect::join(&mut self.record, &mut self.record_queue.in_);
            if self.waits_in_queue.val() == 1 {
                // A restart that came after a flush record is made when that is encoded, before the next record.
                self.next.word.next = self.record_queue.out_.word.val();
                self.next.valid.next = self.record_queue.out_.valid.val()
                    & (!self.restart_is_due.q.val() | self.is_behind_flush.q.val());
            } else {
                connect::join(&mut self.record_queue.out_, &mut self.next);
            }
            self.queue_is_empty.next = !self.record_queue.out_.valid.val();
        } else {
            connect::join(&mut self.record, &mut self.next);
            self.queue_is_empty.next = 1.into();
        }

        self.registers_are_empty.next = 1.into();
        if self.is_parallel.val() == 1 {
            if self.has_registers.val() == 1 {
                connect::join(&mut self.next, &mut self.record_register.in_);
                connect::join(&mut self.record_register.out_, &mut self.parallel_encoder.record);
                self.registers_are_empty.next = !self.record_register.out_.valid.val();
            } else {
                connect::join(&mut self.next, &mut self.parallel_encoder.record);
            }
            connect::join(&mut self.parallel_encoder.piece, &mut self.piece);
            self.encoder_is_empty.next = !self.parallel_encoder.piece.valid.val();
        } else {
            connect::join(&mut self.next, &mut self.serial_encoder.record);
            connect::join(&mut self.serial_encoder.piece, &mut self.piece);
            self.encoder_is_empty.next = 1.into();
            if self.has_registers.val() == 1 {
                self.registers_are_empty.next = !self.serial_encoder.piece.valid.val();
            }
        }

        if self.has_registers.val() == 1 {
            self.whole_piece.piece.next = self.piece.word.val();
            self.whole_piece.bits.next = self.piece.bits.val();
            self.whole_piece.last.next = self.piece.last.val();
            self.piece_register.in_.valid.next = self.piece.valid.val();
            self.piece_register.in_.word.next = self.whole_piece.val();
            self.piece.ready.next = self.piece_register.in_.ready.val();
            self.held_piece.next = self.piece_register.out_.word.val();
            self.piece_is_gone.next = !self.piece_register.out_.valid.val();
        } else {
            self.piece_is_gone.next = 1.into();
        }

        self.framer_is_idle.next = 1.into();
        if self.has_framer.val() == 1 {
            if self.has_registers.val() == 1 {
                self.framer[0].payload.valid.next = self.piece_register.out_.valid.val();
                self.framer[0].payload.word.next = self.held_piece.piece.val();
                self.framer[0].payload.bits.next = self.held_piece.bits.val();
                self.framer[0].payload.last.next = self.held_piece.last.val();
                self.piece_register.out_.ready.next = self.framer[0].payload.ready.val();
            } else {
                connect::join(&mut self.piece, &mut self.framer[0].payload);
            }
            connect::join(&mut self.header, &mut self.framer[0].header);
            connect::join(&mut self.framer[0].piece, &mut self.bit_packer.piece);
            self.framer_is_idle.next = self.framer[0].is_idle.val();
        } else if self.has_registers.val() == 1 {
            self.bit_packer.piece.valid.next = self.piece_register.out_.valid.val();
            self.bit_packer.piece.word.next = self.held_piece.piece.val();
            self.bit_packer.piece.bits.next = self.held_piece.bits.val();
            self.bit_packer.piece.last.next = self.held_piece.last.val();
            self.piece_register.out_.ready.next = self.bit_packer.piece.ready.val();
        } else {
            connect::join(&mut self.piece, &mut self.bit_packer.piece);
        }

        if self.restarts.val() == 1 {
            if self.waits_in_queue.val() == 1 {
                self.record_queue.out_.ready.next = self.serial_encoder.record.ready.val()
                    & (!self.restart_is_due.q.val() | self.is_behind_flush.q.val());
                self.takes_flush.next = self.next.valid.val()
                    & self.serial_encoder.record.ready.val()
                    & bits_to(self.next.word.val().get_bit(self.pads_place.val()), 1);
                self.restarts_now.next = self.restart_is_due.q.val()
                    & !self.is_behind_flush.q.val()
                    & self.registers_are_empty.val();
                // Records that are on their way when the queue has no room are taken, too.
                if (self.record.valid.val()
                    & (self.record_queue.in_.ready.val() | self.takes_late.val()))
                .any()
                    && self.record.word.val().get_bit(self.pads_place.val())
                {
                    self.has_flush.d.next = 1.into();
                }
                if self.takes_flush.val().any() {
                    if self.is_behind_flush.q.val().any() {
                        self.is_behind_flush.d.next = 0.into();
                    } else {
                        self.has_flush.d.next = 0.into();
                    }
                }
                if self.restart.val().any() {
                    self.restart_is_due.d.next = 1.into();
                    self.is_behind_flush.d.next = self.has_flush.q.val() & !self.takes_flush.val();
                    self.has_flush.d.next = 0.into();
                } else if self.restarts_now.val().any() {
                    self.restart_is_due.d.next = 0.into();
                }
                self.can_restart.next = !self.restart_is_due.q.val();
            } else {
                self.can_restart.next = self.encoder_is_empty.val()
                    & self.registers_are_empty.val()
                    & self.queue_is_empty.val();
                if self.has_differences.val() == 1 {
                    self.restarts_now.next = self.restart.val();
                }
            }
            if self.has_differences.val() == 1 {
                self.serial_encoder.restart_registers.next = self.restarts_now.val();
                if self.switches.val() == 1 {
                    self.serial_encoder.restart_registers.next =
                        self.restarts_now.val() | self.restart_registers.val();
                }
            }
        }
        connect::join(&mut self.bit_packer.word, &mut self.output_fifo.in_);
        connect::join(&mut self.output_fifo.out_, &mut self.trace_port.word);
        self.trace_valid.next = self.trace_port.trace_valid.val();
        self.trace_data.next = self.trace_port.trace_data.val();
        self.trace_port.trace_ready.next = self.trace_ready.val();
        if self.counts_words.val() == 1 {
            self.word_leaves.next = self.trace_port.word.ready.val();
        }
        self.buffered_words.next = self.output_fifo.level.val();
        self.is_empty.next = self.encoder_is_empty.val()
            & self.registers_are_empty.val()
            & self.piece_is_gone.val()
            & self.framer_is_idle.val()
            & self.bit_packer.is_empty.val()
            & self.queue_is_empty.val()
            & !self.output_fifo.out_.valid.val();
    }
}
