//! Legal configurations drawn at random, extremes preferred, for tests and regressions.

use rand::Rng;

use super::config::Config;
use crate::arbitrary::{between, legal, maybe, pick, port, processor};
use crate::config::{MemoryStyle, Protocol};

/// A legal configuration; the same generator state always gives the same one.
///
/// `alignment` and `address_bits` are those of the machine that will be traced.
pub fn config(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    legal(|| draw(random, alignment, address_bits))
}

fn draw(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    let tagged = random.random();
    let ways = if tagged { between(random, 1, 8) } else { 1 };
    Config {
        processor: processor(random, alignment, address_bits),
        port: port(random),
        protocol: Protocol::default(),
        stride_cache_entries: ways * pick(random, &[1, 1, 2, 4, 8, 32, 128]),
        stride_cache_ways: ways,
        stride_cache_tagged: tagged,
        tag_bits: maybe(random, 0, 12),
        pc_shift: maybe(random, 0, 8),
        stride_bits: pick(random, &[0, 1, 2, 7, 8, 8, 8, 9, 16, address_bits]),
        data_repetitions: random.random(),
        pattern_bits: pick(random, &[1, 2, 3, 4, 5, 8, 8, 8, 12, 32]),
        repetition_count_bits: pick(random, &[1, 2, 3, 8, 8, 16]),
        data_address_buffer_depth: between(random, 1, 9),
        memory_style: pick(random, &[MemoryStyle::Asynchronous, MemoryStyle::Synchronous]),
    }
}
