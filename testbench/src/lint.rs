//! The three lint tools, which must accept every file of Verilog without a message.

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;

use tracewright_interrupt::Temporary;

use crate::error::{Error, Result};
use crate::model_build::VerilogFile;
use crate::toolchain::{self, IVERILOG, Tool, VERILATOR, YOSYS};

/// A message of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// `verilator`, `iverilog` or `yosys`.
    pub tool: &'static str,
    /// All it printed, warnings and errors alike.
    pub messages: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.tool, self.messages)
    }
}

/// Runs `verilator --lint-only -Wall`, `iverilog -g2001 -Wall` and Yosys' `check -assert` over a
/// design and returns what they said; a clean design makes all three silent.
///
/// Verilator reads a file with several modules as an integrator gives it, as a library (`-v`): it looks for every
/// other module by the name of its file. A tool that is not installed is an error, not a pass.
pub fn lint(files: &[VerilogFile], top: &str) -> Result<Vec<Finding>> {
    let directory = Temporary::folder().map_err(Error::file(&std::env::temp_dir()))?;
    for file in files {
        let path = directory.path().join(&file.name);
        fs::write(&path, &file.text).map_err(Error::file(&path))?;
    }
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();

    let mut verilator = toolchain::verilator();
    verilator.args(["--lint-only", "-Wall", "--top-module", top]);
    for file in files {
        let modules = file.text.lines().filter(|line| line.starts_with("module ")).count();
        verilator.args((modules > 1).then_some("-v")).arg(&file.name);
    }
    // It wants a file that is no library.
    let rest = directory.path().join("rest.v");
    fs::write(&rest, "\n").map_err(Error::file(&rest))?;
    verilator.arg("rest.v");
    let mut iverilog = Command::new(IVERILOG.name);
    iverilog.args(["-g2001", "-Wall", "-t", "null", "-s", top]).args(&names);
    let mut yosys = Command::new(YOSYS.name);
    let script = format!(
        "read_verilog {}; hierarchy -check -top {top}; proc; check -assert",
        names.join(" ")
    );
    yosys.args(["-q", "-p", &script]);

    let mut findings = Vec::new();
    for (tool, command) in [(VERILATOR, verilator), (IVERILOG, iverilog), (YOSYS, yosys)] {
        findings.extend(finding(tool, command, directory.path())?);
    }
    Ok(findings)
}

fn finding(tool: Tool, mut command: Command, directory: &Path) -> Result<Option<Finding>> {
    let output = toolchain::run(command.current_dir(directory), tool.package)?;
    let mut messages = toolchain::messages(&output);
    if messages.is_empty() && !output.status.success() {
        messages = output.status.to_string();
    }
    Ok((!messages.is_empty()).then_some(Finding { tool: tool.name, messages }))
}
