//! Counters that grow seldom: a direction with a magnitude, and what decides whether it grows.
//!
//! A magnitude of m grows with probability 2^-m or less (Morris, "Counting large numbers of events in small registers",
//! 1978), so that a few bits tell a branch that is right most of the time from one that always is.

/// Pseudo-random bits that encoder and decoder have in common: an 8-bit Galois shift register.
#[derive(Clone, Debug)]
pub struct RandomBits(u8);

/// The register after reset.
pub const SEED: u8 = 0xe1;
/// The bits that change when a 1 leaves the register.
pub const TAPS: u8 = 0xb8;

impl RandomBits {
    /// The register as reset leaves it.
    pub fn new() -> Self {
        Self(SEED)
    }

    /// The bits of the next outcome.
    #[inline]
    pub fn step(&mut self) -> u8 {
        self.0 = (self.0 >> 1) ^ (TAPS * (self.0 & 1));
        self.0
    }
}

impl Default for RandomBits {
    fn default() -> Self {
        Self::new()
    }
}

/// Pseudo-random bits of which one at a time is used: a 3-bit Galois shift register.
#[derive(Clone, Debug)]
pub struct VictimBits(u8);

/// The bits of [`VictimBits`] that change when a 1 leaves the register.
pub const VICTIM_TAPS: u8 = 0b110;

impl VictimBits {
    /// The register as reset leaves it.
    pub fn new() -> Self {
        Self(1)
    }

    /// The register after a step; its lowest bit is the random one.
    #[inline]
    pub fn step(&mut self) -> u8 {
        self.0 = (self.0 >> 1) ^ (VICTIM_TAPS * (self.0 & 1));
        self.0
    }
}

impl Default for VictimBits {
    fn default() -> Self {
        Self::new()
    }
}

/// True with probability 2^-`bits`: as many low bits are zero.
#[inline]
pub fn chance(random: u8, bits: u32) -> bool {
    random.trailing_zeros() >= bits
}

/// The least magnitude that does not grow, if a magnitude of m grows with probability 2^-(`bits` m).
#[inline]
pub const fn growth_limit(random: u8, bits: u32) -> u8 {
    (random.trailing_zeros() / bits) as u8 + 1
}

/// A direction with a magnitude of up to `MOST`, as one number: the upper half of 2 (`MOST` + 1) values is "taken".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter<const MOST: u8>(pub u8);

impl<const MOST: u8> Counter<MOST> {
    /// Not taken, by the least magnitude: what a cleared table holds.
    pub const CLEAR: Self = Self(MOST);

    /// A counter with this direction and magnitude.
    #[inline]
    pub const fn of(direction: bool, magnitude: u8) -> Self {
        Self((MOST + 1 + magnitude) ^ Self::turned(!direction))
    }

    /// The bits that make a counter its opposite where it `turns`: all of them.
    #[inline]
    const fn turned(turns: bool) -> u8 {
        (2 * MOST + 1) & (turns as u8).wrapping_neg()
    }

    /// The direction.
    #[inline]
    pub fn direction(self) -> bool {
        self.0 > MOST
    }

    /// How sure the direction is.
    #[inline]
    pub fn magnitude(self) -> u8 {
        let above = self.0.wrapping_sub(MOST + 1).cast_signed();
        (above ^ above >> 7).cast_unsigned()
    }

    /// True if this is its direction, and at least so sure.
    #[inline]
    pub fn says(self, direction: bool, magnitude: u8) -> bool {
        self.toward(direction) >= usize::from(MOST + 1 + magnitude)
    }

    /// The counter as seen by a prediction: high values are for it.
    #[inline]
    pub fn toward(self, prediction: bool) -> usize {
        usize::from(self.0 ^ Self::turned(!prediction))
    }

    /// Takes a step towards the outcome. A step that makes it surer is only taken by a magnitude below `limit`.
    #[inline]
    #[must_use]
    pub const fn learn(self, taken: bool, limit: u8) -> Self {
        // By arithmetic: outcomes and random bits are not for a processor's branch predictor to follow. As the outcome
        // sees it, each step goes up.
        let turned = Self::turned(!taken);
        let seen = self.0 ^ turned;
        let limit = if limit < MOST { limit } else { MOST };
        Self((seen + (seen < MOST + 1 + limit) as u8) ^ turned)
    }
}

/// The steps of counters whose magnitudes grow by chance, looked up: the first index is the outcome, the second how many
/// low bits of the random number are zero, the third the counter.
pub struct Steps<const MOST: u8>([[[u8; 16]; 8]; 2]);

impl<const MOST: u8> Steps<MOST> {
    /// The steps where a magnitude of m grows with probability 2^-(`bits` m); up to 16 counters.
    pub const fn new(bits: u32) -> Self {
        let mut steps = [[[0; 16]; 8]; 2];
        let mut step = 0;
        while step < 16 * (2 * MOST as usize + 2) {
            let (outcome, zeros, counter) = (step % 2, step / 2 % 8, step / 16);
            let limit = growth_limit(1 << zeros, bits);
            let learnt = Counter::<MOST>(counter as u8).learn(outcome == 1, limit);
            steps[outcome][zeros][counter] = learnt.0;
            step += 1;
        }
        Self(steps)
    }

    /// The counter after an outcome, with these random bits.
    #[inline]
    pub fn step(&self, counter: Counter<MOST>, taken: bool, random: u8) -> Counter<MOST> {
        // With eight zeros no limit is higher than with seven.
        let zeros = (random | 0x80).trailing_zeros() as usize % 8;
        Counter(self.0[usize::from(taken)][zeros][usize::from(counter.0) % 16])
    }
}

/// A table of counters. Neighbours, whose indexes differ in the lowest bits alone, can have one magnitude in common.
///
/// Each counter is kept whole, as counters are read in every cycle and seldom change.
#[derive(Clone, Debug)]
pub struct CounterTable<const MOST: u8> {
    counters: Box<[Counter<MOST>]>,
    counters_per_magnitude: usize,
}

impl<const MOST: u8> CounterTable<MOST> {
    /// The table as the clear sweep leaves it; both numbers are powers of two.
    pub fn new(entries: u32, counters_per_magnitude: u32) -> Self {
        Self {
            counters: vec![Counter::CLEAR; entries as usize].into(),
            counters_per_magnitude: counters_per_magnitude as usize,
        }
    }

    /// The counter at this index.
    #[inline]
    pub fn counter(&self, index: usize) -> Counter<MOST> {
        self.counters[index]
    }

    /// Replaces the counter at this index, and the magnitude of those that have it in common.
    // Out of line, as counters change seldom.
    #[inline(never)]
    pub fn set(&mut self, index: usize, counter: Counter<MOST>) {
        let old = std::mem::replace(&mut self.counters[index], counter);
        if self.counters_per_magnitude == 1 || old.magnitude() == counter.magnitude() {
            return;
        }
        let first = index & !(self.counters_per_magnitude - 1);
        for other in &mut self.counters[first..first + self.counters_per_magnitude] {
            *other = Counter::of(other.direction(), counter.magnitude());
        }
    }
}
