//! The way out that every scheme shares, wired up: record queue, encoder, bit packer, FIFO, port.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::TracePort as Port;
use tracewright_sim::encode::record::RecordFormat;

use super::bit_packer::BitPacker;
use super::fifo::Fifo;
use super::record::{ParallelEncoder, SerialEncoder, piece_most_bits};
use super::trace_port::TracePort;

block! {
    /// A register for words that are taken when both sides are ready.
    pub WordRegister("word_register") of (width: usize);
    parameters {
        width,
    }

    // There is a word to put in.
    in in_valid: 1;
    // That word.
    in in_word: width;
    // It is taken.
    out in_ready: 1;
    // A word is held.
    out out_valid: 1;
    // That word.
    out out_word: width;
    // It is taken.
    in out_ready: 1;
    reg held_valid: 1;
    reg held: width;
}

impl Logic for WordRegister {
    #[hdl_gen]
    fn update(&mut self) {
        self.in_ready.next = self.out_ready.val() | !self.held_valid.q.val();
        if self.in_ready.val().any() {
            self.held_valid.d.next = self.in_valid.val();
            self.held.d.next = self.in_word.val();
        }
        self.out_valid.next = self.held_valid.q.val();
        self.out_word.next = self.held.q.val();
    }
}

block! {
    /// Records in, beats of the trace out.
    ///
    /// It has a record queue unless `queue_in_flight` is `None`, for records that come out of queues; so many
    /// records may still come after `record_ready` has fallen.
    pub BackEnd("back_end") of (port: &Port, format: &RecordFormat, queue_in_flight: Option<u32>) {
        let parallel = port.is_parallel();
        let (word_bits, fifo_words) = (port.word_bits() as usize, port.fifo_words() as usize);
        let record_bits = format.bits() as usize;
        let most_bits = piece_most_bits(format, parallel).max(1);
        let whole_piece_bits = most_bits + BitPacker::piece_count_bits(most_bits) + 1;
    }

    // There is a record.
    in record_valid: 1;
    // The record.
    in record: record_bits;
    // It is taken; with a queue from registers alone.
    out record_ready: 1;
    // Nothing is left inside.
    out is_empty: 1;
    // Trace bits.
    out trace_data: port.trace_port_width as usize;
    // There is a beat.
    out trace_valid: 1;
    // The sink takes it.
    in trace_ready: 1;
    // Trace words in the output FIFO.
    out buffered_words: Fifo::level_bits(fifo_words);
    block record_queue: Fifo(port.record_queue_depth as usize, queue_in_flight.unwrap_or(0) as usize, record_bits) if queue_in_flight.is_some();
    block serial_encoder: SerialEncoder(format) if !parallel;
    block parallel_encoder: ParallelEncoder(format) if parallel;
    block record_register: WordRegister(record_bits) if port.encoder_registers;
    block piece_register: WordRegister(whole_piece_bits) if port.encoder_registers;
    block bit_packer: BitPacker(most_bits, word_bits);
    block output_fifo: Fifo(fifo_words, 0, word_bits);
    block trace_port: TracePort(port);
    local queue_is_empty: 1;
    local waiting_valid: 1;
    local waiting: record_bits;
    local waiting_ready: 1;
    local encoder_is_empty: 1;
    local piece_valid: 1;
    local piece: most_bits;
    local piece_bits: BitPacker::piece_count_bits(most_bits);
    local piece_last: 1;
    local piece_ready: 1;
    local registers_are_empty: 1;
    /// piece, its bits, whether it ends a word
    local whole_piece: whole_piece_bits;
    local next_valid: 1;
    /// the record that comes to the encoder next
    local next_record: record_bits;
    local next_ready: 1;
    param has_queue = usize::from(queue_in_flight.is_some());
    param has_registers = usize::from(port.encoder_registers);
    param bits_place = most_bits;
    param last_place = whole_piece_bits - 1;
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
            self.record_queue.in_valid.next = self.record_valid.val();
            self.record_queue.in_word.next = self.record.val();
            self.record_ready.next = self.record_queue.in_ready.val();
            self.next_valid.next = self.record_queue.out_valid.val();
            self.next_record.next = self.record_queue.out_word.val();
            self.queue_is_empty.next = !self.record_queue.out_valid.val();
        } else {
            self.next_valid.next = self.record_valid.val();
            self.next_record.next = self.record.val();
            self.queue_is_empty.next = 1.into();
        }

        if self.has_registers.val() == 1 {
            self.record_register.in_valid.next = self.next_valid.val();
            self.record_register.in_word.next = self.next_record.val();
            self.waiting_valid.next = self.record_register.out_valid.val();
            self.waiting.next = self.record_register.out_word.val();
            self.piece_ready.next = self.piece_register.in_ready.val();
        } else {
            self.waiting_valid.next = self.next_valid.val();
            self.waiting.next = self.next_record.val();
            self.piece_ready.next = self.bit_packer.piece_ready.val();
        }
        if self.is_parallel.val() == 1 {
            self.parallel_encoder.record_valid.next = self.waiting_valid.val();
            self.parallel_encoder.record.next = self.waiting.val();
            self.waiting_ready.next = self.parallel_encoder.record_ready.val();
            self.piece_valid.next = self.parallel_encoder.piece_valid.val();
            self.piece.next = self.parallel_encoder.piece.val();
            self.piece_bits.next = self.parallel_encoder.piece_bits.val();
            self.piece_last.next = self.parallel_encoder.piece_last.val();
            self.parallel_encoder.piece_ready.next = self.piece_ready.val();
            self.encoder_is_empty.next = !self.parallel_encoder.piece_valid.val();
        } else {
            self.serial_encoder.record_valid.next = self.waiting_valid.val();
            self.serial_encoder.record.next = self.waiting.val();
            self.waiting_ready.next = self.serial_encoder.record_ready.val();
            self.piece_valid.next = self.serial_encoder.piece_valid.val();
            self.piece.next = self.serial_encoder.piece.val();
            self.piece_bits.next = self.serial_encoder.piece_bits.val();
            self.piece_last.next = self.serial_encoder.piece_last.val();
            self.serial_encoder.piece_ready.next = self.piece_ready.val();
            self.encoder_is_empty.next = 1.into();
        }

        self.whole_piece.next = bits_to(self.piece.val(), self.whole_piece.width())
            | (bits_to(self.piece_bits.val(), self.whole_piece.width()) << self.bits_place.val())
            | (bits_to(self.piece_last.val(), self.whole_piece.width()) << self.last_place.val());
        if self.has_registers.val() == 1 {
            self.record_register.out_ready.next = self.waiting_ready.val();
            self.next_ready.next = self.record_register.in_ready.val();
            self.piece_register.in_valid.next = self.piece_valid.val();
            self.piece_register.in_word.next = self.whole_piece.val();
            self.piece_register.out_ready.next = self.bit_packer.piece_ready.val();
            self.bit_packer.piece_valid.next = self.piece_register.out_valid.val();
            self.bit_packer.piece.next =
                bits_to(self.piece_register.out_word.val(), self.piece.width());
            self.bit_packer.piece_bits.next = bits_to(
                self.piece_register.out_word.val() >> self.bits_place.val(),
                self.piece_bits.width(),
            );
            self.bit_packer.piece_last.next =
                bits_to(self.piece_register.out_word.val() >> self.last_place.val(), 1);
            self.registers_are_empty.next =
                !(self.record_register.out_valid.val() | self.piece_register.out_valid.val());
        } else {
            self.next_ready.next = self.waiting_ready.val();
            self.bit_packer.piece_valid.next = self.piece_valid.val();
            self.bit_packer.piece.next = self.piece.val();
            self.bit_packer.piece_bits.next = self.piece_bits.val();
            self.bit_packer.piece_last.next = self.piece_last.val();
            self.registers_are_empty.next = 1.into();
        }
        if self.has_queue.val() == 1 {
            self.record_queue.out_ready.next = self.next_ready.val();
        } else {
            self.record_ready.next = self.next_ready.val();
        }

        self.output_fifo.in_valid.next = self.bit_packer.word_valid.val();
        self.output_fifo.in_word.next = self.bit_packer.word.val();
        self.bit_packer.word_ready.next = self.output_fifo.in_ready.val();
        self.trace_port.word_valid.next = self.output_fifo.out_valid.val();
        self.trace_port.word.next = self.output_fifo.out_word.val();
        self.output_fifo.out_ready.next = self.trace_port.word_ready.val();
        self.trace_valid.next = self.trace_port.trace_valid.val();
        self.trace_data.next = self.trace_port.trace_data.val();
        self.trace_port.trace_ready.next = self.trace_ready.val();
        self.buffered_words.next = self.output_fifo.level.val();
        self.is_empty.next = self.encoder_is_empty.val()
            & self.registers_are_empty.val()
            & self.bit_packer.is_empty.val()
            & self.queue_is_empty.val()
            & !self.output_fifo.out_valid.val();
    }
}
