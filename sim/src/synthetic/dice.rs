//! Random numbers that never change.
//!
//! Only the raw words of ChaCha8 are used: how `rand` makes ranges of them differs by version.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    /// Dice for this seed; each stream of a seed is independent of its others.
    pub(super) fn new(seed: u64, stream: u64) -> Dice {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        Dice(generator)
    }

    /// 32 random bits.
    #[inline]
    pub(super) fn bits(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A number from 0 up to but not `limit`, which is at least 1.
    #[inline]
    pub(super) fn below(&mut self, limit: u32) -> u32 {
        ((u64::from(self.bits()) * u64::from(limit)) >> 32) as u32
    }

    /// 64 random bits.
    pub(super) fn wide(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 up to but not `limit`, which is at least 1.
    pub(super) fn below_wide(&mut self, limit: u64) -> u64 {
        ((u128::from(self.wide()) * u128::from(limit)) >> 64) as u64
    }

    /// A number from `least` to `most`.
    pub(super) fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most - least + 1)
    }

    /// True this many times of a hundred.
    pub(super) fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of these, which are at least one.
    pub(super) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize]
    }

    /// One of these, each as often as its weight says; the weights add up to at least 1.
    pub(super) fn pick_weighted<T: Copy>(&mut self, choices: &[(u32, T)]) -> T {
        let total = choices.iter().map(|(weight, _)| weight).sum();
        let mut rest = self.below(total);
        for &(weight, choice) in choices {
            if rest < weight {
                return choice;
            }
            rest -= weight;
        }
        choices[0].1
    }

    /// Puts these in a random order.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}
