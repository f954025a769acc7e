//! The adaptive counter of right predictions.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::{
    Config, MONITOR_BITS, ONE_LENGTH_SIZE_BITS, OneLengthReset,
};

/// Counts a run, and adapts how many bits its number takes.
#[derive(LogicBlock)]
pub struct OneLengthCounter {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// A stream was predicted.
    pub hit: Wire<In>,
    /// A run ends, if there is one.
    pub ends: Wire<In>,
    /// A run is to be sent: it ends, or it was the longest and goes on.
    pub sends: Wire<Out>,
    /// The run, less 1.
    pub run: Wire<Out>,
    /// Bits of its number.
    pub run_bits: Wire<Out>,
    has_run: Reg,
    run_less: Reg,
    size: Reg,
    monitor: Reg,
    longest_less: Wire<Local>,
    is_longest: Wire<Local>,
    is_short: Wire<Local>,
    went_on: Wire<Local>,
    ended: Wire<Local>,
    grows: Wire<Local>,
    shrinks: Wire<Local>,
    least: Param,
    most: Param,
    middle: Param,
    resets: Param,
    _range_bits: usize,
    _run_width: usize,
}

impl OneLengthCounter {
    /// The counter of `config`, which has one.
    pub fn new(config: &Config) -> Self {
        let (size_bits, monitor_bits) = (ONE_LENGTH_SIZE_BITS as usize, MONITOR_BITS as usize);
        let most = config.one_length_most_bits as usize;
        Self {
            kind: Kind::plain("one_length_counter"),
            domain: Domain::new(),
            hit: Wire::new(1),
            ends: Wire::new(1),
            sends: Wire::new(1),
            run: Wire::new(most).describe("less 1"),
            run_bits: Wire::new(size_bits),
            has_run: Reg::new(1, 0),
            run_less: Reg::new(most, 0),
            size: Reg::new(size_bits, u64::from(config.one_length_start_bits)),
            monitor: Reg::new(monitor_bits, 1 << (monitor_bits - 1)),
            longest_less: Wire::new(most),
            is_longest: Wire::new(1),
            is_short: Wire::new(1),
            went_on: Wire::new(1),
            ended: Wire::new(1),
            grows: Wire::new(1),
            shrinks: Wire::new(1),
            least: Param::new(config.one_length_least_bits as usize),
            most: Param::new(most),
            middle: Param::new(1usize << (monitor_bits - 1)),
            resets: Param::new(config.one_length_reset == OneLengthReset::Middle),
            _range_bits: most + 2,
            _run_width: most,
        }
    }
}

impl Logic for OneLengthCounter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, has_run, run_less, size, monitor);
        self.run.next = self.run_less.q.val();
        self.run_bits.next = self.size.q.val();
        self.longest_less.next =
            bits_to((bits_to(1, self._range_bits) << self.size.q.val()) - 1, self._run_width);
        self.is_longest.next = bits_to(self.run_less.q.val() == self.longest_less.val(), 1);
        // Twice the run is less than the longest.
        self.is_short.next = 0.into();
        if ((bits_to(self.run_less.q.val(), self._range_bits) + 1) << 1)
            < (bits_to(1, self._range_bits) << self.size.q.val())
        {
            self.is_short.next = 1.into();
        }
        self.went_on.next = self.hit.val() & self.has_run.q.val() & self.is_longest.val();
        self.ended.next = self.ends.val() & self.has_run.q.val();
        self.sends.next = self.went_on.val() | self.ended.val();

        if self.hit.val().any() {
            self.has_run.d.next = 1.into();
            self.run_less.d.next = self.run_less.q.val() + 1;
            if self.went_on.val().any() || !self.has_run.q.val().any() {
                self.run_less.d.next = 0.into();
            }
        } else if self.ends.val().any() {
            self.has_run.d.next = 0.into();
        }

        self.grows.next = 0.into();
        self.shrinks.next = 0.into();
        if self.went_on.val().any() {
            self.monitor.d.next = self.monitor.q.val() + 3;
            if self.monitor.q.val() >= 12 {
                self.monitor.d.next = 15.into();
                self.grows.next = 1.into();
            }
        } else if self.ended.val().any() && self.is_short.val().any() {
            self.monitor.d.next = self.monitor.q.val() - 1;
            if self.monitor.q.val() < 2 {
                self.monitor.d.next = 0.into();
                self.shrinks.next = 1.into();
            }
        }
        if self.grows.val().any() && self.size.q.val() != self.most.val() {
            self.size.d.next = self.size.q.val() + 1;
        }
        if self.shrinks.val().any() && self.size.q.val() != self.least.val() {
            self.size.d.next = self.size.q.val() - 1;
        }
        if self.resets.val() == 1 {
            if self.grows.val().any() || self.shrinks.val().any() {
                self.monitor.d.next = self.middle.val();
            }
        }
    }
}
