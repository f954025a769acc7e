//! Predictors without hardware in a search: every combination of their parameters, measured beside the designs.
//!
//! What a predictor does is not known from its name and parameters, so its measurements are not kept in the results
//! folder for another run.

use std::collections::HashSet;

use serde_json::{Map, Value};
use tracewright_comparators::predictor::Model;
use tracewright_verification::models::{self, MeasuredModel};
use tracewright_verification::{Progress, Shard};

use crate::error::Result;
use crate::evaluator::Evaluator;
use crate::input::Input;
use crate::search::Setup;
use crate::space::{Dimension, varied_name};
use crate::store::Figures;

/// Predictors that share a pass over the traces.
const PASS: usize = 16;

/// The predictors of a search, each with the parameters of the space that it has.
#[derive(Clone, Debug, Default)]
pub struct Predictors(Vec<Family>);

/// A predictor and the values of its parameters.
#[derive(Clone, Debug)]
struct Family {
    model: Model,
    dimensions: Vec<Dimension>,
}

/// A predictor with one value of each parameter.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// The predictor that it begins with.
    pub of: String,
    pub model: Model,
    /// The parameters that differ.
    pub parameters: Map<String, Value>,
    pub gates: u32,
}

/// True if the predictor has the parameter.
pub(crate) fn has(model: &Model, name: &str) -> bool {
    model.parameters().iter().any(|(known, _)| known == name)
}

/// What is said of a parameter that the predictor does not have.
pub(crate) fn unknown(model: &Model, name: &str) -> String {
    model.set(name, 0).err().unwrap_or_default()
}

/// The predictor with a value of a parameter, as `--set` takes it.
pub(crate) fn set(model: &Model, name: &str, value: &str) -> Result<Model, String> {
    let number = value.parse();
    let number = number.map_err(|_| {
        format!("{name}={value}: expected a whole number, for the predictor {}", model.name())
    })?;
    model.set(name, number)
}

impl Predictors {
    pub(crate) fn new(models: Vec<Model>, dimensions: &[Dimension]) -> Self {
        let family = |model: Model| {
            let own = dimensions.iter().filter(|one| has(&model, &one.parameter));
            Family { dimensions: own.cloned().collect(), model }
        };
        Self(models.into_iter().map(family).collect())
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|family| family.model.name())
    }

    /// Number of combinations of all of them, valid or not.
    pub fn size(&self) -> u128 {
        self.0.iter().map(Family::size).fold(0, u128::saturating_add)
    }

    /// What decides the result of a search besides what the predictors do.
    pub(crate) fn identity(&self) -> Vec<String> {
        let of =
            |family: &Family| format!("{} {:?}", family.model.name(), family.model.parameters());
        self.0.iter().map(of).collect()
    }

    /// Measures the predictors as they are, and the combinations of a shard, on every trace.
    ///
    /// # Errors
    /// When a trace is bad, or a predictor fails on it.
    pub(crate) fn measure(
        &self,
        inputs: &[Input],
        setup: &Setup,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<()> {
        for family in &self.0 {
            let as_is = (true, family.variant(family.model.clone(), Map::new()));
            let combinations = (0..family.size())
                .map(|number| (setup.shard.has(number as u64), family.combination(number)));
            let mut variants = Vec::new();
            for (is_own, variant) in std::iter::once(as_is).chain(combinations) {
                match variant {
                    Ok(variant) if is_own => variants.push(variant),
                    Ok(_) => {}
                    Err(why) => evaluator.refuse(why, is_own),
                }
            }
            // The combination of the predictor's own values is the predictor.
            let mut known = HashSet::new();
            variants.retain(|variant| known.insert(variant.model.name().to_owned()));
            for pass in variants.chunks(PASS) {
                let figures = figures(pass, inputs, setup)?;
                evaluator.add_models(pass, figures);
            }
        }
        Ok(())
    }

    /// The most combinations that a shard measures, and the predictors as they are.
    pub(crate) fn most(&self, shard: Shard) -> u64 {
        let of =
            |family: &Family| 1 + shard.share(u64::try_from(family.size()).unwrap_or(u64::MAX));
        self.0.iter().map(of).fold(0, u64::saturating_add)
    }
}

impl Family {
    /// Number of combinations; 0 without a parameter in the space.
    fn size(&self) -> u128 {
        match self.dimensions.is_empty() {
            true => 0,
            false => {
                let counts = self.dimensions.iter().map(|one| one.values.len() as u128);
                counts.fold(1, u128::saturating_mul)
            }
        }
    }

    /// The combination of this number, which is below [`size`](Self::size), or why there is none.
    fn combination(&self, mut number: u128) -> Result<Variant, String> {
        let (mut model, mut changed) = (self.model.clone(), Map::new());
        for Dimension { parameter, values } in &self.dimensions {
            let value = &values[(number % values.len() as u128) as usize];
            number /= values.len() as u128;
            let with_value = set(&model, parameter, value)?;
            let before = std::mem::replace(&mut model, with_value);
            if model.parameters() != before.parameters() {
                let value = value.parse().map_or(Value::Null, |number: u64| number.into());
                changed.insert(parameter.clone(), value);
            }
        }
        self.variant(model, changed)
    }

    fn variant(&self, model: Model, parameters: Map<String, Value>) -> Result<Variant, String> {
        let of = self.model.name().to_owned();
        let name = match parameters.is_empty() {
            true => of.clone(),
            false => varied_name(&of, &format!("{of} {:?}", model.parameters())),
        };
        let gates = models::estimated_gates(&model)
            .ok_or_else(|| format!("{of} has more storage than gates can be estimated for"))?;
        Ok(Variant { of, model: model.renamed(&name), parameters, gates })
    }
}

/// The figures of predictors on every trace, by predictor.
fn figures(variants: &[Variant], inputs: &[Input], setup: &Setup) -> Result<Vec<Vec<Figures>>> {
    inputs.iter().try_for_each(Input::check)?;
    let paths: Vec<_> = inputs.iter().map(|input| input.path.clone()).collect();
    let models: Vec<Model> = variants.iter().map(|variant| variant.model.clone()).collect();
    let measured = models::measure(&models, &paths, setup.limit, &Progress::silent())?;
    inputs.iter().try_for_each(Input::check)?;
    setup.progress.add((variants.len() * inputs.len()) as u64);
    let of = |one: &MeasuredModel| Figures {
        instructions: one.instructions,
        bits: one.bits,
        buffer_bits: 0,
    };
    let by_variant = measured.chunks(inputs.len().max(1));
    Ok(by_variant.map(|measured| measured.iter().map(of).collect()).collect())
}
