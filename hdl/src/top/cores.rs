//! Each core's way through the module: its decoder, its compressor, and the queue of its records.

use tracewright_elaborate::prelude::*;

/// The module traces while it is on, and is empty when nothing is left on any core's way.
#[piece]
pub(crate) fn traces_until_a_flush() {
    sequencer.flush = flush;
    if when(has_switch) {
        sequencer = Sequencer { flush: flush | !enable, discard };
    }
    all_ready = 1;
    for core in 0..encoders.len() {
        all_ready = all_ready & encoders[core].ready;
    }
    sequencer.is_empty = encoders[0].is_empty & back_end.is_empty;
    if when(has_stage) {
        all_ready = block_stage.ready;
        sequencer.is_empty = block_stage.is_empty & encoders[0].is_empty & back_end.is_empty;
    }
    if when(merges) {
        all_empty = merge[0].is_empty & back_end.is_empty;
        for core in 0..encoders.len() {
            all_empty = all_empty & encoders[core].is_empty;
        }
        sequencer.is_empty = all_empty;
    }
    flushed = sequencer.flushed;
}

/// Blocks go from the pins to the compressors, and records to the back end: those of several cores in the order of time.
#[piece]
pub(crate) fn compresses() {
    for core in 0..encoders.len() {
        if when(takes_always) {
            stall[core] = !(sequencer.tracing & encoders[core].ready);
            retire_decoders[core].take = !stall[core];
        }
        join(retire[core], retire_decoders[core].retire);
        if when(has_stage) {
            join(retire_decoders[core].block, block_stage.retire);
            join(block_stage.later, encoders[core].retire);
            block_stage.later_ready = encoders[core].ready;
        } else {
            join(retire_decoders[core].block, encoders[core].retire);
        }
        join(sequencer.clear, encoders[core].clear);
        encoders[core].flush = sequencer.record_flush & all_ready;
        if when(merges) {
            encoders[core].record.ready = merge[0].in_[core].ready;
            merge[0].in_[core].valid = encoders[core].record.valid;
            merge[0].in_[core].word = fitted(encoders[core].record.word);
        }
        if when(is_timed) {
            time_stamps[core] = TimeStamps {
                tracing: sequencer.tracing,
                ready: encoders[core].ready,
                record: encoders[core].record.valid,
            };
            merge[0].in_[core].valid = encoders[core].record.valid | time_stamps[core].overflow;
            // A time overflow comes without a record, whose flags are all 0 then.
            timed[core] = TimedRecord {
                time_overflow: time_stamps[core].overflow,
                clocks: time_stamps[core].clocks,
                record: encoders[core].record.word,
            };
            merge[0].in_[core].word = timed[core];
        }
    }
    sequencer.ready = all_ready;
    if when(merges) {
        join(merge[0].record, back_end.record);
    } else {
        join(encoders[0].record, back_end.record);
    }
}

/// The trace leaves the module.
#[piece]
pub(crate) fn sends() {
    trace_valid = back_end.trace_valid;
    trace_data = back_end.trace_data;
    back_end.trace_ready = trace_ready;
    buffered_words = back_end.buffered_words;
}
