//! The time that headers of packets say.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Protocol, TimeSource};

block! {
    /// Keeps the time at which the last block retired.
    ///
    /// The time is a counter of cycles or the pin `timestamp`. A Gray code goes through two registers, as it may be of another clock
    /// domain, and is sent as it is.
    pub TimeKeeper("time_keeper") of (protocol: &Protocol) {
        let bits = protocol.time_bits as usize;
        let counts_cycles = protocol.time_source == TimeSource::Counter;
        let is_gray = protocol.time_source == TimeSource::Gray;
        let gray_bits = if is_gray { bits } else { 0 };
    }
    parameters {
        time_bits = bits,
        counts_cycles if counts_cycles,
        is_gray if is_gray,
    }

    in timestamp: protocol.timestamp_bits();
    /// a block retires, taken or not
    in retires: 1;
    /// when the last block before the one at the pins retired
    out last: bits;
    /// the same with the block at the pins
    out next_last: bits;
    reg cycle: if counts_cycles { bits } else { 0 };
    reg first_sample: gray_bits;
    reg second_sample: gray_bits;
    reg last_time: bits;
    local now: bits;
    param counts_cycles = usize::from(counts_cycles);
    param is_gray = usize::from(is_gray);
}

impl Logic for TimeKeeper {
    #[hdl_gen]
    fn update(&mut self) {
        if self.counts_cycles.val() == 1 {
            self.now.next = self.cycle.q.val();
            self.cycle.d.next = self.cycle.q.val() + 1;
        } else if self.is_gray.val() == 1 {
            self.now.next = self.second_sample.q.val();
            self.second_sample.d.next = self.first_sample.q.val();
            self.first_sample.d.next = self.timestamp.val();
        } else {
            self.now.next = self.timestamp.val();
        }
        self.next_last.next = self.last_time.q.val();
        if self.retires.val().any() {
            self.next_last.next = self.now.val();
        }
        self.last_time.d.next = self.next_last.val();
        self.last.next = self.last_time.q.val();
    }
}
