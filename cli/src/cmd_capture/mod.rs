//! `tracewright capture`: run a program or a machine and trace it.

mod summary;

use std::ffi::OsString;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use clap::{Args, ValueEnum};
use tracewright_capture::{self as capture, Ending, Options, Target};
use tracewright_image::InstructionSet;
use tracewright_image::list::Placed;
use tracewright_sim::event::{Isa, Machine};
use tracewright_sim::rvfi;
use tracewright_sim::trace_io::{Extensions, Problem, Writer, WriterOptions};

use crate::pipeline::count;
use crate::pipeline::failure::{interrupted, usage};
use crate::pipeline::format;
use crate::pipeline::image_list::{self, Beside};
use crate::pipeline::machine_images::{self, Candidate};
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print;
use crate::pipeline::{limits, progress, table};
use summary::{Report, Written};

/// Run a program in QEMU and write its trace
#[derive(Args)]
#[command(after_help = "\
PROGRAM is a Linux program for RISC-V, ARM, AArch64 or x86-64. It keeps its standard input, output and
error. The summary goes to standard error, or with --json to the last line of standard output.
The command succeeds if the trace is complete up to the program's last event, whatever the
program's own exit status is; the summary has that status. Signals go to the program. If one ends
it, the trace has what the program did until then, and the exit status is 130 after an interrupt
(Ctrl-C) and 143 after SIGTERM. A program that does not end within two seconds of SIGTERM is killed.

The command needs QEMU's user mode emulators, version 7.2 (Debian: apt-get install qemu-user).
With --system PROGRAM is an emulator of machines, qemu-system-riscv64 or qemu-system-riscv32
(Debian: apt-get install qemu-system-misc), and the trace has what the machine's processors do in
firmware, kernel and processes, with address spaces as contexts; docs/machine.md has more.

Examples:
  tracewright capture --data --limit 1000000 -o run.pet.zst -- ./prog
  tracewright capture --sysroot armhf --images run.images -o run.pet.zst -- armhf/usr/bin/djpeg
  tracewright capture --images run.images -o run.pet.zst -- ./prog
  tracewright encode traptor-m4 run.pet.zst -o run.bits
  tracewright decode run.bits --images run.images -o back.pet.zst
  tracewright capture --system --images boot.images -o boot.pet.zst -- \\
      qemu-system-riscv64 -M virt -nographic -kernel kernel.elf")]
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
    /// Trace a whole machine: PROGRAM is qemu-system-riscv64 or qemu-system-riscv32 with its arguments
    #[arg(long, conflicts_with_all = ["data", "sysroot", "alignment"])]
    system: bool,
    /// Trace one of a machine's several processors, by its number from 0, with its contexts, privilege levels and causes;
    /// the others run without being traced
    #[arg(long, value_name = "N", requires = "system", conflicts_with = "threads")]
    hart: Option<usize>,
    /// Take the names of a machine's code from this ELF file, such as its firmware or kernel, if the code that ran at its
    /// addresses is the file's; can be repeated. The ELF files of QEMU's -kernel and -bios need not be given
    #[arg(long, value_name = "FILE[@ADDRESS]", requires = "system")]
    image: Vec<Placed>,
    /// Take RISC-V code as that of a processor with these extensions too: zcmp, zcmt, or both with a comma between them
    #[arg(long, value_name = "NAMES")]
    extensions: Option<rvfi::Extensions>,
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
    /// threads, left_out, children, signals, traps, contexts, unexplained, bytes, bits_per_instruction, seconds, mips, exit_status,
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
    #[value(name = "aarch64")]
    AArch64,
    #[value(name = "x86_64")]
    X86_64,
}

impl IsaName {
    fn instruction_set(self) -> InstructionSet {
        match self {
            IsaName::Riscv64 => InstructionSet::RV64,
            IsaName::Riscv32 => InstructionSet::RV32,
            IsaName::Arm => InstructionSet::Arm,
            IsaName::AArch64 => InstructionSet::AArch64,
            IsaName::X86_64 => InstructionSet::X86_64,
        }
    }
}

