//! The predictors without hardware of a report.

use anyhow::Result;
use tracewright_comparators::predictor::Model;
use tracewright_report::data::{Bandwidth, ModelReport, Stored, Trace};
use tracewright_sim::encode::dynamics::Dynamics;
use tracewright_verification::models::{MeasuredModel, estimated_gates};

use super::name_of;
use crate::pipeline::measure;
use crate::pipeline::paths::Input;

/// Measures every predictor on every trace.
///
/// # Errors
/// When a trace is bad, or a predictor fails on it.
pub fn report(models: &[Model], traces: &[Input]) -> Result<Vec<ModelReport>> {
    if models.is_empty() {
        return Ok(Vec::new());
    }
    let measured = measure::all_models(models, traces)?;
    let mut by_model = measured.chunks(traces.len().max(1));
    let report = |model: &Model| {
        let of_traces = traces.iter().zip(by_model.next().unwrap_or_default());
        let bandwidth =
            of_traces.map(|(path, measured)| bandwidth(name_of(path, traces), measured));
        let stored = model.storage().iter().cloned();
        let stored = stored.map(|(structure, bits)| Stored { structure, bits });
        ModelReport::new(
            model.name(),
            stored.collect(),
            estimated_gates(model),
            bandwidth.collect(),
        )
    };
    Ok(models.iter().map(report).collect())
}

fn bandwidth(name: String, measured: &MeasuredModel) -> Bandwidth {
    let MeasuredModel { instructions, accesses, bits, .. } = *measured;
    Bandwidth::new(&Trace { name, instructions, accesses }, bits, Dynamics::default())
}
