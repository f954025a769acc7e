//! Fits Talon's score tables to programs.
//!
//! Scores decide how sure a prediction is, never what is predicted. So one pass over a trace counts how often each
//! combination of evidence was right and wrong (`histogram`), and from these counts follow the bits of any tables. The
//! tables with the fewest bits in total (`descent`), or with the smallest worst ratio to a baseline (`worst`), are
//! searched for without another pass.

mod descent;
mod histogram;
mod result;
mod tables;
mod worst;

use std::path::PathBuf;

use rayon::prelude::*;
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::talon::config::Config;
use tracewright_verification::Progress;
use tracewright_verification::measurement::{Measured, measure};

use crate::class::Member;
use crate::error::{Error, Result};
use descent::descend;
use histogram::Histogram;
use tables::Tables;
use worst::{Group, descend_worst};

pub use result::{Fit, Fitted, WithoutClass};

/// How often a trace that is fitted to is read.
pub const PASSES: u64 = 6;

/// How often a trace is read besides if each class is left out in turn.
pub const CLASS_PASSES: u64 = 2;

/// How often another trace is read.
pub const VALIDATION_PASSES: u64 = 4;

/// What tables are to make small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// The bits of all traces together.
    #[default]
    Total,
    /// The largest ratio of a trace's bits to those of the baseline.
    Worst,
    /// The largest ratio of the bits of a class of traces together to those of the baseline.
    WorstClass,
}

/// What is fitted, to what, and by what.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The design whose tables are fitted.
    pub design: &'a Design,
    /// The traces.
    pub traces: &'a [Member],
    /// Traces that the tables are measured on, too.
    pub validation: &'a [PathBuf],
    /// The design that ratios are to; without one, the design before it is fitted.
    pub baseline: Option<&'a Design>,
    /// What is to be small.
    pub goal: Goal,
    /// The most records that a trace may have.
    pub limit: EventLimit,
}

/// The traces with their bits and predictions before anything is fitted.
struct Before<'a> {
    request: Request<'a>,
    config: &'a Config,
    tables: Tables,
    /// Bits of the traces that are fitted to and of the others, with the tables of before.
    measured: Vec<Measured>,
    /// The same with the baseline.
    baseline: Vec<Measured>,
    histograms: Vec<Histogram>,
}

/// Fits the tables of a design to traces, and measures them on these and on others. `progress` is in bytes.
///
/// # Errors
/// When the design is not Talon's, a trace is bad, or the design cannot trace it.
pub fn fit(request: Request<'_>, progress: &Progress) -> Result<Fit> {
    let Request { design, traces, .. } = request;
    let Scheme::Talon(config) = &design.scheme else {
        return Err(Error::NoScores { design: design.name.clone(), scheme: design.scheme.name() });
    };
    if config.is_additive() {
        return Err(Error::Weights { design: design.name.clone() });
    }
    let before = Before::new(request, config, progress)?;
    let all: Vec<usize> = (0..traces.len()).collect();
    let best = before.fit_to(&all);
    let mut fitted = before.with_tables(&best)?;
    let mut after =
        measure(std::slice::from_ref(&fitted), &before.paths(), request.limit, progress)?;
    // The counts leave out how symbols share the coder's whole bits.
    let keeps = before.score(&after) >= before.score(&before.measured);
    if keeps {
        (fitted, after) = (design.clone(), before.measured.clone());
    }
    let mut traces = before.fitted(&after);
    let validation = traces.split_off(all.len());
    let histogram = before.histogram(&all);
    let symbol_bits_before = before.tables.bits(&histogram);
    Ok(Fit {
        without_class: before.without_each_class(&traces, progress)?,
        design: fitted,
        baseline: request.baseline.unwrap_or(design).name.clone(),
        symbol_bits_before,
        symbol_bits_after: if keeps { symbol_bits_before } else { best.bits(&histogram) },
        traces,
        validation,
    })
}

impl<'a> Before<'a> {
    fn new(request: Request<'a>, config: &'a Config, progress: &Progress) -> Result<Self> {
        let Request { design, traces, baseline, limit, .. } = request;
        let designs: Vec<Design> =
            [Some(design), baseline].into_iter().flatten().cloned().collect();
        let mut before = Self {
            request,
            config,
            tables: Tables::new(config),
            measured: Vec::new(),
            baseline: Vec::new(),
            histograms: Vec::new(),
        };
        let mut measured = measure(&designs, &before.paths(), limit, progress)?;
        let rest = measured.split_off(before.paths().len());
        before.baseline = if rest.is_empty() { measured.clone() } else { rest };
        before.measured = measured;
        let of_trace = |one: &Member| Histogram::of_trace(design, &one.path, limit, progress);
        before.histograms = traces.par_iter().map(of_trace).collect::<Result<_>>()?;
        Ok(before)
    }

    /// The traces that are fitted to, then the others.
    fn paths(&self) -> Vec<PathBuf> {
        let fitted_to = self.request.traces.iter().map(|one| &one.path);
        fitted_to.chain(self.request.validation).cloned().collect()
    }

    /// The predictions of some traces together.
    fn histogram(&self, traces: &[usize]) -> Histogram {
        Histogram::sum(traces.iter().map(|trace| (&self.histograms[*trace], 1.0)))
    }

    /// The tables for some of the traces.
    fn fit_to(&self, traces: &[usize]) -> Tables {
        if self.request.goal == Goal::Total {
            return descend(&self.histogram(traces), &self.tables);
        }
        let groups: Vec<Group> = self.groups(traces).iter().map(|one| self.group(one)).collect();
        descend_worst(&groups.iter().collect::<Vec<_>>(), &self.tables)
    }

