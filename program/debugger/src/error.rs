//! Errors of a recorded execution and of its server.

use std::io;

/// The reasons why an execution cannot be debugged.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The trace and the program do not match.
    #[error(transparent)]
    View(#[from] tracewright_view::Error),
    /// No instruction retired.
    #[error("there is no instruction to debug")]
    Empty,
    /// The recording was given up before its end.
    #[error("the recording was given up")]
    GivenUp,
    /// A part of the recording cannot be kept or read.
    #[error("the recording cannot be kept: {0}")]
    Recording(io::Error),
    /// A working set does not replay.
    #[error(transparent)]
    WorkingSet(#[from] tracewright_working_set::Error),
    /// The connection to the debugger failed.
    #[error("the connection to the debugger failed: {0}")]
    Connection(String),
}
