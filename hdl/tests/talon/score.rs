//! Talon's score, in RustHDL's simulation, against its twin in the golden model.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::talon::score::Score;
use tracewright_sim::parameter::List;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::counter::Counter;
use tracewright_sim::talon::presets::presets;
use tracewright_sim::talon::score::Evidence;
use tracewright_sim::talon::{self as model, arbitrary};

use super::{random, stored, word};

fn evidence(config: &Config, random: &mut ChaCha8Rng) -> Evidence {
    let mut matching = model::match_model::MatchModel::new(config).predict(0, 0);
    (matching.taken, matching.class) = (random.random(), random.random_range(0..8));
    let looping = model::loop_predictor::LoopPrediction {
        taken: random.random(),
        confidence: random.random_range(0..4),
    };
    // Only a loop predictor overrules a match model that is trusted.
    let is_trusted = matching.class >= model::match_model::TRUSTED_CLASS;
    let follows = is_trusted && !config.has_loop_predictor();
    Evidence {
        prediction: if follows { matching.taken } else { random.random() },
        bimodal: Counter(random.random_range(0..16)),
        gshare: Counter(random.random_range(0..8)),
        matching,
        looping: (config.has_loop_predictor() && random.random()).then_some(looping),
        confidence: random.random_range(0..8),
    }
}

#[test]
fn score() {
    let mut random = random(7);
    let presets = presets().into_iter().map(|(_, config)| config);
    let drawn: Vec<_> = (0..40).map(|_| arbitrary::config(&mut random, 2, 32)).collect();
    for config in presets.chain(drawn) {
        let scores = tracewright_sim::talon::score::Scores::new(&config);
        let mut hardware = Simulator::new(Score::new(&config)).unwrap();
        for _ in 0..1_000 {
            let evidence = evidence(&config, &mut random);
            hardware.poke(|block| {
                block.prediction.next = evidence.prediction.into();
                block.bimodal.next = word(4, stored(evidence.bimodal));
                block.is_sure.next = model::bimodal::is_sure(evidence.bimodal).into();
                block.gshare.next = word(3, stored(evidence.gshare));
                block.matched.next = evidence.matching.taken.into();
                block.match_class.next = word(3, evidence.matching.class.into());
                block.counter.next = word(3, evidence.confidence.into());
                if let Some(found) = evidence.looping {
                    block.looped.next = found.taken.into();
                    block.loop_confidence.next = word(2, found.confidence.into());
                } else if config.has_loop_predictor() {
                    block.loop_confidence.next = 0.into();
                }
            });
            let confidence = hardware.peek(|block| block.confidence.val()).to_u64();
            assert_eq!(confidence, u64::from(scores.confidence(&evidence)), "{config:?}");
        }
    }
}

/// A range of many more bits than a confidence can say takes a design too.
#[test]
fn few_confidences_of_a_wide_range() {
    for most_confidence in [1, 2, 3] {
        let config = Config {
            range_bits: 16,
            most_confidence,
            return_confidence: 1,
            single_target_confidences: List([1; 4]),
            recent_target_confidences: List([1; 4]),
            choice_confidences: List([1; 4]),
            ..Config::default()
        };
        let design = Design::new("few", Scheme::Talon(config)).unwrap();
        tracewright_hdl::generate(&design).unwrap();
    }
}