    /// Traces whose bits are compared together, by the goal.
    fn groups(&self, traces: &[usize]) -> Vec<Vec<usize>> {
        match self.request.goal {
            Goal::Total => vec![traces.to_vec()],
            Goal::Worst => traces.iter().map(|trace| vec![*trace]).collect(),
            Goal::WorstClass => {
                let classes = self.classes().into_iter();
                let own = classes.map(|class| {
                    let is_of = |trace: &&usize| self.request.traces[**trace].class() == class;
                    traces.iter().filter(is_of).copied().collect::<Vec<usize>>()
                });
                own.filter(|own| !own.is_empty()).collect()
            }
        }
    }

    fn group(&self, traces: &[usize]) -> Group {
        let sum = |of: &[Measured]| traces.iter().map(|trace| of[*trace].bits).sum::<u64>() as f64;
        let histogram = self.histogram(traces);
        Group {
            other_bits: sum(&self.measured) - self.tables.bits(&histogram),
            baseline_bits: sum(&self.baseline),
            histogram,
        }
    }

    /// The names of the classes, in the order in which they come first.
    fn classes(&self) -> Vec<String> {
        let mut classes = Vec::new();
        for class in self.request.traces.iter().map(Member::class) {
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        classes
    }

    /// What the goal makes small: the bits of the traces that are fitted to, or their worst ratio.
    fn score(&self, measured: &[Measured]) -> f64 {
        let all: Vec<usize> = (0..self.request.traces.len()).collect();
        match self.request.goal {
            Goal::Total => measured[..all.len()].iter().map(|one| one.bits).sum::<u64>() as f64,
            Goal::Worst | Goal::WorstClass => self.worst(measured, &all),
        }
    }

    /// The largest ratio of some traces, or of the classes of them, to the baseline.
    fn worst(&self, measured: &[Measured], traces: &[usize]) -> f64 {
        let ratio = |group: &Vec<usize>| {
            let sum = |of: &[Measured]| group.iter().map(|trace| of[*trace].bits).sum::<u64>();
            sum(measured) as f64 / (sum(&self.baseline) as f64).max(1.0)
        };
        self.groups(traces).iter().map(ratio).fold(0.0, f64::max)
    }

    /// The design with these tables.
    fn with_tables(&self, tables: &Tables) -> Result<Design> {
        let mut fitted = self.request.design.clone();
        for (name, value) in tables.parameters(self.config) {
            fitted.set(name, &value.to_string())?;
        }
        Ok(fitted)
    }

    /// The bits of every trace before and after.
    fn fitted(&self, after: &[Measured]) -> Vec<Fitted> {
        let classes = self.request.traces.iter().map(|one| one.class.clone());
        let classes = classes.chain(std::iter::repeat(None));
        let all = self.measured.iter().zip(&self.baseline).zip(after).zip(classes);
        let fitted = all.map(|(((before, baseline), after), class)| Fitted {
            trace: before.trace.clone(),
            class,
            instructions: before.instructions,
            bits_before: before.bits,
            bits_after: after.bits,
            bits_of_baseline: baseline.bits,
        });
        fitted.collect()
    }

    /// The tables without each of several given classes, on that class.
    fn without_each_class(
        &self,
        fitted: &[Fitted],
        progress: &Progress,
    ) -> Result<Vec<WithoutClass>> {
        let classes = self.classes();
        let is_given = self.request.traces.iter().any(|one| one.class.is_some());
        if classes.len() < 2 || !is_given {
            return Ok(Vec::new());
        }
        let with_all: Vec<u64> = fitted.iter().map(|one| one.bits_after).collect();
        let without = |class: &String| {
            let is_of = |trace: &usize| self.request.traces[*trace].class() == *class;
            let (own, others): (Vec<usize>, Vec<usize>) =
                (0..self.request.traces.len()).partition(is_of);
            let tables = [self.fit_to(&others), self.fit_to(&own)];
            let designs = tables.iter().map(|tables| self.with_tables(tables));
            let designs: Vec<Design> = designs.collect::<Result<_>>()?;
            let paths: Vec<PathBuf> =
                own.iter().map(|trace| self.request.traces[*trace].path.clone()).collect();
            let measured = measure(&designs, &paths, self.request.limit, progress)?;
            let bits: Vec<u64> = measured.iter().map(|one| one.bits).collect();
            let (of_others, of_own) = bits.split_at(own.len());
            let of_all: Vec<u64> = own.iter().map(|trace| with_all[*trace]).collect();
            let ratio = |bits: &[u64]| self.ratio(bits, &own);
            Ok(WithoutClass {
                class: class.clone(),
                ratio_by_others: ratio(of_others),
                ratio_by_all: ratio(&of_all),
                ratio_by_class: ratio(of_own),
            })
        };
        classes.par_iter().map(without).collect()
    }

    /// The ratio of some traces to the baseline: that of the worst trace if that is the goal, and of all of them together
    /// otherwise.
    fn ratio(&self, bits: &[u64], traces: &[usize]) -> f64 {
        let baseline: Vec<u64> = traces.iter().map(|trace| self.baseline[*trace].bits).collect();
        let of = |bits: u64, baseline: u64| bits as f64 / (baseline as f64).max(1.0);
        match self.request.goal {
            Goal::Worst => {
                bits.iter().zip(&baseline).map(|(one, other)| of(*one, *other)).fold(0.0, f64::max)
            }
            Goal::Total | Goal::WorstClass => of(bits.iter().sum(), baseline.iter().sum()),
        }
    }
}