/// The trace is written while the program runs, so compression must be faster than QEMU.
const LEVEL: i32 = 1;

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
    let candidates = candidates(arguments, &options)?;
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
        Some(path) if target.is_machine => {
            machine_images::write(path, &target, &captured.context_code, &candidates)?
        }
        Some(path) => image_list::write(path, &target, &captured)?,
        None => Beside::default(),
    };
    let bytes = limits::bytes_of(&arguments.output);
    let loose_machine_code = machine_images::loose_bytes(&captured.context_code, &candidates);
    let executed = captured.executed;
    // QEMU ends a machine at a signal as if it had been switched off.
    let is_ended = target.is_machine || matches!(captured.ending, Ending::Signal(_));
    let interrupt = tracewright_interrupt::received().filter(|_| is_ended);
    let mut report = Report::new(&target, captured, written, bytes, seconds);
    report.loose_code += loose_machine_code;
    (report.code, report.changes) = (beside.code, beside.changes);
    if arguments.json {
        print::json_line(&report)?;
    } else {
        print::remark(table::sentences(&report.text(executed, arguments.threads)));
    }
    interrupt.map_or(Ok(()), |signal| {
        let kept = format!("{} has what the program did until then", report.trace);
        Err(interrupted(signal, kept))
    })
}

/// Adds what to do to an error that comes from Thumb code in a program that does not say it has some.
fn explain(error: capture::Error, machine: Machine) -> anyhow::Error {
    let is_invalid = matches!(
        &error,
        capture::Error::Trace(error) if matches!(error.problem(), Problem::Invalid(_))
    );
    let error = anyhow::Error::from(error);
    let may_have_thumb = machine.isa == Isa::Arm && machine.address_bits == 32;
    match is_invalid && may_have_thumb && machine.alignment > 0 {
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
    let plugin = arguments.plugin.as_deref();
    let mut target = match arguments.system {
        true => Target::find_machine(program, plugin)?,
        false => {
            let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with("qemu-system-riscv") {
                print::remark(table::sentences(&format!(
                    "note: this traces {name} itself, as a program of this computer; --system traces the machine that it \
                     emulates\n"
                )));
            }
            Target::find(program, plugin)?
        }
    };
    if let Some(isa) = arguments.isa
        && !isa.instruction_set().is_of_one_program(target.instruction_set)
    {
        let (wanted, found) = (isa.instruction_set(), target.instruction_set);
        return Err(usage(format!(
            "--isa: {} is a {found} program, expected {wanted}",
            target.program.display()
        )));
    }
    target.instruction_set = target.instruction_set.with(arguments.extensions.unwrap_or_default());
    let options = Options {
        arguments: rest.to_vec(),
        sysroot: arguments.sysroot.as_deref().map(Path::to_path_buf),
        extensions: Extensions {
            data: arguments.data,
            threads: arguments.threads,
            states: arguments.system && (arguments.hart.is_some() || has_one_processor(rest)),
            ..Extensions::LENGTHS
        },
        skip: arguments.skip,
        limit: arguments.limit.unwrap_or(u64::MAX),
        stop: arguments.stop,
        hart: arguments.hart,
        output_to_error: false,
    };
    Ok((target, options))
}

/// The files that may run in the machine.
fn candidates(arguments: &Arguments, options: &Options) -> Result<Vec<Candidate>> {
    let given =
        options.arguments.windows(2).filter(|pair| pair[0] == "-kernel" || pair[0] == "-bios");
    let given = given.filter(|pair| {
        let is_elf = Input::found(Path::new(&pair[1])).map(|file| file.begins_with(b"\x7fELF"));
        arguments.system && is_elf.unwrap_or(false)
    });
    let placed = |path: &OsString| Placed { path: path.into(), load_address: 0, identity: None };
    let given = given.map(|pair| placed(&pair[1]));
    arguments.image.iter().cloned().chain(given).map(|placed| Candidate::read(&placed)).collect()
}

/// True unless the arguments of QEMU's machine say that it has several processors.
fn has_one_processor(arguments: &[OsString]) -> bool {
    let mut arguments = arguments.iter().skip_while(|argument| *argument != "-smp").skip(1);
    arguments.next().is_none_or(|value| value == "1" || value == "cpus=1")
}
