//! Trace bits over time (paper E, Figure 14).

use serde::Serialize;

/// The most windows that are kept; with one more, the windows become twice as long.
const MOST_WINDOWS: usize = 512;

/// Cycles of a window at first.
const FIRST_WINDOW: u64 = 64;

/// Bits in windows of equal length. The length of a window grows with the trace, so that the memory does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bandwidth {
    /// Cycles of a window.
    pub window_cycles: u64,
    /// Bits of every window from the first cycle on.
    pub bits: Vec<u64>,
}

impl Default for Bandwidth {
    fn default() -> Self {
        Self { window_cycles: FIRST_WINDOW, bits: Vec::new() }
    }
}

impl Bandwidth {
    /// Adds the bits of a record that is made in cycle `clock`.
    #[inline]
    pub fn add(&mut self, clock: u64, bits: u64) {
        let mut window = (clock / self.window_cycles) as usize;
        while window >= MOST_WINDOWS {
            let halves = self.bits.chunks(2).map(|pair| pair.iter().sum());
            self.bits = halves.collect();
            self.window_cycles *= 2;
            window = (clock / self.window_cycles) as usize;
        }
        if window >= self.bits.len() {
            self.bits.resize(window + 1, 0);
        }
        self.bits[window] += bits;
    }

    /// Bits per cycle of every window. The last one may be shorter than the others and appears lower than it is.
    pub fn bits_per_cycle(&self) -> impl Iterator<Item = f64> + '_ {
        self.bits.iter().map(|bits| *bits as f64 / self.window_cycles as f64)
    }

    /// Bits per cycle of so many equal parts of a run of `cycles` cycles.
    pub fn in_parts(&self, parts: usize, cycles: u64) -> Vec<f64> {
        let part_cycles = cycles as f64 / parts as f64;
        let bits_before = |cycle: f64| -> f64 {
            let window = cycle / self.window_cycles as f64;
            let whole = (window as usize).min(self.bits.len());
            let part = self.bits.get(whole).map_or(0.0, |bits| *bits as f64 * window.fract());
            self.bits[..whole].iter().sum::<u64>() as f64 + part
        };
        let bits = |part: usize| {
            bits_before((part + 1) as f64 * part_cycles) - bits_before(part as f64 * part_cycles)
        };
        (0..parts).map(|part| bits(part) / part_cycles.max(1.0)).collect()
    }

    /// Bits per cycle of the window with the most bits.
    pub fn highest(&self) -> f64 {
        self.bits_per_cycle().fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_grow_with_the_trace() {
        let mut bandwidth = Bandwidth::default();
        for clock in 0..1_000_000 {
            bandwidth.add(clock, 3);
        }
        assert_eq!(bandwidth.bits.iter().sum::<u64>(), 3_000_000);
        assert_eq!(bandwidth.window_cycles, 2048);
        assert_eq!(bandwidth.bits[0], 3 * 2048);
        assert!((bandwidth.highest() - 3.0).abs() < 1e-9);
        let parts = bandwidth.in_parts(3, 1_000_000);
        assert!(parts.iter().all(|part| (part - 3.0).abs() < 0.01), "{parts:?}");
        bandwidth.add(u64::MAX / 2, 1);
        assert_eq!(bandwidth.bits.iter().sum::<u64>(), 3_000_001);
        assert!(bandwidth.bits.len() <= MOST_WINDOWS);
    }
}
