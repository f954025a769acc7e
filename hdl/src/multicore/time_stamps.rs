//! The clock counter of one core.

use tracewright_elaborate::prelude::*;
use tracewright_sim::multicore::sharing::Sharing;

/// Clocks since the core's last record; a full counter makes a record itself.
#[derive(LogicBlock)]
pub struct TimeStamps {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The clock counts.
    pub tracing: Wire<In>,
    /// There is room for a record.
    pub ready: Wire<In>,
    /// The core makes a record.
    pub record: Wire<In>,
    /// What that says.
    pub clocks: Wire<Out>,
    /// The counter is full and makes a record.
    pub overflow: Wire<Out>,
    count: Reg,
    is_full: Wire<Local>,
}

impl TimeStamps {
    /// The counter that `sharing` says.
    pub fn new(sharing: &Sharing) -> Self {
        let bits = sharing.time_stamp_bits as usize;
        Self {
            kind: Kind::new("time_stamps", [("time_stamp_bits", bits)]),
            domain: Domain::new(),
            tracing: Wire::new(1),
            ready: Wire::new(1),
            record: Wire::new(1),
            clocks: Wire::new(bits),
            overflow: Wire::new(1),
            count: Reg::new(bits, 0),
            is_full: Wire::new(1),
        }
    }
}

impl Logic for TimeStamps {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, count);
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
