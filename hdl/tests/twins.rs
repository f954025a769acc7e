//! The predictors, in RustHDL's simulation, against their twins in the golden model.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::parts::predictor_table::{PredictorTable, Reading};
use tracewright_hdl::recency::Recency;
use tracewright_hdl::sinks::pin_receiver::PinReceiver;
use tracewright_hdl::traptor::gshare::Gshare;
use tracewright_hdl::traptor::indirect_branch_target_buffer::IndirectBranchTargetBuffer;
use tracewright_hdl::traptor::last_value_predictor::LastValuePredictor;
use tracewright_hdl::traptor::return_address_stack::ReturnAddressStack;
use tracewright_sim as sim;
use tracewright_sim::config::{index_bits, mask};
use tracewright_sim::pins::sinks::Outlet;
use tracewright_sim::traptor::config::{Config, Replacement};

use crate::steps;

const STEPS: usize = 4_000;

fn random(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

fn word(width: usize, value: u64) -> Word {
    Word::new(width, value & mask(width as u32))
}

fn clear_bits(config: &Config) -> usize {
    index_bits(config.clear_clocks()) as usize
}

fn small() -> Config {
    Config {
        gshare_entries: 32,
        indirect_branch_target_buffer_entries: 12,
        indirect_branch_target_buffer_ways: 3,
        indirect_branch_target_buffer_tag_bits: 3,
        return_address_stack_depth: 4,
        elided_upper_bits: Some(12),
        ..Config::default()
    }
}

#[test]
fn gshare() {
    for history in [0, 3, 5] {
        let config = Config { gshare_history_bits: Some(history), ..small() };
        let mut model = sim::traptor::gshare::Gshare::new(&config);
        let mut hardware = Simulator::new(Gshare::new(&config, clear_bits(&config))).unwrap();
        for index in 0..config.clear_clocks() {
            hardware.poke(|block| {
                block.clear.valid.next = true.into();
                block.clear.index.next = word(clear_bits(&config), index.into());
            });
            hardware.clock();
        }
        hardware.poke(|block| block.clear.valid.next = false.into());
        let mut random = random(history.into());
        for _ in 0..STEPS {
            let (address, taken, update) =
                (random.random_range(0..0x400), random.random(), random.random());
            hardware.poke(|block| {
                block.program_counter.next = word(32, address);
                block.taken.next = bool::into(taken);
                block.update.next = bool::into(update);
                block.outcome.next = bool::into(taken);
                block.learn.next = bool::into(update);
            });
            assert_eq!(
                hardware.peek(|block| block.predicted_taken.val()).any(),
                model.predict(address)
            );
            if update {
                model.update(address, taken);
            }
            hardware.clock();
        }
    }
}

#[test]
fn return_address_stack() {
    let config = small();
    let (width, clear_bits) = (config.table_target_bits() as usize, clear_bits(&config));
    let mut model = sim::traptor::return_address_stack::ReturnAddressStack::new(
        config.return_address_stack_depth,
    );
    let mut hardware = Simulator::new(ReturnAddressStack::new(&config, clear_bits)).unwrap();
    for index in 0..config.return_address_stack_depth {
        hardware.poke(|block| {
            block.clear.valid.next = true.into();
            block.clear.index.next = word(clear_bits, index.into());
        });
        hardware.clock();
    }
    hardware.poke(|block| block.clear.valid.next = false.into());
    let mut random = random(1);
    for _ in 0..STEPS {
        let (pop, push, address) =
            (random.random(), random.random(), random.random::<u64>() & mask(width as u32));
        hardware.poke(|block| {
            block.pop.next = bool::into(pop);
            block.push.next = bool::into(push);
            block.return_address.next = word(width, address);
        });
        assert_eq!(hardware.peek(|block| block.top.val()).to_u64(), model.top());
        model.update(pop, push.then_some(address));
        hardware.clock();
    }
}

#[test]
fn indirect_branch_target_buffer() {
    let both = [Replacement::LeastRecentlyUsed, Replacement::RoundRobin];
    let drawn = both.map(|replacement| [1, 2, 3, 5].map(|ways| (replacement, ways)));
    for (replacement, ways) in drawn.concat() {
        let config = Config {
            indirect_branch_target_buffer_replacement: replacement,
            indirect_branch_target_buffer_ways: ways,
            indirect_branch_target_buffer_entries: 4 * ways,
            ..small()
        };
        let (width, clear_bits) = (config.table_target_bits() as usize, clear_bits(&config));
        let mut model =
            sim::traptor::indirect_branch_target_buffer::IndirectBranchTargetBuffer::new(&config);
        let mut hardware =
            Simulator::new(IndirectBranchTargetBuffer::new(&config, clear_bits)).unwrap();
        for index in 0..config.indirect_branch_target_buffer_sets() {
            hardware.poke(|block| {
                block.clear.valid.next = true.into();
                block.clear.index.next = word(clear_bits, index.into());
            });
            hardware.clock();
        }
        hardware.poke(|block| block.clear.valid.next = false.into());
        let mut random = random(ways.into());
        for _ in 0..steps(STEPS, 4) {
            let (address, target) =
                (random.random_range(0..0x2000u64), random.random_range(0..8u64));
            let (taken, update): (bool, bool) = (random.random(), random.random());
            hardware.poke(|block| {
                block.program_counter.next = word(32, address);
                block.target.next = word(width, target);
                block.taken.next = bool::into(taken);
                block.update_path.next = bool::into(update);
                block.learn.next = bool::into(update && taken);
            });
            let lookup = model.look_up(address);
            let hit = hardware.peek(|block| block.hit.val()).any();
            let is_wrong = hardware.peek(|block| block.is_wrong.val()).any();
            assert_eq!(hit.then_some(is_wrong), lookup.target.map(|held| held != target));
            if update {
                if taken {
                    model.update(lookup, target);
                }
                model.update_path(address, taken);
            }
            hardware.clock();
        }
    }
}

/// A few entries, so that one is often read just when it is learned.
#[test]
fn predictor_table() {
    const ENTRIES: u64 = 5;
    for reading in [Reading::WithinCycle, Reading::IntoRegister, Reading::AtEdge] {
        let mut hardware =
            Simulator::new(PredictorTable::new(ENTRIES as usize, 12, reading, 0)).unwrap();
        let mut random = random(5);
        for index in 0..ENTRIES {
            hardware.poke(|block| {
                block.clear.valid.next = true.into();
                block.clear.index.next = word(3, index);
                block.clear_entry.next = word(12, 0x123);
            });
            hardware.clock();
        }
        hardware.poke(|block| block.clear.valid.next = false.into());
        let mut model = [0x123; ENTRIES as usize];
        let mut being_read = std::collections::VecDeque::new();
        for _ in 0..STEPS {
            let index = random.random_range(0..ENTRIES);
            let (learn, learned) = (random.random::<bool>(), random.random::<u64>() & mask(12));
            hardware.poke(|block| {
                block.index.next = word(3, index);
                block.learn.next = false.into();
            });
            // What is learned belongs to the entry that is shown: that of this index, or of two cycles ago.
            being_read.push_back(index);
            let latency = 2 * reading.count();
            let shown = (being_read.len() > latency).then(|| being_read.pop_front()).flatten();
            if let Some(shown) = shown {
                let entry = hardware.peek(|block| block.entry.val()).to_u64();
                assert_eq!(entry, model[shown as usize], "{reading:?}");
                hardware.poke(|block| {
                    block.learn.next = bool::into(learn);
                    block.learned.next = word(12, learned);
                });
                if learn {
                    model[shown as usize] = learned;
                }
            }
            hardware.clock();
        }
    }
}

#[test]
fn last_value_predictor() {
    let mut model = sim::traptor::last_value_predictor::LastValuePredictor::new(20);
    let mut hardware = Simulator::new(LastValuePredictor::new(12)).unwrap();
    let mut random = random(2);
    for _ in 0..STEPS {
        let (target, update): (u32, bool) = (random.random(), random.random());
        hardware.poke(|block| {
            block.target_upper.next = word(12, (target >> 20).into());
            block.update.next = bool::into(update);
        });
        let upper = hardware.peek(|block| block.predicted_upper.val()).to_u64();
        assert_eq!(upper, model.complete(0) >> 20);
        if update {
            model.update(target.into());
        }
        hardware.clock();
    }
}

#[test]
fn recency() {
    for ways in 1..=8usize {
        let pairs = ways * (ways - 1) / 2;
        let mut order = sim::recency::Recency::after_reset(ways as u32);
        let mut hardware = Simulator::new(Recency::new(ways)).unwrap();
        let mut stored = word(pairs, 0);
        let mut random = random(ways as u64);
        for _ in 0..500 {
            let mut model = sim::recency::Recency(&mut order);
            let used = random.random_range(0..ways);
            hardware.poke(|block| {
                block.order.next = stored.clone();
                block.used.next = word(ways, 1 << used);
            });
            assert_eq!(
                hardware.peek(|block| block.oldest.val()).to_u64(),
                1 << model.oldest(),
                "{ways} ways"
            );
            model.touch(used);
            stored = hardware.peek(|block| block.order_next.val());
        }
    }
}

#[test]
fn pin_receiver() {
    let outlet =
        Outlet { trace_port_width: 8, has_packets: false, clock_enable: false, switches: false };
    let mut model = sim::sinks::pin_receiver::PinReceiver::default();
    let mut hardware = Simulator::new(PinReceiver::new(&outlet)).unwrap();
    let mut random = random(11);
    for _ in 0..STEPS {
        let (clock, value): (bool, Option<u8>) =
            (random.random(), random.random::<bool>().then(|| random.random()));
        hardware.poke(|block| {
            block.pin_clock.next = bool::into(clock);
            block.pin_data.next = word(8, value.unwrap_or(7).into());
            block.pin_idle.next = bool::into(value.is_none());
        });
        let valid = hardware.peek(|block| block.trace_valid.val()).any();
        let data = hardware.peek(|block| block.trace_data.val()).to_u64();
        assert_eq!(valid.then_some(data), model.take(clock, value.map(u64::from)));
        model.clock(clock);
        hardware.clock();
    }
}
