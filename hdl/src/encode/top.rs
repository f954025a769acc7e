//! The way out that every scheme shares, wired up: record queue, encoder, bit packer, FIFO, port.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::TracePort as Port;
use tracewright_sim::encode::record::RecordFormat;

use super::bit_packer::BitPacker;
use super::fifo::Fifo;
use super::record::{ParallelEncoder, SerialEncoder, piece_most_bits};
use super::trace_port::TracePort;

/// A register for words that are taken when both sides are ready.
#[derive(LogicBlock)]
pub struct WordRegister {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// There is a word to put in.
    pub in_valid: Wire<In>,
    /// That word.
    pub in_word: Wire<In>,
    /// It is taken.
    pub in_ready: Wire<Out>,
    /// A word is held.
    pub out_valid: Wire<Out>,
    /// That word.
    pub out_word: Wire<Out>,
    /// It is taken.
    pub out_ready: Wire<In>,
    held_valid: Reg,
    held: Reg,
}

impl WordRegister {
    /// A register of words of `width` bits.
    pub fn new(width: usize) -> Self {
        Self {
            kind: Kind::new("word_register", [("width", width)]),
            domain: Domain::new(),
            in_valid: Wire::new(1),
            in_word: Wire::new(width),
            in_ready: Wire::new(1),
            out_valid: Wire::new(1),
            out_word: Wire::new(width),
            out_ready: Wire::new(1),
            held_valid: Reg::new(1, 0),
            held: Reg::new(width, 0),
        }
    }
}

impl Logic for WordRegister {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, held_valid, held);
        self.in_ready.next = self.out_ready.val() | !self.held_valid.q.val();
        if self.in_ready.val().any() {
            self.held_valid.d.next = self.in_valid.val();
            self.held.d.next = self.in_word.val();
        }
        self.out_valid.next = self.held_valid.q.val();
        self.out_word.next = self.held.q.val();
    }
}

/// Records in, beats of the trace out.
#[derive(LogicBlock)]
pub struct BackEnd {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// There is a record.
    pub record_valid: Wire<In>,
    /// The record.
    pub record: Wire<In>,
    /// It is taken; with a queue from registers alone.
    pub record_ready: Wire<Out>,
    /// Nothing is left inside.
    pub is_empty: Wire<Out>,
    /// Trace bits.
    pub trace_data: Wire<Out>,
    /// There is a beat.
    pub trace_valid: Wire<Out>,
    /// The sink takes it.
    pub trace_ready: Wire<In>,
    /// Trace words in the output FIFO.
    pub buffered_words: Wire<Out>,
    record_queue: Opt<Fifo>,
    serial_encoder: Opt<SerialEncoder>,
    parallel_encoder: Opt<ParallelEncoder>,
    record_register: Opt<WordRegister>,
    piece_register: Opt<WordRegister>,
    bit_packer: BitPacker,
    output_fifo: Fifo,
    trace_port: TracePort,
    queue_is_empty: Wire<Local>,
    waiting_valid: Wire<Local>,
    waiting: Wire<Local>,
    waiting_ready: Wire<Local>,
    encoder_is_empty: Wire<Local>,
    piece_valid: Wire<Local>,
    piece: Wire<Local>,
    piece_bits: Wire<Local>,
    piece_last: Wire<Local>,
    piece_ready: Wire<Local>,
    registers_are_empty: Wire<Local>,
    whole_piece: Wire<Local>,
    next_valid: Wire<Local>,
    next_record: Wire<Local>,
    next_ready: Wire<Local>,
    has_queue: Param,
    has_registers: Param,
    bits_place: Param,
    last_place: Param,
    _piece_width: usize,
    _count_bits: usize,
    _whole_piece_bits: usize,
    is_parallel: Param,
}

impl BackEnd {
    /// The way out for records of `format`, of which `in_flight` may still come when it is not ready.
    pub fn new(port: &Port, format: &RecordFormat, in_flight: u32) -> Self {
        Self::with_queue(port, format, Some(in_flight))
    }

    /// The same without the record queue, for records that come out of queues.
    pub fn without_queue(port: &Port, format: &RecordFormat) -> Self {
        Self::with_queue(port, format, None)
    }

