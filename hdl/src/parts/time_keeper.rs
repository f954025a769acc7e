//! The time that headers of packets, or payloads without packets, say.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Protocol, TimeSource, index_bits};

block! {
    /// Keeps the time at which the last block retired.
    ///
    /// The time is a counter of cycles or the pin `timestamp`. A Gray code goes through two registers, as it may be of another clock
    /// domain. Packets have it as it is; payloads without packets have the number, as decoders of a standard know no code.
    pub TimeKeeper("time_keeper") of (protocol: &Protocol) {
        let bits = protocol.time_bits as usize;
        let counts_cycles = protocol.time_source == TimeSource::Counter;
        let is_gray = protocol.time_source == TimeSource::Gray;
        let gray_bits = if is_gray { bits } else { 0 };
        let decodes = is_gray && protocol.told_time_bits() > 0;
    }
    parameters {
        time_bits = bits,
        counts_cycles if counts_cycles,
        is_gray if is_gray,
        decodes if decodes,
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
    param decodes = usize::from(decodes);
    param step = 1usize << power for power in 0..index_bits(protocol.time_bits);
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
            if when(decodes) {
                // Each bit of the number is the parity of the bits of the code from there up.
                for power in 0..step.len() {
                    now = now ^ (now >> step[power]);
                }
            }
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
