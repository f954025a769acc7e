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
    out is_on: usize::from(restarts || switches);
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
    param says_if_on = usize::from(restarts || switches);
    param in_background = usize::from(in_background);
    param epoch_bits = 1usize;
    param sweep_bits = 2usize;
    /// the state after reset
    constant state_tracing: 2 = 0;
    constant state_recording: 2 = 1;
    constant state_draining: 2 = 2;
    constant state_flushed: 2 = 3;
}

#[kernel]
impl Logic for Sequencer {
    fn update(&mut self) {
        // After reset every table entry is written once.
        if when(counted_elsewhere) {
            entry = swept;
        } else {
            entry = index.q;
            if clearing.q {
                index.d = index.q + 1;
            }
        }
        if when(in_background) {
            sweeps = sweeping.q & is_idle;
            if sweeps {
                index.d = index.q + 1;
                if entry.all() {
                    sweeping.d = 0;
                }
            }
            is_sweeping = sweeping.q | clearing.q;
            memory_sweep =
                resized(epoch.q) | (resized(sweeps) << epoch_bits) | (resized(entry) << sweep_bits);
        }
        clear = Clear { valid: clearing.q, index: entry };
        if entry.all() {
            clearing.d = 0;
        }
        if when(restarts) {
            if restart {
                if when(in_background) {
                    sweeping.d = 1;
                    epoch.d = !epoch.q;
                } else {
                    clearing.d = 1;
                }
                if when(!counted_elsewhere) {
                    index.d = 0;
                }
            }
        }
        if when(says_if_on) {
            is_on = state.q == state_tracing;
        }

        tracing = bit(state.q == state_tracing) & !clearing.q;
        record_flush = state.q == state_recording;
        flushed = state.q == state_flushed;
        if state.q == state_tracing {
            if flush && !clearing.q {
                state.d = state_recording;
            }
        } else if state.q == state_recording {
            if ready {
                state.d = state_draining;
            }
        } else if state.q == state_draining {
            if is_empty {
                state.d = state_flushed;
            }
        } else if !flush {
            state.d = state_tracing;
        }
        if when(switches) {
            discards = (discard | discarding.q)
                & (bit(state.q == state_recording) | bit(state.q == state_draining));
            discarding.d = 0;
            if state.q == state_tracing {
                discarding.d = (discard | discarding.q) & flush;
            }
            if discards {
                state.d = state_flushed;
            }
        }
    }
}
