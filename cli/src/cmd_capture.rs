//! `tracewright capture`: run a program and trace it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;
use tracewright_capture::{self as capture, Captured, Ending, LoadedImage, Options, Target};
use tracewright_image::InstructionSet;
use tracewright_sim::event::{Isa, Machine};
use tracewright_sim::trace_io::{Extensions, Problem, Writer, WriterOptions};

use crate::pipeline::count;
use crate::pipeline::failure::{interrupted, usage};
use crate::pipeline::format;
use crate::pipeline::image_list::{self, Beside, argument};
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print::{self, grouped, ratio};
use crate::pipeline::{limits, progress, table};

/// Run a program in QEMU and write its trace
#[derive(Args)]
#[command(after_help = "\
PROGRAM is a Linux program for RISC-V, ARM or x86-64. It keeps its standard input, output and
error. The summary goes to standard error, or with --json to the last line of standard output.
The command succeeds if the trace is complete up to the program's last event, whatever the
program's own exit status is; the summary has that status. Signals go to the program. If one ends
it, the trace has what the program did until then, and the exit status is 130 after an interrupt
(Ctrl-C) and 143 after SIGTERM. A program that does not end within two seconds of SIGTERM is killed.

The command needs QEMU's user mode emulators, version 7.2 (Debian: apt-get install qemu-user).

Examples:
  tracewright capture --data --limit 1000000 -o run.pet.zst -- ./prog
  tracewright capture --sysroot armhf --images run.images -o run.pet.zst -- armhf/usr/bin/djpeg
  tracewright capture --images run.images -o run.pet.zst -- ./prog
  tracewright encode traptor-m4 run.pet.zst -o run.bits
  tracewright decode run.bits --images run.images -o back.pet.zst")]
pub struct Arguments {
    /// Write the trace to this file
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Fail unless the program has this instruction set
    #[arg(long)]
    isa: Option<IsaName>,
    /// Trace memory accesses too
    #[arg(long)]
    data: bool,
    /// Skip this many instructions before the trace begins, rounded up to a block
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count::parse)]
    skip: u64,
    /// End the trace after this many instructions, rounded up to a few blocks; the program goes on without --stop
    #[arg(long, value_name = "N", value_parser = count::at_least::<u64>(1))]
    limit: Option<u64>,
    /// End the program where the trace ends by --limit, instead of letting it run on
    #[arg(long, requires = "limit")]
    stop: bool,
    /// Trace up to eight threads instead of four; further threads are not traced
    #[arg(long)]
    threads: bool,
    /// Set the alignment of an ARM program: instructions begin at multiples of 2^N bytes, with N = 0 for Thumb code
    /// and 2 without; the default is 0 for a program that begins in Thumb code or has Thumb functions, else 2
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=2))]
    alignment: Option<u8>,
    /// Take the program's libraries from this folder instead of /
    #[arg(long, value_name = "FOLDER")]
    sysroot: Option<Input>,
    /// Write the load address of each file of the program, one FILE@ADDRESS per line, the program itself first; code
    /// that came from no file is written to the ELF file FILE.code, and code that replaces other code to FILE.changes
    #[arg(long, value_name = "FILE")]
    images: Option<OutputFile>,
    /// Use this capture plugin; the default is the file named by the environment variable TRACEWRIGHT_PLUGIN, or else
    /// the plugin that is part of this command
    #[arg(long, value_name = "FILE")]
    plugin: Option<Input>,
    /// Print JSON, on one line: an object with trace, program, isa, events, accesses, instructions, skipped,
    /// threads, left_out, children, signals, unexplained, bytes, bits_per_instruction, seconds, mips, exit_status,
    /// signal, is_whole, is_stopped, address_bits, images (path, load_address), loose_code, code, code_changes, changes
    #[arg(long)]
    json: bool,
    /// The program and its arguments
    #[arg(value_name = "PROGRAM", required = true, last = true)]
    program: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IsaName {
    Riscv64,
    Riscv32,
    Arm,
    #[value(name = "x86_64")]
    X86_64,
}

impl IsaName {
    fn instruction_set(self) -> InstructionSet {
        match self {
            IsaName::Riscv64 => InstructionSet::RiscV64,
            IsaName::Riscv32 => InstructionSet::RiscV32,
            IsaName::Arm => InstructionSet::Arm,
            IsaName::X86_64 => InstructionSet::X86_64,
        }
    }
}

/// The trace is written while the program runs, so compression must be faster than QEMU.
const LEVEL: i32 = 1;

