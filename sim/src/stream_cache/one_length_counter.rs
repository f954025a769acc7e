//! The adaptive one length counter (AOLC; paper A, section III.B): how many bits a run takes.

use super::config::{Config, MONITOR_BITS, OneLengthReset};

/// What the monitor gains by a run that is longer than the counter counts.
const TOO_LONG: u32 = 3;

/// Where the monitor starts.
const MIDDLE: u32 = 8;

/// The size of the counter of right predictions, and the monitor that adapts it.
///
/// The paper gives the steps and the monitor's four bits. Where the size starts, its bounds and what
/// becomes of the monitor after a change are parameters here.
#[derive(Clone, Debug)]
pub struct OneLengthCounter {
    bits: u32,
    least_bits: u32,
    most_bits: u32,
    monitor: u32,
    reset: OneLengthReset,
}

impl OneLengthCounter {
    /// The counter as reset leaves it.
    pub fn new(config: &Config) -> Self {
        Self {
            bits: config.one_length_start_bits,
            least_bits: config.one_length_least_bits,
            most_bits: config.one_length_most_bits,
            monitor: MIDDLE,
            reset: config.one_length_reset,
        }
    }

    /// Bits of a run's number.
    #[inline]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The longest run that is sent as one number.
    #[inline]
    pub fn longest(&self) -> u64 {
        1 << self.bits
    }

    /// A run was the longest, and goes on.
    pub fn went_on(&mut self) {
        self.monitor = (self.monitor + TOO_LONG).min(MONITOR_MOST);
        if self.monitor == MONITOR_MOST {
            self.resize((self.bits + 1).min(self.most_bits));
        }
    }

    /// A run ended.
    pub fn ended(&mut self, run: u64) {
        if 2 * run < self.longest() {
            self.monitor = self.monitor.saturating_sub(1);
            if self.monitor == 0 {
                self.resize(self.bits.saturating_sub(1).max(self.least_bits));
            }
        }
    }

    /// Changes the size, or finds it at its bound, which resets the monitor all the same.
    fn resize(&mut self, bits: u32) {
        self.bits = bits;
        if self.reset == OneLengthReset::Middle {
            self.monitor = MIDDLE;
        }
    }
}

/// The monitor's highest value.
const MONITOR_MOST: u32 = (1 << MONITOR_BITS) - 1;

#[cfg(test)]
mod tests {
    use super::*;

    fn counter(start: u32, least: u32, most: u32, reset: OneLengthReset) -> OneLengthCounter {
        OneLengthCounter::new(&Config {
            one_length_start_bits: start,
            one_length_least_bits: least,
            one_length_most_bits: most,
            one_length_reset: reset,
            ..Config::default()
        })
    }

    /// 8, 11, 14, 15: three long runs a bit.
    #[test]
    fn it_grows_to_the_upper_bound() {
        let mut counter = counter(4, 0, 6, OneLengthReset::Middle);
        let sizes: Vec<u32> = (0..9)
            .map(|_| {
                counter.went_on();
                counter.bits()
            })
            .collect();
        assert_eq!(sizes, [4, 4, 5, 5, 5, 6, 6, 6, 6]);
    }

    /// Eight short runs a bit; half the counter's range is not short.
    #[test]
    fn it_shrinks_to_the_lower_bound() {
        let mut counter = counter(4, 2, 6, OneLengthReset::Middle);
        (0..100).for_each(|_| counter.ended(8));
        assert_eq!(counter.bits(), 4);
        (0..7).for_each(|_| counter.ended(7));
        assert_eq!(counter.bits(), 4);
        counter.ended(7);
        assert_eq!(counter.bits(), 3);
        (0..100).for_each(|_| counter.ended(1));
        assert_eq!(counter.bits(), 2);
    }

    #[test]
    fn a_monitor_that_stays_changes_the_size_at_every_further_step() {
        let mut counter = counter(4, 0, 20, OneLengthReset::Keep);
        (0..6).for_each(|_| counter.went_on());
        assert_eq!(counter.bits(), 8);
        (0..14).for_each(|_| counter.ended(1));
        assert_eq!(counter.bits(), 8);
        (0..3).for_each(|_| counter.ended(1));
        assert_eq!(counter.bits(), 5);
    }
}
