//! How often predictions were right and wrong, by all that their confidence can depend on.

use std::path::Path;

use tracewright_sim::event::{Event, Item, Kind};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::talon::config::sizes::{
    BIMODAL_STATES, CONFIDENCE_STATES, ENTRY_CONFIDENCES, GSHARE_STATES, LOOP_STATES, MATCH_CLASSES,
};
use tracewright_sim::talon::predictors::Predictors;
use tracewright_sim::talon::score::States;
use tracewright_sim::talon::target_predictor::Basis;
use tracewright_verification::Progress;
use tracewright_verification::trace::{self, Addresses, Blocks};

use crate::error::Result;

/// Combinations of what the structures say of an outcome.
const OUTCOMES: usize =
    BIMODAL_STATES * GSHARE_STATES * 2 * MATCH_CLASSES * CONFIDENCE_STATES * LOOP_STATES;

/// Predictions that were right and that were wrong: their numbers, or with weights of traces multiples of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Right ones.
    pub right: f64,
    /// Wrong ones.
    pub wrong: f64,
}

impl Counts {
    fn count(&mut self, right: bool) {
        *(if right { &mut self.right } else { &mut self.wrong }) += 1.0;
    }

    fn add(&mut self, other: Counts, weight: f64) {
        self.right += weight * other.right;
        self.wrong += weight * other.wrong;
    }
}

/// Predictions of one kind: an outcome, or with a level the choice between two targets of an entry with that confidence.
#[derive(Clone, Copy, Debug)]
pub struct Outcomes {
    /// What the structures say.
    pub states: States,
    /// The entry's confidence.
    pub level: Option<usize>,
    /// The predictions.
    pub counts: Counts,
}

/// The predictions of some traces.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    /// Outcomes, then choices at each level: the numbers of the combinations that there were predictions of, in order.
    outcomes: Vec<(u32, Counts)>,
    /// Returns.
    pub returns: Counts,
    /// Targets of entries with one target.
    pub single: [Counts; ENTRY_CONFIDENCES],
    /// Recent targets of entries with two targets.
    pub recent: [Counts; ENTRY_CONFIDENCES],
}

impl Histogram {
    /// The predictions of a trace.
    ///
    /// # Errors
    /// When the trace is bad, or the design cannot trace it.
    pub fn of_trace(
        design: &Design,
        path: &Path,
        limit: EventLimit,
        progress: &Progress,
    ) -> Result<Self> {
        let (calls, reader) =
            trace::open_for_encoding(path, progress, || trace::open(path, limit, progress))?;
        let addresses = Addresses::of(path, std::iter::once(design), limit)?;
        let design = trace::design_for(&addresses.fit(design.clone()), reader.machine())?;
        let mut counter = Counter::new();
        if let Scheme::Talon(config) = &design.scheme {
            let mut predictors = Predictors::new(config);
            let mut blocks = Blocks::prepared(reader, calls);
            while let Some(block) = blocks.next_block()? {
                for item in block {
                    if let Item::Event(event) = item {
                        counter.event(event, &mut predictors);
                    }
                }
            }
        }
        Ok(counter.finish())
    }

    /// The predictions of several traces together, each count of a trace times its weight.
    pub fn sum<'a>(histograms: impl Iterator<Item = (&'a Self, f64)>) -> Self {
        let mut all = Counter::new();
        for (one, weight) in histograms {
            for (number, counts) in &one.outcomes {
                all.outcomes[*number as usize].add(*counts, weight);
            }
            let sum = |(sum, counts): (&mut Counts, &Counts)| sum.add(*counts, weight);
            all.rest.single.iter_mut().zip(&one.single).for_each(sum);
            all.rest.recent.iter_mut().zip(&one.recent).for_each(sum);
            all.rest.returns.add(one.returns, weight);
        }
        all.finish()
    }

    /// Every combination that there were predictions of.
    pub fn outcomes(&self) -> impl Iterator<Item = Outcomes> {
        self.outcomes.iter().map(|(number, counts)| {
            let number = *number as usize;
            let level = (number / OUTCOMES).checked_sub(1);
            Outcomes { states: states(number % OUTCOMES), level, counts: *counts }
        })
    }
}

/// Counts the predictions of a trace.
struct Counter {
    /// By the number of the combination.
    outcomes: Vec<Counts>,
    /// All other predictions.
    rest: Histogram,
}

impl Counter {
    fn new() -> Self {
        let outcomes = vec![Counts::default(); OUTCOMES * (1 + ENTRY_CONFIDENCES)];
        Self { outcomes, rest: Histogram::default() }
    }

    fn finish(self) -> Histogram {
        let numbered = (0..).zip(self.outcomes);
        let outcomes = numbered.filter(|(_, counts)| *counts != Counts::default()).collect();
        Histogram { outcomes, ..self.rest }
    }

    fn event(&mut self, event: &Event, predictors: &mut Predictors) {
        if event.kind.is_conditional() {
            let outcome = predictors.predict_outcome(event.program_counter);
            if let Some(states) = outcome.states() {
                self.outcomes[place(states)].count(outcome.taken() == event.taken);
            }
            predictors.learn_outcome(&outcome, event.taken);
        }
        if event.kind.is_indirect() && event.taken {
            let expected =
                predictors.predict_target(event.program_counter, event.kind, event.is_return);
            let target = predictors.addresses().units(event.target);
            let right = expected.is_right(target);
            let counts = expected.basis().map(|basis| match basis {
                Basis::Return => &mut self.rest.returns,
                Basis::Single(level) => &mut self.rest.single[level],
                Basis::Recent(level) => &mut self.rest.recent[level],
                Basis::Choice(level, states) => {
                    &mut self.outcomes[OUTCOMES * (1 + level) + place(states)]
                }
            });
            counts.into_iter().for_each(|counts| counts.count(right));
            predictors.learn_target(event, &expected);
        }
        if event.kind == Kind::Exception && event.taken {
            // It has no confidence, but its target has an entry in the target buffer.
            let expected = predictors.predict_exception(event.program_counter);
            let target = predictors.addresses().units(event.target);
            predictors.learn_exception(event.program_counter, target, &expected);
        }
        predictors.follow(event);
    }
}

/// The number of a combination.
fn place(states: States) -> usize {
    let States { bimodal, gshare, matching, confidence, looping } = states;
    let upper = (bimodal * GSHARE_STATES + gshare) * 2 * MATCH_CLASSES + matching;
    (upper * CONFIDENCE_STATES + confidence) * LOOP_STATES + looping
}

/// The combination with a number.
fn states(place: usize) -> States {
    let (upper, looping) = (place / LOOP_STATES, place % LOOP_STATES);
    let (upper, confidence) = (upper / CONFIDENCE_STATES, upper % CONFIDENCE_STATES);
    let (upper, matching) = (upper / (2 * MATCH_CLASSES), upper % (2 * MATCH_CLASSES));
    States {
        bimodal: upper / GSHARE_STATES,
        gshare: upper % GSHARE_STATES,
        matching,
        confidence,
        looping,
    }
}
