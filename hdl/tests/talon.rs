//! Talon's blocks, in RustHDL's simulation, against their twins in the golden model.

mod additive;
mod outcomes;
mod regions;
mod score;
mod targets;

use std::collections::BTreeSet;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::talon::bimodal::Bimodal;
use tracewright_hdl::talon::confidence::Confidence;
use tracewright_hdl::talon::counter::{CounterStep, RandomBits, VictimBits};
use tracewright_hdl::talon::gshare::Gshare;
use tracewright_hdl::talon::loop_predictor::LoopPredictor;
use tracewright_hdl::talon::match_model::MatchModel;
use tracewright_sim::config::{MemoryStyle, index_bits, mask};
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::talon as model;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::counter::Counter;

use crate::{is_long, steps};

const STEPS: usize = 4_000;

/// Both styles of memories; without `LONG_TESTS` only one, another one for each configuration.
fn styles(number: usize) -> Vec<MemoryStyle> {
    let both = [MemoryStyle::Asynchronous, MemoryStyle::Synchronous];
    if is_long() { both.into() } else { vec![both[number % 2]] }
}

fn random(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

fn word(width: usize, value: u64) -> Word {
    Word::new(width, value & mask(width as u32))
}

fn address_bits(config: &Config) -> usize {
    config.processor.instruction_address_bits() as usize
}

fn clear_bits(config: &Config) -> usize {
    index_bits(config.clear_clocks()) as usize
}

/// A counter as the hardware keeps it: a direction and, below it, the magnitude.
fn stored<const MOST: u8>(counter: Counter<MOST>) -> u64 {
    u64::from(counter.direction()) * (u64::from(MOST) + 1) + u64::from(counter.magnitude())
}

/// By magnitude, whether a counter grows.
fn grows(bits: u8) -> Word {
    let grows = |magnitude: &u32| model::counter::chance(bits, *magnitude);
    word(8, (0..7).filter(grows).map(|magnitude| 1 << magnitude).sum())
}

/// Sweeps the tables of a block.
macro_rules! clear {
    ($hardware:ident, $config:expr) => {
        for index in 0..1u64 << clear_bits($config) {
            $hardware.poke(|block| {
                block.clear.valid.next = true.into();
                block.clear.index.next = word(clear_bits($config), index);
            });
            $hardware.clock();
        }
        $hardware.poke(|block| block.clear.valid.next = false.into());
    };
}

#[test]
fn random_bits() {
    let mut model = model::counter::RandomBits::new();
    let mut hardware = Simulator::new(RandomBits::new()).unwrap();
    for _ in 0..300 {
        // What the model has after a step is what the hardware shows before it.
        let bits = model.step();
        hardware.poke(|block| block.step.next = false.into());
        hardware.clock();
        assert_eq!(hardware.peek(|block| block.random.val()), u64::from(bits));
        assert_eq!(hardware.peek(|block| block.grows.val()), grows(bits));
        hardware.poke(|block| block.step.next = true.into());
        hardware.clock();
    }
}

#[test]
fn victim_bits() {
    let mut model = model::counter::VictimBits::new();
    let mut hardware = Simulator::new(VictimBits::new()).unwrap();
    hardware.poke(|block| block.step.next = true.into());
    for _ in 0..20 {
        let victim = hardware.peek(|block| block.victim.val()).any();
        assert_eq!(victim, model.step() & 1 == 1);
        hardware.clock();
    }
}

fn counter_steps<const MOST: u8>(magnitude_bits: usize) {
    let mut hardware = Simulator::new(CounterStep::new(magnitude_bits)).unwrap();
    for value in 0..2 * (MOST + 1) {
        let counter = Counter::<MOST>(value);
        for (taken, grows) in [(false, false), (false, true), (true, false), (true, true)] {
            if grows && counter.magnitude() == MOST {
                continue;
            }
            hardware.poke(|block| {
                block.counter.next = word(magnitude_bits + 1, stored(counter));
                block.taken.next = taken.into();
                block.grows.next = grows.into();
            });
            let next = hardware.peek(|block| block.counter_next.val()).to_u64();
            assert_eq!(
                next,
                stored(counter.learn(taken, if grows { MOST } else { 0 })),
                "{value} {taken} {grows}"
            );
        }
    }
}

#[test]
fn steps_of_counters() {
    counter_steps::<3>(2);
    counter_steps::<7>(3);
}

/// Of the last table, twice the index is wider than an address.
#[test]
fn bimodal() {
    let largest = is_long().then_some((65536, 1, 32));
    let small = [(4, 1, 32), (4, 2, 32), (16, 1, 32), (64, 8, 32), (1024, 1, 16)];
    for (entries, counters_per_magnitude, address_width) in small.into_iter().chain(largest) {
        let mut config = Config {
            bimodal_entries: entries,
            bimodal_counters_per_magnitude: counters_per_magnitude,
            ..Config::default()
        };
        config.processor.address_width = address_width;
        bimodal_of(&config);
    }
}

fn bimodal_of(config: &Config) {
    let mut model = model::bimodal::Bimodal::new(config);
    let mut hardware = Simulator::new(Bimodal::new(config, clear_bits(config))).unwrap();
    clear!(hardware, config);
    let mut random = random(1);
    for _ in 0..STEPS {
        let (address, bits) = (random.random_range(0..0x400u64), random.random::<u8>());
        let taken = random.random_bool(if address & 3 == 0 { 0.99 } else { 0.3 });
        let learn = random.random();
        hardware.poke(|block| {
            block.address.next = word(address_bits(config), address);
            block.learn.next = bool::into(learn);
            block.taken.next = taken.into();
            block.grows.next = grows(bits);
        });
        let index = model.index(address);
        let counter = model.counter(index);
        assert_eq!(hardware.peek(|block| block.counter.val()), stored(counter));
        let is_sure = hardware.peek(|block| block.is_sure.val()).any();
        assert_eq!(is_sure, model::bimodal::is_sure(counter));
        if learn {
            model.learn(index, counter, taken, bits);
        }
        hardware.clock();
    }
}

#[test]
fn gshare() {
    for (entries, history_bits, path_bits, rotation, counters_per_magnitude) in [
        (16, 2, 8, 0, 1),
        (4, 32, 1, 15, 2),
        (1024, 9, 0, 6, 2),
        (256, 8, 16, 8, 1),
        (64, 20, 8, 5, 4),
        (512, 9, 2, 1, 1),
    ] {
        let config = Config {
            gshare_entries: entries,
            gshare_history_bits: history_bits,
            gshare_path_bits: path_bits,
            gshare_address_rotation: rotation,
            gshare_counters_per_magnitude: counters_per_magnitude,
            ..Config::default()
        };
        let mut model = model::gshare::Gshare::new(&config);
        let mut hardware = Simulator::new(Gshare::new(&config, clear_bits(&config))).unwrap();
        clear!(hardware, &config);
        let mut random = random(entries.into());
        for _ in 0..steps(STEPS, 4) {
            let (address, bits) = (random.random_range(0..8u64) << 5, random.random::<u8>());
            let taken = random.random_bool(0.9);
            let (update, learn, update_path) =
                (random.random(), random.random(), path_bits > 0 && random.random_bool(0.1));
            let target: u64 = random.random();
            hardware.poke(|block| {
                block.address.next = word(address_bits(&config), address);
                block.update.next = bool::into(update);
                block.taken.next = taken.into();
                if path_bits > 0 {
                    block.update_path.next = update_path.into();
                    block.target.next = word(path_bits as usize, target);
                }
                block.learn.next = bool::into(learn);
                block.outcome.next = taken.into();
                block.grows.next = grows(bits);
            });
            let index = model.index(model.folded_address(address));
            let counter = model.counter(index);
            assert_eq!(hardware.peek(|block| block.counter.val()), stored(counter));
            let latest = hardware.peek(|block| block.latest.val()).to_u64();
            assert_eq!(latest, model.history() & 3);
            if learn {
                model.learn(index, counter, taken, bits, true);
            }
            if update {
                model.update_history(address, taken);
            }
            if update_path {
                model.update_path(target);
            }
            hardware.clock();
        }
    }
}

#[test]
fn match_model() {
    for (entries, pointers, random_pointers) in
        [(4, 4, false), (256, 16, false), (64, 128, false), (4, 4, true), (256, 16, true)]
    {
        let config = Config {
            match_history_entries: entries,
            match_pointers: pointers,
            match_random_pointers: random_pointers,
            ..Config::default()
        };
        let mut model = model::match_model::MatchModel::new(&config);
        let mut hardware = Simulator::new(MatchModel::new(&config, clear_bits(&config))).unwrap();
        clear!(hardware, &config);
        let mut random = random(pointers.into());
        let mut classes = BTreeSet::new();
        let mut step = 0;
        for _ in 0..STEPS {
            // A pattern of period 12 that is broken now and then, and more often towards the end.
            let noise = if step < 2_000u64 { 0.002 } else { 0.2 };
            let taken = (step % 12 < 5) ^ random.random_bool(noise);
            let (address, latest) = (step % 6, random.random_range(0..4u64) & (step % 12));
            let predict = random.random_bool(0.9);
            let learn = predict && random.random_bool(0.9);
            let bits: u8 = random.random();
            hardware.poke(|block| {
                if random_pointers {
                    let keeps = bits >> model::match_model::KEEPING_BIT & 1;
                    block.keeps_pointer.next = word(1, keeps.into());
                }
                block.address.next = word(address_bits(&config), address);
                block.latest.next = word(2, latest);
                block.predict.next = predict.into();
                block.learn.next = learn.into();
                block.taken.next = taken.into();
            });
            if predict {
                let prediction = model.predict(model.folded_address(address), latest);
                classes.insert(prediction.class);
                let predicted = hardware.peek(|block| block.predicted.val()).any();
                assert_eq!(predicted, prediction.taken);
                let class = hardware.peek(|block| block.match_class.val()).to_u64();
                assert_eq!(class, u64::from(prediction.class));
                let is_long = hardware.peek(|block| block.is_long.val()).any();
                assert_eq!(is_long, prediction.length >= model::match_model::LONG);
                if learn {
                    model.learn(&prediction, taken, bits.into());
                    step += 1;
                }
            }
            hardware.clock();
        }
        assert!(classes.len() == 8 || entries == 4, "{entries} entries: {classes:?}");
    }
}

#[test]
fn confidence() {
    for entries in [4, 32, 512] {
        let config = Config { confidence_entries: entries, ..Config::default() };
        let mut model = model::confidence::Confidence::new(&config);
        let mut hardware = Simulator::new(Confidence::new(&config, clear_bits(&config))).unwrap();
        hardware.poke(|block| {
            block.prediction.next = true.into();
            block.differs.next = true.into();
        });
        clear!(hardware, &config);
        let mut random = random(entries.into());
        for _ in 0..STEPS {
            let (address, bits) = (random.random_range(0..0x100u64), random.random::<u8>());
            let (prediction, differs, learn): (bool, bool, bool) = random.random();
            let right = random.random_bool(0.9);
            hardware.poke(|block| {
                block.address.next = word(address_bits(&config), address);
                block.prediction.next = prediction.into();
                block.differs.next = differs.into();
                block.learn.next = learn.into();
                block.right.next = right.into();
                block.grows.next = grows(bits);
            });
            let index = model.index(model.folded_address(address), prediction, differs);
            let counter = hardware.peek(|block| block.counter.val()).to_u64();
            assert_eq!(counter, u64::from(model.counter(index)));
            if learn {
                model.learn(index, right, bits);
            }
            hardware.clock();
        }
    }
}

#[test]
fn loop_predictor() {
    for (entries, relearns) in
        [(1, false), (2, false), (8, false), (256, false), (1, true), (8, true)]
    {
        let config = Config {
            loop_entries: entries,
            loop_relearns_direction: relearns,
            ..Config::default()
        };
        let mut model = model::loop_predictor::LoopPredictor::new(&config);
        let mut hardware =
            Simulator::new(LoopPredictor::new(&config, clear_bits(&config))).unwrap();
        clear!(hardware, &config);
        let mut random = random(entries.into());
        let mut turns = [0u64; 8];
        let mut confidences = BTreeSet::new();
        for _ in 0..steps(2 * STEPS, 2) {
            // Loops of 2 to 9 turns, and one of 50, in the few places that collide often.
            let site = random.random_range(0..8usize).min(random.random_range(0..8usize));
            let trips = if site == 3 { 50 } else { site as u64 + 2 };
            let broken = random.random_bool(0.005);
            let address = 0x40 + 3 * site as u64;
            let (bits, right) = (random.random::<u8>(), random.random_bool(0.7));
            let learn = random.random_bool(0.9);
            let taken = (turns[site] % trips != 0) ^ broken;
            hardware.poke(|block| {
                block.address.next = word(address_bits(&config), address);
                block.learn.next = learn.into();
                block.taken.next = taken.into();
                block.right.next = right.into();
                block.random.next = word(8, bits.into());
            });
            let predicted = model.predict(address);
            let confidence = hardware.peek(|block| block.confidence.val()).to_u64();
            assert_eq!(confidence, predicted.map_or(0, |found| found.confidence.into()));
            confidences.insert(confidence);
            if let Some(found) = predicted.filter(|found| found.confidence > 0) {
                assert_eq!(hardware.peek(|block| block.predicted.val()).any(), found.taken);
            }
            if learn {
                turns[site] += 1;
                model.learn(address, taken, right, bits);
            }
            hardware.clock();
        }
        assert!(confidences.len() == 4 || entries == 1, "{entries} entries: {confidences:?}");
    }
}

/// Below the only address of a stack there is none to compare.
#[test]
fn two_return_addresses_of_a_stack_of_one() {
    let config =
        Config { return_address_stack_depth: 1, return_addresses_compared: 2, ..Config::default() };
    tracewright_hdl::generate(&Design::new("one", Scheme::Talon(config)).unwrap()).unwrap();
}
