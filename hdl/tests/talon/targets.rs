//! Talon's return address stack and its target buffer of single targets, in RustHDL's simulation, against their twins in
//! the golden model.

use rand::Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::talon::return_address_stack::ReturnAddressStack;
use tracewright_hdl::talon::single_target_buffer::SingleTargetBuffer;
use tracewright_sim::talon as model;
use tracewright_sim::talon::config::Config;

use super::{STEPS, address_bits, clear_bits, random, word};

#[test]
fn return_address_stack() {
    for (depth, wraps) in
        [(1, true), (2, true), (3, true), (5, true), (8, true), (1, false), (3, false), (8, false)]
    {
        return_address_stack_of(&Config {
            return_address_stack_depth: depth,
            return_address_stack_wraps: wraps,
            return_addresses_compared: 1,
            ..Config::default()
        });
    }
}

fn return_address_stack_of(config: &Config) {
    let mut model = model::return_address_stack::ReturnAddressStack::new(config);
    let mut hardware = Simulator::new(ReturnAddressStack::new(config)).unwrap();
    let mut random = random(11);
    for step in 0..STEPS {
        // More pushes than pops for a while, then more pops.
        let (push, pop) = if step / 50 % 2 == 0 { (0.6, 0.4) } else { (0.3, 0.7) };
        let (push, pop) = (random.random_bool(push), random.random_bool(pop));
        let address = random.random_range(0..0x1000u64);
        hardware.poke(|block| {
            block.push.next = push.into();
            block.pop.next = pop.into();
            block.return_address.next = word(config.table_target_bits() as usize, address);
        });
        let has_top = hardware.peek(|block| block.has_top.val()).any();
        let top = hardware.peek(|block| block.top.val()).to_u64();
        assert_eq!(has_top.then_some(top), model.top(), "{config:?}");
        if pop {
            model.pop();
        }
        if push {
            model.push(address);
        }
        hardware.clock();
    }
}

#[test]
fn single_target_buffer() {
    for (sets, tag_bits) in [(1, 1), (2, 2), (8, 2), (16, 5)] {
        single_target_buffer_of(&Config {
            target_buffer_sets: sets,
            target_buffer_tag_bits: tag_bits,
            ..Config::default()
        });
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
    for _ in 0..STEPS {
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
