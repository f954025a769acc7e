//! Fits Talon's score tables to programs.
//!
//! Scores decide how sure a prediction is, never what is predicted. So one pass over a trace counts how often each
//! combination of evidence was right and wrong ([`histogram`]), and from these counts follow the bits of any tables. The
//! tables with the fewest are searched for ([`descent`]) without another pass.

mod descent;
mod histogram;
mod tables;

use std::path::PathBuf;

use rayon::prelude::*;
use serde::Serialize;
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::talon::config::Config;
use tracewright_verification::Progress;
use tracewright_verification::measurement::{Measured, measure};

use crate::error::{Error, Result};
use descent::descend;
use histogram::Histogram;
use tables::Tables;

/// How often a trace that is fitted to is read.
pub const PASSES: u64 = 6;

/// How often another trace is read.
pub const VALIDATION_PASSES: u64 = 4;

/// A design with fitted tables, and what they bring.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The design: all parameters are those of before, except the scores and the confidences of targets.
    pub design: Design,
    /// Bits of all symbols by the counts, with the tables of before.
    pub symbol_bits_before: f64,
    /// Bits of all symbols by the counts, with the fitted tables.
    pub symbol_bits_after: f64,
    /// The traces that the tables are fitted to.
    pub traces: Vec<Fitted>,
    /// The traces that they are not fitted to.
    pub validation: Vec<Fitted>,
}

/// Bits of an encoded trace with the tables of before and with the fitted ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fitted {
    /// The trace's file.
    pub trace: String,
    /// Instructions in the trace.
    pub instructions: u64,
    /// Bits with the tables of before.
    pub bits_before: u64,
    /// Bits with the fitted tables.
    pub bits_after: u64,
}

/// Fits the tables of a design to traces, and measures them on these and on `validation`. `progress` is in bytes.
///
/// # Errors
/// When the design is not Talon's, a trace is bad, or the design cannot trace it.
pub fn fit(
    design: &Design,
    traces: &[PathBuf],
    validation: &[PathBuf],
    limit: EventLimit,
    progress: &Progress,
) -> Result<Fit> {
    let Scheme::Talon(config) = &design.scheme else {
        return Err(Error::NoScores { design: design.name.clone(), scheme: design.scheme.name() });
    };
    if config.is_additive() {
        return Err(Error::Weights { design: design.name.clone() });
    }
    let all: Vec<PathBuf> = traces.iter().chain(validation).cloned().collect();
    let before = measure(std::slice::from_ref(design), &all, limit, progress)?;
    let of_trace = |trace: &PathBuf| Histogram::of_trace(design, trace, limit, progress);
    let histogram = traces
        .par_iter()
        .map(of_trace)
        .try_reduce(Histogram::default, |one, other| Ok(one + other))?;
    let tables = Tables::new(config);
    let best = descend(&histogram, &tables);
    let mut fitted = with_tables(design, config, &best)?;
    let mut after = measure(std::slice::from_ref(&fitted), &all, limit, progress)?;
    let sum = |of: &[Measured]| of[..traces.len()].iter().map(|one| one.bits).sum::<u64>();
    // The counts leave out how symbols share the coder's whole bits.
    let keeps = sum(&after) >= sum(&before);
    if keeps {
        (fitted, after) = (design.clone(), before.clone());
    }
    let pairs = before.iter().zip(&after).map(|(before, after)| Fitted {
        trace: before.trace.clone(),
        instructions: before.instructions,
        bits_before: before.bits,
        bits_after: after.bits,
    });
    let mut pairs: Vec<Fitted> = pairs.collect();
    let validation = pairs.split_off(traces.len());
    let symbol_bits_before = tables.bits(&histogram);
    Ok(Fit {
        design: fitted,
        symbol_bits_before,
        symbol_bits_after: if keeps { symbol_bits_before } else { best.bits(&histogram) },
        traces: pairs,
        validation,
    })
}

/// The design with these tables.
fn with_tables(design: &Design, config: &Config, tables: &Tables) -> Result<Design> {
    let mut fitted = design.clone();
    for (name, value) in tables.parameters(config) {
        fitted.set(name, &value.to_string())?;
    }
    Ok(fitted)
}
