//! Reads a search from a TOML file.
//!
//! ```toml
//! preset = "traptor-m4"        # or a list; "traptor-*" is every such preset; "mine.toml" is a design's file
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

use std::fmt::Display;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use toml::{Spanned, Table, Value};
use tracewright_sim::parameter::ParameterError;
use tracewright_sim::preset;
use tracewright_sim::scheme::{Design, DesignError};

use crate::class::{Class, traces_of};
use crate::error::{Error, Result};
use crate::objective::Objective;
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
    space: Option<std::collections::BTreeMap<String, Spanned<Value>>>,
    objectives: Option<Objectives>,
    budget: Option<Budget>,
    baseline: Option<Spanned<String>>,
    #[serde(default)]
    classes: std::collections::BTreeMap<String, Spanned<Paths>>,
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
struct Problem {
    at: Option<usize>,
    what: String,
}

impl Problem {
    fn new(at: Option<usize>, what: impl Display) -> Self {
        Self { at, what: what.to_string() }
    }
}

/// Reads the file of a design.
pub type ReadDesign<'a> = &'a dyn Fn(&Path) -> Result<Design, String>;

/// Reads a search. A preset that is the name of a TOML file is read by `file`, in the folder of the search if the name
/// is relative.
///
/// # Errors When the file cannot be read, is not TOML, or its space is empty or too large for its strategy, and the
/// errors of `file`.
pub fn load(path: &Path, file: ReadDesign<'_>) -> Result<Search> {
    let text = fs::read_to_string(path).map_err(Error::read(path))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let file = |name: &Path| file(&folder.join(name));
    parse(&text, folder, &file).map_err(|Problem { at, what }| {
        let before = |at: usize| text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n');
        Error::Search { path: path.into(), line: at.map(|at| 1 + before(at).count()), what }
    })
}

fn parse(text: &str, folder: &Path, read: ReadDesign<'_>) -> Result<Search, Problem> {
    let file: File = toml::from_str(text)
        .map_err(|error| Problem::new(error.span().map(|span| span.start), error.message()))?;
    let presets = presets(&file.preset, read)?;
    let mut table = file.space.unwrap_or_default();
    let buffer = table.get(BUFFER);
    let smallest_buffer =
        buffer.is_some_and(|value| value.get_ref().as_str().is_some_and(|word| word == SMALLEST));
    if smallest_buffer {
        table.remove(BUFFER);
    }
    if table.is_empty() && presets.len() < 2 {
        let what =
            "the space is empty: expected a table [space] with parameters, or several presets";
        return Err(Problem::new(None, what));
    }
    let dimensions = table
        .iter()
        .map(|(name, value)| dimension(name, value, &presets))
        .collect::<Result<_, _>>()?;
    let configurations = match &file.budget {
        Some(budget) if *budget.configurations.get_ref() == 0 => {
            let at = Some(budget.configurations.span().start);
            return Err(Problem::new(at, "expected at least one configuration"));
        }
        Some(budget) => *budget.configurations.get_ref(),
        None => CONFIGURATIONS,
    };
    let objectives = match &file.objectives {
        Some(given) if given.minimize.get_ref().is_empty() => {
            let at = Some(given.minimize.span().start);
            return Err(Problem::new(at, "expected at least one objective"));
        }
        Some(given) => given.minimize.get_ref().clone(),
        None => vec![Objective::BitsPerInstruction, Objective::Gates],
    };
    let space = Space::new(presets, dimensions);
    if file.strategy == Strategy::All && space.size() > configurations as u128 {
        let what = format!(
            "strategy all measures every combination, and the space has {} of them, more than configurations = \
             {configurations} of [budget]; raise that, or take strategy random or evolutionary",
            space.size()
        );
        return Err(Problem::new(None, what));
    }
    let baseline = file.baseline.as_ref().map(|name| {
        let at = Some(name.span().start);
        one(name.get_ref(), read).map_err(|what| Problem::new(at, what))
    });
    let classes = file.classes.iter().map(|(name, paths)| class(name, paths, folder));
    Ok(Search {
        space,
        smallest_buffer,
        objectives,
        strategy: file.strategy,
        configurations,
        seed: file.seed,
        classes: classes.collect::<Result<_, _>>()?,
        left_out: file.leave_out,
        baseline: baseline.transpose()?,
    })
}

/// A preset, or the design of a file.
fn one(name: &str, read: ReadDesign<'_>) -> Result<Design, String> {
    match name.ends_with(".toml") {
        true => read(Path::new(name)),
        false => Design::preset(name).map_err(|error| error.to_string()),
    }
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

/// The presets that a name, a pattern or a list of them names.
fn presets(given: &Spanned<Value>, read: ReadDesign<'_>) -> Result<Vec<Design>, Problem> {
    let at = Some(given.span().start);
    let names: Vec<&Value> = match given.get_ref() {
        Value::Array(names) => names.iter().collect(),
        one => vec![one],
    };
    let mut presets: Vec<Design> = Vec::new();
    for name in names {
        let Value::String(name) = name else {
            let what = format!("expected preset to be a name or a list of names, found {name}");
            return Err(Problem::new(at, what));
        };
        let loaded = match name.strip_suffix('*') {
            None if name.ends_with(".toml") => {
                let design = read(Path::new(name)).map_err(|what| Problem::new(at, what))?;
                if presets.iter().any(|other| other.name == design.name) {
                    let what = format!("two presets are called {}, expected one", design.name);
                    return Err(Problem::new(at, what));
                }
                Ok(vec![design])
            }
            None => Design::preset(name).map(|preset| vec![preset]),
            Some(beginning) => preset::all()
                .filter(|preset| preset.name.starts_with(beginning))
                .map(|preset| Design::preset(preset.name))
                .collect(),
        };
        let loaded = loaded.map_err(|error| Problem::new(at, error))?;
        if loaded.is_empty() {
            return Err(Problem::new(at, format!("no preset matches `{name}`")));
        }
        presets.extend(loaded);
    }
    let data = presets.iter().find(|preset| preset.traces_data());
    let flow = presets.iter().find(|preset| !preset.traces_data());
    match (presets.first(), data, flow) {
        (None, ..) => Err(Problem::new(at, "expected at least one preset")),
        (_, Some(data), Some(flow)) => Err(Problem::new(
            at,
            format!(
                "{} traces data addresses and {} control flow; expected presets that trace the same",
                data.name, flow.name
            ),
        )),
        _ => Ok(presets),
    }
}

/// A parameter and its values, each of which a preset can have.
fn dimension(name: &str, given: &Spanned<Value>, presets: &[Design]) -> Result<Dimension, Problem> {
    let at = Some(given.span().start);
    let values = values(name, given.get_ref()).map_err(|what| Problem::new(at, what))?;
    let mut unknown = None;
    let mut is_known = false;
    for preset in presets {
        for value in &values {
            match preset.clone().set(name, value) {
                Ok(()) => is_known = true,
                Err(DesignError::Parameter(error @ ParameterError::Unknown { .. })) => {
                    unknown.get_or_insert(error);
                }
                Err(error) => return Err(Problem::new(at, error)),
            }
        }
    }
    match unknown {
        Some(error) if !is_known => Err(Problem::new(at, error)),
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
