//! The programs this crate runs.

use std::env;
use std::io;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::error::{Error, Result};

/// A program and where Debian has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) package: &'static str,
}

pub(crate) const VERILATOR: Tool = Tool { name: "verilator", package: "verilator" };
pub(crate) const IVERILOG: Tool = Tool { name: "iverilog", package: "iverilog" };
pub(crate) const YOSYS: Tool = Tool { name: "yosys", package: "yosys" };
const COMPILER_PACKAGE: &str = "g++";

/// Runs a command to its end and collects what it prints.
pub(crate) fn run(command: &mut Command, package: &'static str) -> Result<Output> {
    tracewright_interrupt::output(command).map_err(|source| {
        let tool = command.get_program().to_string_lossy().into_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Error::ToolMissing { tool, package },
            _ => Error::ToolStart { tool, source },
        }
    })
}

/// Everything a program printed, standard error first.
pub(crate) fn messages(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    text.trim().to_string()
}

/// A command for Verilator: of `$VERILATOR_ROOT` if that is set, else of the search path.
pub(crate) fn verilator() -> Command {
    match env::var_os("VERILATOR_ROOT") {
        Some(root) => {
            let program = Path::new(&root).join("bin").join(VERILATOR.name);
            Command::new(if program.is_file() { program } else { VERILATOR.name.into() })
        }
        None => Command::new(VERILATOR.name),
    }
}

/// What a model is compiled with.
#[derive(Debug)]
pub(crate) struct Toolchain {
    /// The directory of `verilated.h`.
    pub(crate) include: &'static str,
    /// The Verilated run time as a static library.
    pub(crate) archive: &'static [u8],
    /// What `verilator --version` prints.
    pub(crate) verilator_version: String,
    /// The C++ compiler and the arguments that come with it.
    pub(crate) compiler: Vec<String>,
    /// What the compiler's `--version` prints first.
    pub(crate) compiler_version: String,
}

impl Toolchain {
    /// Finds the tools, once a process.
    pub(crate) fn find() -> Result<&'static Toolchain> {
        static FOUND: OnceLock<Toolchain> = OnceLock::new();
        match FOUND.get() {
            Some(found) => Ok(found),
            None => {
                let toolchain = Toolchain::look()?;
                Ok(FOUND.get_or_init(|| toolchain))
            }
        }
    }

    fn look() -> Result<Toolchain> {
        let version = run(verilator().arg("--version"), VERILATOR.package)?;
        let verilator_version = messages(&version);
        let (Some(built), Some(include), Some(archive)) =
            (verilator_sys::VERSION, verilator_sys::INCLUDE, verilator_sys::ARCHIVE)
        else {
            let reason = verilator_sys::UNAVAILABLE.unwrap_or("Verilator was not found");
            return Err(Error::RuntimeUnavailable { reason });
        };
        if verilator_version.split_whitespace().nth(1) != Some(built) {
            return Err(Error::VersionMismatch { built, found: verilator_version });
        }
        let (compiler, compiler_version) = compiler()?;
        Ok(Toolchain { include, archive, verilator_version, compiler, compiler_version })
    }

    /// True for the GNU compiler, which has options that Clang has not.
    pub(crate) fn is_gnu(&self) -> bool {
        !self.compiler_version.contains("clang")
    }

    /// A command for the C++ compiler.
    pub(crate) fn compiler(&self) -> Command {
        let mut command = Command::new(&self.compiler[0]);
        command.args(&self.compiler[1..]);
        command
    }
}

/// The C++ compiler: `$CXX`, else the first installed of the usual names.
fn compiler() -> Result<(Vec<String>, String)> {
    let chosen = env::var("CXX").unwrap_or_default();
    let chosen: Vec<String> = chosen.split_whitespace().map(String::from).collect();
    let candidates = if chosen.is_empty() {
        ["c++", "g++", "clang++"].iter().map(|name| vec![name.to_string()]).collect()
    } else {
        vec![chosen]
    };
    let mut missing = None;
    for candidate in candidates {
        let mut command = Command::new(&candidate[0]);
        match run(command.args(&candidate[1..]).arg("--version"), COMPILER_PACKAGE) {
            Ok(output) => {
                let text = messages(&output);
                let first = text.lines().next().unwrap_or_default().to_string();
                return Ok((candidate, first));
            }
            Err(error) => missing = missing.or(Some(error)),
        }
    }
    Err(missing.unwrap_or(Error::ToolMissing { tool: "c++".into(), package: COMPILER_PACKAGE }))
}
