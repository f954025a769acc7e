//! Values over time in a bounded number of windows.

/// The most windows that are kept; with one more, the windows become twice as long.
const MOST_WINDOWS: usize = 512;

/// Cycles of a window at first.
const FIRST_WINDOW: u64 = 64;

/// What a window keeps of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    Sum,
    Highest,
}

impl Keep {
    fn of(self, one: u64, other: u64) -> u64 {
        match self {
            Keep::Sum => one + other,
            Keep::Highest => one.max(other),
        }
    }
}

/// Values in windows of equal length. The length of a window grows with the trace, so that the memory does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Windows {
    /// Cycles of a window, a power of two.
    pub cycles: u64,
    /// The sum or the highest value of every window from the first cycle on.
    pub values: Vec<u64>,
    keep: Keep,
}

impl Windows {
    /// Windows that keep the sum of their values, such as the bits of the trace.
    pub fn sums() -> Self {
        Self { cycles: FIRST_WINDOW, values: Vec::new(), keep: Keep::Sum }
    }

    /// Windows that keep the highest of their values, such as the level of a buffer.
    pub fn highest_values() -> Self {
        Self { keep: Keep::Highest, ..Self::sums() }
    }

    /// Adds a value in cycle `clock`.
    #[inline]
    pub fn add(&mut self, clock: u64, value: u64) {
        let mut window = (clock / self.cycles) as usize;
        if window >= self.values.len() {
            window = self.make_room(clock);
        }
        self.values[window] = self.keep.of(self.values[window], value);
    }

    /// Makes a window for cycle `clock`, and says which it is.
    #[cold]
    fn make_room(&mut self, clock: u64) -> usize {
        while clock / self.cycles >= MOST_WINDOWS as u64 {
            let keep = self.keep;
            let pairs = self.values.chunks(2);
            self.values = pairs
                .filter_map(|pair| pair.iter().copied().reduce(|a, b| keep.of(a, b)))
                .collect();
            self.cycles *= 2;
        }
        let window = (clock / self.cycles) as usize;
        self.values.resize(self.values.len().max(window + 1), 0);
        window
    }

    /// Sums per cycle of every window. The last window may be shorter than the others and appears lower than it is.
    pub fn per_cycle(&self) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().map(|value| *value as f64 / self.cycles as f64)
    }

    /// The highest value of each of at most so many equal parts.
    pub fn highest_in_parts(&self, parts: usize) -> Vec<u64> {
        let windows = self.values.len().div_ceil(parts.max(1)).max(1);
        self.values.chunks(windows).map(|part| part.iter().copied().max().unwrap_or(0)).collect()
    }

    /// Sums per cycle of so many equal parts of a run of `cycles` cycles.
    pub fn in_parts(&self, parts: usize, cycles: u64) -> Vec<f64> {
        let part_cycles = cycles as f64 / parts as f64;
        let sum_before = |cycle: f64| -> f64 {
            let window = cycle / self.cycles as f64;
            let whole = (window as usize).min(self.values.len());
            let part = self.values.get(whole).map_or(0.0, |value| *value as f64 * window.fract());
            self.values[..whole].iter().sum::<u64>() as f64 + part
        };
        let sum = |part: usize| {
            sum_before((part + 1) as f64 * part_cycles) - sum_before(part as f64 * part_cycles)
        };
        (0..parts).map(|part| sum(part) / part_cycles.max(1.0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_grow_with_the_trace() {
        let mut bits = Windows::sums();
        for clock in 0..1_000_000 {
            bits.add(clock, 3);
        }
        assert_eq!(bits.values.iter().sum::<u64>(), 3_000_000);
        assert_eq!((bits.cycles, bits.values[0]), (2048, 3 * 2048));
        assert!(bits.per_cycle().all(|bits| bits <= 3.0));
        let parts = bits.in_parts(3, 1_000_000);
        assert!(parts.iter().all(|part| (part - 3.0).abs() < 0.01), "{parts:?}");
        bits.add(u64::MAX / 2, 1);
        assert_eq!(bits.values.iter().sum::<u64>(), 3_000_001);
        assert!(bits.values.len() <= MOST_WINDOWS);
    }

    #[test]
    fn highest_values_stay() {
        let mut level = Windows::highest_values();
        for clock in 0..100_000 {
            level.add(clock, clock % 1000);
        }
        assert!(level.values.contains(&999));
        assert!(level.values.iter().all(|level| *level <= 999));
        assert_eq!(level.highest_in_parts(4), [999; 4]);
    }
}
