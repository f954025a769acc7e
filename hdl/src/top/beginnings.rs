//! What a module has whose payloads say, without packets, where the trace begins and what is missing.

use tracewright_elaborate::prelude::*;

/// The record that tells a loss is made as that of a flush is, which waits for it.
#[piece]
pub(crate) fn tells_losses() {
    encoders[0].flush = tells_loss | (sequencer.record_flush & all_ready & !is_losing.q);
    sequencer.ready = all_ready & !is_losing.q;
}

/// The qualifier ends a part of the trace before a run that does not pass the filter.
#[piece]
pub(crate) fn traces_in_parts() {
    if qualifier.must_end {
        encoders[0].flush = qualifier.ends;
        sequencer.ready = 0;
    }
    crate::top::filters::filters!();
    run_filter = Filter { ends_run: qualifier.ends_run, begins_at: qualifier.begins_at };
    join(retire_decoders[0].block, qualifier.retire);
    qualifier = Qualifier {
        retires: retire[0].valid & !waits,
        is_on: sequencer.is_on,
        passes: run_filter.passes,
        next_passes: run_filter.next_passes,
        ready: all_ready,
        discards: sequencer.discards,
    };
}

/// A beginning says the state of the execution: why an exception was taken, and what the last block that may change the
/// flow, taken or lost, said of context and privilege level. The end of a trace, or of a part of it, says what the last block
/// that it has said: others may retire before the end can be sent.
#[piece]
pub(crate) fn tells_state() {
    encoders[0].cause = retire_cause[0];
    if when(drops_alone) {
        encoders[0].loses = tells_loss;
    }
    if when(tells_state) {
        if when(has_context) {
            next_state =
                resized(retire_privilege[0]) | (resized(retire_context[0]) << privilege_bits);
        } else {
            next_state = resized(retire_privilege[0]);
        }
        encoders[0].state = state.q;
        if when(ends_tell_state) {
            ends = sequencer.record_flush;
            if when(drops_alone) {
                ends = sequencer.record_flush & !is_losing.q;
            }
            if when(filters_alone) {
                ends = ends | qualifier.must_end;
            }
            if ends {
                encoders[0].state = taken_state.q;
            }
            if retire_decoders[0].block.valid {
                taken_state.d = state.q;
                if retire[0].kind.any() {
                    taken_state.d = next_state;
                }
            }
        }
        encoders[0].next_state = next_state;
        if retire[0].valid & !waits & retire[0].kind.any() {
            state.d = next_state;
        }
    }
}
