//! The sequence of every trace module: clear the tables, trace, flush.

use tracewright_elaborate::prelude::*;

use super::ports::Clear;

block! {
    /// Clears the tables after reset, and takes the module through a flush.
    ///
    /// Where the sweep is `counted_elsewhere`, a counter of the compressor numbers the entries: it is 0 after reset,
    /// and counts in the cycles in which `clear` is valid.
    ///
    /// Where tracing `switches`, what is in the module can be discarded, which ends a flush at once.
    ///
    /// Where it `restarts`, the tables are cleared again on request. If that is done `in_background`, `memory_sweep` makes
    /// every entry read as cleared at once, and writes one in each cycle in which the compressor is idle.
    pub Sequencer("sequencer") of (clear_bits: usize, counted_elsewhere: bool, restarts: bool, in_background: bool, switches: bool);
    parameters {
        clear_bits,
        counted_elsewhere if counted_elsewhere,
        restarts if restarts,
        in_background if in_background,
        switches if switches,
    }

    /// level: the trace ends here
    in flush: 1;
    /// the compressor takes a block or a flush in this cycle
    in ready: 1;
    /// no record and no bit is left in the module
    in is_empty: 1;
    /// blocks are taken while the compressor is ready
    out tracing: 1;
    /// the compressor makes its flush record when it is ready
    out record_flush: 1;
    /// every bit of the trace has left the module
    out flushed: 1;
    /// a flush ends without what is in the module, as soon as the tables are clear
    in discard: usize::from(switches);
    /// what is in the module is discarded in this cycle
    out discards: usize::from(switches);
    /// the entry to clear, where the compressor counts
    in swept: if counted_elsewhere { clear_bits } else { 0 };
    /// clear the tables again
    in restart: usize::from(restarts);
    /// no flush has begun
    out is_on: usize::from(restarts);
    /// the compressor writes no table
    in is_idle: usize::from(in_background);
    /// entries from before the last restart are left
    out is_sweeping: usize::from(in_background);
    /// the epoch, whether an entry is written, and its index
    out memory_sweep: if in_background { clear_bits + 2 } else { 0 };
    out clear: Clear(clear_bits);
    reg sweeping: usize::from(in_background);
    reg epoch: usize::from(in_background);
    local sweeps: usize::from(in_background);
    reg clearing: 1 = 1;
    reg index: if counted_elsewhere { 0 } else { clear_bits };
    local entry: clear_bits;
    reg state: 2;
    /// a discard that came before the flush could begin
    reg discarding: usize::from(switches);
    param counted_elsewhere = counted_elsewhere;
    param restarts = restarts;
    param switches = usize::from(switches);
    param in_background = usize::from(in_background);
    param epoch_bits = 1usize;
    param sweep_bits = 2usize;
    /// the state after reset
    constant state_tracing: 2 = 0;
    constant state_recording: 2 = 1;
    constant state_draining: 2 = 2;
    constant state_flushed: 2 = 3;
}

impl Logic for Sequencer {
    #[hdl_gen]
    fn update(&mut self) {
        // After reset every table entry is written once.
        if self.counted_elsewhere.val() == 1 {
            self.entry.next = self.swept.val();
        } else {
            self.entry.next = self.index.q.val();
            if self.clearing.q.val().any() {
                self.index.d.next = self.index.q.val() + 1;
            }
        }
        if self.in_background.val() == 1 {
            self.sweeps.next = self.sweeping.q.val() & self.is_idle.val();
            if self.sweeps.val().any() {
                self.index.d.next = self.index.q.val() + 1;
                if self.entry.val().all() {
                    self.sweeping.d.next = 0.into();
                }
            }
            self.is_sweeping.next = self.sweeping.q.val() | self.clearing.q.val();
            self.memory_sweep.next = bits_to(self.epoch.q.val(), self.memory_sweep.width())
                | (bits_to(self.sweeps.val(), self.memory_sweep.width()) << self.epoch_bits.val())
                | (bits_to(self.entry.val(), self.memory_sweep.width()) << self.sweep_bits.val());
        }
        self.clear.valid.next = self.clearing.q.val();
        self.clear.index.next = self.entry.val();
        if self.entry.val().all() {
            self.clearing.d.next = 0.into();
        }
        if self.restarts.val() == 1 {
            if self.restart.val().any() {
                if self.in_background.val() == 1 {
                    self.sweeping.d.next = 1.into();
                    self.epoch.d.next = !self.epoch.q.val();
                } else {
                    self.clearing.d.next = 1.into();
                }
                if self.counted_elsewhere.val() == 0 {
                    self.index.d.next = 0.into();
                }
            }
            self.is_on.next = bits_to(self.state.q.val() == self.state_tracing.val(), 1);
        }

        self.tracing.next =
            bits_to(self.state.q.val() == self.state_tracing.val(), 1) & !self.clearing.q.val();
        self.record_flush.next = bits_to(self.state.q.val() == self.state_recording.val(), 1);
        self.flushed.next = bits_to(self.state.q.val() == self.state_flushed.val(), 1);
        if self.state.q.val() == self.state_tracing.val() {
            if self.flush.val().any() && !self.clearing.q.val().any() {
                self.state.d.next = self.state_recording.val();
            }
        } else if self.state.q.val() == self.state_recording.val() {
            if self.ready.val().any() {
                self.state.d.next = self.state_draining.val();
            }
        } else if self.state.q.val() == self.state_draining.val() {
            if self.is_empty.val().any() {
                self.state.d.next = self.state_flushed.val();
            }
        } else if !self.flush.val().any() {
            self.state.d.next = self.state_tracing.val();
        }
        if self.switches.val() == 1 {
            self.discards.next = (self.discard.val() | self.discarding.q.val())
                & (bits_to(self.state.q.val() == self.state_recording.val(), 1)
                    | bits_to(self.state.q.val() == self.state_draining.val(), 1));
            self.discarding.d.next = 0.into();
            if self.state.q.val() == self.state_tracing.val() {
                self.discarding.d.next =
                    (self.discard.val() | self.discarding.q.val()) & self.flush.val();
            }
            if self.discards.val().any() {
                self.state.d.next = self.state_flushed.val();
            }
        }
    }
}
