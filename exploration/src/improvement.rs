//! What a search brought: the best design of no more gates than the preset, which parameters made it better, and
//! whether the choice holds on traces that it was not made on.

use serde::{Deserialize, Serialize};
use tracewright_sim::scheme::Design;

use crate::error::Result;
use crate::evaluator::Evaluator;
use crate::objective::Objective;
use crate::outcome::{Exploration, Row, ratio};
use crate::search::Search;
use crate::space::Candidate;

/// A design that needs fewer bits than the preset and no more gates.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Improvement {
    /// The preset.
    pub preset: String,
    /// The design of at most the preset's gates that needs the fewest bits.
    pub design: String,
    /// Its changed parameters, each put back alone.
    pub parameters: Vec<Contribution>,
    /// For every trace, the design that is chosen on the others; empty for a single trace, and where classes of traces are
    /// left out instead.
    pub left_out: Vec<LeftOut>,
}

/// What a parameter contributes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Contribution {
    /// The parameter.
    pub parameter: String,
    /// Its value in the design.
    pub value: String,
    /// Its value in the preset.
    pub preset_value: String,
    /// Bits per instruction of the design with the preset's value; null if that is no valid design.
    pub bits_per_instruction_without: Option<f64>,
    /// The main objective of the design with the preset's value; null if that is no valid design.
    pub objective_without: Option<f64>,
    /// Gates of the design with the preset's value; null if that is no valid design.
    pub gates_without: Option<u32>,
}

/// The choice without one trace.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LeftOut {
    /// The trace that is left out.
    pub trace: String,
    /// The design of at most the preset's gates that needs the fewest bits on the other traces.
    pub design: String,
    /// Its bits per instruction on the trace that is left out.
    pub bits_per_instruction: f64,
    /// The preset's bits per instruction on that trace.
    pub preset_bits_per_instruction: f64,
}

/// The improvement over the preset, if the search has one preset and found one.
///
/// # Errors
/// When a design cannot be measured.
pub fn find(
    search: &Search,
    exploration: &Exploration,
    evaluator: &mut Evaluator<'_>,
) -> Result<Option<Improvement>> {
    let [preset] = search.space.presets() else { return Ok(None) };
    let rows = &exploration.configurations;
    let Some(reference) = rows.iter().find(|row| row.design == preset.name) else {
        return Ok(None);
    };
    let main = exploration.main_objective();
    // Rows are sorted by the main objective.
    let best = rows.iter().find(|row| row.is_design() && row.gates <= reference.gates);
    let is_better = |best: &&Row| best.score(main) < reference.score(main);
    let Some(best) = best.filter(is_better) else { return Ok(None) };
    let mut parameters = Vec::with_capacity(best.parameters.len());
    for (name, value) in preset.values() {
        // What the reference has too did not make it better.
        let of_best = best.parameters.get(name);
        if of_best.is_some() && of_best != reference.parameters.get(name) {
            parameters.push(contribution(
                preset,
                best,
                (name, &value.to_string()),
                main,
                evaluator,
            )?);
        }
    }
    Ok(Some(Improvement {
        preset: preset.name.clone(),
        design: best.design.clone(),
        parameters,
        left_out: left_out(exploration, reference),
    }))
}

fn contribution(
    preset: &Design,
    best: &Row,
    (parameter, preset_value): (&str, &str),
    main: Objective,
    evaluator: &mut Evaluator<'_>,
) -> Result<Contribution> {
    let mut design = best.design()?;
    let value = design.values().into_iter().find(|(name, _)| *name == parameter);
    let value = value.map_or(String::new(), |(_, value)| value.to_string());
    design.set(parameter, preset_value)?;
    let without = match evaluator.is_valid(&design) {
        true => evaluator.measure_as_is(&Candidate::new(preset, design)?)?,
        false => None,
    };
    Ok(Contribution {
        parameter: parameter.into(),
        value,
        preset_value: preset_value.into(),
        bits_per_instruction_without: without.as_ref().map(|row| row.bits_per_instruction),
        objective_without: without.as_ref().map(|row| row.score(main)),
        gates_without: without.map(|row| row.gates),
    })
}

/// The choice without each of the traces.
fn left_out(exploration: &Exploration, reference: &Row) -> Vec<LeftOut> {
    let traces = exploration.traces.len();
    if traces < 2 || !exploration.without_class.is_empty() {
        return Vec::new();
    }
    let is_affordable = |row: &&Row| row.is_design() && row.gates <= reference.gates;
    let affordable = || exploration.configurations.iter().filter(is_affordable);
    let without = |row: &Row, left_out: usize| {
        let others = row.by_trace.iter().enumerate().filter(|(trace, _)| *trace != left_out);
        let (bits, instructions) = others.fold((0_u64, 0_u64), |sum, (_, figures)| {
            (sum.0.saturating_add(figures.bits), sum.1.saturating_add(figures.instructions))
        });
        ratio(bits, instructions)
    };
    let choice = |trace: usize| {
        let order =
            |one: &&Row, other: &&Row| without(one, trace).total_cmp(&without(other, trace));
        let chosen = affordable().min_by(order)?;
        Some(LeftOut {
            trace: exploration.traces[trace].trace.clone(),
            design: chosen.design.clone(),
            bits_per_instruction: chosen.by_trace[trace].bits_per_instruction(),
            preset_bits_per_instruction: reference.by_trace[trace].bits_per_instruction(),
        })
    };
    (0..traces).filter_map(choice).collect()
}
