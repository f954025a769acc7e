//! What designs are measured by: bits per instruction, or their ratio to a baseline, over traces or classes of traces.

use serde::{Deserialize, Serialize};

use crate::objective::Objective;
use crate::outcome::{Exploration, TraceSummary, ratio};
use crate::prediction;
use crate::store::Figures;

/// The design that others are compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// Its name.
    pub design: String,
    /// Its gates.
    pub gates: u32,
    /// The figures of every trace, in the order of the traces.
    pub by_trace: Vec<Figures>,
}

/// Traces, their classes, and the design that others are compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Yardstick<'a> {
    pub traces: &'a [TraceSummary],
    pub baseline: Option<&'a Baseline>,
}

/// A figure over several traces, and the trace or class that it is of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Worst<'a> {
    pub figure: f64,
    pub of: &'a str,
}

/// A design beside the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratios {
    /// The largest ratio of a trace's bits to those of the baseline.
    pub worst_ratio: f64,
    /// The trace.
    pub worst_ratio_trace: String,
    /// The largest ratio of the bits of a class of traces together to those of the baseline.
    pub worst_class_ratio: f64,
    /// The class.
    pub worst_class: String,
    /// What the worst ratio of as many other programs of the same kinds stays below with a probability of 95 %; null for
    /// fewer than three traces. The logarithms of the ratios are taken for normally distributed.
    #[serde(default)]
    pub ratio_bound: Option<f64>,
    /// The largest ratio of a trace that is left out of the search; null if none is.
    pub left_out_ratio: Option<f64>,
    /// That trace.
    pub left_out_trace: Option<String>,
}

impl TraceSummary {
    /// The name of its class: its own name if it was given none.
    pub fn class(&self) -> &str {
        self.class.as_deref().unwrap_or(&self.trace)
    }
}

impl<'a> Yardstick<'a> {
    /// The names of the classes, in the order in which they come first.
    pub fn classes(self) -> Vec<&'a str> {
        let mut classes = Vec::new();
        for trace in self.traces {
            if !classes.contains(&trace.class()) {
                classes.push(trace.class());
            }
        }
        classes
    }

    /// The value of an objective that is about bits, over the traces that count, and the trace or class that decides it.
    /// `None` for another objective, and for ratios without a baseline.
    pub fn figure(
        self,
        objective: Objective,
        by_trace: &[Figures],
        counts: &dyn Fn(&TraceSummary) -> bool,
    ) -> Option<Worst<'a>> {
        let counted = || self.traces.iter().zip(by_trace).filter(|(trace, _)| counts(trace));
        match objective {
            Objective::BitsPerInstruction => {
                let figure = per_instruction(counted().map(|(_, figures)| figures));
                Some(Worst { figure, of: "" })
            }
            Objective::WorstBitsPerInstruction => worst(
                counted()
                    .map(|(trace, figures)| (figures.bits_per_instruction(), trace.trace.as_str())),
            ),
            Objective::WorstRatio => {
                let of_baseline = &self.baseline?.by_trace;
                let pairs = self.traces.iter().zip(by_trace).zip(of_baseline);
                let counted = pairs.filter(|((trace, _), _)| counts(trace));
                worst(counted.map(|((trace, figures), of_baseline)| {
                    (ratio(figures.bits, of_baseline.bits), trace.trace.as_str())
                }))
            }
            Objective::WorstClassRatio => {
                let of_baseline = &self.baseline?.by_trace;
                worst(self.classes().into_iter().filter_map(|class| {
                    let is_of = |trace: &TraceSummary| trace.class() == class && counts(trace);
                    let sum = |by_trace: &[Figures]| {
                        let own = self.traces.iter().zip(by_trace).filter(|one| is_of(one.0));
                        own.map(|(_, figures)| figures.bits).fold(0, u64::saturating_add)
                    };
                    let has_any = self.traces.iter().any(is_of);
                    has_any.then(|| (ratio(sum(by_trace), sum(of_baseline)), class))
                }))
            }
            Objective::Gates | Objective::BufferBits => None,
        }
    }

    /// The ratios to the baseline of the traces that designs are chosen by.
    fn counted_ratios(self, by_trace: &'a [Figures]) -> Option<impl Iterator<Item = f64>> {
        let pairs = by_trace.iter().zip(&self.baseline?.by_trace).zip(self.traces);
        let counted = pairs.filter(|(_, trace)| !trace.is_left_out);
        Some(counted.map(|((figures, of_baseline), _)| ratio(figures.bits, of_baseline.bits)))
    }

    /// A design beside the baseline, if there is one.
    pub fn ratios(self, by_trace: &[Figures]) -> Option<Ratios> {
        let of = |objective, is_left_out| {
            let counts = move |trace: &TraceSummary| trace.is_left_out == is_left_out;
            self.figure(objective, by_trace, &counts)
        };
        let trace = of(Objective::WorstRatio, false)?;
        let class = of(Objective::WorstClassRatio, false)?;
        let left_out = of(Objective::WorstRatio, true);
        Some(Ratios {
            worst_ratio: trace.figure,
            worst_ratio_trace: trace.of.to_owned(),
            worst_class_ratio: class.figure,
            worst_class: class.of.to_owned(),
            ratio_bound: prediction::bound(self.counted_ratios(by_trace)?),
            left_out_ratio: left_out.as_ref().map(|one| one.figure),
            left_out_trace: left_out.map(|one| one.of.to_owned()),
        })
    }
}

impl Exploration {
    /// What the designs of the search are measured by.
    pub(crate) fn yardstick(&self) -> Yardstick<'_> {
        Yardstick { traces: &self.traces, baseline: self.baseline.as_ref() }
    }

    /// The first objective that is about bits: designs are sorted by it.
    pub fn main_objective(&self) -> Objective {
        let mut of_bits = self.objectives.iter().filter(|one| one.is_of_bits());
        of_bits.next().copied().unwrap_or(Objective::BitsPerInstruction)
    }
}

/// Bits of figures together, divided by their instructions.
fn per_instruction<'a>(figures: impl Iterator<Item = &'a Figures>) -> f64 {
    let (bits, instructions) = figures.fold((0_u64, 0_u64), |sum, one| {
        (sum.0.saturating_add(one.bits), sum.1.saturating_add(one.instructions))
    });
    ratio(bits, instructions)
}

/// The largest figure, the first of equal ones.
fn worst<'a>(figures: impl Iterator<Item = (f64, &'a str)>) -> Option<Worst<'a>> {
    let order = |one: (f64, &'a str), other: (f64, &'a str)| match other.0 > one.0 {
        true => other,
        false => one,
    };
    figures.reduce(order).map(|(figure, of)| Worst { figure, of })
}
