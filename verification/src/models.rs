//! Predictors without hardware on traces.

use std::path::PathBuf;

use serde::Serialize;
use tracewright_comparators::predictor::Model;
use tracewright_sim::estimate::CONSTANT_GATES;
use tracewright_sim::event_limit::EventLimit;

use crate::comparison::{self, Compared, Contender};
use crate::error::{Error, Result};
use crate::measurement::as_object;
use crate::progress::Progress;

/// What is said of bits that no hardware makes.
pub const BASIS: &str = "model only";

/// One predictor on one trace. Its fields are those of `tracewright measure --json` that need no hardware.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasuredModel {
    /// The predictor.
    pub design: String,
    /// [`BASIS`].
    pub basis: &'static str,
    /// The trace's file.
    pub trace: String,
    /// Bits of an address in the code.
    pub address_width: u32,
    /// Events in the trace.
    pub events: u64,
    /// Memory accesses in the trace.
    pub accesses: u64,
    /// Instructions in the trace.
    pub instructions: u64,
    /// Bits of the encoded trace.
    pub bits: u64,
    /// `bits` divided by `instructions`.
    pub bits_per_instruction: f64,
    /// Bits of an uncompressed trace with an address for each instruction.
    pub plain_bits: u64,
    /// `plain_bits` divided by `bits`.
    pub compression_ratio: f64,
    /// Bits by what they say.
    #[serde(serialize_with = "as_object")]
    pub fields: Vec<(String, u64)>,
    /// Predictors that were used: one for each thread of the trace.
    pub modules: u32,
    /// Bits of all declared tables, and of the last exception's target.
    pub papers_bits: u64,
    /// Gates by the papers' rule, from the storage; null if they are more than a number of 32 bits.
    pub estimated_gates: Option<u32>,
}

/// Gates by the papers' rule, from the storage alone.
pub fn estimated_gates(model: &Model) -> Option<u32> {
    let gates = model.storage_bits().checked_mul(3)? / 2 + u64::from(CONSTANT_GATES);
    gates.try_into().ok()
}

/// Measures every predictor on every trace: the traces of the first predictor, then those of the second, and so on.
/// Each trace may have as many records as `limit` allows; `progress` is in bytes, twice those of each trace.
///
/// # Errors
/// When a trace is bad, or a predictor fails on it.
pub fn measure(
    models: &[Model],
    traces: &[PathBuf],
    limit: EventLimit,
    progress: &Progress,
) -> Result<Vec<MeasuredModel>> {
    if models.is_empty() {
        return Ok(Vec::new());
    }
    let width = comparison::address_width(traces, limit)?;
    let contenders: Vec<Contender> =
        models.iter().map(|model| Contender::Model(Box::new(model.clone()))).collect();
    let compared = comparison::compare(&contenders, traces, width, limit, progress)?;
    let of = models.iter().flat_map(|model| std::iter::repeat_n(model, traces.len()));
    of.zip(compared).map(|(model, compared)| measured(model, compared)).collect()
}

fn measured(model: &Model, compared: Compared) -> Result<MeasuredModel> {
    let Compared { name, trace, events, instructions, refused, seen, .. } = compared;
    let bits = compared.bits.ok_or_else(|| Error::Predictor {
        predictor: name.clone(),
        trace: trace.clone(),
        reason: refused.unwrap_or_default(),
    })?;
    let plain_bits = instructions.saturating_mul(seen.address_bits.into());
    Ok(MeasuredModel {
        design: name,
        basis: BASIS,
        trace,
        address_width: seen.address_width,
        events,
        accesses: seen.accesses,
        instructions,
        bits,
        bits_per_instruction: compared.bits_per_instruction.unwrap_or_default(),
        plain_bits,
        compression_ratio: if bits == 0 { 0.0 } else { plain_bits as f64 / bits as f64 },
        fields: seen.fields,
        modules: seen.modules,
        papers_bits: model.storage_bits(),
        estimated_gates: estimated_gates(model),
    })
}
