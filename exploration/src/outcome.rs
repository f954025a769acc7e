//! The result of a search.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tracewright_sim::scheme::Design;
use tracewright_verification::{Shard, models};

use crate::error::{Error, Result};
use crate::improvement::Improvement;
use crate::input::Input;
use crate::objective::{self, Objective};
use crate::predictors::Variant;
use crate::search::Strategy;
use crate::space::Candidate;
use crate::store::{self, Figures};
use crate::without_class::WithoutClass;
use crate::yardstick::{Baseline, Ratios, Yardstick};

/// The name of the file with the result in a results folder.
const RESULT: &str = "exploration.json";

/// What a TOML file has before the search that it is of, on its second line.
const OF_SEARCH: &str = "# Search ";

/// The result of a search. Its fields are those of `tracewright explore --json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Exploration {
    /// A hash of the search and its traces.
    pub search: String,
    /// The parts of the search that it has.
    pub shards: Vec<Shard>,
    /// How points were chosen.
    pub strategy: Strategy,
    /// The figures that are to be small.
    pub objectives: Vec<Objective>,
    /// The traces.
    pub traces: Vec<TraceSummary>,
    /// The design that others are compared with, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// What was done.
    #[serde(skip)]
    pub counts: Counts,
    /// Why the first point that is no design is none, as far as this search has asked for one.
    #[serde(skip)]
    pub refused: Option<String>,
    /// Every design measured: by the first objective of bits, then gates, then name.
    pub configurations: Vec<Row>,
    /// How a design of no more gates improves on the preset, where there is one preset and gates are an objective.
    pub improvement: Option<Improvement>,
    /// For every class of traces, which designs are on the front without it, and what they cost on it; empty where the
    /// traces have no classes and there is no baseline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without_class: Vec<WithoutClass>,
}

/// A trace of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceSummary {
    /// The file.
    pub trace: String,
    /// SHA-256 of the file.
    pub digest: String,
    /// The name of the class that it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// True if designs are not chosen by it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_left_out: bool,
}

/// What a search did; it differs after an interruption, and is no part of the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Measurements of a design on a trace that were made.
    pub measured: u64,
    /// Measurements that were known from before.
    pub known: u64,
    /// Combinations of parameters that are no design.
    pub invalid: u64,
}

/// The design of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Base {
    /// Its scheme.
    pub scheme: String,
    /// The parameters that differ from the scheme's defaults.
    pub parameters: Map<String, Value>,
}

/// A design and its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Name of the design.
    pub design: String,
    /// The preset that it begins with, or the design of a file.
    pub preset: String,
    /// What its bits are, if no hardware makes them; a design has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<String>,
    /// What a design of a file is, which no other command knows by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Base>,
    /// The parameters that differ from the preset.
    pub parameters: Map<String, Value>,
    /// The sections of the file for what stands around the design, as TOML.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub around: String,
    /// Bits of all traces together, divided by their instructions.
    pub bits_per_instruction: f64,
    /// The papers' gate estimate.
    pub gates: u32,
    /// Bits of the smallest output FIFO that never stalls on the traces; 0 for a predictor without hardware.
    pub buffer_bits: u64,
    /// The trace that takes the most bits per instruction.
    pub worst_trace: String,
    /// Bits per instruction of that trace.
    pub worst_bits_per_instruction: f64,
    /// The design beside the baseline, if there is one.
    #[serde(flatten)]
    pub ratios: Option<Ratios>,
    /// True if no other design is better in one objective and not worse in the others, and none before it is equal.
    pub is_on_front: bool,
    /// The figures of every trace, in the order of the traces.
    pub by_trace: Vec<Figures>,
}

impl TraceSummary {
    pub(crate) fn new(input: &Input, class: Option<String>, left_out: &[String]) -> Self {
        let trace = input.name();
        let is_left_out = left_out.contains(class.as_ref().unwrap_or(&trace));
        Self { trace, digest: input.digest.clone(), class, is_left_out }
    }
}

impl Base {
    /// What a design is; `None` for a preset.
    fn of(design: &Design) -> Option<Base> {
        if Design::preset(&design.name).is_ok_and(|preset| preset == *design) {
            return None;
        }
        let scheme = design.scheme.name();
        let defaults = Design::of_scheme(&design.name, scheme).ok()?.values();
        let differing = design.values().into_iter().filter(|value| !defaults.contains(value));
        let parameters =
            differing.map(|(name, taken)| (name.into(), value(taken.to_string()))).collect();
        Some(Base { scheme: scheme.into(), parameters })
    }
}

