//! The clock counter of one core.

use tracewright_elaborate::prelude::*;
use tracewright_sim::multicore::sharing::Sharing;

block! {
    /// Clocks since the core's last record; a full counter makes a record itself.
    pub TimeStamps("time_stamps") of (sharing: &Sharing) {
        let bits = sharing.time_stamp_bits as usize;
    }
    parameters {
        time_stamp_bits = bits,
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
    local is_full: 1;
}

impl Logic for TimeStamps {
    #[hdl_gen]
    fn update(&mut self) {
        self.clocks.next = self.count.q.val();
        self.is_full.next = bits_to(self.count.q.val().all(), 1);
        self.overflow.next =
            self.tracing.val() & self.ready.val() & self.is_full.val() & !self.record.val();
        if self.record.val().any() || self.overflow.val().any() {
            // This clock counts for the next record, unless it is a flush's.
            self.count.d.next = 0.into();
            if self.tracing.val().any() {
                self.count.d.next = 1.into();
            }
        } else if self.tracing.val().any() && !self.is_full.val().any() {
            self.count.d.next = self.count.q.val() + 1;
        }
    }
}
