//! The data of a report: designs with their cost and their bits.

use serde::Serialize;
use tracewright_sim::encode::dynamics::Dynamics;
use tracewright_sim::scheme::Design;
use tracewright_synthesis::{Fpga, Gates};

use crate::papers;

/// All data of a report, also printed as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The traces, in the order given.
    pub traces: Vec<Trace>,
    /// The designs, in the order given.
    pub designs: Vec<DesignReport>,
    /// The predictors without hardware, in the order given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelReport>,
}

/// A predictor without hardware: what a model makes of it, and no gates but those of the papers' rule.
#[derive(Clone, Debug, Serialize)]
pub struct ModelReport {
    /// Its name.
    pub name: String,
    /// Bits of all declared tables.
    pub storage_bits: u64,
    /// Gates by the papers' rule, from the storage; null if they are more than a number of 32 bits.
    pub estimated_gates: Option<u32>,
    /// Declared tables and their bits.
    pub storage: Vec<Stored>,
    /// Bits for each trace.
    pub bandwidth: Vec<Bandwidth>,
    /// Bits per instruction of all traces together.
    pub bits_per_instruction: Option<f64>,
}

/// A trace that the designs encode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace {
    /// File name without folder and suffix.
    pub name: String,
    /// Number of instructions.
    pub instructions: u64,
    /// Number of memory accesses.
    pub accesses: u64,
}

/// A design.
#[derive(Clone, Debug, Serialize)]
pub struct DesignReport {
    /// Name of the design.
    pub design: String,
    /// Name of the scheme.
    pub scheme: &'static str,
    /// Number of cores that it traces.
    pub cores: u32,
    /// True if it traces data addresses instead of control flow.
    pub traces_data: bool,
    /// Gates by the papers' rule.
    pub estimated_gates: u32,
    /// Gates that a paper prints.
    pub paper_gates: Option<u32>,
    /// Stored bits by instance in the design, registers included.
    pub storage: Vec<Stored>,
    /// The results of synthesis.
    pub gates: Gates,
    /// The results of the FPGA tools, one for each family.
    pub fpga: Vec<Fpga>,
    /// Bits for each trace; empty if the traces do not have what the design traces.
    pub bandwidth: Vec<Bandwidth>,
    /// Bits per instruction of all traces together.
    pub bits_per_instruction: Option<f64>,
    /// True if no other design has both fewer gates and fewer bits per instruction.
    pub is_on_front: bool,
}

/// Storage of a structure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stored {
    /// The path of its instance in the design, or the name of a predictor's table.
    pub structure: String,
    /// Number of bits.
    pub bits: u64,
}

/// The bits of one design for one trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bandwidth {
    /// Name of the trace.
    pub trace: String,
    /// Instructions in the trace.
    pub instructions: u64,
    /// Bits of the encoded trace, without padding.
    pub bits: u64,
    /// `bits` divided by `instructions`.
    pub bits_per_instruction: f64,
    /// The bits in time.
    #[serde(skip)]
    pub dynamics: Dynamics,
}

impl Bandwidth {
    /// Computes the bits per instruction of a trace.
    pub fn new(trace: &Trace, bits: u64, dynamics: Dynamics) -> Self {
        let bits_per_instruction = per(bits, trace.instructions);
        let (trace, instructions) = (trace.name.clone(), trace.instructions);
        Self { trace, instructions, bits, bits_per_instruction, dynamics }
    }
}

impl DesignReport {
    /// A design with its figures.
    pub fn new(
        design: &Design,
        storage: Vec<Stored>,
        gates: Gates,
        fpga: Vec<Fpga>,
        bandwidth: Vec<Bandwidth>,
    ) -> Self {
        // The paper's figure is not for a changed preset.
        let is_preset = Design::preset(&design.name).is_ok_and(|preset| preset == *design);
        let printed = papers::gates_of(&design.name).filter(|_| is_preset);
        Self {
            design: design.name.clone(),
            scheme: design.scheme.name(),
            cores: design.cores(),
            traces_data: design.traces_data(),
            estimated_gates: design.estimated_gates(),
            paper_gates: printed.map(|printed| printed.gates),
            storage,
            gates,
            fpga,
            bits_per_instruction: together(&bandwidth),
            bandwidth,
            is_on_front: false,
        }
    }

    /// The design's point in the plot of gates against bits; `None` if it traces data addresses.
    pub fn point(&self) -> Option<(f64, f64)> {
        let bits = self.bits_per_instruction.filter(|bits| *bits > 0.0 && !self.traces_data)?;
        Some((self.gates.total_ge, bits))
    }
}

impl ModelReport {
    /// A predictor with its tables and its figures.
    pub fn new(
        name: &str,
        storage: Vec<Stored>,
        estimated_gates: Option<u32>,
        bandwidth: Vec<Bandwidth>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            storage_bits: storage.iter().map(|stored| stored.bits).sum(),
            estimated_gates,
            storage,
            bits_per_instruction: together(&bandwidth),
            bandwidth,
        }
    }

    /// Its point in the plot of gates against bits, at the gates of the papers' rule.
    pub fn point(&self) -> Option<(f64, f64)> {
        let bits = self.bits_per_instruction.filter(|bits| *bits > 0.0)?;
        Some((self.estimated_gates?.into(), bits))
    }
}

/// Bits per instruction of all traces together, if they have any.
fn together(bandwidth: &[Bandwidth]) -> Option<f64> {
    let sum = |of: fn(&Bandwidth) -> u64| bandwidth.iter().map(of).sum::<u64>();
    let (bits, instructions) = (sum(|one| one.bits), sum(|one| one.instructions));
    (instructions > 0).then(|| per(bits, instructions))
}

impl Report {
    /// A report of designs on traces.
    pub fn new(traces: Vec<Trace>, mut designs: Vec<DesignReport>) -> Self {
        let points: Vec<_> = designs.iter().map(DesignReport::point).collect();
        for (design, point) in designs.iter_mut().zip(&points) {
            design.is_on_front = point.is_some_and(|point| {
                !points
                    .iter()
                    .flatten()
                    .any(|other| other.0 <= point.0 && other.1 <= point.1 && *other != point)
            });
        }
        Self { traces, designs, models: Vec::new() }
    }

    /// The same with predictors without hardware beside the designs.
    pub fn with_models(self, models: Vec<ModelReport>) -> Self {
        Self { models, ..self }
    }
}

fn per(bits: u64, instructions: u64) -> f64 {
    if instructions == 0 { 0.0 } else { bits as f64 / instructions as f64 }
}
