//! The sequence of every trace module: clear the tables, trace, flush.

use tracewright_elaborate::prelude::*;

use super::ports::Clear;

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
    out clear: Clear(clear_bits);
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
        self.clear.valid.next = self.clearing.q.val();
        self.clear.index.next = self.index.q.val();
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
