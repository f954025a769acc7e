//! The clock counters of the cores (diffCC; paper E, section 4).

/// For every core, the clocks since its last record.
///
/// A record says its core's count and starts it again. A counter that has reached the most it can say
/// in a clock that brings no record of its core makes one itself, the *overflow*, which stands for so
/// many clocks and starts the counter again. It needs a place in the record queue like any other: while
/// the core is stalled the counter stays full, and the clocks that it does not count are lost.
#[derive(Clone, Debug)]
pub struct TimeStamps {
    /// The clock of each core's last record.
    last: Vec<u64>,
    most: u64,
    /// No counter is full before this clock; so it need not be looked for.
    earliest: u64,
}

impl TimeStamps {
    /// Counters of up to `most` clocks, which begin at clock 0.
    pub fn new(cores: u32, most: u64) -> Self {
        Self { last: vec![0; cores as usize], most, earliest: most }
    }

    /// What a record of this clock says.
    #[inline]
    pub fn record(&mut self, core: usize, clock: u64) -> u64 {
        clock - std::mem::replace(&mut self.last[core], clock)
    }

    /// The core whose counter overflows first, if that is before this clock, or in it but before
    /// this core; its counter starts again.
    #[inline]
    pub fn overflow_before(&mut self, clock: u64, core: usize) -> Option<usize> {
        if clock < self.earliest {
            return None;
        }
        let (full, first) =
            self.last.iter().enumerate().map(|(at, last)| (last + self.most, at)).min()?;
        self.earliest = full;
        if (full, first) >= (clock, core) {
            return None;
        }
        self.last[first] = full;
        Some(first)
    }

    /// A core's clock is over; true if its counter overflows.
    #[inline]
    pub fn end_of_clock(&mut self, core: usize, clock: u64, stalled: bool) -> bool {
        let last = &mut self.last[core];
        let full = clock - *last == self.most;
        if full {
            *last = if stalled { *last + 1 } else { clock };
        }
        full && !stalled
    }
}

#[cfg(test)]
mod tests {
    use super::TimeStamps;

    #[test]
    fn full_counters_overflow_in_the_order_of_clocks_and_cores() {
        let mut stamps = TimeStamps::new(2, 15);
        assert_eq!(stamps.record(1, 3), 3);
        assert_eq!(stamps.overflow_before(15, 0), None);
        assert_eq!(stamps.overflow_before(15, 1), Some(0));
        assert_eq!(stamps.overflow_before(40, 1), Some(1));
        assert_eq!(stamps.overflow_before(40, 1), Some(0));
        assert_eq!(stamps.overflow_before(40, 1), Some(1));
        assert_eq!(stamps.overflow_before(40, 1), None);
        assert_eq!((stamps.record(0, 45), stamps.record(1, 40)), (15, 7));
    }

    #[test]
    fn a_stalled_counter_stays_full() {
        let mut stamps = TimeStamps::new(1, 15);
        assert!(!stamps.end_of_clock(0, 14, false));
        assert!(!stamps.end_of_clock(0, 15, true));
        assert!(!stamps.end_of_clock(0, 16, true));
        assert!(stamps.end_of_clock(0, 17, false));
        assert_eq!(stamps.record(0, 20), 3);
    }
}
