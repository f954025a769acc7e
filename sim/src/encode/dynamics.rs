//! How a trace comes in time: bandwidth, bursts, lengths of records, and the level of the buffer (paper E, section 6.3).

use super::windows::Windows;

/// Lengths of the windows in which bursts are looked for, in cycles.
pub const BURST_CYCLES: [u64; 6] = [64, 512, 4096, 32_768, 262_144, 2_097_152];

/// Records of at least so many bits are counted together.
pub const LONGEST_RECORD: usize = 256;

/// What a trace port is sized by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dynamics {
    /// Bits over time.
    pub bits: Windows,
    /// The highest level of the output buffer over time, in bits.
    pub buffer_level: Windows,
    /// Records by their bits.
    pub record_bits: Vec<u64>,
    /// The most bits in a window of each of [`BURST_CYCLES`].
    bursts: [Burst; BURST_CYCLES.len()],
}

/// The window at hand and the one with the most bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Burst {
    window: u64,
    bits: u64,
    most_bits: u64,
}

impl Default for Dynamics {
    fn default() -> Self {
        Self {
            bits: Windows::sums(),
            buffer_level: Windows::highest_values(),
            record_bits: vec![0; LONGEST_RECORD + 1],
            bursts: Default::default(),
        }
    }
}

impl Dynamics {
    /// Adds a record of so many bits that is made in cycle `clock`, after which the buffer holds `level` bits. Cycles
    /// never decrease.
    #[inline]
    pub fn record(&mut self, clock: u64, bits: u64, level: u64) {
        self.bits.add(clock, bits);
        self.buffer_level.add(clock, level);
        self.record_bits[(bits as usize).min(LONGEST_RECORD)] += 1;
        for (burst, cycles) in self.bursts.iter_mut().zip(BURST_CYCLES) {
            let window = clock / cycles;
            if window != burst.window {
                (burst.window, burst.bits) = (window, 0);
            }
            burst.bits += bits;
            burst.most_bits = burst.most_bits.max(burst.bits);
        }
    }

    /// The most bits per cycle in windows of each of [`BURST_CYCLES`]; windows begin at multiples of their length.
    pub fn worst_bits_per_cycle(&self) -> [f64; BURST_CYCLES.len()] {
        let mut worst = [0.0; BURST_CYCLES.len()];
        for ((worst, burst), cycles) in worst.iter_mut().zip(&self.bursts).zip(BURST_CYCLES) {
            *worst = burst.most_bits as f64 / cycles as f64;
        }
        worst
    }

    /// The share of records of at most 0, 1, 2, ... bits, in percent.
    pub fn cumulative_record_bits(&self) -> Vec<f64> {
        let all: u64 = self.record_bits.iter().sum();
        let mut sum = 0;
        let share = |count: &u64| {
            sum += count;
            100.0 * sum as f64 / all.max(1) as f64
        };
        self.record_bits.iter().map(share).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_and_lengths() {
        let mut dynamics = Dynamics::default();
        for clock in 0..64 {
            dynamics.record(clock, 2, clock);
        }
        dynamics.record(1000, 300, 300);
        let worst = dynamics.worst_bits_per_cycle();
        assert_eq!((worst[0], worst[2]), (300.0 / 64.0, 428.0 / 4096.0));
        let lengths = dynamics.cumulative_record_bits();
        assert_eq!((lengths[1], lengths[LONGEST_RECORD]), (0.0, 100.0));
        assert_eq!(dynamics.buffer_level.values[0], 63);
    }
}
