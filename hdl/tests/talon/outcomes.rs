//! Talon's outcome predictor, in RustHDL's simulation, against its twin in the golden model.

use std::collections::{BTreeSet, VecDeque};

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::talon::outcome_predictor::OutcomePredictor;
use tracewright_sim::config::{MemoryStyle, mask};
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::presets::presets;
use tracewright_sim::talon::{arbitrary, outcome_predictor};

use super::{STEPS, address_bits, clear_bits, random, styles, word};
use crate::{is_long, steps};

/// What the hardware says of a prediction that the model made.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Said {
    wrong: bool,
    confidence: u32,
}

/// Sweeps the tables; the pins of the branch may change meanwhile.
fn sweep(hardware: &mut Simulator<OutcomePredictor>, config: &Config, random: &mut ChaCha8Rng) {
    for index in 0..1u64 << clear_bits(config) {
        hardware.poke(|block| {
            block.clear.valid.next = true.into();
            block.clear.index.next = word(clear_bits(config), index);
            block.address.next = word(address_bits(config), random.random());
            block.taken.next = random.random::<bool>().into();
        });
        hardware.clock();
    }
    hardware.poke(|block| block.clear.valid.next = false.into());
}

/// Runs model and hardware on branches that come in a pattern with noise, between bubbles; returns how many outcomes
/// were mispredicted, and the confidences that were seen.
fn outcomes(config: &Config, steps: usize, seed: u64) -> (usize, BTreeSet<u32>) {
    let mut model = outcome_predictor::OutcomePredictor::new(config);
    let mut hardware =
        Simulator::with_seed(OutcomePredictor::new(config, clear_bits(config)), seed).unwrap();
    let mut random = random(seed);
    let (address_bits, clear_bits) = (address_bits(config), clear_bits(config));
    sweep(&mut hardware, config, &mut random);

    let sites: Vec<u64> =
        (0..24).map(|_| random.random::<u64>() & mask(address_bits as u32)).collect();
    let latency = if config.memory_style == MemoryStyle::Synchronous { 3 } else { 0 };
    let mut expected: VecDeque<Option<Said>> = VecDeque::from(vec![None; latency]);
    let (mut branches, mut mispredicted, mut confidences) = (0usize, 0, BTreeSet::new());
    for _ in 0..steps {
        let site = branches * branches.div_ceil(40) % sites.len();
        let noise = if site.is_multiple_of(5) { 0.3 } else { 0.01 };
        let taken = (branches % (site + 2) > 1) ^ random.random_bool(noise);
        let predict = random.random_bool(0.8);
        let learn = predict && random.random_bool(0.95);
        let update_path = config.gshare_path_bits > 0 && random.random_bool(0.1);
        let target: u64 = random.random();
        hardware.poke(|block| {
            block.predict.next = predict.into();
            block.learn.next = learn.into();
            block.address.next = word(address_bits, sites[site]);
            block.taken.next = taken.into();
            if config.gshare_path_bits > 0 {
                block.update_path.next = update_path.into();
                block.target.next = word(config.gshare_path_bits as usize, target);
            }
            // The index of the sweep is a counter of instructions, which goes on.
            block.clear.index.next = word(clear_bits, random.random());
        });
        let mut said = None;
        if predict {
            let prediction = model.predict(sites[site]);
            confidences.insert(prediction.confidence);
            if learn {
                let wrong = prediction.taken != taken;
                mispredicted += usize::from(wrong);
                model.learn(&prediction, taken);
                branches += 1;
            }
            said =
                Some(Said { wrong: prediction.taken != taken, confidence: prediction.confidence });
        }
        if update_path {
            model.update_path(target);
        }
        expected.push_back(said);
        if let Some(said) = expected.pop_front().flatten() {
            let shown = Said {
                wrong: hardware.peek(|block| block.wrong.val()).any(),
                confidence: hardware.peek(|block| block.confidence.val()).to_u64() as u32,
            };
            assert_eq!(shown, said, "at cycle {} of {config:?}", hardware.cycle());
        }
        hardware.clock();
    }
    (mispredicted, confidences)
}

#[test]
fn of_presets() {
    let presets = presets().into_iter().filter(|(_, config)| !config.is_additive());
    for (number, (preset, config)) in presets.enumerate() {
        for style in styles(number) {
            let seed = if style == MemoryStyle::Asynchronous { 1 } else { 2 };
            let small = Config {
                bimodal_entries: config.bimodal_entries / 16,
                gshare_entries: config.gshare_entries / 16,
                match_history_entries: config.match_history_entries / 4,
                match_pointers: config.match_pointers / 4,
                confidence_entries: (config.confidence_entries / 4).max(4),
                loop_entries: config.loop_entries / 2,
                memory_style: style,
                ..config.clone()
            };
            let (mispredicted, confidences) = outcomes(&small, steps(STEPS, 5), seed);
            assert!(mispredicted > 100, "{}: {mispredicted}", preset.name);
            assert!(confidences.len() > 4, "{}: {confidences:?}", preset.name);
        }
    }
}

#[test]
fn of_random_configurations() {
    let mut random = random(9);
    // The first four have every width of an address.
    for seed in 0..if is_long() { 6 } else { 4 } {
        let (alignment, address_bits) = [(2, 32), (1, 32), (1, 64), (2, 33)][seed as usize % 4];
        let mut config = arbitrary::config(&mut random, alignment, address_bits);
        config.additive.additive = false;
        for style in styles(seed as usize) {
            config.memory_style = style;
            outcomes(&config, steps(STEPS / 2, 5), seed);
        }
    }
}

#[test]
fn of_extreme_sizes() {
    let largest = Config {
        bimodal_entries: 65536,
        gshare_entries: 65536,
        match_history_entries: 65536,
        match_pointers: 4096,
        confidence_entries: 65536,
        loop_entries: 256,
        ..Config::default()
    };
    let smallest = Config {
        bimodal_entries: 4,
        gshare_entries: 4,
        gshare_history_bits: 32,
        match_history_entries: 4,
        match_pointers: 4,
        confidence_entries: 4,
        loop_entries: 1,
        ..Config::default()
    };
    for style in [MemoryStyle::Asynchronous, MemoryStyle::Synchronous] {
        // A sweep of so many entries takes long: here they are only elaborated.
        let largest = Config { memory_style: style, ..largest.clone() };
        Simulator::new(OutcomePredictor::new(&largest, clear_bits(&largest))).unwrap();
        outcomes(&Config { memory_style: style, ..smallest.clone() }, steps(STEPS, 10), 3);
    }
}
