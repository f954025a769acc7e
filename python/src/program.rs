//! Programs, read from their files.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use tracewright::library;
use tracewright_image::Image;
use tracewright_image::list::Placed;

use crate::error::ProgramError;
use crate::trace::{MachineWords, machine_words};

/// The files of a program, at their addresses.
#[pyclass(frozen, module = "tracewright._native")]
pub struct Program(pub Arc<Image>);

#[pymethods]
impl Program {
    /// ELF files, each with its load address.
    #[new]
    fn new(py: Python<'_>, files: Vec<(PathBuf, u64)>) -> PyResult<Self> {
        let placed = files.into_iter().map(|(path, load_address)| Placed {
            path,
            load_address,
            identity: None,
        });
        let files = placed.collect();
        let image = py.detach(|| library::image_of(files, library::CodeArguments::default()));
        image.map(|image| Program(Arc::new(image))).map_err(|error| refused(&error))
    }

    /// The files of a list that `capture --images` wrote.
    #[staticmethod]
    fn of_list(py: Python<'_>, list: PathBuf) -> PyResult<Self> {
        let image = py.detach(|| library::image_of_list(&list, library::CodeArguments::default()));
        image.map(Program).map_err(|error| refused(&error))
    }

    #[getter]
    fn machine(&self) -> MachineWords {
        machine_words(self.0.machine())
    }

    #[getter]
    fn entry(&self) -> u64 {
        self.0.entry()
    }

    /// The paths of the files.
    #[getter]
    fn files(&self) -> Vec<PathBuf> {
        self.0.files().iter().map(|file| PathBuf::from(&file.path)).collect()
    }

    /// Functions: name, first address, size in bytes.
    fn functions(&self) -> Vec<(String, u64, u64)> {
        let of = |symbol: &tracewright_image::Symbol| {
            (symbol.name.to_string(), symbol.address, symbol.size)
        };
        self.0.functions().map(of).collect()
    }
}

fn refused(error: &anyhow::Error) -> PyErr {
    ProgramError::new_err(library::sentence(error))
}
