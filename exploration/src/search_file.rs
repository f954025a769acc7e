//! Reads a search from a TOML file.
//!
//! ```toml
//! preset = "traptor-m4"        # or a list; "traptor-*" is every such preset; "mine.toml" is a design's file; or the
//!                              # name of a predictor without hardware
//! strategy = "evolutionary"    # or "all", "random"
//! seed = 1
//! baseline = "traptor-m4"      # the design that ratios are to
//! leave_out = ["firmware"]     # classes that designs are not chosen by, but measured on
//!
//! [classes]                    # groups of traces: files, folders, or names with *
//! hosted = ["traces/x86", "traces/arm/curl-*.pet.zst"]
//! firmware = "traces/rv32"
//!
//! [space]
//! gshare_entries = [256, 512, 1024]
//! pc_shift = { from = 2, to = 5, step = 1 }
//! indirect_branch_target_buffer_entries = { from = 16, to = 128, times = 2 }
//! fifo_bits = "smallest"
//!
//! [objectives]
//! minimize = ["worst_ratio", "gates"]
//!
//! [budget]
//! configurations = 500
//! ```

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use toml::{Spanned, Table, Value};
use tracewright_sim::parameter::ParameterError;
use tracewright_sim::scheme::DesignError;

use crate::class::{Class, traces_of};
use crate::error::{Error, Result};
use crate::names::{Named, Names};
use crate::objective::Objective;
use crate::predictors::{self, Predictors};
use crate::search::{Search, Strategy};
use crate::space::{Dimension, Space};

/// The most values of a range.
const MOST_VALUES: usize = 65_536;

/// Configurations that are measured if the file does not say how many.
const CONFIGURATIONS: usize = 500;

/// The parameter whose value can be [`SMALLEST`].
const BUFFER: &str = "fifo_bits";

/// The value of `fifo_bits` that stands for the smallest buffer that never stalls.
const SMALLEST: &str = "smallest";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    preset: Spanned<Value>,
    #[serde(default)]
    strategy: Strategy,
    #[serde(default)]
    seed: u64,
    space: Option<BTreeMap<String, Spanned<Value>>>,
    objectives: Option<Objectives>,
    budget: Option<Budget>,
    baseline: Option<Spanned<String>>,
    #[serde(default)]
    classes: BTreeMap<String, Spanned<Paths>>,
    #[serde(default)]
    leave_out: Vec<String>,
}

