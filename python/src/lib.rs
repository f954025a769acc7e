//! The compiled half of the Python package `tracewright`: the crates' functions on files and plain buffers.
//!
//! The package beside it (`python/tracewright`) has the classes and their documentation. What is here takes paths,
//! names and bytes, calls the crates that the command calls, and gives bytes or JSON back. Every function that can take
//! long releases the interpreter's lock.

mod allocator;
mod array;
mod command;
mod compare;
mod decode;
mod design;
mod encode;
mod error;
mod import;
mod interruptible;
mod memory;
mod predictor;
mod process;
mod program;
mod records;
mod trace;
mod view;

use pyo3::prelude::*;

/// The module `tracewright._native`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::command::run_command;
    #[pymodule_export]
    use super::compare::{comparators, compare, explore, measure};
    #[pymodule_export]
    use super::decode::{decode, read_stream};
    #[pymodule_export]
    use super::design::{Design, presets, schemes};
    #[pymodule_export]
    use super::encode::encode;
    #[pymodule_export]
    use super::error::{
        DecodeError, DesignError, EncodeError, Error, ExplorationError, ProgramError, TraceError,
    };
    #[pymodule_export]
    use super::import::import_log;
    #[pymodule_export]
    use super::memory::{limit_memory, used_memory};
    #[pymodule_export]
    use super::predictor::Model;
    #[pymodule_export]
    use super::program::Program;
    #[pymodule_export]
    use super::records::Buffer;
    #[pymodule_export]
    use super::trace::{TraceReader, synthetic, write_trace};
    #[pymodule_export]
    use super::view::{instructions, view};
}