/// The summary of a capture.
#[derive(Serialize)]
struct Report {
    trace: String,
    program: String,
    isa: String,
    events: u64,
    accesses: u64,
    instructions: u64,
    /// Instructions that ran before the trace begins.
    skipped: u64,
    threads: usize,
    /// Blocks and accesses of threads that are not in the trace.
    left_out: u64,
    /// Child processes that the program forked, which are not traced; 0 if the trace ends before the program.
    children: u64,
    signals: u64,
    /// Unexplained jumps, which are exceptions in the trace.
    unexplained: u64,
    /// The size of the trace, 0 for standard output.
    bytes: u64,
    bits_per_instruction: f64,
    seconds: f64,
    mips: f64,
    /// The program's exit status, null if a signal ended it.
    exit_status: Option<i32>,
    /// The signal that ended the program, else null.
    signal: Option<i32>,
    /// True if the trace goes to the program's end.
    is_whole: bool,
    /// True if the program was ended at the limit.
    is_stopped: bool,
    /// Bits of the largest address of code; a design needs as many.
    address_bits: u32,
    images: Vec<LoadedImage>,
    /// Bytes of code that ran from no file.
    loose_code: u64,
    /// The file with the code that ran from no file, if there was any and --images was given.
    code: Option<PathBuf>,
    /// How often a thread found other code than before.
    code_changes: u64,
    /// The file with the changes of code, if there were any and --images was given.
    changes: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// When the program cannot be run, or the trace cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.output.is_stdout() {
        return Err(usage(
            "--output: the trace cannot go to standard output, because the program writes to it; expected a file",
        ));
    }
    let format = format::of_output(&arguments.output, None)?;
    let (target, options) = subject(arguments)?;
    Input::found(&target.program)?;
    let alignment = arguments.alignment.unwrap_or(target.machine.alignment);
    let machine = Machine { alignment, ..target.machine };
    let output = arguments.output.create()?;
    let name = output.name(&arguments.output);
    let extensions = options.extensions;
    let writer = WriterOptions { format, extensions, level: LEVEL, name: name.clone() };
    let writer = Writer::new(output, machine, writer)?;
    let progress = progress::bar(arguments.limit.unwrap_or(0), "instructions");
    let begin = Instant::now();
    let mut shown = 0;
    let (captured, writer) = capture::capture(&target, &options, writer, |instructions| {
        progress.add(instructions - shown);
        shown = instructions;
    })
    .map_err(|error| explain(error, machine))?;
    let written = Written {
        trace: name,
        events: writer.events(),
        accesses: writer.accesses(),
        instructions: writer.instructions(),
    };
    captured.images.iter().try_for_each(|image| Input::found(&image.path).map(drop))?;
    writer.finish()?.commit()?;
    drop(progress);
    let seconds = begin.elapsed().as_secs_f64();
    let beside = match &arguments.images {
        Some(path) => image_list::write(path, &target, &captured)?,
        None => Beside::default(),
    };
    let bytes = limits::bytes_of(&arguments.output);
    let executed = captured.executed;
    let is_ended = matches!(captured.ending, Ending::Signal(_));
    let interrupt = tracewright_interrupt::received().filter(|_| is_ended);
    let Beside { code, changes } = beside;
    let report =
        Report { code, changes, ..Report::new(&target, captured, written, bytes, seconds) };
    if arguments.json {
        print::json_line(&report)?;
    } else {
        print::remark(table::sentences(&text(&report, executed, arguments.threads)));
    }
    match interrupt {
        None => Ok(()),
        Some(signal) => {
            let kept = format!("{} has what the program did until then", report.trace);
            Err(interrupted(signal, kept))
        }
    }
}

/// Adds what to do to an error that comes from Thumb code in a program that does not say it has some.
fn explain(error: capture::Error, machine: Machine) -> anyhow::Error {
    let is_invalid = matches!(
        &error,
        capture::Error::Trace(error) if matches!(error.problem(), Problem::Invalid(_))
    );
    let error = anyhow::Error::from(error);
    match is_invalid && machine.isa == Isa::Arm && machine.alignment > 0 {
        true => error.context(format!(
            "the program has code that the alignment {} does not fit; with Thumb code give --alignment 0",
            machine.alignment
        )),
        false => error,
    }
}

/// The program to run, and how to run it.
fn subject(arguments: &Arguments) -> Result<(Target, Options)> {
    let Some((program, rest)) = arguments.program.split_first() else {
        return Err(usage("no program to run: expected PROGRAM after --"));
    };
    let target = Target::find(program, arguments.plugin.as_deref())?;
    if let Some(isa) = arguments.isa
        && isa.instruction_set() != target.instruction_set
    {
        let (wanted, found) = (isa.instruction_set(), target.instruction_set);
        return Err(usage(format!(
            "--isa: {} is a {found} program, expected {wanted}",
            target.program.display()
        )));
    }
    let options = Options {
        arguments: rest.to_vec(),
        sysroot: arguments.sysroot.as_deref().map(Path::to_path_buf),
        extensions: Extensions {
            data: arguments.data,
            threads: arguments.threads,
            ..Extensions::LENGTHS
        },
        skip: arguments.skip,
        limit: arguments.limit.unwrap_or(u64::MAX),
        stop: arguments.stop,
        output_to_error: false,
    };
    Ok((target, options))
}

