//! Legal configurations drawn at random, extremes preferred, for tests and regressions.

use rand::Rng;

use super::config::{Config, LastValueStartAddress, MissIndex, OneLengthReset, StreamCacheShape};
use crate::arbitrary::{between, legal, maybe, pick, port, processor};
use crate::config::{MemoryStyle, Protocol};

/// A legal configuration; the same generator state always gives the same one.
///
/// `alignment` and `address_bits` are those of the machine that will be traced.
pub fn config(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    legal(|| draw(random, alignment, address_bits))
}

/// Streams and their cache; together with the processor it need not be legal.
pub fn shape(random: &mut impl Rng) -> StreamCacheShape {
    let stream_cache_ways = between(random, 1, 8);
    StreamCacheShape {
        stream_cache_entries: stream_cache_ways * pick(random, &[1, 1, 2, 4, 8, 32, 128]),
        stream_cache_ways,
        hash_shift: between(random, 0, 24),
        stream_length_bits: between(random, 2, 10),
        stream_buffer_depth: between(random, 1, 5),
        memory_style: pick(random, &[MemoryStyle::Asynchronous, MemoryStyle::Synchronous]),
    }
}

fn draw(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    let processor = processor(random, alignment, address_bits);
    let most = between(random, 0, 24);
    let least = between(random, 0, most);
    let last_value_start_address = pick(
        random,
        &[LastValueStartAddress::None, LastValueStartAddress::Misses, LastValueStartAddress::Every],
    );
    Config {
        port: port(random),
        protocol: Protocol::default(),
        cache: shape(random),
        miss_index: pick(random, &[MissIndex::Reserved, MissIndex::Allocated]),
        last_value_start_address,
        upper_address_bits: maybe(random, 1, processor.instruction_address_bits() - 1),
        one_length_counter: random.random(),
        one_length_start_bits: between(random, least, most),
        one_length_least_bits: least,
        one_length_most_bits: most,
        one_length_reset: pick(random, &[OneLengthReset::Middle, OneLengthReset::Keep]),
        processor,
    }
}
