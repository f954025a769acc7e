//! A program on a simulated core with a trace module, and the decoded trace against what the core itself says.

mod compare;
mod program;

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tracewright_hdl::Generated;
use tracewright_sim::event::Kind;
use tracewright_sim::rvfi::{self, Retirement, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Ingress;
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
    /// Those that retired.
    program_counters: Vec<u64>,
    /// Instructions that were attempted and trapped: how many had retired before, and their addresses.
    attempted: Vec<(u64, u64)>,
    /// How many instructions had retired before each that begins a handler.
    handlers: Vec<u64>,
    /// The last instruction is a jump or taken branch. The trace ingress port shows where it went only with the next
    /// block, so it is not in the trace.
    ends_in_jump: bool,
    /// The last instruction trapped, which the port shows only with the next block.
    ends_in_trap: bool,
    traps: u64,
}

impl Log {
    /// Takes an instruction at a port; one that trapped has not retired.
    fn push(&mut self, retired: &Retirement, port: &Ingress) {
        if retired.interrupt {
            self.handlers.push(self.program_counters.len() as u64);
        }
        self.traps += u64::from(retired.trap);
        match retired.trap {
            true => {
                let before = self.program_counters.len() as u64;
                self.attempted.push((before, retired.program_counter));
            }
            false => self.program_counters.push(retired.program_counter),
        }
        let xlen = match port {
            Ingress::Rvfi(config) => config.xlen,
            Ingress::Tip(_) | Ingress::Blocks(_) => Xlen::Rv32,
        };
        let class = rvfi::classify(retired.instruction, xlen, rvfi::Extensions::NONE);
        let following = retired.program_counter.wrapping_add(class.length.into());
        self.ends_in_trap = retired.trap;
        self.ends_in_jump = !retired.trap
            && match class.kind {
                None => false,
                Some(Kind::DirectConditional) => retired.next_program_counter != following,
                Some(_) => true,
            };
    }

    /// Leaves out what the port holds back at the end.
    fn finish(&mut self, port: &Ingress) {
        if !matches!(port, Ingress::Tip(_)) {
            return;
        }
        if self.ends_in_jump {
            self.program_counters.pop();
        }
        if self.ends_in_trap {
            self.attempted.pop();
        }
    }

    /// Number of instructions that trapped.
    pub fn traps(&self) -> u64 {
        self.traps
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

/// Runs a program on a core whose port `traced` is on: the Verilog of `design` with its adapter for `port`. `progress`
/// is in instructions.
///
/// # Errors
/// When a tool or the core's Verilog is missing, or the core hangs; a disagreement is not an error.
pub fn run(
    (core, port): (Core, &Ingress),
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
        log.push(retired, port);
        Ok::<(), Error>(())
    })?;
    log.finish(port);
    let agreement = match run.lost {
        true => Err(Disagreement::Lost),
        false => compare::compare(design, program, &run.trace, &log),
    };
    Ok(Lived { run, log, agreement })
}

/// The folder of the installed cores, from the one above the command's.
const INSTALLED: &str = "share/tracewright/cores";

/// The folder with the Verilog files of a core: where it is installed with the command, else in its package.
fn core_folder(core: Core, package: &'static str) -> Result<PathBuf> {
    let command = env::current_exe().unwrap_or_default();
    let installed = command.ancestors().nth(2).map(|above| above.join(INSTALLED).join(core.name()));
    if let Some(installed) = installed.filter(|folder| folder.is_dir()) {
        return Ok(installed);
    }
    let module = package.replace('-', "_");
    let script = format!(
        "import site, sys; sys.path.append(site.getusersitepackages()); import {module}; \
         print({module}.data_location)"
    );
    let mut python = Command::new("python3");
    // Isolated: without -I it would run a file of the package's name in the working folder.
    let found = tracewright_interrupt::output(python.args(["-I", "-c", &script]));
    let folder = found.ok().filter(|output| output.status.success());
    let folder = folder.and_then(|output| String::from_utf8(output.stdout).ok());
    let missing = || Error::CoreMissing { core: core.name(), package };
    folder.map(|folder| folder.trim().into()).ok_or_else(missing)
}

/// The Verilog files of a core.
///
/// # Errors
/// When its package is missing.
pub fn core_files(core: Core) -> Result<Vec<VerilogFile>> {
    let Some(package) = core.package() else { return Ok(Vec::new()) };
    let folder = core_folder(core, package)?;
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
