//! The whole T-raptor trace module, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::traptor::config::Config;

use super::encoder::{ParallelEncoder, SerialEncoder, piece_most_bits};
use super::gshare::Gshare;
use super::layout::RecordWord;
use super::record_former::RecordFormer;
use super::target_predictor::TargetPredictor;
use crate::encode::bit_packer::BitPacker;
use crate::encode::fifo::Fifo;
use crate::encode::trace_port::TracePort;

mod state {
    pub const TRACING: usize = 0;
    pub const RECORDING: usize = 1;
    pub const DRAINING: usize = 2;
    pub const FLUSHED: usize = 3;
}

/// Predictors, record former, encoder, buffer and port.
#[derive(LogicBlock)]
pub struct Traptor {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// A block retires in this clock.
    pub retire_valid: Wire<In>,
    /// Its instructions.
    pub retire_count: Wire<In>,
    /// Byte address of its last instruction.
    pub retire_pc: Wire<In>,
    /// Length of that instruction in bytes.
    pub retire_length: Wire<In>,
    /// What that instruction is.
    pub retire_kind: Wire<In>,
    /// It leaves a return address.
    pub retire_call: Wire<In>,
    /// It goes back to one.
    pub retire_return: Wire<In>,
    /// The flow changed.
    pub retire_taken: Wire<In>,
    /// Where to.
    pub retire_target: Wire<In>,
    /// The block of this clock is not taken.
    pub stall: Wire<Out>,
    /// End the trace here.
    pub flush: Wire<In>,
    /// Everything is out.
    pub flushed: Wire<Out>,
    /// Trace bits.
    pub trace_data: Wire<Out>,
    /// There is a beat.
    pub trace_valid: Wire<Out>,
    /// The sink takes it.
    pub trace_ready: Wire<In>,
    /// Trace words in the output FIFO.
    pub buffered_words: Wire<Out>,
    clearing: Reg,
    clear_index: Reg,
    state: Reg,
    gshare: Gshare,
    target_predictor: TargetPredictor,
    record_former: RecordFormer,
    record_queue: Fifo,
    serial_encoder: Opt<SerialEncoder>,
    parallel_encoder: Opt<ParallelEncoder>,
    bit_packer: BitPacker,
    output_fifo: Fifo,
    trace_port: TracePort,
    accepted: Wire<Local>,
    control_flow: Wire<Local>,
    conditional: Wire<Local>,
    indirect: Wire<Local>,
    exception: Wire<Local>,
    counted: Wire<Local>,
    target: Wire<Local>,
    drained: Wire<Local>,
    is_parallel: Param,
    alignment: Param,
    tracing: Param,
    recording: Param,
    draining: Param,
    all_flushed: Param,
    _target_bits: usize,
}

