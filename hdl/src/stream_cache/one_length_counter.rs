//! The adaptive one length counter: the run at hand, its size, and the monitor that adapts it.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::{
    Config, MONITOR_BITS, ONE_LENGTH_SIZE_BITS, OneLengthReset,
};

/// Counts right predictions; a run leaves when it ends, or goes on beyond the longest.
#[derive(LogicBlock)]
pub struct OneLengthCounter {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// A stream was predicted.
    pub hit: Wire<In>,
    /// Another record is made.
    pub ends: Wire<In>,
    /// A run leaves.
    pub sends: Wire<Out>,
    /// Its length less 1.
    pub run: Wire<Out>,
    /// The bits it has in the trace.
    pub run_bits: Wire<Out>,
    running: Reg,
    count: Reg,
    size: Reg,
    longest: Reg,
    monitor: Reg,
    is_full: Wire<Local>,
    went_on: Wire<Local>,
    is_short: Wire<Local>,
    grows: Wire<Local>,
    shrinks: Wire<Local>,
    least_bits: Param,
    most_bits: Param,
    resets: Param,
    middle: Param,
}

impl OneLengthCounter {
    /// The counter of `config`.
    pub fn new(config: &Config) -> Self {
        let (start, least, most) = (
            config.one_length_start_bits as usize,
            config.one_length_least_bits as usize,
            config.one_length_most_bits as usize,
        );
        let (size_bits, monitor_bits) = (ONE_LENGTH_SIZE_BITS as usize, MONITOR_BITS as usize);
        let resets = usize::from(config.one_length_reset == OneLengthReset::Middle);
        Self {
            kind: Kind::new(
                "one_length_counter",
                [
                    ("start_bits", start),
                    ("least_bits", least),
                    ("most_bits", most),
                    ("resets", resets),
                ],
            ),
            domain: Domain::new(),
            hit: Wire::new(1).describe("a stream was predicted"),
            ends: Wire::new(1).describe("another record is made"),
            sends: Wire::new(1),
            run: Wire::new(most).describe("its length less 1"),
            run_bits: Wire::new(size_bits),
            running: Reg::new(1, 0),
            count: Reg::new(most, 0).describe("the run at hand less 1"),
            size: Reg::new(size_bits, start as u64),
            longest: Reg::new(most, (1 << start) - 1).describe("as many ones as the size"),
            monitor: Reg::new(monitor_bits, 8),
            is_full: Wire::new(1),
            went_on: Wire::new(1),
            is_short: Wire::new(1),
            grows: Wire::new(1),
            shrinks: Wire::new(1),
            least_bits: Param::new(Word::new(size_bits, least as u64)),
            most_bits: Param::new(Word::new(size_bits, most as u64)),
            resets: Param::new(resets),
            middle: Param::new(Word::new(monitor_bits, 8)),
        }
    }
}

#[allow(clippy::collapsible_if, reason = "the outer condition is decided at elaboration")]
impl Logic for OneLengthCounter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, running, count, size, longest, monitor);
        self.is_full.next = bits_to(self.count.q.val() == self.longest.q.val(), 1);
        self.went_on.next = self.hit.val() & self.running.q.val() & self.is_full.val();
        // Twice the run is less than the longest: count + 1 < 2^(size - 1).
        self.is_short.next = bits_to(self.count.q.val() < (self.longest.q.val() >> 1), 1);
        self.sends.next = self.went_on.val() | (self.ends.val() & self.running.q.val());
        self.run.next = self.count.q.val();
        self.run_bits.next = self.size.q.val();

        if self.hit.val().any() {
            self.running.d.next = 1.into();
            self.count.d.next = self.count.q.val() + 1;
            if !self.running.q.val().any() || self.is_full.val().any() {
                self.count.d.next = 0.into();
            }
        } else if self.ends.val().any() {
            self.running.d.next = 0.into();
        }

        // At 12 and above, 3 more reach the end; so does 1 less from 1, or from 0 where it stays.
        self.grows.next = 0.into();
        if self.monitor.q.val() > 11 {
            self.grows.next = self.went_on.val();
        }
        self.shrinks.next = 0.into();
        if self.monitor.q.val() < 2 {
            self.shrinks.next = self.ends.val() & self.running.q.val() & self.is_short.val();
        }
        if self.grows.val().any() {
            self.monitor.d.next = 15.into();
            if self.size.q.val() != self.most_bits.val() {
                self.size.d.next = self.size.q.val() + 1;
                self.longest.d.next = (self.longest.q.val() << 1) | 1;
            }
        } else if self.shrinks.val().any() {
            self.monitor.d.next = 0.into();
            if self.size.q.val() != self.least_bits.val() {
                self.size.d.next = self.size.q.val() - 1;
                self.longest.d.next = self.longest.q.val() >> 1;
            }
        } else if self.went_on.val().any() {
            self.monitor.d.next = self.monitor.q.val() + 3;
        } else if self.ends.val().any() && self.running.q.val().any() && self.is_short.val().any() {
            self.monitor.d.next = self.monitor.q.val() - 1;
        }
        if self.resets.val() == 1 {
            if self.grows.val().any() || self.shrinks.val().any() {
                self.monitor.d.next = self.middle.val();
            }
        }
    }
}
