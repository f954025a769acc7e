//! What a run is shown besides blocks and a sink, drawn from a seed.

use std::ops::Range;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Stimulus;

/// Events between flushes, one of which is drawn; none in half of the runs.
const FLUSH_INTERVALS: [u64; 8] = [25, 60, 150, 250, 500, 1000, 1500, 4000];

/// The flush interval of runs with discards, which need some, if none is drawn.
const DISCARD_INTERVAL: u64 = 300;

/// The most resets in a run.
const MOST_RESETS: usize = 3;

/// Cycles after which a reset comes: while tables are being cleared, or in the middle of packets.
const RESET_CYCLES: Range<u64> = 1..6_000;

/// Clocks with the reset active.
const RESET_CLOCKS: Range<u32> = 1..5;

/// Mixed into the seed, so that these random numbers differ from others that are drawn from the same seed.
const STREAM: u64 = 0x7661_7279;

impl Stimulus {
    /// The same with flushes, requests, discards, pauses, idle starts and the length of resets drawn from a seed.
    #[must_use]
    pub fn varied(self, seed: u64) -> Stimulus {
        let random = &mut ChaCha8Rng::seed_from_u64(seed ^ STREAM);
        let flush = FLUSH_INTERVALS.choose(random).copied().filter(|_| random.random());
        let discards: bool = random.random();
        Stimulus {
            flush_interval: flush.or_else(|| discards.then_some(DISCARD_INTERVAL)),
            discards,
            sync_requests: random.random(),
            idle_start: random.random(),
            pauses: random.random_ratio(7, 8),
            reset_clocks: random.random_range(RESET_CLOCKS),
            ..self
        }
    }

    /// The same with up to three resets if the seed is a multiple of 3, where the trace is made of packets.
    #[must_use]
    pub fn with_resets(self, seed: u64) -> Stimulus {
        if !seed.is_multiple_of(3) {
            return self;
        }
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let count = random.random_range(1..=MOST_RESETS);
        let resets = (0..count).map(|_| random.random_range(RESET_CYCLES)).collect();
        Stimulus { resets, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_draw_everything() {
        let drawn: Vec<Stimulus> =
            (0..100).map(|seed| Stimulus::default().varied(seed).with_resets(seed)).collect();
        let share = |is: fn(&Stimulus) -> bool| drawn.iter().filter(|one| is(one)).count();
        for (what, count) in [
            ("flushes", share(|one| one.flush_interval.is_some())),
            ("none", share(|one| one.flush_interval.is_none())),
            ("discards", share(|one| one.discards)),
            ("requests", share(|one| one.sync_requests)),
            ("idle starts", share(|one| one.idle_start)),
            ("no pauses", share(|one| !one.pauses)),
            ("one clock", share(|one| one.reset_clocks == 1)),
            ("four clocks", share(|one| one.reset_clocks == 4)),
            ("resets", share(|one| !one.resets.is_empty())),
        ] {
            assert!((5..=85).contains(&count), "{what}: {count} of 100");
        }
        assert_eq!(Stimulus::default().varied(7), Stimulus::default().varied(7));
    }
}
