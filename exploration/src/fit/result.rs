//! What fitted tables bring.

use serde::Serialize;
use tracewright_sim::scheme::Design;

/// A design with fitted tables, and what they bring.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The design: all parameters are those of before, except the scores and the confidences of targets.
    pub design: Design,
    /// The name of the design that ratios are to.
    pub baseline: String,
    /// Bits of all symbols by the counts, with the tables of before.
    pub symbol_bits_before: f64,
    /// Bits of all symbols by the counts, with the fitted tables.
    pub symbol_bits_after: f64,
    /// The traces that the tables are fitted to.
    pub traces: Vec<Fitted>,
    /// The traces that they are not fitted to.
    pub validation: Vec<Fitted>,
    /// What tables that are fitted without a class cost on it, for each class; empty without classes.
    pub without_class: Vec<WithoutClass>,
}

/// Bits of an encoded trace with the tables of before and with the fitted ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fitted {
    /// The trace's file.
    pub trace: String,
    /// The class that it was given.
    pub class: Option<String>,
    /// Instructions in the trace.
    pub instructions: u64,
    /// Bits with the tables of before.
    pub bits_before: u64,
    /// Bits with the fitted tables.
    pub bits_after: u64,
    /// Bits of the baseline.
    pub bits_of_baseline: u64,
}

/// A class on which tables are measured that were fitted to other classes. Ratios are to the bits of the baseline: that
/// of the worst trace if tables are fitted by the worst trace, and of all traces of the class together otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WithoutClass {
    /// The class.
    pub class: String,
    /// With tables that are fitted to the other classes.
    pub ratio_by_others: f64,
    /// With tables that are fitted to all classes.
    pub ratio_by_all: f64,
    /// With tables that are fitted to this class alone.
    pub ratio_by_class: f64,
}

impl Fitted {
    /// The ratio of the bits with the fitted tables to those of the baseline.
    pub fn ratio(&self) -> f64 {
        self.bits_after as f64 / (self.bits_of_baseline as f64).max(1.0)
    }
}

impl Fit {
    /// The trace that the tables are fitted to with the largest ratio to the baseline.
    pub fn worst(&self) -> Option<&Fitted> {
        self.traces.iter().max_by(|one, other| one.ratio().total_cmp(&other.ratio()))
    }
}
