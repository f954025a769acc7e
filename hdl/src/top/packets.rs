//! What a module has whose trace is made of packets. Packets are for one core.

use tracewright_elaborate::prelude::*;

/// The synchroniser hears of every block and every word, ends packets, and makes their headers.
#[piece]
pub(crate) fn makes_packets() {
    join(retire_decoders[0].block, synchroniser[0].retire);
    synchroniser[0].state.context = retire_context[0];
    synchroniser[0].state.privilege = retire_privilege[0];
    synchroniser[0].state.cause = retire_cause[0];
    synchroniser[0] = Synchroniser {
        sync_request,
        timestamp,
        trace_ends: sequencer.record_flush,
        ready: all_ready,
    };
    if when(counts_words) {
        synchroniser[0].word_leaves = back_end.word_leaves;
    }
    if when(has_stage) {
        block_stage.flush = synchroniser[0].flush;
        encoders[0].flush = block_stage.later_flush;
    } else {
        encoders[0].flush = synchroniser[0].flush;
    }
    sequencer.ready = synchroniser[0].ends;
    synchronised = synchroniser[0].synchronised;
    join(synchroniser[0].header, back_end.header);
    if when(filters) {
        crate::top::filters::filters!();
        run_filter =
            Filter { ends_run: synchroniser[0].ends_run, begins_at: synchroniser[0].begins_at };
        synchroniser[0] =
            Synchroniser { passes: run_filter.passes, next_passes: run_filter.next_passes };
    }
}

/// Between packets the tables are cleared, and every register takes the value that it has after a reset.
#[piece]
pub(crate) fn restarts_between_packets() {
    drained = encoders[0].is_empty;
    if when(merges) {
        drained = encoders[0].is_empty & merge[0].is_empty;
    } else if when(has_stage) {
        drained = block_stage.is_empty & encoders[0].is_empty;
    }
    if when(has_steps) {
        // Nothing comes into the compressor while the synchroniser waits, so it stays empty.
        has_emptied.d = drained
            & back_end.can_restart
            & !synchroniser[0].flush
            & !retire_decoders[0].block.valid;
        synchroniser[0].is_empty = has_emptied.q;
    } else {
        synchroniser[0].is_empty = drained & back_end.can_restart;
    }
    if when(in_background) {
        if when(has_steps) {
            synchroniser[0].is_empty = has_emptied.q & !sequencer.is_sweeping;
        } else {
            synchroniser[0].is_empty = drained & back_end.can_restart & !sequencer.is_sweeping;
        }
        // Straight runs write no table, and what waits inside is not idle.
        if when(has_stage) {
            sequencer.is_idle = encoders[0].is_empty
                & !(block_stage.later.valid
                    & (block_stage.later.direct
                        | block_stage.later.indirect
                        | block_stage.later.exception));
        } else {
            sequencer.is_idle = encoders[0].is_empty
                & !(retire_decoders[0].block.valid
                    & (retire_decoders[0].block.direct
                        | retire_decoders[0].block.indirect
                        | retire_decoders[0].block.exception));
        }
        encoders[0].memory_sweep = sequencer.memory_sweep;
    } else {
        synchroniser[0].is_clearing = sequencer.clear.valid;
    }
    back_end.restart = synchroniser[0].restart;
    sequencer.restart = synchroniser[0].restart;
    encoders[0].restart_registers = synchroniser[0].restart;
    if when(has_switch) {
        synchroniser[0].discards = sequencer.discards;
        back_end.restart_registers = sequencer.discards;
        encoders[0].restart_registers = synchroniser[0].restart | sequencer.discards;
        if when(merges) {
            merge[0].restart_registers = sequencer.discards;
        } else if when(has_stage) {
            block_stage.restart_registers = sequencer.discards;
        }
    }
    // The compressors of several cores do not read the address of an exception.
    if when(!merges) {
        if (synchroniser[0].hides_address & retire_decoders[0].block.exception)
            && !retire_decoders[0].block.count
        {
            if when(has_stage) {
                block_stage.retire.pc = 0;
            } else {
                encoders[0].retire.pc = 0;
            }
        }
    }
}