    fn with_queue(port: &Port, format: &RecordFormat, queue_in_flight: Option<u32>) -> Self {
        let parallel = port.is_parallel();
        let (word_bits, fifo_words) = (port.word_bits() as usize, port.fifo_words() as usize);
        let record_bits = format.bits() as usize;
        let most_bits = piece_most_bits(format, parallel).max(1);
        let whole_piece_bits = most_bits + BitPacker::piece_count_bits(most_bits) + 1;
        Self {
            kind: Kind::plain("back_end"),
            domain: Domain::new(),
            record_valid: Wire::new(1),
            record: Wire::new(record_bits),
            record_ready: Wire::new(1),
            is_empty: Wire::new(1),
            trace_data: Wire::new(port.trace_port_width as usize),
            trace_valid: Wire::new(1),
            trace_ready: Wire::new(1),
            buffered_words: Wire::new(Fifo::level_bits(fifo_words)),
            record_queue: Opt::new(
                queue_in_flight.is_some(),
                Fifo::with_reserve(
                    port.record_queue_depth as usize,
                    queue_in_flight.unwrap_or(0) as usize,
                    record_bits,
                ),
            ),
            serial_encoder: Opt::new(!parallel, SerialEncoder::new(format)),
            parallel_encoder: Opt::new(parallel, ParallelEncoder::new(format)),
            record_register: Opt::new(port.encoder_registers, WordRegister::new(record_bits)),
            piece_register: Opt::new(port.encoder_registers, WordRegister::new(whole_piece_bits)),
            bit_packer: BitPacker::new(most_bits, word_bits),
            output_fifo: Fifo::new(fifo_words, word_bits),
            trace_port: TracePort::new(port),
            queue_is_empty: Wire::new(1),
            waiting_valid: Wire::new(1),
            waiting: Wire::new(record_bits),
            waiting_ready: Wire::new(1),
            encoder_is_empty: Wire::new(1),
            piece_valid: Wire::new(1),
            piece: Wire::new(most_bits),
            piece_bits: Wire::new(BitPacker::piece_count_bits(most_bits)),
            piece_last: Wire::new(1),
            piece_ready: Wire::new(1),
            registers_are_empty: Wire::new(1),
            whole_piece: Wire::new(whole_piece_bits)
                .describe("piece, its bits, whether it ends a word"),
            next_valid: Wire::new(1),
            next_record: Wire::new(record_bits)
                .describe("the record that comes to the encoder next"),
            next_ready: Wire::new(1),
            has_registers: Param::new(usize::from(port.encoder_registers)),
            bits_place: Param::new(most_bits),
            last_place: Param::new(whole_piece_bits - 1),
            _piece_width: most_bits,
            _count_bits: BitPacker::piece_count_bits(most_bits),
            _whole_piece_bits: whole_piece_bits,
            has_queue: Param::new(usize::from(queue_in_flight.is_some())),
            is_parallel: Param::new(usize::from(parallel)),
        }
    }

    /// Width of `buffered_words`.
    pub fn level_bits(port: &Port) -> usize {
        Fifo::level_bits(port.fifo_words() as usize)
    }
}

impl Logic for BackEnd {
    #[hdl_gen]
    fn update(&mut self) {
        self.bit_packer.domain.next = self.domain.val();
        self.output_fifo.domain.next = self.domain.val();
        self.trace_port.domain.next = self.domain.val();

        if self.has_queue.val() == 1 {
            self.record_queue.domain.next = self.domain.val();
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
            self.record_register.domain.next = self.domain.val();
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
            self.parallel_encoder.domain.next = self.domain.val();
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
            self.serial_encoder.domain.next = self.domain.val();
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

        self.whole_piece.next = bits_to(self.piece.val(), self._whole_piece_bits)
            | (bits_to(self.piece_bits.val(), self._whole_piece_bits) << self.bits_place.val())
            | (bits_to(self.piece_last.val(), self._whole_piece_bits) << self.last_place.val());
        if self.has_registers.val() == 1 {
            self.record_register.out_ready.next = self.waiting_ready.val();
            self.next_ready.next = self.record_register.in_ready.val();
            self.piece_register.domain.next = self.domain.val();
            self.piece_register.in_valid.next = self.piece_valid.val();
            self.piece_register.in_word.next = self.whole_piece.val();
            self.piece_register.out_ready.next = self.bit_packer.piece_ready.val();
            self.bit_packer.piece_valid.next = self.piece_register.out_valid.val();
            self.bit_packer.piece.next =
                bits_to(self.piece_register.out_word.val(), self._piece_width);
            self.bit_packer.piece_bits.next = bits_to(
                self.piece_register.out_word.val() >> self.bits_place.val(),
                self._count_bits,
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
