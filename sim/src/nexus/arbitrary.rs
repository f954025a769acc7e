//! Legal configurations drawn at random, extremes preferred, for tests and regressions.

use rand::Rng;

use super::config::{Config, StreamLengthCoding, TargetCoding};
use crate::arbitrary::{between, legal, maybe, pick, port, processor};
use crate::config::Protocol;

/// A legal configuration; the same generator state always gives the same one.
///
/// `alignment` and `address_bits` are those of the machine that will be traced.
pub fn config(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    legal(|| Config {
        processor: processor(random, alignment, address_bits),
        port: port(random),
        protocol: Protocol::default(),
        stream_length_bits: between(random, 2, 20),
        stream_length_coding: pick(
            random,
            &[StreamLengthCoding::Fixed, StreamLengthCoding::Chunks],
        ),
        stream_length_first_chunk: maybe(random, 1, 9),
        stream_length_next_chunk: maybe(random, 1, 9),
        target_coding: pick(random, &[TargetCoding::Xor, TargetCoding::Difference]),
        target_first_chunk: maybe(random, 1, 32),
        target_next_chunk: maybe(random, 1, 32),
        target_continuation_bits: between(random, 1, 2),
    })
}
