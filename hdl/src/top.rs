//! What every trace module has around its compressor: clearing, flushing, pins.

use tracewright_elaborate::prelude::*;

mod state {
    pub const TRACING: usize = 0;
    pub const RECORDING: usize = 1;
    pub const DRAINING: usize = 2;
    pub const FLUSHED: usize = 3;
}

/// Clears the tables after reset, and takes the module through a flush.
#[derive(LogicBlock)]
pub struct Sequencer {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The request to end the trace, a level.
    pub flush: Wire<In>,
    /// The compressor takes a block or a flush in this clock.
    pub ready: Wire<In>,
    /// Nothing is left in the whole module.
    pub is_empty: Wire<In>,
    /// Blocks are taken, if the compressor is ready.
    pub tracing: Wire<Out>,
    /// The compressor is to make its flush record, if it is ready.
    pub record_flush: Wire<Out>,
    /// Everything is out.
    pub flushed: Wire<Out>,
    /// The tables are being cleared.
    pub clear: Wire<Out>,
    /// The entry to clear, in its lower bits.
    pub clear_index: Wire<Out>,
    clearing: Reg,
    index: Reg,
    state: Reg,
    at_tracing: Param,
    at_recording: Param,
    at_draining: Param,
    at_flushed: Param,
}

impl Sequencer {
    /// A sequencer that clears 2^`clear_bits` entries.
    pub fn new(clear_bits: usize) -> Self {
        Self {
            kind: Kind::new("sequencer", [("clear_bits", clear_bits)]),
            domain: Domain::new(),
            flush: Wire::new(1).describe("level: end the trace here"),
            ready: Wire::new(1),
            is_empty: Wire::new(1),
            tracing: Wire::new(1),
            record_flush: Wire::new(1),
            flushed: Wire::new(1),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            clearing: Reg::new(1, 1),
            index: Reg::new(clear_bits, 0),
            state: Reg::new(2, state::TRACING as u64),
            at_tracing: Param::new(state::TRACING),
            at_recording: Param::new(state::RECORDING),
            at_draining: Param::new(state::DRAINING),
            at_flushed: Param::new(state::FLUSHED),
        }
    }
}

impl Logic for Sequencer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, clearing, index, state);
        // After reset every table entry is written once.
        self.clear.next = self.clearing.q.val();
        self.clear_index.next = self.index.q.val();
        if self.clearing.q.val().any() {
            self.index.d.next = self.index.q.val() + 1;
            if self.index.q.val().all() {
                self.clearing.d.next = 0.into();
            }
        }

        self.tracing.next =
            bits_to(self.state.q.val() == self.at_tracing.val(), 1) & !self.clearing.q.val();
        self.record_flush.next = bits_to(self.state.q.val() == self.at_recording.val(), 1);
        self.flushed.next = bits_to(self.state.q.val() == self.at_flushed.val(), 1);
        if self.state.q.val() == self.at_tracing.val() {
            if self.flush.val().any() && !self.clearing.q.val().any() {
                self.state.d.next = self.at_recording.val();
            }
        } else if self.state.q.val() == self.at_recording.val() {
            if self.ready.val().any() {
                self.state.d.next = self.at_draining.val();
            }
        } else if self.state.q.val() == self.at_draining.val() {
            if self.is_empty.val().any() {
                self.state.d.next = self.at_flushed.val();
            }
        } else if !self.flush.val().any() {
            self.state.d.next = self.at_tracing.val();
        }
    }
}

/// Declares the trace module of a single core around a compressor, pins to pins (docs/hardware.md).
///
/// The compressor, a block `Encoder`, has the pins of the core without their prefix's handshake:
/// `retire` and `flush` come only in clocks in which it is `ready`, and its records leave by
/// `record_valid`, `record` and `record_ready`; `is_empty` says that none is inside.
#[macro_export]
macro_rules! trace_module {
    ($(#[$doc:meta])* $name:ident, $config:ty, $kind:literal) => {
        $(#[$doc])*
        #[derive(LogicBlock)]
        pub struct $name {
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
            sequencer: $crate::top::Sequencer,
            encoder: Encoder,
            back_end: $crate::encode::top::BackEnd,
        }

        impl $name {
            /// The module of `config`, which is valid.
            pub fn new(config: &$config) -> Self {
                let address_width = config.processor.address_width as usize;
                let clear_bits =
                    tracewright_sim::config::index_bits(config.clear_clocks()) as usize;
                let port = &config.port;
                Self {
                    kind: Kind::plain($kind),
                    domain: Domain::new(),
                    retire_valid: Wire::new(1).describe("a block retires in this clock"),
                    retire_count: Wire::new(config.processor.retire_count_bits as usize)
                        .describe("its instructions"),
                    retire_pc: Wire::new(address_width)
                        .describe("byte address of its last instruction"),
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
                    buffered_words: Wire::new($crate::encode::top::BackEnd::level_bits(port))
                        .describe("trace words in the output FIFO"),
                    sequencer: $crate::top::Sequencer::new(clear_bits),
                    encoder: Encoder::new(config, clear_bits),
                    back_end: $crate::encode::top::BackEnd::new(port, &config.format(), tracewright_sim::scheme::Configuration::blocks_in_flight(config)),
                }
            }
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                self.sequencer.domain.next = self.domain.val();
                self.encoder.domain.next = self.domain.val();
                self.back_end.domain.next = self.domain.val();

                self.sequencer.flush.next = self.flush.val();
                self.sequencer.ready.next = self.encoder.ready.val();
                self.sequencer.is_empty.next =
                    self.encoder.is_empty.val() & self.back_end.is_empty.val();
                self.flushed.next = self.sequencer.flushed.val();
                self.stall.next = !(self.sequencer.tracing.val() & self.encoder.ready.val());

                self.encoder.clear.next = self.sequencer.clear.val();
                self.encoder.clear_index.next = self.sequencer.clear_index.val();
                self.encoder.flush.next =
                    self.sequencer.record_flush.val() & self.encoder.ready.val();
                self.encoder.retire.next = self.retire_valid.val() & !self.stall.val();
                self.encoder.count.next = self.retire_count.val();
                self.encoder.program_counter.next = self.retire_pc.val();
                self.encoder.length.next = self.retire_length.val();
                self.encoder.branch_kind.next = self.retire_kind.val();
                self.encoder.call.next = self.retire_call.val();
                self.encoder.is_return.next = self.retire_return.val();
                self.encoder.taken.next = self.retire_taken.val();
                self.encoder.target.next = self.retire_target.val();

                self.back_end.record_valid.next = self.encoder.record_valid.val();
                self.back_end.record.next = self.encoder.record.val();
                self.encoder.record_ready.next = self.back_end.record_ready.val();
                self.trace_valid.next = self.back_end.trace_valid.val();
                self.trace_data.next = self.back_end.trace_data.val();
                self.back_end.trace_ready.next = self.trace_ready.val();
                self.buffered_words.next = self.back_end.buffered_words.val();
            }
        }
    };
}
