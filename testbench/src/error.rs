//! What can go wrong between a Verilog file and a running model.

use std::io;
use std::path::{Path, PathBuf};

use crate::bus::BusError;

/// An error of this crate.
///
/// A difference between a model and the golden encoder is no error but the result of a
/// co-simulation: see [`Failure`](crate::cosim::Failure).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A program is not installed.
    #[error("`{tool}` is not installed; on Debian: apt install {package}")]
    ToolMissing {
        /// The program's name.
        tool: String,
        /// The Debian package that has it.
        package: &'static str,
    },

    /// A program is installed but could not be run.
    #[error("`{tool}` could not be run")]
    ToolStart {
        /// The program's name.
        tool: String,
        /// Why.
        source: io::Error,
    },

    /// This program was compiled where Verilator, or a C++ compiler, was absent.
    #[error(
        "this program was built without the Verilated run time: {reason}; \
         install it (on Debian: apt install verilator g++) and build again"
    )]
    RuntimeUnavailable {
        /// What the build script of `verilator-sys` found.
        reason: &'static str,
    },

    /// The Verilator that is installed is not the one whose run time is compiled in.
    #[error(
        "Verilator is {found}, but this program was built with the run time of {built}; build it again"
    )]
    VersionMismatch {
        /// The version of the run time.
        built: &'static str,
        /// The version that is installed.
        found: String,
    },

    /// The description of a model makes no sense.
    #[error("model `{top}`: {reason}")]
    Description {
        /// The model's top module.
        top: String,
        /// What is wrong.
        reason: String,
    },

    /// Verilator refused the Verilog.
    #[error("Verilator cannot build `{top}`:\n{messages}")]
    Verilator {
        /// The model's top module.
        top: String,
        /// What it printed.
        messages: String,
    },

    /// The C++ compiler refused the model.
    #[error("{compiler} cannot compile the model of `{top}`:\n{messages}")]
    Compile {
        /// The compiler.
        compiler: String,
        /// The model's top module.
        top: String,
        /// What it printed.
        messages: String,
    },

    /// The Verilog's ports are not the ones described.
    #[error("the ports of `{top}` are not as described: {}", .differences.join("; "))]
    PortMismatch {
        /// The model's top module.
        top: String,
        /// One sentence for each difference.
        differences: Vec<String>,
    },

    /// A model has no such port.
    #[error("`{top}` has no {direction} `{port}` of {width} bits")]
    NoPort {
        /// The model's top module.
        top: String,
        /// `input` or `output`.
        direction: crate::port::Direction,
        /// The port's name.
        port: String,
        /// The width asked for, such as `1` or `1 to 64`.
        width: String,
    },

    /// A file of a model's build cannot be read or written.
    #[error("cannot build the model: {}: {source}", .path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },

    /// The cache of compiled models cannot be used.
    #[error(transparent)]
    Cache(#[from] tracewright_cache::Error),

    /// A compiled model cannot be loaded.
    #[error("the compiled model {path} cannot be loaded", path = .path.display())]
    Load {
        /// The shared library.
        path: PathBuf,
        /// Why.
        source: libloading::Error,
    },

    /// A model came to a fatal condition: no convergence, `$stop`.
    #[error("the model of `{top}` failed in cycle {cycle}: {message}")]
    ModelFailed {
        /// The model's top module.
        top: String,
        /// Clocks since the model's start.
        cycle: u64,
        /// What the run time said.
        message: String,
    },

    /// Waves were asked of a model that was built without them.
    #[error("the model of `{top}` was built without waves")]
    NoWaves {
        /// The model's top module.
        top: String,
    },

    /// A file of waves cannot be written.
    #[error("the waves cannot be written to {path}: {message}", path = .path.display())]
    Waves {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },

    /// A file of coverage cannot be written or read.
    #[error("the coverage in {path}: {message}", path = .path.display())]
    Coverage {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },

    /// The golden encoder refused the events.
    #[error("the golden encoder: {0}")]
    Golden(#[source] Box<dyn std::error::Error + Send + Sync>),

    /// The design could not become Verilog.
    #[error(transparent)]
    Generate(Box<tracewright_hdl::Error>),

    /// The source of the events failed.
    #[error("the events: {0}")]
    Events(#[source] Box<dyn std::error::Error + Send + Sync>),

    /// A core does not do what a core does.
    #[error("the core {core}: {what}")]
    Core {
        /// The core.
        core: &'static str,
        /// What is wrong.
        what: String,
    },

    /// Control registers do not do what they should.
    #[error("the control registers: {0}")]
    Bus(#[from] BusError),

    /// An event cannot be shown to the hardware.
    #[error("event {index} cannot be shown to the hardware: {reason}")]
    Unpresentable {
        /// The event's place in the trace, from 0.
        index: u64,
        /// Why not.
        reason: String,
    },
}

impl Error {
    /// An error of the operating system about this path.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::File { path: path.to_path_buf(), source }
    }
}

/// The result of most functions here.
pub type Result<T, E = Error> = std::result::Result<T, E>;
