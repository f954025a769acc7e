//! Errors of this crate. A difference between hardware and model is a result, not an error.

use std::io;
use std::path::PathBuf;

use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::program::ProgramError;
use tracewright_sim::scheme::{DesignError, EncodeError};
use tracewright_sim::synthetic::OptionsError;
use tracewright_sim::trace_io;
use tracewright_testbench::cosim::AnyError;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A trace cannot be read.
    #[error(transparent)]
    Trace(#[from] trace_io::Error),

    /// A trace is not of one fixed program.
    #[error("{trace}: {source}")]
    Program {
        /// The trace.
        trace: String,
        /// The contradiction in the trace.
        source: ProgramError,
    },

    /// A trace was different when it was read again.
    #[error("{} changed while it was read", .0.display())]
    Changed(PathBuf),

    /// A trace without execution states, which are asked for.
    #[error(
        "{} has no privilege levels or contexts: expected a trace with states, as `capture --system` writes it",
        .0.display()
    )]
    NoStates(PathBuf),

    /// The options of a synthetic program break a constraint.
    #[error(transparent)]
    Synthetic(#[from] OptionsError),

    /// A design does not exist or breaks a constraint.
    #[error(transparent)]
    Design(#[from] DesignError),

    /// A design was set for another machine than that of the trace.
    #[error("{design}: {source}")]
    Machine {
        /// The design.
        design: String,
        /// The parameter that does not match.
        source: DesignError,
    },

    /// A design cannot trace an event or access.
    #[error(transparent)]
    Encode(#[from] EncodeError),

    /// A trace does not decode.
    #[error(transparent)]
    Decode(#[from] DecodeError),

    /// A predictor without hardware failed on a trace.
    #[error("{predictor} on {trace}: {reason}")]
    Predictor {
        /// The predictor.
        predictor: String,
        /// The trace.
        trace: String,
        /// What failed.
        reason: String,
    },

    /// A design could not become Verilog.
    #[error(transparent)]
    Generate(#[from] tracewright_hdl::Error),

    /// A unit cannot be put together.
    #[error("{design}: {source}")]
    Unit {
        /// The design.
        design: String,
        /// What cannot be there.
        source: tracewright_hdl::unit::NoUnit,
    },

    /// A unit that is not co-simulated as a whole.
    #[error(
        "{design} {what}, and units are co-simulated without: expected --ingress blocks, --control none and no --sink, with which \
         the trace module alone is simulated"
    )]
    NotSimulated {
        /// The design.
        design: String,
        /// What it has.
        what: &'static str,
    },

    /// A unit or a system cannot be as it is described.
    #[error(transparent)]
    Around(#[from] tracewright_sim::unit::UnitError),

    /// The model could not be built or run.
    #[error(transparent)]
    Testbench(#[from] tracewright_testbench::Error),

    /// The events of a source failed while they were compared.
    #[error(transparent)]
    Items(AnyError),

    /// A file cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },

    /// The manifest of a design's folder is not one.
    #[error("{} is not a manifest: {source}", .path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// Why not.
        source: serde_json::Error,
    },

    /// The folder of traces that the regression is to run cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },

    /// The Verilog in a folder was generated with other parameters.
    #[error(
        "{}: the Verilog has {parameter} = {found}, but this run needs {expected}; generate it with \
         --set {parameter}={expected}",
        .path.display()
    )]
    OtherVerilog {
        /// The manifest.
        path: PathBuf,
        /// The first parameter that differs.
        parameter: &'static str,
        /// Its value in the manifest.
        found: String,
        /// The design's value.
        expected: String,
    },

    /// A packet may end after any instruction of a trace that does not say how long it is.
    #[error(
        "{design}: exact_lengths = true with when_full = drop needs the lengths of all instructions, which the trace does not \
         have; expected --program, or --set exact_lengths=false"
    )]
    UnknownLengths {
        /// The design.
        design: String,
    },

    /// A folder that the regression is to run has no traces.
    #[error("--workloads: {} has no traces (*.pet.zst)", .0.display())]
    NoTraces(PathBuf),

    /// The results of the regression cannot be written as JUnit XML.
    #[error("JUnit: {0}")]
    Junit(#[from] quick_junit::SerializeError),

    /// The results of a part of the regression cannot be used.
    #[error("{}: {what}", .path.display())]
    Part {
        /// The file.
        path: PathBuf,
        /// What was expected.
        what: String,
    },

    /// A folder for temporary files cannot be made.
    #[error("cannot make a temporary folder: {0}")]
    Temporary(io::Error),

    /// A design failed on a trace.
    #[error("{design} on {trace}")]
    Run {
        /// The design.
        design: String,
        /// The trace.
        trace: String,
        /// What failed.
        source: Box<Error>,
    },

    /// Hardware and model differ where every run has to pass.
    #[error("{design} on {trace}: {failure}")]
    Failed {
        /// The design.
        design: String,
        /// The trace.
        trace: String,
        /// The difference.
        failure: String,
    },

    /// What coverage is expected is not stated correctly.
    #[error("the list of expected coverage: {0}")]
    Expected(#[from] toml::de::Error),

    /// The Verilog of a processor core is not there.
    #[error(
        "the core {core} is not installed; run `scripts/setup test` and put build/venv/bin on the path, or run pip install {package}"
    )]
    CoreMissing {
        /// The core.
        core: &'static str,
        /// The package of PyPI that has it.
        package: &'static str,
    },

    /// A program cannot run on the board of a simulated core.
    #[error("{program}: {reason}")]
    LiveProgram {
        /// The program's file.
        program: String,
        /// The reason.
        reason: String,
    },

    /// A program's files cannot be read.
    #[error(transparent)]
    Image(#[from] tracewright_image::Error),
}

impl Error {
    /// Makes the error of a program that contradicts itself in the trace of this name.
    pub(crate) fn program(trace: impl Fn() -> String) -> impl Fn(ProgramError) -> Error {
        move |source| Error::Program { trace: trace(), source }
    }

    /// Makes the error of a design on a trace from its cause.
    pub(crate) fn of_run(design: &str, trace: String) -> impl FnOnce(Error) -> Error + use<> {
        let design = design.to_owned();
        move |source| Error::Run { design, trace, source: Box::new(source) }
    }
}

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
