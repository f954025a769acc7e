//! Which blocks the module takes, in each of its four ways: with packets, where it tells losses itself, where it only is
//! switched, and where it takes every block.

use tracewright_elaborate::prelude::*;

/// The way of the configuration; where every block is taken, it is taken while the core's compressor is ready.
#[piece]
pub(crate) fn takes() {
    if when(has_packets) {
        crate::top::taking::takes_in_packets!();
    } else if when(drops_alone) {
        crate::top::taking::takes_and_tells_losses!();
    } else if when(has_switch) {
        crate::top::taking::takes_while_on!();
    }
}

/// With packets: a block is taken while a packet is open. If the core does not wait, the next header says what is lost.
#[piece]
pub(crate) fn takes_in_packets() {
    accepts = sequencer.tracing & all_ready & synchroniser[0].accepts;
    if when(has_loss_pins) {
        synchroniser[0].shown_count = fitted(retire[0].count);
        if retire_lost[0] {
            accepts = 0;
            synchroniser[0].shown_count = retire_lost_count[0];
        }
    }
    retire_decoders[0].take = accepts;
    waits = 0;
    if when(stalls) {
        waits = !accepts;
        if when(has_switch) {
            // A core does not wait for a trace that is off, or has not gone on since then.
            waits = !accepts & sequencer.is_on & !synchroniser[0].skips;
        } else if when(filters) {
            waits = !accepts & !synchroniser[0].skips;
        }
        stall[0] = waits;
    }
    if when(counts_losses) {
        drops[0] = !accepts & !waits;
        synchroniser[0].is_shown = retire[0].valid & !waits;
        if when(loses_when_off) {
            synchroniser[0].is_off = !sequencer.is_on;
        } else {
            synchroniser[0].is_off = 0;
        }
    }
}

/// Without packets, where the core never waits: a loss is told, and the trace goes on, once what was sent before has left.
#[piece]
pub(crate) fn takes_and_tells_losses() {
    tells_loss = is_losing.q & all_ready & !back_end.buffered_words.any();
    accepts = sequencer.tracing & all_ready & !is_losing.q;
    if when(filters_alone) {
        tells_loss = is_losing.q & all_ready & !back_end.buffered_words.any() & !qualifier.must_end;
        accepts = sequencer.tracing & all_ready & !is_losing.q & qualifier.accepts;
    }
    retire_decoders[0].take = accepts;
    waits = 0;
    drops[0] = !accepts;
    if retire[0].valid & accepts {
        is_told.d = 0;
    }
    if (retire[0].valid & sequencer.is_on) && !(accepts | is_told.q) {
        is_losing.d = 1;
        if when(filters_alone) {
            is_losing.d = is_losing.q | run_filter.passes;
        }
    }
    if tells_loss {
        is_losing.d = 0;
        is_told.d = 1;
    }
    if sequencer.discards {
        is_losing.d = 0;
        is_told.d = 0;
    }
}

/// Without packets, where the core waits: but not for a trace that is off, or for what is not traced.
#[piece]
pub(crate) fn takes_while_on() {
    accepts = sequencer.tracing & all_ready;
    if when(filters_alone) {
        accepts = sequencer.tracing & all_ready & qualifier.accepts;
    }
    retire_decoders[0].take = accepts;
    waits = !accepts & sequencer.is_on;
    if when(filters_alone) {
        waits = !accepts & sequencer.is_on & run_filter.passes;
    }
    stall[0] = waits;
    drops[0] = !accepts & !waits;
}
