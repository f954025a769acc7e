//! The adaptive one length counter: the run at hand, its size, and the monitor that adapts it.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::{Config, MONITOR_BITS, OneLengthReset};

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
    /// The bits it has in the trace, a header bit among them.
    pub run_bits: Wire<Out>,
    running: Reg,
    count: Reg,
    size: Reg,
    monitor: Reg,
    ones: Wire<Local>,
    ones_below: Wire<Local>,
    begins: Wire<Local>,
    is_full: Wire<Local>,
    went_on: Wire<Local>,
    is_short: Wire<Local>,
    grows: Wire<Local>,
    shrinks: Wire<Local>,
    steps_down: Wire<Local>,
    size_step: Wire<Local>,
    monitor_step: Wire<Local>,
    least_size: Param,
    most_size: Param,
    resets: Param,
    middle: Param,
    size_less_1: Param,
    monitor_less_1: Param,
    _most_bits: usize,
}

impl OneLengthCounter {
    /// The counter of `config`.
    pub fn new(config: &Config) -> Self {
        let (start, least, most) = (
            config.one_length_start_bits as usize,
            config.one_length_least_bits as usize,
            config.one_length_most_bits as usize,
        );
        let (size_bits, monitor_bits) =
            (config.one_length_size_bits() as usize, MONITOR_BITS as usize);
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
            size: Reg::new(size_bits, start as u64 + 1)
                .describe("of the longest run and a header bit"),
            monitor: Reg::new(monitor_bits, 8),
            ones: Wire::new(most).describe("the longest run less 1: as many ones as the size"),
            ones_below: Wire::new(most).describe("one less"),
            begins: Wire::new(1),
            is_full: Wire::new(1),
            went_on: Wire::new(1),
            is_short: Wire::new(1),
            grows: Wire::new(1),
            shrinks: Wire::new(1),
            steps_down: Wire::new(1),
            size_step: Wire::new(size_bits),
            monitor_step: Wire::new(monitor_bits),
            least_size: Param::new(Word::new(size_bits, least as u64 + 1)),
            most_size: Param::new(Word::new(size_bits, most as u64 + 1)),
            resets: Param::new(resets),
            middle: Param::new(Word::new(monitor_bits, 8)),
            size_less_1: Param::new(!Word::new(size_bits, 0)),
            monitor_less_1: Param::new(!Word::new(monitor_bits, 0)),
            _most_bits: most,
        }
    }
}

#[allow(clippy::collapsible_if, reason = "the outer condition is decided at elaboration")]
impl Logic for OneLengthCounter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, running, count, size, monitor);
        self.ones.next = 0.into();
        for bit in 0..self._most_bits {
            if self.size.q.val() > bit + 1 {
                self.ones.next = self.ones.val().replace_bit(bit, true);
            }
        }
        self.ones_below.next = self.ones.val() >> 1;
        // No run is longer than the longest, so it has reached that where all of its bits are ones.
        self.is_full.next = bits_to((self.count.q.val() | !self.ones.val()).all(), 1);
        self.went_on.next = self.hit.val() & self.running.q.val() & self.is_full.val();
        // Twice the run is less than the longest: count + 1 < 2^(size - 1).
        self.is_short.next = !bits_to((self.count.q.val() | !self.ones_below.val()).all(), 1)
            & !bits_to((self.count.q.val() & self.ones.val() & !self.ones_below.val()).any(), 1);
        self.sends.next = self.went_on.val() | (self.ends.val() & self.running.q.val());
        self.run.next = self.count.q.val();
        self.run_bits.next = self.size.q.val();

        self.begins.next = self.hit.val() & (!self.running.q.val() | self.is_full.val());
        self.running.d.next = self.hit.val() | (self.running.q.val() & !self.ends.val());
        self.count.d.next = self.count.q.val() + bits_to(self.hit.val(), self._most_bits);
        if self.begins.val().any() {
            self.count.d.next = 0.into();
        }

        // At 12 and above, 3 more reach the end; so does 1 less from 1, or from 0 where it stays.
        self.grows.next = 0.into();
        if self.monitor.q.val() > 11 {
            self.grows.next = self.went_on.val();
        }
        self.steps_down.next = self.ends.val() & self.running.q.val() & self.is_short.val();
        self.shrinks.next = 0.into();
        if self.monitor.q.val() < 2 {
            self.shrinks.next = self.steps_down.val();
        }
        // One sum each.
        self.size_step.next = 0.into();
        if self.grows.val().any() && self.size.q.val() != self.most_size.val() {
            self.size_step.next = 1.into();
        }
        if self.shrinks.val().any() && self.size.q.val() != self.least_size.val() {
            self.size_step.next = self.size_less_1.val();
        }
        self.size.d.next = self.size.q.val() + self.size_step.val();
        self.monitor_step.next = 0.into();
        if self.went_on.val().any() {
            self.monitor_step.next = 3.into();
        }
        if self.steps_down.val().any() {
            self.monitor_step.next = self.monitor_less_1.val();
        }
        self.monitor.d.next = self.monitor.q.val() + self.monitor_step.val();
        if self.resets.val() == 1 {
            if self.grows.val().any() || self.shrinks.val().any() {
                self.monitor.d.next = self.middle.val();
            }
        } else {
            if self.grows.val().any() {
                self.monitor.d.next = 15.into();
            } else if self.shrinks.val().any() {
                self.monitor.d.next = 0.into();
            }
        }
    }
}
