//! Stack and target buffer with registers of regions, in RustHDL's simulation, against their twins in the golden model.

use rand::Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::talon::target_predictor::TargetPredictor;
use tracewright_sim::config::mask;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::talon as model;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::outcomes::Outcomes;
use tracewright_sim::talon::target_predictor::TargetPrediction;

use super::{STEPS, address_bits, clear_bits, random, word};
use crate::steps;

#[test]
fn regions() {
    for target_regions in [0, 2, 4, 8, 16] {
        for targets_per_entry in [1, 2] {
            let mut config = Config {
                target_regions,
                targets_per_entry,
                return_addresses_compared: 2,
                target_bits: 8,
                ..Config::default()
            };
            for (address_width, alignment) in [(32, 2), (39, 1), (64, 0)] {
                config.processor.address_width = address_width;
                config.processor.alignment = alignment;
                regions_of(&config);
            }
        }
    }
}

/// A jump of the program, from an address to a target in instruction units.
#[derive(Clone, Copy, Debug)]
struct Jump {
    address: u64,
    target: u64,
    /// It is indirect.
    learn: bool,
    is_return: bool,
    call: bool,
}

impl Jump {
    fn poke(self, hardware: &mut Simulator<TargetPredictor>, config: &Config) {
        let width = address_bits(config);
        hardware.poke(|block| {
            block.address.next = word(width, self.address);
            block.length.next = word(4, 2);
            block.target.next = word(width, self.target);
            block.learn.next = self.learn.into();
            block.is_return.next = self.is_return.into();
            block.conditional.next = true.into();
            block.call.next = self.call.into();
            if config.has_regions() {
                block.follow.next = (!self.learn).into();
            }
        });
    }

    /// What the hardware shows is what the model found.
    fn compare(
        self,
        hardware: &Simulator<TargetPredictor>,
        config: &Config,
        found: &TargetPrediction,
    ) {
        let low_bits = config.low_target_bits();
        let has_candidate = hardware.peek(|block| block.has_candidate.val()).any();
        assert_eq!(has_candidate, found.candidate.is_some());
        let mut reference = hardware.peek(|block| block.reference.val()).to_u64();
        reference |= if config.has_regions() {
            hardware.peek(|block| block.reference_upper.val()).to_u64() << low_bits
        } else {
            self.address >> low_bits << low_bits
        };
        assert_eq!(reference, found.reference);
        let Some((candidate, confidence)) = found.candidate else { return };
        let wrong = candidate != self.target;
        assert_eq!(hardware.peek(|block| block.wrong.val()).any(), wrong);
        assert_eq!(hardware.peek(|block| block.has_other.val()).any(), found.other.is_some());
        let is_other = wrong && found.other == Some(self.target);
        assert_eq!(hardware.peek(|block| block.is_other.val()).any(), is_other);
        let hardware_confidence = hardware.peek(|block| block.confidence.val()).to_u64();
        assert_eq!(hardware_confidence, u64::from(confidence));
    }

    /// The event of a call, whose return address is two instruction units after it.
    fn event(self, alignment: u32) -> Event {
        Event {
            instructions: 1,
            program_counter: self.address << alignment,
            target: self.target << alignment,
            kind: Kind::DirectJump,
            call: true,
            is_return: self.is_return,
            taken: true,
            length: 2 << alignment,
            thread: 0,
        }
    }
}

fn regions_of(config: &Config) {
    let mut model = model::target_predictor::TargetPredictor::new(config);
    let mut outcomes = Outcomes::new(config);
    let mut hardware = Simulator::new(TargetPredictor::new(config, clear_bits(config))).unwrap();
    for index in 0..u64::from(config.clear_clocks()) {
        hardware.poke(|block| {
            block.clear.valid.next = true.into();
            block.clear.index.next = word(clear_bits(config), index);
        });
        hardware.clock();
    }
    hardware.poke(|block| block.clear.valid.next = false.into());
    let address_mask = mask(address_bits(config) as u32);
    let mut random = random(14);
    // The program goes on where it jumped to; most jumps stay in a few regions.
    let mut address = 0;
    for _ in 0..steps(STEPS / 4, 4) {
        let most = random.random_range(0..12u64);
        let region = random.random_range(0..=most) * 0x1001;
        let offset = 8 * random.random_range(0..12u64);
        let target = ((region << config.low_target_bits()) | offset) & address_mask;
        let learn: bool = random.random();
        let is_return = learn && random.random();
        let jump = Jump { address, target, learn, is_return, call: random.random_bool(0.4) };
        jump.poke(&mut hardware, config);
        let found = model.predict(address, is_return, true, &mut outcomes);
        jump.compare(&hardware, config, &found);
        if learn {
            model.learn(address, target, &found, &mut outcomes);
        } else {
            model.enter(address, target);
        }
        if jump.call {
            model.call(&jump.event(config.processor.alignment));
        }
        hardware.clock();
        address = target;
    }
}