/// The traces of a class.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a class to be a trace, a folder of traces, or a list of them"
)]
enum Paths {
    One(String),
    Several(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table [objectives] with minimize = [...]")]
struct Objectives {
    minimize: Spanned<Vec<Objective>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table [budget] with configurations = NUMBER")]
struct Budget {
    configurations: Spanned<usize>,
}

/// What is wrong, and its offset in bytes.
pub(crate) struct Problem {
    at: Option<usize>,
    what: String,
}

impl Problem {
    pub(crate) fn new(at: Option<usize>, what: impl Display) -> Self {
        Self { at, what: what.to_string() }
    }
}

/// Reads a search. What a name stands for that is no preset's is asked of `names`.
///
/// # Errors
/// When the file cannot be read, is not TOML, or its space is empty or too large for its strategy, and the errors of
/// `names`.
pub fn load(path: &Path, names: &Names<'_>) -> Result<Search> {
    let text = fs::read_to_string(path).map_err(Error::read(path))?;
    read(&text, path, names)
}

/// Reads the text of a search. Errors call it by `path`, and files that it names are relative to the folder of `path`.
///
/// # Errors
/// As those of [`load`].
pub fn read(text: &str, path: &Path, names: &Names<'_>) -> Result<Search> {
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(text, folder, names).map_err(|Problem { at, what }| {
        let before = |at: usize| text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n');
        Error::Search { path: path.into(), line: at.map(|at| 1 + before(at).count()), what }
    })
}

fn parse(text: &str, folder: &Path, names: &Names<'_>) -> Result<Search, Problem> {
    let mut file: File = toml::from_str(text)
        .map_err(|error| Problem::new(error.span().map(|span| span.start), error.message()))?;
    let named = names.all(folder, &file.preset)?;
    let mut table = file.space.take().unwrap_or_default();
    let buffer = table.get(BUFFER);
    let smallest_buffer =
        buffer.is_some_and(|value| value.get_ref().as_str().is_some_and(|word| word == SMALLEST));
    if smallest_buffer {
        table.remove(BUFFER);
    }
    if table.is_empty() && named.count() < 2 {
        let what =
            "the space is empty: expected a table [space] with parameters, or several presets";
        return Err(Problem::new(None, what));
    }
    let dimensions: Vec<Dimension> = table
        .iter()
        .map(|(name, value)| dimension(name, value, &named))
        .collect::<Result<_, _>>()?;
    let (configurations, objectives) = (file.configurations()?, file.objectives()?);
    let predictors = Predictors::new(named.models, &dimensions);
    let space = Space::new(named.designs, dimensions);
    file.has_what_predictors_have(&predictors, &objectives)?;
    within(configurations as u128, file.strategy, &space, &predictors)?;
    let baseline = file.baseline.as_ref().map(|name| {
        let at = Some(name.span().start);
        names.design(folder, name.get_ref()).map_err(|what| Problem::new(at, what))
    });
    let classes = file.classes.iter().map(|(name, paths)| class(name, paths, folder));
    Ok(Search {
        space,
        predictors,
        smallest_buffer,
        objectives,
        strategy: file.strategy,
        configurations,
        seed: file.seed,
        classes: classes.collect::<Result<_, _>>()?,
        left_out: file.leave_out,
        baseline: baseline.transpose()?,
        around: BTreeMap::new(),
    })
}

impl File {
    /// The most designs that are measured.
    fn configurations(&self) -> Result<usize, Problem> {
        match &self.budget {
            Some(budget) if *budget.configurations.get_ref() == 0 => {
                let at = Some(budget.configurations.span().start);
                Err(Problem::new(at, "expected at least one configuration"))
            }
            Some(budget) => Ok(*budget.configurations.get_ref()),
            None => Ok(CONFIGURATIONS),
        }
    }

    fn objectives(&self) -> Result<Vec<Objective>, Problem> {
        match &self.objectives {
            Some(given) if given.minimize.get_ref().is_empty() => {
                let at = Some(given.minimize.span().start);
                Err(Problem::new(at, "expected at least one objective"))
            }
            Some(given) => Ok(given.minimize.get_ref().clone()),
            None => Ok(vec![Objective::BitsPerInstruction, Objective::Gates]),
        }
    }

    /// Checks that predictors are not measured by what only designs have.
    fn has_what_predictors_have(
        &self,
        predictors: &Predictors,
        objectives: &[Objective],
    ) -> Result<(), Problem> {
        match predictors.names().next() {
            Some(one) if objectives.contains(&Objective::BufferBits) => {
                let at = self.objectives.as_ref().map(|given| given.minimize.span().start);
                let what =
                    format!("{one} is a predictor without hardware, which has no buffer_bits");
                Err(Problem::new(at, what))
            }
            _ => Ok(()),
        }
    }
}

/// Checks that no more configurations are to be measured than the budget has.
fn within(
    most: u128,
    strategy: Strategy,
    space: &Space,
    predictors: &Predictors,
) -> Result<(), Problem> {
    if predictors.size() > most {
        let what = format!(
            "every combination of a predictor is measured, and the space has {} of them, more than configurations = {most} \
             of [budget]; raise that, or search fewer values",
            predictors.size()
        );
        return Err(Problem::new(None, what));
    }
    let size = space.size().saturating_add(predictors.size());
    if strategy == Strategy::All && size > most {
        let what = format!(
            "strategy all measures every combination, and the space has {size} of them, more than configurations = \
             {most} of [budget]; raise that, or take strategy random or evolutionary"
        );
        return Err(Problem::new(None, what));
    }
    Ok(())
}

/// A class and its traces, whose paths are relative to the folder of the search.
fn class(name: &str, paths: &Spanned<Paths>, folder: &Path) -> Result<Class, Problem> {
    let given = match paths.get_ref() {
        Paths::One(path) => std::slice::from_ref(path),
        Paths::Several(paths) => paths.as_slice(),
    };
    let traces = given.iter().map(|path| traces_of(&folder.join(path)));
    let traces = traces.collect::<Result<Vec<_>>>();
    let traces = traces.map_err(|error| Problem::new(Some(paths.span().start), error))?;
    Ok(Class { name: name.to_owned(), traces: traces.concat() })
}

/// A parameter and its values, each of which a preset or a predictor can have.
fn dimension(name: &str, given: &Spanned<Value>, of: &Named) -> Result<Dimension, Problem> {
    let at = Some(given.span().start);
    let values = values(name, given.get_ref()).map_err(|what| Problem::new(at, what))?;
    let mut unknown = None;
    let mut is_known = false;
    for preset in &of.designs {
        for value in &values {
            match preset.clone().set(name, value) {
                Ok(()) => is_known = true,
                Err(DesignError::Parameter(error @ ParameterError::Unknown { .. })) => {
                    unknown.get_or_insert(error.to_string());
                }
                Err(error) => return Err(Problem::new(at, error)),
            }
        }
    }
    for model in &of.models {
        match predictors::has(model, name) {
            true => {
                for value in &values {
                    predictors::set(model, name, value).map_err(|what| Problem::new(at, what))?;
                }
                is_known = true;
            }
            false => {
                unknown.get_or_insert_with(|| predictors::unknown(model, name));
            }
        }
    }
    match unknown {
        Some(what) if !is_known => Err(Problem::new(at, what)),
        _ => Ok(Dimension { parameter: name.into(), values }),
    }
}

/// The values of a parameter: one, a list, or a range.
fn values(name: &str, given: &Value) -> Result<Vec<String>, String> {
    let values = match given {
        Value::Array(values) => values.iter().map(|value| text(name, value)).collect(),
        Value::Table(range) => self::range(name, range),
        one => text(name, one).map(|one| vec![one]),
    }?;
    if values.is_empty() {
        return Err(format!("expected values for {name}, found an empty list"));
    }
    Ok(values)
}

fn text(name: &str, value: &Value) -> Result<String, String> {
    match value {
        Value::Integer(number) => Ok(number.to_string()),
        Value::Boolean(flag) => Ok(flag.to_string()),
        Value::String(word) => Ok(word.clone()),
        other => Err(format!("expected numbers, words, true or false for {name}, found {other}")),
    }
}

/// The numbers of `{ from, to, step }` or `{ from, to, times }`.
fn range(name: &str, range: &Table) -> Result<Vec<String>, String> {
    let number = |key: &str| range.get(key).and_then(Value::as_integer);
    let expected = || {
        format!(
            "expected the range of {name} to be {{ from, to, step }} with a step of 1 or more, or \
             {{ from, to, times }} with a factor of 2 or more, and from not above to"
        )
    };
    let known = ["from", "to", "step", "times"];
    if range.keys().any(|key| !known.contains(&key.as_str())) {
        return Err(expected());
    }
    let (Some(from), Some(to)) = (number("from"), number("to")) else { return Err(expected()) };
    let next: Box<dyn Fn(i64) -> Option<i64>> = match (range.get("step"), range.get("times")) {
        (Some(Value::Integer(step)), None) if *step >= 1 => Box::new(|at| at.checked_add(*step)),
        (None, Some(Value::Integer(times))) if *times >= 2 && from >= 1 => {
            Box::new(|at| at.checked_mul(*times))
        }
        _ => return Err(expected()),
    };
    if from > to {
        return Err(expected());
    }
    let numbers = std::iter::successors(Some(from), |at| next(*at).filter(|next| *next <= to));
    let values: Vec<String> =
        numbers.take(MOST_VALUES + 1).map(|number| number.to_string()).collect();
    match values.len() > MOST_VALUES {
        true => Err(format!("expected at most {MOST_VALUES} values for {name}, found more")),
        false => Ok(values),
    }
}
