//! Measurements of designs on traces, with a progress bar.

use anyhow::{Result, anyhow};
use serde::Serialize;
use tracewright_comparators::predictor::Model;
use tracewright_sim::scheme::Design;
pub use tracewright_verification::measurement::Measured;
use tracewright_verification::measurement::measure;
use tracewright_verification::models::{self, MeasuredModel};

use super::addresses;
use super::events;
use super::limits;
use super::paths::{self, Input};
use super::print;

/// What was measured of a design, or of a predictor without hardware.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Figures {
    /// Of a design.
    Design(Box<Measured>),
    /// Of a predictor.
    Model(MeasuredModel),
}

impl Figures {
    /// What only hardware has.
    pub fn of_design(&self) -> Option<&Measured> {
        match self {
            Figures::Design(measured) => Some(measured),
            Figures::Model(_) => None,
        }
    }

    /// The name of the design or predictor, and that of the trace.
    pub fn names(&self) -> (&str, &str) {
        match self {
            Figures::Design(one) => (&one.design, &one.trace),
            Figures::Model(one) => (&one.design, &one.trace),
        }
    }

    /// Bits of every field.
    pub fn fields(&self) -> &[(String, u64)] {
        match self {
            Figures::Design(one) => &one.fields,
            Figures::Model(one) => &one.fields,
        }
    }

    /// Instructions in the trace.
    pub fn instructions(&self) -> u64 {
        match self {
            Figures::Design(one) => one.instructions,
            Figures::Model(one) => one.instructions,
        }
    }

    /// Bits of the encoded trace, and of one without compression.
    pub fn bits(&self) -> (u64, u64) {
        match self {
            Figures::Design(one) => (one.bits, one.plain_bits),
            Figures::Model(one) => (one.bits, one.plain_bits),
        }
    }
}

/// Every predictor without hardware on every trace, predictor by predictor.
///
/// # Errors
/// When a trace is bad, or a predictor fails on it.
pub fn all_models(models: &[Model], traces: &[Input]) -> Result<Vec<MeasuredModel>> {
    events::rereadable(traces)?;
    events::not_all_empty(traces)?;
    let progress = events::progress_of(traces, 2);
    Ok(models::measure(models, &paths::paths(traces), limits::events(), &progress)?)
}

/// Every design on every trace, design by design.
///
/// # Errors
/// When a trace is bad, a design cannot trace it, or no trace has anything that one of the designs traces.
pub fn all(designs: &[Design], traces: &[Input]) -> Result<Vec<Measured>> {
    events::rereadable(traces)?;
    events::not_all_empty(traces)?;
    let progress = events::progress_of(traces, 2);
    let measured = measure(designs, &paths::paths(traces), limits::events(), &progress)?;
    let is_nothing = |one: &Measured| one.hits.is_some() && one.accesses == 0;
    if let Some(first) = measured.first()
        && measured.iter().all(is_nothing)
    {
        return Err(anyhow!(
            "{} traces data addresses, and {} has none: expected a trace with them, as `capture --data` writes it",
            first.design,
            first.trace
        ));
    }
    // The measurements of the first design are those of the traces in their order.
    for (trace, one) in traces.iter().zip(&measured) {
        addresses::note(trace, "measured with", designs, &one.addresses);
    }
    for number in 0..traces.len() {
        let mut of_trace = measured.iter().skip(number).step_by(traces.len());
        if let Some(several) = of_trace.find(|one| one.modules > 1) {
            print::remark(format_args!(
                "{} has {} threads: each is measured on a core of its own, with a module for each, where a design is \
                 for one core\n",
                several.trace, several.modules
            ));
        }
    }
    Ok(measured)
}