impl Traptor {
    /// The module of `config`, which is valid.
    pub fn new(config: &Config) -> Self {
        let address_width = config.processor.address_width as usize;
        let clear_bits = index_bits(config.clear_clocks()) as usize;
        let record_bits = RecordWord::new(config).bits();
        let port = &config.port;
        let (word_bits, fifo_words) = (port.word_bits() as usize, port.fifo_words() as usize);
        let target_bits = config.processor.instruction_address_bits() as usize;
        Self {
            kind: Kind::plain("traptor"),
            domain: Domain::new(),
            retire_valid: Wire::new(1).describe("a block retires in this clock"),
            retire_count: Wire::new(config.processor.retire_count_bits as usize)
                .describe("its instructions"),
            retire_pc: Wire::new(address_width).describe("byte address of its last instruction"),
            retire_length: Wire::new(4).describe("length of that in bytes"),
            retire_kind: Wire::new(3)
                .describe("0 sequential, 1 jump, 2 branch, 3 indirect, 4 both, 5 exception"),
            retire_call: Wire::new(1).describe("it leaves a return address"),
            retire_return: Wire::new(1).describe("it goes back to one"),
            retire_taken: Wire::new(1).describe("the flow changed"),
            retire_target: Wire::new(address_width).describe("where to, if taken"),
            stall: Wire::new(1).describe("the block of this clock is not taken"),
            flush: Wire::new(1).describe("level: end the trace here"),
            flushed: Wire::new(1).describe("everything is out"),
            trace_data: Wire::new(port.trace_port_width as usize)
                .describe("trace bits, bit 0 first"),
            trace_valid: Wire::new(1),
            trace_ready: Wire::new(1),
            buffered_words: Wire::new(Fifo::level_bits(fifo_words))
                .describe("trace words in the output FIFO"),
            clearing: Reg::new(1, 1),
            clear_index: Reg::new(clear_bits, 0),
            state: Reg::new(2, state::TRACING as u64),
            gshare: Gshare::new(config, clear_bits),
            target_predictor: TargetPredictor::new(config, clear_bits),
            record_former: RecordFormer::new(config),
            record_queue: Fifo::new(port.record_queue_depth as usize, record_bits),
            serial_encoder: Opt::new(!port.is_parallel(), SerialEncoder::new(config)),
            parallel_encoder: Opt::new(port.is_parallel(), ParallelEncoder::new(config)),
            bit_packer: BitPacker::new(piece_most_bits(config), word_bits),
            output_fifo: Fifo::new(fifo_words, word_bits),
            trace_port: TracePort::new(port),
            accepted: Wire::new(1),
            control_flow: Wire::new(1),
            conditional: Wire::new(1),
            indirect: Wire::new(1),
            exception: Wire::new(1),
            counted: Wire::new(1),
            target: Wire::new(target_bits),
            drained: Wire::new(1),
            is_parallel: Param::new(usize::from(port.is_parallel())),
            alignment: Param::new(config.processor.alignment as usize),
            tracing: Param::new(state::TRACING),
            recording: Param::new(state::RECORDING),
            draining: Param::new(state::DRAINING),
            all_flushed: Param::new(state::FLUSHED),
            _target_bits: target_bits,
        }
    }
}

