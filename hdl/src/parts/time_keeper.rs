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

#[kernel]
impl Logic for TimeKeeper {
    fn update(&mut self) {
        if when(counts_cycles) {
            now = cycle.q;
            cycle.d = cycle.q + 1;
        } else if when(is_gray) {
            now = second_sample.q;
            second_sample.d = first_sample.q;
            first_sample.d = timestamp;
        } else {
            now = timestamp;
        }
        next_last = last_time.q;
        if retires {
            next_last = now;
        }
        last_time.d = next_last;
        last = last_time.q;
    }
}
