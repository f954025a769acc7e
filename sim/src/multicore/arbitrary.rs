//! Legal configurations drawn at random, extremes preferred, for tests and regressions.

use rand::Rng;

use super::config::Config;
use super::sharing::{Encoding, Sharing};
use crate::arbitrary::{between, maybe, pick};

/// A configuration of several of these modules, which may break a constraint.
pub fn config<M>(random: &mut impl Rng, module: M) -> Config<M> {
    let time_stamp_bits = match random.random_range(0..3) {
        0 => 4,
        1 => between(random, 4, 16),
        _ => between(random, 4, 48),
    };
    let sharing = Sharing {
        cores: between(random, 1, 8),
        time_stamps: random.random(),
        encoding: pick(random, &[Encoding::Fixed, Encoding::Variable]),
        time_stamp_bits,
        time_stamp_first_chunk: maybe(random, 1, 9),
        time_stamp_next_chunk: maybe(random, 1, 9),
    };
    Config { module, sharing }
}
