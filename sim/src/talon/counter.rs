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

/// A direction with a magnitude of up to `MOST`, as one number: the upper half of 2 (`MOST` + 1) values is "taken".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter<const MOST: u8>(pub u8);

impl<const MOST: u8> Counter<MOST> {
    /// Not taken, by the least magnitude: what a cleared table holds.
    pub const CLEAR: Self = Self(MOST);

    /// A counter with this direction and magnitude.
    #[inline]
    pub fn of(direction: bool, magnitude: u8) -> Self {
        Self((MOST + 1 + magnitude) ^ Self::turned(!direction))
    }

    /// The bits that make a counter its opposite where it `turns`: all of them.
    #[inline]
    fn turned(turns: bool) -> u8 {
        (2 * MOST + 1) * u8::from(turns)
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

    /// The counter as seen by a prediction: high values are for it.
    #[inline]
    pub fn toward(self, prediction: bool) -> usize {
        usize::from(self.0 ^ Self::turned(!prediction))
    }

    /// Takes a step towards the outcome. A step that makes it surer is only taken if `grows`.
    #[inline]
    #[must_use]
    pub fn learn(self, taken: bool, grows: bool) -> Self {
        // By arithmetic: outcomes and random bits are not for a processor's branch predictor to follow.
        let changes = (self.direction() != taken) | (grows & (self.magnitude() < MOST));
        Self(self.0 + u8::from(changes & taken) - u8::from(changes & !taken))
    }
}

/// A table of counters. Neighbours, whose indexes differ in the lowest bits alone, can have one magnitude in common.
#[derive(Clone, Debug)]
pub struct CounterTable<const MOST: u8> {
    directions: Box<[bool]>,
    magnitudes: Box<[u8]>,
    sharing_bits: u32,
}

impl<const MOST: u8> CounterTable<MOST> {
    /// The table as the clear sweep leaves it; both numbers are powers of two.
    pub fn new(entries: u32, counters_per_magnitude: u32) -> Self {
        Self {
            directions: vec![Counter::<MOST>::CLEAR.direction(); entries as usize].into(),
            magnitudes: vec![0; (entries / counters_per_magnitude) as usize].into(),
            sharing_bits: counters_per_magnitude.ilog2(),
        }
    }

    /// The counter at this index.
    #[inline]
    pub fn counter(&self, index: usize) -> Counter<MOST> {
        Counter::of(self.directions[index], self.magnitudes[index >> self.sharing_bits])
    }

    /// Replaces the counter at this index.
    #[inline]
    pub fn set(&mut self, index: usize, counter: Counter<MOST>) {
        self.directions[index] = counter.direction();
        self.magnitudes[index >> self.sharing_bits] = counter.magnitude();
    }
}
