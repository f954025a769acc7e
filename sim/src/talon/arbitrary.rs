//! Legal configurations drawn at random, extremes preferred, for tests and regressions.

use rand::Rng;

use super::additive_parameters::Additive;
use super::config::Config;
use super::time_parameters::{Time, TimeMode};
use crate::arbitrary::{between, legal, pick, port, processor};
use crate::config::{MemoryStyle, Protocol};
use crate::parameter::List;

/// A legal configuration; the same generator state always gives the same one.
///
/// `alignment` and `address_bits` are those of the machine that will be traced.
pub fn config(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    legal(|| draw(random, alignment, address_bits))
}

/// A legal configuration with the time of events.
pub fn timed(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    legal(|| {
        let drawn = draw(random, alignment, address_bits);
        let mut config = Config {
            memory_style: MemoryStyle::Asynchronous,
            protocol: Protocol::default(),
            time: Time {
                time_mode: TimeMode::Exact,
                time_entries: 1 << between(random, 3, 9),
                time_base: between(random, 0, 15),
                cycle_bits: between(random, 9, 32),
            },
            ..drawn
        };
        config.port.encoder_registers = false;
        config
    })
}

fn draw(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    let mut config = Config {
        processor: processor(random, alignment, address_bits),
        port: port(random),
        ..Config::default()
    };
    config.bimodal_entries = 1 << between(random, 2, 10);
    config.gshare_entries = 1 << between(random, 2, 10);
    config.bimodal_counters_per_magnitude = pick(random, &[1, 1, 2, 4, 8]);
    config.gshare_counters_per_magnitude = pick(random, &[1, 1, 2, 4, 8]);
    config.gshare_history_bits = between(random, 2, 32);
    config.gshare_path_bits = pick(random, &[0, 0, 1, 8, 16]);
    config.gshare_address_rotation = between(random, 0, 9);
    config.match_history_entries = 1 << between(random, 2, 10);
    config.match_pointers = 1 << between(random, 2, 8);
    config.match_random_pointers = random.random();
    config.confidence_entries = 1 << between(random, 2, 9);
    config.loop_entries = pick(random, &[0, 1, 2, 8, 32]);
    config.loop_relearns_direction = random.random();
    config.return_address_stack_depth = between(random, 1, 17);
    config.return_address_stack_wraps = random.random();
    config.return_addresses_compared = between(random, 1, 2);
    config.target_buffer_sets = 1 << between(random, 0, 5);
    config.targets_per_entry = between(random, 1, 2);
    let is_single = config.targets_per_entry == 1;
    config.target_buffer_ages = is_single && random.random();
    config.target_buffer_random_victim = is_single && random.random();
    config.target_buffer_skewed = is_single && random.random();
    config.target_history_bits = if is_single { pick(random, &[0, 0, 1, 5, 10, 16]) } else { 0 };
    config.target_history_shift = between(random, 1, 8);
    config.target_buffer_tag_bits = between(random, 1, 16);
    config.target_bits = between(random, 4, 64);
    config.target_regions = pick(random, &[0, 0, 2, 4, 8, 16]);
    config.range_bits = between(random, 6, 16);
    config.guard_bits = between(random, 2, 12);
    config.most_confidence = between(random, 1, config.range_bits - 2);
    config.escape_ones = between(random, 1, 15);
    config.address_first_chunk = between(random, config.guard_bits, 29);
    config.instruction_count_bits = between(random, 8, 24);
    config.bimodal_scores = List(std::array::from_fn(|_| random.random_range(-32..=31)));
    config.gshare_scores = List(std::array::from_fn(|_| random.random_range(-32..=31)));
    config.match_against_scores = List(std::array::from_fn(|_| random.random_range(-32..=31)));
    config.match_for_scores = List(std::array::from_fn(|_| random.random_range(-32..=31)));
    config.confidence_scores = List(std::array::from_fn(|_| random.random_range(-32..=31)));
    config.loop_scores = List(std::array::from_fn(|_| random.random_range(-32..=31)));
    let most = config.most_confidence;
    config.return_confidence = between(random, 1, most);
    let mut confidences = || List(std::array::from_fn(|_| between(random, 1, most) as i8));
    config.single_target_confidences = confidences();
    config.recent_target_confidences = confidences();
    config.choice_confidences = confidences();
    config.memory_style = pick(random, &[MemoryStyle::Asynchronous, MemoryStyle::Synchronous]);
    if random.random_bool(0.3) {
        config.gshare_path_bits = 0;
        config.additive = additive(random);
    }
    config
}

fn additive(random: &mut impl Rng) -> Additive {
    fn weights<const N: usize>(random: &mut impl Rng) -> List<N> {
        let most = pick(random, &[1, 8, 64, 127]);
        List(std::array::from_fn(|_| random.random_range(0..=most)))
    }
    Additive {
        additive: true,
        history_entries: 1 << between(random, 2, 9),
        history_counters_per_magnitude: pick(random, &[1, 2, 2, 4, 8]),
        short_history_bits: between(random, 2, 32),
        short_history_rotation: between(random, 0, 9),
        long_history_bits: between(random, 2, 32),
        long_history_rotation: between(random, 0, 9),
        local_histories: 1 << between(random, 1, 6),
        local_history_bits: between(random, 2, 16),
        local_entries: 1 << between(random, 2, 9),
        local_rotation: between(random, 0, 9),
        bimodal_weights: weights(random),
        short_history_weights: weights(random),
        long_history_weights: weights(random),
        local_weights: weights(random),
        match_weights: weights(random),
        confidence_corrections: List(std::array::from_fn(|_| random.random_range(-64..=64))),
    }
}
