//! The cycle counters of the cores (diffCC; paper E, section 4).

/// For every core, the cycles since its last record.
///
/// A record has its core's count and resets the counter. A counter that is at its limit in a cycle
/// without a record of its core makes a record itself, the *overflow*, which stands for that many cycles
/// and resets the counter. It needs an entry of the record queue like any other: while the core is
/// stalled the counter stays at its limit, and those cycles are not counted.
#[derive(Clone, Debug)]
pub struct TimeStamps {
    /// The cycle of each core's last record.
    last: Vec<u64>,
    most: u64,
    /// No counter is full before this cycle, so until then none is searched for.
    earliest: u64,
}

impl TimeStamps {
    /// Counters of up to `most` cycles, which begin at cycle 0.
    pub fn new(cores: u32, most: u64) -> Self {
        Self { last: vec![0; cores as usize], most, earliest: most }
    }

    /// The time stamp of a record of this cycle.
    #[inline]
    pub fn record(&mut self, core: usize, clock: u64) -> u64 {
        clock - std::mem::replace(&mut self.last[core], clock)
    }

    /// The core whose counter overflows first, if that is before this cycle, or in it but before
    /// this core; the counter is reset.
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

    /// Ends a core's cycle; true if its counter overflows.
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
