//! The command `tracewright`, as the script that the wheel installs runs it.

use std::ffi::OsString;
use std::io::Write;

use pyo3::prelude::*;

use tracewright::Predictors;

use crate::allocator;
use crate::predictor;

/// Runs the command that `arguments` name, the first of which is the program, and gives its exit status.
#[pyfunction]
pub fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| {
        allocator::count();
        let status = tracewright::run(arguments, &Predictors::in_python(predictor::load));
        // Nobody else does so at the end of a process that is not Rust's. Who has closed the output does not want it.
        let _ = std::io::stdout().flush();
        status
    })
}
