//! What bimodal, gshare and match model say together, computed once for each of their states.

use super::bimodal::{BimodalCounter, is_sure};
use super::config::sizes;
use super::counter::Counter;
use super::gshare::GshareCounter;
use super::match_model::{self, MatchPrediction};
use super::score::{Evidence, Scores};

/// A prediction and how sure it is, the confidence counter aside.
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    /// The outcome.
    pub taken: bool,
    /// Bimodal would predict otherwise.
    pub differs: bool,
    /// The score of all structures but the confidence counter.
    pub score: i16,
}

impl Decision {
    /// The outcome that is predicted, and its score.
    pub fn new(evidence: &Evidence, scores: &Scores) -> Self {
        let taken = evidence.prediction;
        let differs = evidence.bimodal.direction() != taken;
        Self { taken, differs, score: scores.of_structures(evidence) as i16 }
    }
}

/// The outcome that the structures say together, loops aside.
fn outcome(bimodal: BimodalCounter, gshare: GshareCounter, matching: &MatchPrediction) -> bool {
    let is_weak = matching.class == match_model::TRUSTED_CLASS - 1 && gshare.magnitude() <= 1;
    if matching.class >= match_model::TRUSTED_CLASS {
        matching.taken
    } else if is_sure(bimodal) {
        bimodal.direction()
    } else if is_weak {
        matching.taken
    } else {
        gshare.direction()
    }
}

const GSHARE_COUNTERS: usize = sizes::GSHARE_STATES - 1;
const STATES: usize = sizes::BIMODAL_STATES * GSHARE_COUNTERS * 2 * sizes::MATCH_CLASSES;

/// The decisions of all states. They are looked up, as a processor cannot foretell which structure decides.
#[derive(Clone, Debug)]
pub struct Decisions(Box<[Decision; STATES]>);

impl Decisions {
    /// Those by the scores of a configuration.
    pub fn new(scores: &Scores) -> Self {
        let mut decisions = Box::new([Decision { taken: false, differs: false, score: 0 }; STATES]);
        for (state, decision) in decisions.iter_mut().enumerate() {
            let bimodal = Counter((state % sizes::BIMODAL_STATES) as u8);
            let gshare = Counter((state / sizes::BIMODAL_STATES % GSHARE_COUNTERS) as u8);
            let matched = state / (sizes::BIMODAL_STATES * GSHARE_COUNTERS);
            let matching = MatchPrediction::of(matched % 2 == 1, (matched / 2) as u8);
            let prediction = outcome(bimodal, gshare, &matching);
            let (looping, confidence) = (None, 0);
            let evidence = Evidence { prediction, bimodal, gshare, matching, looping, confidence };
            *decision = Decision::new(&evidence, scores);
        }
        Self(decisions)
    }

    /// The decision where these say so.
    #[inline]
    pub fn of(
        &self,
        bimodal: BimodalCounter,
        gshare: GshareCounter,
        matching: &MatchPrediction,
    ) -> Decision {
        let matched = usize::from(matching.class) * 2 + usize::from(matching.taken);
        let state = (matched * GSHARE_COUNTERS + usize::from(gshare.0)) * sizes::BIMODAL_STATES
            + usize::from(bimodal.0);
        self.0[state % STATES]
    }
}
