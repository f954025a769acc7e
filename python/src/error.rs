//! The exceptions, a class for each room that errors come from.

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use tracewright_verification as verification;

create_exception!(tracewright, Error, PyException, "What Tracewright refuses, in one sentence.");
create_exception!(
    tracewright,
    DesignError,
    Error,
    "A design does not exist or breaks a constraint."
);
create_exception!(tracewright, TraceError, Error, "A trace cannot be read or written.");
create_exception!(tracewright, EncodeError, Error, "A design cannot trace an event or access.");
create_exception!(
    tracewright,
    DecodeError,
    Error,
    "A stream is damaged, or does not belong to the program."
);
create_exception!(
    tracewright,
    ProgramError,
    Error,
    "The files of a program, or what they say of a trace."
);
create_exception!(tracewright, ExplorationError, Error, "A search cannot be done.");

/// The sentence of an error, with its causes as the command prints them.
pub fn sentence(error: impl Into<anyhow::Error>) -> String {
    tracewright::library::sentence(&error.into())
}

/// The exception of an error of [`tracewright_verification`].
pub fn of_verification(error: verification::Error) -> PyErr {
    use verification::Error as Known;
    let make = match &error {
        Known::Trace(_) | Known::Changed(_) | Known::Read { .. } => TraceError::new_err::<String>,
        Known::Design(_) | Known::Machine { .. } => DesignError::new_err,
        Known::Encode(_) => EncodeError::new_err,
        Known::Decode(_) => DecodeError::new_err,
        Known::Program { .. } | Known::Image(_) => ProgramError::new_err,
        _ => Error::new_err,
    };
    make(sentence(error))
}

/// The exception of a trace that cannot be read or written.
pub fn of_trace(error: tracewright_sim::trace_io::Error) -> PyErr {
    TraceError::new_err(sentence(error))
}

/// The exception of a design.
pub fn of_design(error: tracewright_sim::scheme::DesignError) -> PyErr {
    DesignError::new_err(sentence(error))
}
