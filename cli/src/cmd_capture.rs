//! `tracewright capture`: run a program and trace it.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;
use tracewright_capture::{self as capture, Captured, Ending, LoadedImage, Options, Target};
use tracewright_image::InstructionSet;
use tracewright_sim::event::Machine;
use tracewright_sim::trace_io::{Extensions, Writer, WriterOptions};

use crate::pipeline::failure::{interrupted, usage};
use crate::pipeline::format;
use crate::pipeline::image_list::{self, Beside, argument};
use crate::pipeline::output::{Output, is_stdout};
use crate::pipeline::print::{self, grouped, ratio};
use crate::pipeline::progress;

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
  tracewright encode traptor-m4 --set address_width=64 run.pet.zst -o run.bits
  tracewright decode run.bits --images run.images -o back.pet.zst")]
pub struct Arguments {
    /// Write the trace to this file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Fail unless the program has this instruction set
    #[arg(long)]
    isa: Option<IsaName>,
    /// Trace memory accesses too
    #[arg(long)]
    data: bool,
    /// Skip this many instructions before the trace begins, rounded up to a block
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: u64,
    /// End the trace after this many instructions, rounded up to a few blocks; the program continues
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Trace up to eight threads instead of four; further threads are not traced
    #[arg(long)]
    threads: bool,
    /// Set the alignment of an ARM program: instructions begin at multiples of 2^N bytes, with N = 0 for Thumb code
    /// and 2 without; the default is 2 for programs of the soft-float ABI, 0 for others
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=2))]
    alignment: Option<u8>,
    /// Take the program's libraries from this folder instead of /
    #[arg(long, value_name = "FOLDER")]
    sysroot: Option<PathBuf>,
    /// Write the load address of each file of the program, one FILE@ADDRESS per line, the program itself first; code
    /// that came from no file is written to the ELF file FILE.code, and code that replaces other code to FILE.changes
    #[arg(long, value_name = "FILE")]
    images: Option<PathBuf>,
    /// Use this capture plugin; the default is the file named by the environment variable TRACEWRIGHT_PLUGIN, or
    /// libtracewright_capture_plugin.so in the folder of this command
    #[arg(long, value_name = "FILE")]
    plugin: Option<PathBuf>,
    /// Print JSON, on one line: an object with trace, program, isa, events, accesses, instructions, skipped,
    /// threads, left_out, signals, unexplained, bytes, bits_per_instruction, seconds, mips, exit_status,
    /// signal, is_whole, address_bits, images (path, load_address), loose_code, code, code_changes, changes
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
    signals: u64,
    /// Unexplained jumps, which are exceptions in the trace.
    unexplained: u64,
    /// The size of the trace, 0 for standard output.
    bytes: u64,
    bits_per_instruction: f64,
    seconds: f64,
    /// Million instructions per second.
    mips: f64,
    /// The program's exit status, null if a signal ended it.
    exit_status: Option<i32>,
    /// The signal that ended the program, else null.
    signal: Option<i32>,
    /// True if the trace goes to the program's end.
    is_whole: bool,
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
    if is_stdout(&arguments.output) {
        return Err(usage(
            "--output: the trace cannot go to standard output, because the program writes to it; expected a file",
        ));
    }
    let format = format::of_output(&arguments.output, None)?;
    let (target, options) = subject(arguments)?;
    let machine = target.machine;
    let machine =
        Machine { alignment: arguments.alignment.unwrap_or(machine.alignment), ..machine };
    let output = Output::create(&arguments.output)?;
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
    })?;
    let written = Written {
        trace: name,
        events: writer.events(),
        accesses: writer.accesses(),
        instructions: writer.instructions(),
    };
    writer.finish()?.commit()?;
    drop(progress);
    let seconds = begin.elapsed().as_secs_f64();
    let beside = match &arguments.images {
        Some(path) => image_list::write(path, &target, &captured)?,
        None => Beside::default(),
    };
    let bytes = std::fs::metadata(&arguments.output).map_or(0, |metadata| metadata.len());
    let executed = captured.executed;
    let interrupt = match captured.ending {
        Ending::Signal(_) => tracewright_interrupt::received(),
        Ending::Exit(_) => None,
    };
    let Beside { code, changes } = beside;
    let report =
        Report { code, changes, ..Report::new(&target, captured, written, bytes, seconds) };
    if arguments.json {
        // The program may have ended in the middle of a line.
        print::text(format_args!("\n{}\n", serde_json::to_string(&report)?))?;
    } else {
        std::io::stderr().write_all(text(&report, executed, arguments.threads).as_bytes())?;
    }
    match interrupt {
        None => Ok(()),
        Some(signal) => {
            let kept = format!("{} has what the program did until then", report.trace);
            Err(interrupted(signal, kept))
        }
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
        sysroot: arguments.sysroot.clone(),
        extensions: Extensions {
            data: arguments.data,
            threads: arguments.threads,
            ..Extensions::LENGTHS
        },
        skip: arguments.skip,
        limit: arguments.limit.unwrap_or(u64::MAX),
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
            signals: captured.signals,
            unexplained: captured.unexplained,
            bytes,
            bits_per_instruction: ratio(bytes * 8, instructions),
            seconds,
            mips: (instructions + captured.skipped) as f64 / seconds / 1e6,
            exit_status,
            signal,
            is_whole: captured.is_whole,
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
        "{}: {} events, {}{} instructions, {:.4} bits/instruction in the file, {} thread{}, {:.2} s, {:.0} MIPS\n",
        report.trace,
        grouped(report.events),
        print::accesses(report.accesses),
        grouped(report.instructions),
        report.bits_per_instruction,
        report.threads,
        if report.threads == 1 { "" } else { "s" },
        report.seconds,
        report.mips
    );
    let ended = match (report.exit_status, report.signal) {
        (Some(status), _) => format!("exited with status {status}"),
        (None, signal) => format!("was ended by signal {}", signal.unwrap_or(0)),
    };
    let place = if executed {
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
    if report.unexplained > 0 {
        let count = grouped(report.unexplained);
        text += &format!("{count} unexplained jumps are traced as exceptions\n");
    }
    for (index, image) in report.images.iter().enumerate() {
        let option = if index == 0 { "--program" } else { "--image" };
        text += &format!("{option} {}\n", argument(image));
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
        text += &format!("addresses have {bits} bits: encode with --set address_width={bits}\n");
    }
    text
}
