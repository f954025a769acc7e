//! Traces from the logs of other tools.

use std::fs::File;
use std::path::PathBuf;

use pyo3::prelude::*;
use tracewright::library;
use tracewright_import::{Import, Options};
use tracewright_sim::event::Item;

use crate::error::{TraceError, sentence};
use crate::interruptible;
use crate::program::Program;
use crate::trace::{Contents, Whole};

/// Reads a log of any format that `tracewright trace import` knows; gives the trace, the format, and what the format
/// cannot tell.
#[pyfunction]
#[pyo3(signature = (path, program=None, hart=None, core=None))]
pub fn import_log(
    py: Python<'_>,
    path: PathBuf,
    program: Option<&Program>,
    hart: Option<u32>,
    core: Option<PathBuf>,
) -> PyResult<(Whole, &'static str, Option<String>)> {
    let program = program.map(|program| program.0.clone());
    let core = core.map(|file| library::load_core_signals(&library::Input::found(file)?));
    let core = core.transpose().map_err(|error| TraceError::new_err(library::sentence(&error)))?;
    interruptible::run(py, |progress| {
        let name = path.display().to_string();
        let file = File::open(&path)
            .map_err(|error| TraceError::new_err(format!("cannot open {name}: {error}")))?;
        let options = Options { program, hart, core, ..Options::default() };
        let failed = |error: tracewright_import::Error| TraceError::new_err(sentence(error));
        let import =
            Import::new(Box::new(progress.reader(file)), &name, options).map_err(failed)?;
        let (format, machine, extensions) =
            (import.format(), import.machine(), import.extensions());
        let mut contents = Contents::default();
        let sink = &mut |item: &Item| {
            contents.push(*item);
            Ok(())
        };
        let summary = import.run(sink).map_err(failed)?;
        let said = summary.cannot_tell(format).map(str::to_owned).into_iter().chain(summary.cut());
        let note = said.reduce(|first, next| format!("{first}; {next}"));
        Ok((contents.whole(machine, extensions), format.name(), note))
    })
}
