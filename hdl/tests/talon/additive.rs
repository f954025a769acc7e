//! Additive prediction, in RustHDL's simulation, against its twin in the golden model.

use std::collections::{BTreeSet, VecDeque};

use rand::Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::talon::additive_predictor::AdditivePredictor;
use tracewright_sim::config::{MemoryStyle, mask};
use tracewright_sim::parameter::List;
use tracewright_sim::talon::additive_parameters::Additive;
use tracewright_sim::talon::additive_predictor;
use tracewright_sim::talon::arbitrary;
use tracewright_sim::talon::config::Config;

use super::{STEPS, address_bits, clear_bits, random, styles, word};
use crate::steps;

/// Runs model and hardware on branches that come in a pattern with noise, between bubbles; returns how many outcomes
/// were mispredicted, and the confidences that were seen.
fn outcomes(config: &Config, steps: usize, seed: u64) -> (usize, BTreeSet<u32>) {
    let mut model = additive_predictor::AdditivePredictor::new(config);
    let mut hardware =
        Simulator::with_seed(AdditivePredictor::new(config, clear_bits(config)), seed).unwrap();
    let mut random = random(seed);
    let (address_bits, clear_bits) = (address_bits(config), clear_bits(config));
    for index in 0..1u64 << clear_bits {
        hardware.poke(|block| {
            block.clear.valid.next = true.into();
            block.clear.index.next = word(clear_bits, index);
            block.address.next = word(address_bits, random.random());
            block.taken.next = random.random::<bool>().into();
        });
        hardware.clock();
    }
    hardware.poke(|block| block.clear.valid.next = false.into());

    let sites: Vec<u64> =
        (0..24).map(|_| random.random::<u64>() & mask(address_bits as u32)).collect();
    let latency = if config.memory_style == MemoryStyle::Synchronous { 3 } else { 0 };
    let mut expected: VecDeque<Option<(bool, u32)>> = VecDeque::from(vec![None; latency]);
    let (mut branches, mut mispredicted, mut confidences) = (0usize, 0, BTreeSet::new());
    for _ in 0..steps {
        let site = branches * branches.div_ceil(40) % sites.len();
        let noise = if site.is_multiple_of(5) { 0.3 } else { 0.01 };
        let taken = (branches % (site + 2) > 1) ^ random.random_bool(noise);
        let predict = random.random_bool(0.8);
        let learn = predict && random.random_bool(0.95);
        hardware.poke(|block| {
            block.predict.next = predict.into();
            block.learn.next = learn.into();
            block.address.next = word(address_bits, sites[site]);
            block.taken.next = taken.into();
            // The index of the sweep is a counter of instructions, which goes on.
            block.clear.index.next = word(clear_bits, random.random());
        });
        let said = predict.then(|| {
            let prediction = model.predict(sites[site]);
            let wrong = prediction.taken != taken;
            confidences.insert(prediction.confidence);
            if learn {
                mispredicted += usize::from(wrong);
                model.learn(&prediction, taken);
                branches += 1;
            }
            (wrong, prediction.confidence)
        });
        expected.push_back(said);
        if let Some(said) = expected.pop_front().flatten() {
            let shown = (
                hardware.peek(|block| block.wrong.val()).any(),
                hardware.peek(|block| block.confidence.val()).to_u64() as u32,
            );
            assert_eq!(shown, said, "at cycle {} of {config:?}", hardware.cycle());
        }
        hardware.clock();
    }
    (mispredicted, confidences)
}

#[test]
fn of_small_tables() {
    for (style, seed) in [(MemoryStyle::Asynchronous, 1), (MemoryStyle::Synchronous, 2)] {
        let config = Config {
            bimodal_entries: 16,
            match_history_entries: 64,
            match_pointers: 4,
            confidence_entries: 8,
            range_bits: 12,
            most_confidence: 10,
            memory_style: style,
            additive: Additive {
                additive: true,
                history_entries: 32,
                local_histories: 4,
                local_entries: 16,
                ..Additive::default()
            },
            ..Config::default()
        };
        let (mispredicted, confidences) = outcomes(&config, steps(STEPS, 4), seed);
        assert!(mispredicted > 100, "{mispredicted}");
        assert!(confidences.len() > 4, "{confidences:?}");
    }
}

#[test]
fn of_random_configurations() {
    let mut random = random(9);
    for seed in 0..4 {
        let (alignment, address_bits) = [(2, 32), (1, 32), (1, 64), (2, 33)][seed as usize % 4];
        let mut config = loop {
            let config = arbitrary::config(&mut random, alignment, address_bits);
            if config.is_additive() {
                break config;
            }
        };
        for style in styles(seed as usize) {
            config.memory_style = style;
            outcomes(&config, steps(STEPS / 2, 5), seed);
        }
    }
}

#[test]
fn of_extreme_sizes_and_weights() {
    let largest = Config {
        bimodal_entries: 2048,
        match_history_entries: 2048,
        match_pointers: 4096,
        confidence_entries: 4096,
        range_bits: 16,
        most_confidence: 14,
        additive: Additive {
            additive: true,
            history_entries: 2048,
            short_history_bits: 32,
            local_histories: 1024,
            local_history_bits: 16,
            local_entries: 2048,
            bimodal_weights: List([127; 16]),
            short_history_weights: List([127; 8]),
            long_history_weights: List([127; 8]),
            local_weights: List([127; 8]),
            match_weights: List([127; 8]),
            confidence_corrections: List([127; 8]),
            ..Additive::default()
        },
        ..Config::default()
    };
    let smallest = Config {
        bimodal_entries: 4,
        bimodal_counters_per_magnitude: 2,
        match_history_entries: 4,
        match_pointers: 4,
        confidence_entries: 4,
        range_bits: 6,
        most_confidence: 1,
        return_confidence: 1,
        additive: Additive {
            additive: true,
            history_entries: 4,
            history_counters_per_magnitude: 1,
            short_history_bits: 2,
            long_history_bits: 2,
            local_histories: 2,
            local_history_bits: 2,
            local_entries: 4,
            bimodal_weights: List([0; 16]),
            short_history_weights: List([0; 8]),
            long_history_weights: List([0; 8]),
            local_weights: List([0; 8]),
            match_weights: List([1; 8]),
            confidence_corrections: List([-128; 8]),
            ..Additive::default()
        },
        ..Config::default()
    };
    // Without LONG_TESTS the large tables, which take long to clear, have one style.
    for style in styles(1) {
        outcomes(&Config { memory_style: style, ..largest.clone() }, steps(1_000, 5), 3);
    }
    for style in [MemoryStyle::Asynchronous, MemoryStyle::Synchronous] {
        outcomes(&Config { memory_style: style, ..smallest.clone() }, steps(400, 2), 4);
    }
}
