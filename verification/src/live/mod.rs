//! A program on a simulated core with a trace module, and the decoded trace against what the core itself says.

mod compare;
mod program;

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tracewright_hdl::Generated;
use tracewright_sim::rvfi::Retirement;
use tracewright_sim::scheme::Design;
use tracewright_testbench::live::{self, Core, Options};
use tracewright_testbench::{BuildOptions, VerilogFile};

pub use compare::{Agreement, Disagreement};
pub use program::{BoardCode, LiveProgram};
pub use tracewright_testbench::live::{Run, Trace};

use crate::error::{Error, Result};
use crate::progress::Progress;

/// Instructions between two reports of progress.
const PROGRESS_INSTRUCTIONS: u64 = 1 << 14;

/// What a core reports about its execution, as much of it as a trace has to give back.
#[derive(Clone, Debug, Default)]
pub struct Log {
    program_counters: Vec<u64>,
    /// The numbers of the instructions that begin a handler.
    handlers: Vec<u64>,
    /// Number of instructions that ended in a trap.
    pub traps: u64,
}

impl Log {
    fn push(&mut self, retired: &Retirement) {
        if retired.interrupt {
            self.handlers.push(self.program_counters.len() as u64);
        }
        self.traps += u64::from(retired.trap);
        self.program_counters.push(retired.program_counter);
    }

    /// Number of handlers that were entered.
    pub fn handlers(&self) -> u64 {
        self.handlers.len() as u64
    }
}

/// The result of a run.
#[derive(Debug)]
pub struct Lived {
    /// What the testbench saw.
    pub run: Run,
    /// What the core reported.
    pub log: Log,
    /// What the trace has of what the core executed, or where trace and core disagree.
    pub agreement: Result<Agreement, Disagreement>,
}

/// Runs a program on a core whose retirement port `traced` is on: the Verilog of `design` with its RVFI adapter.
/// `progress` is in instructions.
///
/// # Errors
/// When a tool or the core's Verilog is missing, or the core hangs; a disagreement is not an error.
pub fn run(
    core: Core,
    design: &Design,
    traced: &Generated,
    program: &LiveProgram,
    options: &Options,
    progress: &Progress,
) -> Result<Lived> {
    let library = live::build(core, core_files(core)?, traced, &BuildOptions::default())?;
    let mut log = Log::default();
    let mut count = 0u64;
    let run = live::run(core, &library, program.board.clone(), options, |retired| {
        count += 1;
        if count.is_multiple_of(PROGRESS_INSTRUCTIONS) {
            progress.add(PROGRESS_INSTRUCTIONS);
        }
        log.push(retired);
        Ok::<(), Error>(())
    })?;
    let agreement = match run.lost {
        true => Err(Disagreement::Lost),
        false => compare::compare(design, program, &run.trace, &log),
    };
    Ok(Lived { run, log, agreement })
}

/// The folder of the installed cores, from the one above the command's.
const INSTALLED: &str = "share/tracewright/cores";

/// The folder with the Verilog files of a core: where it is installed with the command, else in its package.
fn core_folder(core: Core) -> Result<PathBuf> {
    let command = env::current_exe().unwrap_or_default();
    let installed = command.ancestors().nth(2).map(|above| above.join(INSTALLED).join(core.name()));
    if let Some(installed) = installed.filter(|folder| folder.is_dir()) {
        return Ok(installed);
    }
    let module = core.package().replace('-', "_");
    let script = format!("import {module}; print({module}.data_location)");
    let mut python = Command::new("python3");
    let found = tracewright_interrupt::output(python.args(["-c", &script]));
    let folder = found.ok().filter(|output| output.status.success());
    let folder = folder.and_then(|output| String::from_utf8(output.stdout).ok());
    let missing = || Error::CoreMissing { core: core.name(), package: core.package() };
    folder.map(|folder| folder.trim().into()).ok_or_else(missing)
}

/// The Verilog files of a core.
fn core_files(core: Core) -> Result<Vec<VerilogFile>> {
    let folder = core_folder(core)?;
    let files = core.files().map(|file| {
        let path = folder.join(file);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).map_err(|source| Error::Read { path, source })?;
        Ok(VerilogFile::new(name, synthesized(&text)))
    });
    files.collect()
}

/// The lines that a synthesis tool reads: the others write files of their own.
fn synthesized(text: &str) -> String {
    let switch = |line: &str, to: &str| {
        let comment = line.trim_start().strip_prefix("//").map(str::trim);
        comment.is_some_and(|comment| comment == format!("pragma translate_{to}"))
    };
    let mut is_on = true;
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        is_on = is_on && !switch(line, "off") || switch(line, "on");
        // An empty line, so that messages have the right numbers.
        kept.push_str(if is_on { line } else { "\n" });
    }
    kept
}
