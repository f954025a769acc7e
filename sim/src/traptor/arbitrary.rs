//! Legal configurations drawn at random, extremes preferred, for tests and regressions.

use rand::Rng;
use rand::seq::IndexedRandom;

use super::config::Config;
use crate::config::{EncoderStyle, ResetStyle};
use crate::scheme::Configuration;

/// A legal configuration; the same generator state gives the same one for ever.
///
/// `alignment` and `address_bits` are those of the machine that will be traced.
pub fn config(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    loop {
        let config = draw(random, alignment, address_bits);
        if config.validate().is_ok() {
            return config;
        }
    }
}

fn pick<T: Copy>(random: &mut impl Rng, values: &[T]) -> T {
    values.choose(random).copied().unwrap_or(values[0])
}

/// A value from `least` to `most`, the ends as likely as all between.
fn between(random: &mut impl Rng, least: u32, most: u32) -> u32 {
    match random.random_range(0..4) {
        0 => least,
        1 => most,
        _ => random.random_range(least..=most),
    }
}

/// Nothing said, or a value from `least` to `most`.
fn maybe(random: &mut impl Rng, least: u32, most: u32) -> Option<u32> {
    if random.random() { None } else { Some(between(random, least, most)) }
}

fn draw(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    let mut config = Config::default();
    config.processor.alignment = alignment;
    config.processor.address_width = between(random, address_bits, 64);
    config.processor.retire_count_bits = between(random, 1, 7);
    config.port.trace_port_width =
        pick(random, &[1, 1, 2, 3, 4, 5, 7, 8, 9, 16, 24, 32, 33, 63, 64]);
    config.port.fifo_bits = pick(random, &[8, 16, 40, 79, 128, 384, 1000]);
    config.port.record_queue_depth = between(random, 1, 5);
    config.port.encoder =
        pick(random, &[EncoderStyle::Auto, EncoderStyle::Serial, EncoderStyle::Parallel]);
    config.port.reset = pick(random, &[ResetStyle::Synchronous, ResetStyle::Asynchronous]);
    config.gshare_entries = 1 << between(random, 0, 11);
    config.gshare_history_bits = maybe(random, 0, config.gshare_index_bits());
    config.pc_shift = between(random, 0, 8);
    config.return_address_stack_depth = pick(random, &[0, 1, 2, 4, 8, 16, 32]);
    config.indirect_branch_target_buffer_ways = between(random, 1, 8);
    let sets = pick(random, &[0, 1, 1, 2, 4, 8, 32]);
    config.indirect_branch_target_buffer_entries = sets * config.indirect_branch_target_buffer_ways;
    config.indirect_branch_target_buffer_tag_bits = between(random, 0, 16);
    config.indirect_branch_target_buffer_tag_shift = between(random, 0, 24);
    config.path_history_bits = maybe(random, 1, 40);
    config.elided_upper_bits = maybe(random, 0, config.processor.instruction_address_bits() - 1);
    config.branch_count_bits = between(random, 2, 20);
    config.branch_count_first_chunk = maybe(random, 1, 9);
    config.branch_count_next_chunk = maybe(random, 1, 9);
    config.instruction_count_bits = between(random, 8, 30);
    config.instruction_count_first_chunk = between(random, 1, 9);
    config.instruction_count_next_chunk = between(random, 1, 9);
    config.target_first_chunk = maybe(random, 1, 32);
    config.target_next_chunk = maybe(random, 1, 32);
    config.outcome_bit_for_jumps = random.random();
    config
}
