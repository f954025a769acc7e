//! Talon's target buffer of single targets, in RustHDL's simulation, against its twin in the golden model.

use rand::Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::talon::single_target_buffer::SingleTargetBuffer;
use tracewright_sim::talon as model;
use tracewright_sim::talon::config::Config;

use super::{STEPS, address_bits, clear_bits, random, word};
use crate::steps;

#[test]
fn single_target_buffer() {
    for (sets, tag_bits) in [(1, 1), (2, 2), (8, 2), (16, 5)] {
        for (ages, random_victim) in [(false, false), (true, false), (false, true), (true, true)] {
            single_target_buffer_of(&Config {
                target_buffer_sets: sets,
                target_buffer_tag_bits: tag_bits,
                target_buffer_ages: ages,
                target_buffer_random_victim: random_victim,
                ..Config::default()
            });
        }
    }
}

/// A second way with an index of its own: of the tag, of the history of targets, of both, and the extremes of each.
#[test]
fn single_target_buffer_with_a_second_index() {
    for (sets, tag_bits, is_skewed, history_bits, history_shift) in [
        (1, 1, true, 1, 8),
        (2, 1, true, 0, 1),
        (16, 2, true, 5, 2),
        (8, 6, false, 10, 3),
        (32, 16, true, 16, 1),
    ] {
        for (ages, random_victim) in [(false, false), (true, true)] {
            single_target_buffer_of(&Config {
                target_buffer_sets: sets,
                target_buffer_tag_bits: tag_bits,
                target_buffer_ages: ages,
                target_buffer_random_victim: random_victim,
                target_buffer_skewed: is_skewed,
                target_history_bits: history_bits,
                target_history_shift: history_shift,
                ..Config::default()
            });
        }
    }
}

fn single_target_buffer_of(config: &Config) {
    let mut model = model::single_target_buffer::SingleTargetBuffer::new(config);
    let mut hardware = Simulator::new(SingleTargetBuffer::new(config, clear_bits(config))).unwrap();
    for index in 0..u64::from(config.target_buffer_sets) {
        hardware.poke(|block| {
            block.clear.valid.next = true.into();
            block.clear.index.next = word(clear_bits(config), index);
        });
        hardware.clock();
    }
    hardware.poke(|block| block.clear.valid.next = false.into());
    let mut random = random(12);
    for _ in 0..steps(STEPS, 5) {
        let address = random.random_range(0..64u64);
        // Most branches have one target or two.
        let target = 0x100 + address + 0x400 * random.random_range(0..1 + address % 4);
        let (is_near, learn) = (random.random_bool(0.9), random.random_bool(0.9));
        hardware.poke(|block| {
            block.address.next = word(address_bits(config), address);
            block.target.next = word(config.table_target_bits() as usize, target);
            block.is_near.next = is_near.into();
            block.learn.next = learn.into();
        });
        let (place, found) = model.look_up(address);
        assert_eq!(hardware.peek(|block| block.hit.val()).any(), found.is_some());
        if let Some(found) = found {
            let recent = found.targets[usize::from(found.recent)];
            assert_eq!(hardware.peek(|block| block.has_two.val()).any(), found.has_two);
            assert_eq!(hardware.peek(|block| block.recent.val()).any(), found.recent);
            assert_eq!(hardware.peek(|block| block.recent_target.val()).to_u64(), recent);
            let confidence = hardware.peek(|block| block.confidence.val()).to_u64();
            assert_eq!(confidence, u64::from(found.confidence));
        }
        if learn {
            model.learn(&place, target, is_near);
        }
        hardware.clock();
    }
}