/// The value of a parameter in JSON and TOML.
fn value(text: String) -> Value {
    match text.parse::<u32>() {
        Ok(number) => Value::from(number),
        Err(_) => text.parse().map_or(Value::String(text), Value::Bool),
    }
}

impl Row {
    pub(crate) fn new(
        candidate: &Candidate,
        by_trace: Vec<Figures>,
        yardstick: Yardstick<'_>,
    ) -> Self {
        let changes = candidate.changes().into_iter();
        Self {
            base: Base::of(&candidate.preset),
            parameters: changes.map(|(name, text)| (name.into(), value(text))).collect(),
            ..Self::of(
                [&candidate.design.name, &candidate.preset.name],
                candidate.design.estimated_gates(),
                by_trace,
                yardstick,
            )
        }
    }

    /// A predictor without hardware.
    pub(crate) fn of_model(
        variant: &Variant,
        by_trace: Vec<Figures>,
        yardstick: Yardstick<'_>,
    ) -> Self {
        Self {
            basis: Some(models::BASIS.into()),
            parameters: variant.parameters.clone(),
            ..Self::of([variant.model.name(), &variant.of], variant.gates, by_trace, yardstick)
        }
    }

    fn of(
        [design, preset]: [&str; 2],
        gates: u32,
        by_trace: Vec<Figures>,
        yardstick: Yardstick<'_>,
    ) -> Self {
        let counts = |trace: &TraceSummary| !trace.is_left_out;
        let figure = |objective| yardstick.figure(objective, &by_trace, &counts);
        let total = figure(Objective::BitsPerInstruction);
        let (worst_bits_per_instruction, worst_trace) = figure(Objective::WorstBitsPerInstruction)
            .map_or((0.0, String::new()), |worst| (worst.figure, worst.of.to_owned()));
        let counted = yardstick.traces.iter().zip(&by_trace).filter(|(trace, _)| counts(trace));
        let buffer_bits = counted.map(|(_, figures)| figures.buffer_bits).max().unwrap_or(0);
        Self {
            design: design.into(),
            preset: preset.into(),
            basis: None,
            base: None,
            parameters: Map::new(),
            around: String::new(),
            bits_per_instruction: total.map_or(0.0, |total| total.figure),
            gates,
            buffer_bits,
            worst_trace,
            worst_bits_per_instruction,
            ratios: yardstick.ratios(&by_trace),
            is_on_front: false,
            by_trace,
        }
    }

    /// The same with what stands around the design that it begins with.
    pub(crate) fn within(&self, around: &BTreeMap<String, String>) -> Self {
        Self { around: around.get(&self.preset).cloned().unwrap_or_default(), ..self.clone() }
    }

    /// False for a predictor without hardware.
    pub fn is_design(&self) -> bool {
        self.basis.is_none()
    }

    /// The design.
    ///
    /// # Errors
    /// When the row was not written by this version, or is of a predictor without hardware.
    pub fn design(&self) -> Result<Design> {
        let (design, base) = match &self.base {
            None => (Design::preset(&self.preset)?.renamed(&self.design)?, None),
            Some(base) => (Design::of_scheme(&self.design, &base.scheme)?, Some(&base.parameters)),
        };
        let mut design = design;
        for (name, value) in base.into_iter().flatten().chain(&self.parameters) {
            design.set(name, &text(value))?;
        }
        design.validate()?;
        Ok(design)
    }

    /// True for a preset, with the values that every design of the space has, and for a predictor as it is.
    pub fn is_preset(&self) -> bool {
        self.design == self.preset
    }

    /// The figures of some objectives.
    pub fn scores(&self, objectives: &[Objective]) -> Vec<f64> {
        objectives.iter().map(|objective| self.score(*objective)).collect()
    }

    /// The figure of an objective.
    pub fn score(&self, objective: Objective) -> f64 {
        let ratio = |of: fn(&Ratios) -> f64| self.ratios.as_ref().map_or(f64::INFINITY, of);
        match objective {
            Objective::BitsPerInstruction => self.bits_per_instruction,
            Objective::WorstBitsPerInstruction => self.worst_bits_per_instruction,
            Objective::WorstRatio => ratio(|one| one.worst_ratio),
            Objective::WorstClassRatio => ratio(|one| one.worst_class_ratio),
            Objective::Gates => self.gates.into(),
            Objective::BufferBits => self.buffer_bits as f64,
        }
    }

