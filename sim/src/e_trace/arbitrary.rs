//! Legal configurations drawn at random, extremes preferred, for tests and regressions.

use rand::Rng;

use super::config::Config;
use crate::arbitrary::{between, legal, pick, port, processor};

/// A legal configuration; the same generator state always gives the same one.
///
/// `alignment` and `address_bits` are those of the machine that will be traced.
pub fn config(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    legal(|| Config {
        processor: processor(random, alignment, address_bits),
        port: port(random),
        return_stack_entries: pick(random, &[0, 0, 2, 4, 8, 64]),
        trap_cause_bits: between(random, 1, 16),
        jump_target_cache_entries: pick(random, &[0, 0, 2, 4, 64]),
        branch_predictor_entries: pick(random, &[0, 0, 2, 8, 256]),
        branch_count_bits: pick(random, &[2, 3, 4, 16, 24]),
        ..Config::default()
    })
}
