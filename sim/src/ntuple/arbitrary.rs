//! Legal configurations drawn at random, extremes preferred, for tests and regressions.

use rand::Rng;

use super::config::{Config, TupleUpdate};
use crate::arbitrary::{between, legal, pick, port, processor};
use crate::config::Protocol;
use crate::stream_cache::arbitrary::shape;

/// A legal configuration; the same generator state always gives the same one.
///
/// `alignment` and `address_bits` are those of the machine that will be traced. Long history buffers
/// are rare, as every entry is compared with in hardware.
pub fn config(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    legal(|| Config {
        processor: processor(random, alignment, address_bits),
        port: port(random),
        protocol: Protocol::default(),
        cache: shape(random),
        tuple_length: between(random, 1, 16),
        tuple_history_entries: pick(random, &[1, 2, 3, 7, 8, 15, 31, 64, 255]),
        tuple_update: pick(random, &[TupleUpdate::Every, TupleUpdate::Misses]),
        ..Config::default()
    })
}
