//! Figures of designs on traces, as the JSON that commands print.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use rayon::prelude::*;
use serde::Serialize;
use tracewright::Predictors;
use tracewright_comparators as other_encoders;
use tracewright_exploration::{self as exploration, Names, search_file};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::scheme;
use tracewright_verification::comparison::{self, Contender};
use tracewright_verification::trace::Addresses;
use tracewright_verification::{Progress, Shard, measurement};

use crate::design::Design;
use crate::error::{DesignError, Error, ExplorationError, of_design, of_verification, sentence};
use crate::{interruptible, predictor};

/// The text of a result.
pub fn json(result: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(result).map_err(|error| Error::new_err(error.to_string()))
}

fn designs_of(designs: Vec<Design>) -> Vec<scheme::Design> {
    designs.into_iter().map(|design| design.0).collect()
}

/// The figures of every design on every trace: an array of objects, those of `measure --json`.
#[pyfunction]
pub fn measure(py: Python<'_>, designs: Vec<Design>, traces: Vec<PathBuf>) -> PyResult<String> {
    let designs = designs_of(designs);
    interruptible::run(py, |progress| {
        let measured = measurement::measure(&designs, &traces, EventLimit::default(), progress);
        json(&measured.map_err(of_verification)?)
    })
}

/// The names of the other encoders that designs can be compared with.
#[pyfunction]
pub fn comparators() -> Vec<&'static str> {
    other_encoders::ALL.iter().map(|one| one.name).collect()
}

/// The addresses of all traces together, as far as the designs take something from them.
fn addresses_of(designs: &[scheme::Design], traces: &[PathBuf]) -> PyResult<Addresses> {
    let read = |trace: &PathBuf| Addresses::of(trace, designs.iter(), EventLimit::default());
    let by_trace: Result<Vec<Addresses>, _> = traces.par_iter().map(read).collect();
    let by_trace = by_trace.map_err(of_verification)?;
    Ok(by_trace.iter().fold(Addresses::default(), Addresses::and))
}

/// The figures of designs and of other encoders: an array of objects, those of `compare --json`.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    designs: Vec<Design>,
    others: Vec<String>,
    traces: Vec<PathBuf>,
) -> PyResult<String> {
    let designs = designs_of(designs);
    if let Some(design) = designs.iter().find(|design| design.traces_data()) {
        return Err(DesignError::new_err(format!(
            "{} traces data addresses: expected control flow",
            design.name
        )));
    }
    let mut contenders = Vec::with_capacity(designs.len() + others.len());
    interruptible::run(py, |progress| {
        // The formats of the other encoders have the width that designs need.
        let format = scheme::Design::preset("nexs").map_err(of_design)?;
        let takers: Vec<_> = designs.iter().cloned().chain([format.clone()]).collect();
        let addresses = addresses_of(&takers, &traces)?;
        let width = if addresses.widen(&format) { 64 } else { 32 };
        let fitted = designs.into_iter().map(|design| Box::new(addresses.fit(design)));
        contenders.extend(fitted.map(Contender::Design));
        for name in &others {
            let known = other_encoders::ALL.iter().find(|one| one.name == name);
            let known = known.ok_or_else(|| {
                Error::new_err(format!(
                    "no encoder is called {name}; there is {}",
                    comparators().join(", ")
                ))
            })?;
            contenders.push(Contender::Comparator(known));
        }
        let limit = EventLimit::default();
        let compared = comparison::compare(&contenders, &traces, width, limit, progress);
        json(&compared.map_err(of_verification)?)
    })
}

/// Searches the space that a TOML file describes, or the JSON of one that stands for `file`; the result is the JSON of
/// `explore --json`.
#[pyfunction]
pub fn explore(
    py: Python<'_>,
    file: PathBuf,
    search: Option<String>,
    traces: Vec<PathBuf>,
    folder: PathBuf,
) -> PyResult<String> {
    let failed = |error: exploration::Error| ExplorationError::new_err(sentence(error));
    let design = |folder: &Path, name: &str| {
        let name = folder.join(name);
        let design =
            tracewright::library::load_design(&name.to_string_lossy(), &Default::default());
        design.map_err(|error| tracewright::library::sentence(&error))
    };
    let predictors = Predictors::in_python(predictor::load);
    let predictor = |folder: &Path, name: &str| predictors.named(folder, name);
    let names = Names { design: &design, predictor: &predictor };
    let searched = match search {
        None => search_file::load(&file, &names),
        Some(search) => {
            let table: toml::Table = serde_json::from_str(&search)
                .map_err(|error| ExplorationError::new_err(format!("the search: {error}")))?;
            let text = toml::to_string(&table)
                .map_err(|error| ExplorationError::new_err(error.to_string()))?;
            search_file::read(&text, &file, &names)
        }
    };
    let mut search = searched.map_err(failed)?;
    interruptible::run(py, |progress: &Progress| {
        let followers = search.followers().map_err(failed)?;
        search.fit(&addresses_of(&followers, &traces)?).map_err(failed)?;
        let limit = EventLimit::default();
        let setup = exploration::Setup { shard: Shard::WHOLE, limit, progress: progress.clone() };
        let found = exploration::explore(&search, &traces, &folder, &setup).map_err(failed)?;
        found.save(&folder).map_err(failed)?;
        json(&found)
    })
}
