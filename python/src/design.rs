//! Designs, their presets and their parameters.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tracewright::library;
use tracewright_sim::parameter::Value;
use tracewright_sim::preset;
use tracewright_sim::scheme::{self, Scheme};

use crate::error::{DesignError, of_design};

/// A parameter: name, value, meaning, what it may be, and its default as text.
type ParameterRow = (&'static str, Py<PyAny>, String, String, String);

/// A design: a scheme, its parameters and a name.
#[pyclass(frozen, eq, hash, from_py_object, module = "tracewright._native")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Design(pub scheme::Design);

#[pymethods]
impl Design {
    /// The design of a preset, a TOML file, a manifest or a folder that `generate` wrote, as commands take it.
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let design = library::load_design(name, &library::Changes::default());
        design.map(Design).map_err(|error| DesignError::new_err(library::sentence(&error)))
    }

    /// A scheme with its default parameters.
    #[staticmethod]
    fn of_scheme(name: &str, scheme: &str) -> PyResult<Self> {
        scheme::Design::of_scheme(name, scheme).map(Design).map_err(of_design)
    }

    /// The design with other values of some parameters, and another name if it is given.
    fn changed(&self, changes: Vec<(String, String)>, name: Option<&str>) -> PyResult<Self> {
        let mut design = self.0.clone();
        for (parameter, value) in changes {
            design.set(&parameter, &value).map_err(of_design)?;
        }
        design.validate().map_err(of_design)?;
        match name {
            None => Ok(Design(design)),
            Some(name) => design.renamed(name).map(Design).map_err(of_design),
        }
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    #[getter]
    fn scheme(&self) -> &'static str {
        self.0.scheme.name()
    }

    #[getter]
    fn traces_data(&self) -> bool {
        self.0.traces_data()
    }

    #[getter]
    fn cores(&self) -> u32 {
        self.0.cores()
    }

    #[getter]
    fn estimated_gates(&self) -> u32 {
        self.0.estimated_gates()
    }

    #[getter]
    fn fingerprint(&self) -> u32 {
        self.0.fingerprint()
    }

    /// Storage by structure, in bits, as the scheme's paper counts it.
    #[getter]
    fn storage<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let storage = PyDict::new(py);
        for (name, bits) in self.0.estimated_storage() {
            storage.set_item(name, bits)?;
        }
        Ok(storage)
    }

    /// Every parameter.
    fn table(&self, py: Python<'_>) -> PyResult<Vec<ParameterRow>> {
        let pairs = self.0.table().into_iter().zip(self.0.values());
        let row = pairs.map(|(parameter, (_, value))| {
            let value = value_of(py, value)?;
            Ok((parameter.name, value, parameter.doc, parameter.allowed, parameter.default))
        });
        row.collect()
    }
}

/// The value of a parameter as Python has it.
fn value_of(py: Python<'_>, value: Value) -> PyResult<Py<PyAny>> {
    Ok(match value {
        Value::Number(number) => number.into_pyobject(py)?.into_any().unbind(),
        Value::Flag(flag) => flag.into_pyobject(py)?.to_owned().into_any().unbind(),
        Value::Word(word) => word.into_pyobject(py)?.into_any().unbind(),
        Value::List(numbers) => {
            let numbers: Vec<i64> = numbers.into_iter().map(i64::from).collect();
            numbers.into_pyobject(py)?.into_any().unbind()
        }
    })
}

/// The names of all presets.
#[pyfunction]
pub fn presets() -> Vec<&'static str> {
    preset::all().map(|preset| preset.name).collect()
}

/// The names of all schemes.
#[pyfunction]
pub fn schemes() -> Vec<&'static str> {
    Scheme::all().iter().map(Scheme::name).collect()
}