impl Logic for Traptor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, clearing, clear_index, state);
        self.gshare.domain.next = self.domain.val();
        self.target_predictor.domain.next = self.domain.val();
        self.record_former.domain.next = self.domain.val();
        self.record_queue.domain.next = self.domain.val();
        self.bit_packer.domain.next = self.domain.val();
        self.output_fifo.domain.next = self.domain.val();
        self.trace_port.domain.next = self.domain.val();

        // After reset every table entry is written once.
        if self.clearing.q.val().any() {
            self.clear_index.d.next = self.clear_index.q.val() + 1;
            if self.clear_index.q.val().all() {
                self.clearing.d.next = 0.into();
            }
        }

        self.stall.next = 1.into();
        if self.state.q.val() == self.tracing.val() && !self.clearing.q.val().any() {
            self.stall.next = !self.record_queue.in_ready.val();
        }
        self.accepted.next = self.retire_valid.val() & !self.stall.val();
        self.control_flow.next = bits_to(self.retire_kind.val().any(), 1);
        self.conditional.next =
            bits_to(self.retire_kind.val() == 2, 1) | bits_to(self.retire_kind.val() == 4, 1);
        self.indirect.next =
            bits_to(self.retire_kind.val() == 3, 1) | bits_to(self.retire_kind.val() == 4, 1);
        self.exception.next = bits_to(self.retire_kind.val() == 5, 1);
        self.counted.next = self.conditional.val() | self.indirect.val();
        self.target.next =
            bits_to(self.retire_target.val() >> self.alignment.val(), self._target_bits);

        self.gshare.clear.next = self.clearing.q.val();
        self.gshare.clear_index.next = self.clear_index.q.val();
        self.gshare.update.next = self.accepted.val() & self.conditional.val();
        self.gshare.program_counter.next = self.retire_pc.val();
        self.gshare.taken.next = self.retire_taken.val();

        self.target_predictor.clear.next = self.clearing.q.val();
        self.target_predictor.clear_index.next = self.clear_index.q.val();
        self.target_predictor.update.next =
            self.accepted.val() & self.control_flow.val() & !self.exception.val();
        self.target_predictor.counted.next = self.counted.val();
        self.target_predictor.indirect.next = self.indirect.val();
        self.target_predictor.call.next = self.retire_call.val();
        self.target_predictor.is_return.next = self.retire_return.val();
        self.target_predictor.taken.next = self.retire_taken.val();
        self.target_predictor.program_counter.next = self.retire_pc.val();
        self.target_predictor.length.next = self.retire_length.val();
        self.target_predictor.target.next = self.target.val();

        self.record_former.retire.next = self.accepted.val();
        self.record_former.count.next = self.retire_count.val();
        self.record_former.control_flow.next = self.control_flow.val();
        self.record_former.counted.next = self.counted.val();
        self.record_former.conditional.next = self.conditional.val();
        self.record_former.indirect.next = self.indirect.val();
        self.record_former.exception.next = self.exception.val();
        self.record_former.taken.next = self.retire_taken.val();
        self.record_former.target.next = self.target.val();
        self.record_former.predicted_taken.next = self.gshare.predicted_taken.val();
        self.record_former.predicted.next = self.target_predictor.predicted.val();
        self.record_former.predicted_target.next = self.target_predictor.predicted_target.val();
        self.record_former.flush.next = 0.into();
        if self.state.q.val() == self.recording.val() {
            self.record_former.flush.next = self.record_queue.in_ready.val();
        }
        self.record_queue.in_valid.next = self.record_former.record_valid.val();
        self.record_queue.in_word.next = self.record_former.record.val();

        if self.is_parallel.val() == 1 {
            self.parallel_encoder.domain.next = self.domain.val();
            self.parallel_encoder.record_valid.next = self.record_queue.out_valid.val();
            self.parallel_encoder.record.next = self.record_queue.out_word.val();
            self.record_queue.out_ready.next = self.parallel_encoder.record_ready.val();
            self.bit_packer.piece_valid.next = self.parallel_encoder.piece_valid.val();
            self.bit_packer.piece.next = self.parallel_encoder.piece.val();
            self.bit_packer.piece_bits.next = self.parallel_encoder.piece_bits.val();
            self.bit_packer.piece_last.next = self.parallel_encoder.piece_last.val();
            self.parallel_encoder.piece_ready.next = self.bit_packer.piece_ready.val();
            self.drained.next = !self.parallel_encoder.piece_valid.val();
        } else {
            self.serial_encoder.domain.next = self.domain.val();
            self.serial_encoder.record_valid.next = self.record_queue.out_valid.val();
            self.serial_encoder.record.next = self.record_queue.out_word.val();
            self.record_queue.out_ready.next = self.serial_encoder.record_ready.val();
            self.bit_packer.piece_valid.next = self.serial_encoder.piece_valid.val();
            self.bit_packer.piece.next = self.serial_encoder.piece.val();
            self.bit_packer.piece_bits.next = self.serial_encoder.piece_bits.val();
            self.bit_packer.piece_last.next = self.serial_encoder.piece_last.val();
            self.serial_encoder.piece_ready.next = self.bit_packer.piece_ready.val();
            self.drained.next = 1.into();
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

        // The flush: record it, drain everything, say so, wait for the request to end.
        self.flushed.next = bits_to(self.state.q.val() == self.all_flushed.val(), 1);
        if self.state.q.val() == self.tracing.val() {
            if self.flush.val().any() && !self.clearing.q.val().any() {
                self.state.d.next = self.recording.val();
            }
        } else if self.state.q.val() == self.recording.val() {
            if self.record_queue.in_ready.val().any() {
                self.state.d.next = self.draining.val();
            }
        } else if self.state.q.val() == self.draining.val() {
            if self.drained.val().any()
                && !self.record_queue.out_valid.val().any()
                && self.bit_packer.is_empty.val().any()
                && !self.output_fifo.out_valid.val().any()
            {
                self.state.d.next = self.all_flushed.val();
            }
        } else if !self.flush.val().any() {
            self.state.d.next = self.tracing.val();
        }
    }
}
