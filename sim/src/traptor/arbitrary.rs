//! Legal configurations drawn at random, extremes preferred, for tests and regressions.

use rand::Rng;

use super::config::{Config, Replacement};
use crate::arbitrary::{between, legal, maybe, pick, port, processor};
use crate::config::MemoryStyle;

/// A legal configuration; the same generator state always gives the same one.
///
/// `alignment` and `address_bits` are those of the machine that will be traced.
pub fn config(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    legal(|| draw(random, alignment, address_bits))
}

fn draw(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    let mut config = Config {
        processor: processor(random, alignment, address_bits),
        port: port(random),
        ..Config::default()
    };
    config.gshare_entries = 1 << between(random, 0, 11);
    config.gshare_history_bits = maybe(random, 0, config.gshare_index_bits());
    config.pc_shift = between(random, 0, 8);
    config.return_address_stack_depth = pick(random, &[0, 1, 2, 4, 8, 16, 32]);
    config.indirect_branch_target_buffer_ways = between(random, 1, 8);
    let sets = pick(random, &[0, 1, 1, 2, 4, 8, 32]);
    config.indirect_branch_target_buffer_entries = sets * config.indirect_branch_target_buffer_ways;
    config.indirect_branch_target_buffer_tag_bits = between(random, 0, 16);
    config.indirect_branch_target_buffer_tag_shift =
        pick(random, &[0, 1, 6, 8, 10, 17, 24, 31, 32, 40, 63, 64]);
    config.indirect_branch_target_buffer_replacement =
        pick(random, &[Replacement::LeastRecentlyUsed, Replacement::RoundRobin]);
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
    config.memory_style = pick(random, &[MemoryStyle::Asynchronous, MemoryStyle::Synchronous]);
    config
}
