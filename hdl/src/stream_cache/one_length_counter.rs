//! The adaptive one length counter: the run at hand, its size, and the monitor that adapts it.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::{Config, MONITOR_BITS, OneLengthReset};

block! {
    /// Counts right predictions; a run leaves when it ends, or goes on beyond the longest.
    pub OneLengthCounter("one_length_counter") of (config: &Config) {
        let (start, least, most) = (
            config.one_length_start_bits as usize,
            config.one_length_least_bits as usize,
            config.one_length_most_bits as usize,
        );
        let (size_bits, monitor_bits) =
            (config.one_length_size_bits() as usize, MONITOR_BITS as usize);
        let resets = usize::from(config.one_length_reset == OneLengthReset::Middle);
    }
    parameters {
        start_bits = start,
        least_bits = least,
        most_bits = most,
        resets,
    }

    /// a stream was predicted
    in hit: 1;
    /// another record is made
    in ends: 1;
    /// a run is sent
    out sends: 1;
    /// its length less 1
    out run: most;
    /// bits of the run in the trace, with its header bit
    out run_bits: size_bits;
    reg running: 1;
    /// the run at hand less 1
    reg count: most;
    /// of the longest run and a header bit
    reg size: size_bits = start as u64 + 1;
    reg monitor: monitor_bits = 8;
    /// the longest run less 1: as many ones as the size
    local ones: most;
    /// one less
    local ones_below: most;
    local begins: 1;
    local is_full: 1;
    local went_on: 1;
    local is_short: 1;
    local grows: 1;
    local shrinks: 1;
    local steps_down: 1;
    local size_step: size_bits;
    local monitor_step: monitor_bits;
    param least_size = Word::new(size_bits, least as u64 + 1);
    param most_size = Word::new(size_bits, most as u64 + 1);
    param resets = resets;
    param middle = Word::new(monitor_bits, 8);
    param size_less_1 = !Word::new(size_bits, 0);
    param monitor_less_1 = !Word::new(monitor_bits, 0);
}

#[allow(clippy::collapsible_if, reason = "the outer condition is decided at elaboration")]
impl Logic for OneLengthCounter {
    #[hdl_gen]
    fn update(&mut self) {
        self.ones.next = 0.into();
        for bit in 0..self.run.width() {
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
        self.count.d.next = self.count.q.val() + bits_to(self.hit.val(), self.run.width());
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
