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

impl Logic for TimeStamps {
    #[hdl_gen]
    fn update(&mut self) {
        self.was_tracing.next = self.tracing.val();
        self.was_ready.next = self.ready.val();
        if self.is_delayed.val() == 1 {
            self.past_tracing.d.next = (self.past_tracing.q.val() << 1)
                | bits_to(self.tracing.val(), self.past_tracing.width());
            self.past_ready.d.next =
                (self.past_ready.q.val() << 1) | bits_to(self.ready.val(), self.past_ready.width());
            self.was_tracing.next = bits_to(self.past_tracing.q.val().get_bit(self.last.val()), 1);
            self.was_ready.next = bits_to(self.past_ready.q.val().get_bit(self.last.val()), 1);
        }
        self.clocks.next = self.count.q.val();
        self.is_full.next = bits_to(self.count.q.val().all(), 1);
        self.overflow.next =
            self.was_tracing.val() & self.was_ready.val() & self.is_full.val() & !self.record.val();
        if self.record.val().any() || self.overflow.val().any() {
            // This clock counts for the next record, unless it is a flush's.
            self.count.d.next = 0.into();
            if self.was_tracing.val().any() {
                self.count.d.next = 1.into();
            }
        } else if self.was_tracing.val().any() && !self.is_full.val().any() {
            self.count.d.next = self.count.q.val() + 1;
        }
    }
}
