//! Legal configurations drawn at random, extremes preferred, for tests and regressions.

use rand::Rng;

use super::config::Config;
use crate::arbitrary::{between, legal, maybe, pick, port, processor};
use crate::config::Protocol;
use crate::parameter::List;

/// A legal configuration; the same generator state always gives the same one.
///
/// `alignment` and `address_bits` are those of the machine that will be traced.
pub fn config(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    legal(|| draw(random, alignment, address_bits))
}

fn draw(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    let range_bits = between(random, 6, 16);
    let most_confidence = between(random, 1, range_bits - 2);
    let confidences = std::array::from_fn(|_| between(random, 1, most_confidence) as i8);
    Config {
        processor: processor(random, alignment, address_bits),
        port: port(random),
        protocol: Protocol::default(),
        stride_entries: 1 << between(random, 0, 8),
        pc_shift: maybe(random, 0, 8),
        kept_address_bits: between(random, 1, 64),
        address_regions: pick(random, &[0, 2, 4, 4, 8, 16]),
        stride_bits: pick(random, &[0, 1, 2, 7, 8, 12, 12, 16, address_bits]),
        stride_confidences: List(confidences),
        address_first_chunk: between(random, 1, 21),
        address_next_chunk: between(random, 1, 32),
        range_bits,
        guard_bits: between(random, 2, 12),
        most_confidence,
        escape_ones: between(random, 1, 15),
        data_address_buffer_depth: between(random, 1, 9),
    }
}
