//! What every trace module has around its compressor: clearing, flushing, pins.

use tracewright_elaborate::prelude::*;

mod state {
    pub const TRACING: usize = 0;
    pub const RECORDING: usize = 1;
    pub const DRAINING: usize = 2;
    pub const FLUSHED: usize = 3;
}

block! {
    /// Clears the tables after reset, and takes the module through a flush.
    pub Sequencer("sequencer") of (clear_bits: usize);
    parameters {
        clear_bits,
    }

    /// level: end the trace here
    in flush: 1;
    // The compressor takes a block or a flush in this clock.
    in ready: 1;
    // Nothing is left in the whole module.
    in is_empty: 1;
    // Blocks are taken, if the compressor is ready.
    out tracing: 1;
    // The compressor is to make its flush record, if it is ready.
    out record_flush: 1;
    // Everything is out.
    out flushed: 1;
    // The tables are being cleared.
    out clear: 1;
    // The entry to clear, in its lower bits.
    out clear_index: clear_bits;
    reg clearing: 1 = 1;
    reg index: clear_bits;
    reg state: 2 = state::TRACING as u64;
    param at_tracing = state::TRACING;
    param at_recording = state::RECORDING;
    param at_draining = state::DRAINING;
    param at_flushed = state::FLUSHED;
}

impl Logic for Sequencer {
    #[hdl_gen]
    fn update(&mut self) {
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
        block! {
            $(#[$doc])*
            pub $name($kind) of (config: &$config) {
                let address_width = config.processor.address_width;
                let clear_bits =
                    tracewright_sim::config::index_bits(config.clear_clocks()) as usize;
                let port = &config.port;
                let in_flight = tracewright_sim::scheme::Configuration::blocks_in_flight(config);
            }

            /// a block retires in this clock
            in retire_valid: 1;
            /// its instructions
            in retire_count: config.processor.retire_count_bits;
            /// byte address of its last instruction
            in retire_pc: address_width;
            /// length of that in bytes
            in retire_length: 4;
            /// 0 sequential, 1 jump, 2 branch, 3 indirect, 4 both, 5 exception
            in retire_kind: 3;
            /// it leaves a return address
            in retire_call: 1;
            /// it goes back to one
            in retire_return: 1;
            /// the flow changed
            in retire_taken: 1;
            /// where to, if taken
            in retire_target: address_width;
            /// the block of this clock is not taken
            out stall: 1;
            /// level: end the trace here
            in flush: 1;
            /// everything is out
            out flushed: 1;
            /// trace bits, bit 0 first
            out trace_data: port.trace_port_width;
            out trace_valid: 1;
            in trace_ready: 1;
            /// trace words in the output FIFO
            out buffered_words: $crate::encode::top::BackEnd::level_bits(port);
            block sequencer: $crate::top::Sequencer(clear_bits);
            block encoder: Encoder(config, clear_bits);
            block back_end: $crate::encode::top::BackEnd(port, &config.format(), Some(in_flight));
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
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