/// The trace that was written.
struct Written {
    trace: String,
    events: u64,
    accesses: u64,
    instructions: u64,
}

impl Report {
    /// The summary of a trace of `bytes` that was captured in `seconds`.
    fn new(
        target: &Target,
        captured: Captured,
        written: Written,
        bytes: u64,
        seconds: f64,
    ) -> Report {
        let Written { trace, events, accesses, instructions } = written;
        let (exit_status, signal) = match captured.ending {
            Ending::Exit(status) => (Some(status), None),
            Ending::Signal(signal) => (None, Some(signal)),
        };
        Report {
            trace,
            program: target.program.display().to_string(),
            isa: target.instruction_set.to_string(),
            events,
            accesses,
            instructions,
            skipped: captured.skipped,
            threads: captured.threads,
            left_out: captured.left_out,
            children: captured.children,
            signals: captured.signals,
            unexplained: captured.unexplained,
            bytes,
            bits_per_instruction: ratio(bytes * 8, instructions),
            seconds,
            mips: (instructions + captured.skipped) as f64 / seconds / 1e6,
            exit_status,
            signal,
            is_whole: captured.is_whole,
            is_stopped: captured.is_stopped,
            code_changes: captured.changes.threads.iter().map(|thread| thread.len() as u64).sum(),
            address_bits: captured.address_bits,
            images: captured.images,
            loose_code: captured.loose_code.iter().map(|(_, code)| code.len() as u64).sum(),
            code: None,
            changes: None,
        }
    }
}

fn text(report: &Report, executed: bool, threads: bool) -> String {
    let mut text = format!(
        "{}: {} events, {}{} instructions, {} thread{}\n{:.4} bits/instruction in the file, {:.2} s, {:.0} MIPS\n",
        report.trace,
        grouped(report.events),
        print::accesses(report.accesses),
        grouped(report.instructions),
        report.threads,
        if report.threads == 1 { "" } else { "s" },
        report.bits_per_instruction,
        report.seconds,
        report.mips
    );
    let ended = match (report.exit_status, report.signal) {
        (Some(status), _) => format!("exited with status {status}"),
        (None, signal) => format!("was ended by signal {}", signal.unwrap_or(0)),
    };
    let place = if report.is_stopped {
        " at the limit, by --stop"
    } else if executed {
        "; the trace ends where the program executed another one"
    } else if !report.is_whole {
        "; the trace ends before that"
    } else {
        ""
    };
    text += &format!("{} {ended}{place}\n", report.program);
    if report.skipped > 0 {
        text += &format!("{} instructions skipped before the trace\n", grouped(report.skipped));
    }
    if report.left_out > 0 {
        text += match threads {
            true => "some threads are not in the trace, which has room for eight\n",
            false => "some threads are not in the trace; --threads traces up to eight\n",
        };
    }
    match report.children {
        0 => {}
        1 => {
            text += "a child process that the program forked is not in the trace; capture its command by itself\n"
        }
        children => {
            text += &format!(
                "{} child processes that the program forked are not in the trace; capture their commands by themselves\n",
                grouped(children)
            );
        }
    }
    if report.unexplained > 0 {
        let count = grouped(report.unexplained);
        text += &format!("{count} unexplained jumps are traced as exceptions\n");
    }
    for (index, image) in report.images.iter().enumerate() {
        let option = if index == 0 { "--program" } else { "--image" };
        text += &format!("{option} {}\n", print::quoted(&argument(image)));
    }
    text += &of_code(report);
    text
}

/// What decoding needs besides the program's files.
fn of_code(report: &Report) -> String {
    let mut text = String::new();
    let kept = |file: &Option<PathBuf>| match file {
        Some(file) => format!("is in {}", file.display()),
        None => "is needed to decode; --images FILE keeps it".into(),
    };
    if report.loose_code > 0 {
        let bytes = grouped(report.loose_code);
        text += &format!("code that ran from no file, {bytes} bytes, {}\n", kept(&report.code));
    }
    if report.code_changes > 0 {
        let times = grouped(report.code_changes);
        text +=
            &format!("code that changed while it ran, {times} times, {}\n", kept(&report.changes));
    }
    if report.address_bits > 32 {
        let bits = report.address_bits;
        text += &format!("addresses have {bits} bits: hardware needs --set address_width=64\n");
    }
    text
}
