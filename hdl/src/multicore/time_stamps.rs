//! The clock counter of one core.

use tracewright_elaborate::prelude::*;
use tracewright_sim::multicore::sharing::Sharing;

block! {
    /// Clocks since the core's last record; a full counter makes a record itself.
    ///
    /// Where records come `delay` cycles after their blocks, time is that of the blocks: whether the counter counts, and
    /// whether a record could be taken, is kept for as long.
    pub TimeStamps("time_stamps") of (sharing: &Sharing, delay: usize) {
        let bits = sharing.time_stamp_bits as usize;
    }
    parameters {
        time_stamp_bits = bits,
        delay if delay > 0,
    }

    /// the clock counter counts
    in tracing: 1;
    /// a record can be taken
    in ready: 1;
    /// the core makes a record
    in record: 1;
    /// cycles since the last record
    out clocks: bits;
    /// the counter is full and makes a record
    out overflow: 1;
    reg count: bits;
    /// the cycles of blocks that are on their way, the last one in bit 0
    reg past_tracing: delay;
    reg past_ready: delay;
    /// that of the cycle whose record may come
    local was_tracing: 1;
    local was_ready: 1;
    local is_full: 1;
    param is_delayed = delay > 0;
    param last = delay.saturating_sub(1);
}

#[kernel]
impl Logic for TimeStamps {
    fn update(&mut self) {
        was_tracing = tracing;
        was_ready = ready;
        if when(is_delayed) {
            past_tracing.d = (past_tracing.q << 1) | resized(tracing);
            past_ready.d = (past_ready.q << 1) | resized(ready);
            was_tracing = past_tracing.q.get_bit(last);
            was_ready = past_ready.q.get_bit(last);
        }
        clocks = count.q;
        is_full = count.q.all();
        overflow = was_tracing & was_ready & is_full & !record;
        if record || overflow {
            // This clock counts for the next record, unless it is a flush's.
            count.d = 0;
            if was_tracing {
                count.d = 1;
            }
        } else if was_tracing && !is_full {
            count.d = count.q + 1;
        }
    }
}