    /// Where the design is at its worst by an objective: the ratio to the baseline and the trace or class, or without a
    /// baseline the bits per instruction and the trace.
    pub fn worst_at(&self, objective: Objective) -> (f64, &str) {
        match (&self.ratios, objective) {
            (Some(ratios), Objective::WorstClassRatio) => {
                (ratios.worst_class_ratio, &ratios.worst_class)
            }
            (Some(ratios), _) => (ratios.worst_ratio, &ratios.worst_ratio_trace),
            (None, _) => (self.worst_bits_per_instruction, &self.worst_trace),
        }
    }

    /// The changed parameters in one line.
    pub fn changes(&self) -> String {
        let changes = self.parameters.iter().map(|(name, value)| format!("{name}={}", text(value)));
        changes.collect::<Vec<_>>().join(" ")
    }

    /// The design as a TOML file that `generate` takes, of this search.
    pub fn toml(&self, search: &str) -> String {
        let mut parameters = self.parameters.clone();
        let from = match &self.base {
            None => format!("preset = \"{}\"", self.preset),
            Some(base) => {
                let of_base = base.parameters.iter();
                let others = of_base.filter(|(name, _)| !self.parameters.contains_key(*name));
                parameters.extend(others.map(|(name, value)| (name.clone(), value.clone())));
                format!("scheme = \"{}\"", base.scheme)
            }
        };
        let mut toml = format!(
            "# Found by `tracewright explore`: {:.4} bits per instruction, {} gates by the papers' rule.\n\
             {OF_SEARCH}{search}\n{from}\n",
            self.bits_per_instruction, self.gates
        );
        for (name, value) in parameters {
            toml += &format!("{name} = {value}\n");
        }
        match self.around.is_empty() {
            true => toml,
            false => format!("{toml}\n{}", self.around),
        }
    }
}

impl Row {
    /// The search that has written a TOML file; `None` for any other file.
    pub fn search_of(toml: &str) -> Option<&str> {
        toml.lines().nth(1)?.strip_prefix(OF_SEARCH)
    }
}

impl Figures {
    /// Bits divided by instructions.
    pub fn bits_per_instruction(&self) -> f64 {
        ratio(self.bits, self.instructions)
    }
}

impl Exploration {
    /// The files that a search and its command write in a results folder.
    pub const FILES: [&str; 6] =
        [store::VERSION, store::LOG, "all.csv", "front.csv", "front.svg", RESULT];

    /// Sorts the designs and marks those on the Pareto front.
    pub(crate) fn rank(&mut self) {
        let main = self.main_objective();
        let order = |row: &Row| row.scores(&[main, Objective::Gates]);
        self.configurations.sort_by(|one, other| {
            objective::compare(&order(one), &order(other))
                .then_with(|| one.design.cmp(&other.design))
        });
        // A preset can be found again among the designs with the smallest buffer.
        self.configurations.dedup_by(|one, other| one.design == other.design);
        let scores: Vec<Vec<f64>> =
            self.configurations.iter().map(|row| row.scores(&self.objectives)).collect();
        for (row, is_on_front) in self.configurations.iter_mut().zip(objective::front(&scores)) {
            row.is_on_front = is_on_front;
        }
    }

    /// The designs on the Pareto front.
    pub fn front(&self) -> impl Iterator<Item = &Row> {
        self.configurations.iter().filter(|row| row.is_on_front)
    }

    /// Reads the result of a results folder.
    ///
    /// # Errors
    /// When there is none of this version.
    pub fn load(folder: &Path) -> Result<Self> {
        store::check_version(folder)?;
        let path = folder.join(RESULT);
        if !path.exists() {
            let what =
                format!("expected {RESULT}, which a finished search has; run it again to go on");
            return Err(Error::Merge { path: folder.into(), what });
        }
        store::read_json(&path)
    }

    /// Writes the result into a results folder: as JSON, every design as `all.csv`, and the front as `front.csv`.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn save(&self, folder: &Path) -> Result<()> {
        store::write(
            &folder.join("all.csv"),
            &self.csv(&self.configurations.iter().collect::<Vec<_>>())?,
        )?;
        store::write(&folder.join("front.csv"), &self.csv(&self.front().collect::<Vec<_>>())?)?;
        let json =
            serde_json::to_string_pretty(self).map_err(|error| Error::Text(error.to_string()))?;
        store::write(&folder.join(RESULT), &(json + "\n"))
    }
}

/// A value as `--set` takes it.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

pub(crate) fn ratio(part: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}
