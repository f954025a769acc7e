//! `tracewright trace import`: makes traces of the logs of other tools.

use std::sync::Arc;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;
use tracewright_image::list::Placed;
use tracewright_image::{Image, InstructionSet};
use tracewright_import::{Format, Import, Options, Pattern, Summary};
use tracewright_sim::rvfi::{Compressed, Trapped};
use tracewright_sim::trace_io::{Writer, WriterOptions};

use crate::pipeline::core_signals;
use crate::pipeline::events;
use crate::pipeline::failure::usage;
use crate::pipeline::format;
use crate::pipeline::ingress::word;
use crate::pipeline::limits;
use crate::pipeline::memory;
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print::{self, counted, grouped};
use crate::pipeline::program_files::{self, CodeArguments};
use crate::pipeline::table;

/// Make a trace of a log of a simulator or a core, of a waveform, or of a table
#[derive(Args)]
#[command(after_help = "\
The format is recognised by the contents (docs/import.md). What an instruction does to the program
counter is decided by its word in the log, or by the program where the log has no words. A jump
that no instruction explains is an exception. The command says what the format cannot tell.

Examples:
  spike -l --log-commits prog.elf 2>&1 | tracewright trace import - -o run.pet.zst
  qemu-riscv64 -d exec,nochain,in_asm -D run.log prog.elf
  tracewright trace import run.log --program prog.elf -o run.pet.zst
  tracewright trace import trace_core_00000000.log -o run.pet.zst
  tracewright trace import run.vcd --core core.toml -o run.pet.zst
  tracewright trace import events.csv -o run.pet.zst")]
pub struct Arguments {
    /// The log; - is standard input
    #[arg(value_name = "LOG")]
    log: Input,
    /// Write the trace here; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Take the log as one of this format, instead of recognising it
    #[arg(long)]
    format: Option<FormatName>,
    /// Take each line that this regular expression matches as an instruction: its group pc is the address, and insn, expanded,
    /// hart, valid, trap and intr may be there (docs/import.md)
    #[arg(long, value_name = "REGEX", conflicts_with_all = ["format", "core"])]
    pattern: Option<String>,
    /// Take the instructions from this ELF file, with its load address if it is position-independent, and compare them
    /// with those of the log
    #[arg(long, value_name = "FILE[@ADDRESS]")]
    program: Option<Placed>,
    /// Add a shared library of the program, or bytes of code (FILE.bin), at its address; can be repeated
    #[arg(long, value_name = "FILE@ADDRESS")]
    image: Vec<Placed>,
    /// Take the program and its libraries from a list as `capture --images` writes it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["program", "image"])]
    images: Option<Input>,
    /// Set the instruction set, where neither the log nor a program says it
    #[arg(long, value_name = "NAME")]
    isa: Option<IsaName>,
    #[command(flatten)]
    code: CodeArguments,
    /// Take the names of the core's signals from this file; a waveform (VCD, FST) needs it
    #[arg(long, value_name = "FILE.toml")]
    core: Option<Input>,
    /// Set what the port of a core has in place of a compressed instruction: raw, the instruction itself; expanded, one of
    /// 32 bits that does the same; pin, either, with a signal that tells them apart. Without it, a table says it itself
    #[arg(long, value_name = "WHAT", value_parser = word::<Compressed>)]
    compressed: Option<Compressed>,
    /// Set what the port's trap says: not-retired, or checked: that the instruction has not retired unless the next address
    /// is where its word leads. Without it, a table says it itself
    #[arg(long, value_name = "WHAT", value_parser = word::<Trapped>)]
    trap: Option<Trapped>,
    /// Take only this hart, as thread 0; without it, each of up to eight harts is a thread
    #[arg(long, value_name = "NUMBER")]
    hart: Option<u32>,
    /// Print JSON: an object with log, format, output, instructions, events, accesses, exceptions (taken ones), left_out
    /// (instructions after the last event, which are in none of these counts), other_lines, remarks
    #[arg(long)]
    json: bool,
}

/// The formats, as values of the option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// Spike: -l, --log-commits
    Spike,
    /// Ibex' tracer: trace_core_*.log
    Ibex,
    /// CVA6's tracers: trace_hart_*.log, trace_rvfi_hart_*.dasm
    Cva6,
    /// The RISC-V formal interface: CSV with its signals as columns
    Rvfi,
    /// The port retired: CSV with its pins as columns
    Retired,
    /// QEMU: -d exec,nochain or exec,nochain,in_asm
    Qemu,
    /// Program counters: CSV with a column pc
    Pc,
    /// A waveform, with --core
    Vcd,
    /// A waveform, with --core
    Fst,
    /// A trace as CSV
    Csv,
    /// A trace as lines of JSON
    Jsonl,
    /// QEMU's plugin execlog
    Execlog,
    /// VeeR: exec.log
    Veer,
    /// Rocket and Chipyard: lines C0:
    Rocket,
    /// NEORV32: its tracer
    Neorv32,
    /// The Sail model of RISC-V
    Sail,
    /// Renode: PCAndOpcode
    Renode,
    /// gem5: --debug-flags=Exec
    Gem5,
    /// Older Ariane: .dis files
    Ariane,
    /// CV32E40P's tracer and RI5CY's, with --program
    Cv32e40p,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Format {
        match name {
            FormatName::Spike => Format::Spike,
            FormatName::Ibex => Format::Ibex,
            FormatName::Cva6 => Format::Cva6,
            FormatName::Rvfi => Format::Rvfi,
            FormatName::Retired => Format::Retired,
            FormatName::Qemu => Format::Qemu,
            FormatName::Pc => Format::ProgramCounters,
            FormatName::Vcd => Format::Vcd,
            FormatName::Fst => Format::Fst,
            FormatName::Csv => Format::Csv,
            FormatName::Jsonl => Format::JsonLines,
            FormatName::Execlog => Format::Execlog,
            FormatName::Veer => Format::Veer,
            FormatName::Rocket => Format::Rocket,
            FormatName::Neorv32 => Format::Neorv32,
            FormatName::Sail => Format::Sail,
            FormatName::Renode => Format::Renode,
            FormatName::Gem5 => Format::Gem5,
            FormatName::Ariane => Format::Ariane,
            FormatName::Cv32e40p => Format::Cv32e40p,
        }
    }
}

/// The instruction sets, as values of the option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IsaName {
    Rv32,
    Rv64,
    Arm,
    #[value(name = "aarch64")]
    AArch64,
    X86,
    #[value(name = "x86-64")]
    X86_64,
}

impl From<IsaName> for InstructionSet {
    fn from(name: IsaName) -> InstructionSet {
        match name {
            IsaName::Rv32 => InstructionSet::RV32,
            IsaName::Rv64 => InstructionSet::RV64,
            IsaName::Arm => InstructionSet::Arm,
            IsaName::AArch64 => InstructionSet::AArch64,
            IsaName::X86 => InstructionSet::X86,
            IsaName::X86_64 => InstructionSet::X86_64,
        }
    }
}

#[derive(Serialize)]
struct Done {
    log: String,
    format: &'static str,
    output: String,
    instructions: u64,
    events: u64,
    accesses: u64,
    exceptions: u64,
    left_out: u64,
    other_lines: u64,
    remarks: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// When the log or the program is bad, or the output cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { log, output, .. } = arguments;
    let program = program(arguments)?;
    let trace_format = format::of_output(output, None)?;
    let progress = events::progress_of([log], 1);
    memory::reading(log);
    let options = Options {
        format: arguments.format.map(Format::from),
        program,
        instruction_set: arguments.isa.map(InstructionSet::from),
        extensions: arguments.code.extensions(),
        compressed: arguments.compressed,
        trap: arguments.trap,
        hart: arguments.hart,
        pattern: arguments.pattern.as_deref().map(Pattern::new).transpose().map_err(usage)?,
        core: arguments.core.as_ref().map(core_signals::load).transpose()?,
        hierarchy: core_signals::hierarchy(log)?,
        events_max: Some(limits::events().of_bytes(limits::bytes_of(log))),
    };
    let import = match log.is_stdin() {
        true => Import::new(Box::new(progress.reader(std::io::stdin())), "<stdin>", options),
        false => {
            let file = progress.reader(log.open()?);
            Import::new(Box::new(file), &log.display().to_string(), options)
        }
    }?;
    let format = import.format();
    let sink = output.create()?;
    let name = sink.name(output);
    let extensions = import.extensions();
    let options =
        WriterOptions { format: trace_format, extensions, name, ..WriterOptions::default() };
    let mut writer = Writer::new(sink, import.machine(), options)?;
    let summary = import.run(&mut |item| writer.write_item(item))?;
    let (events, accesses) = (writer.events(), writer.accesses());
    writer.finish()?.commit()?;
    drop(progress);
    let remarks = remarks(arguments, format, &summary);
    let done = Done {
        log: log.display().to_string(),
        format: format.name(),
        output: output.display().to_string(),
        instructions: summary.instructions - summary.left_out,
        events,
        accesses,
        exceptions: summary.exceptions,
        left_out: summary.left_out,
        other_lines: summary.other_lines,
        remarks,
    };
    show(arguments, format, &done)
}

/// The program that ran, if there is one.
fn program(arguments: &Arguments) -> Result<Option<Arc<Image>>> {
    if let Some(list) = &arguments.images {
        return program_files::image_of_list(list, arguments.code).map(Some);
    }
    let files = arguments.program.iter().chain(&arguments.image).cloned().collect::<Vec<_>>();
    match files.is_empty() {
        true => Ok(None),
        false => Ok(Some(Arc::new(program_files::image_of(files, arguments.code)?))),
    }
}

/// What the user has to know of the trace.
fn remarks(arguments: &Arguments, format: Format, summary: &Summary) -> Vec<String> {
    let Summary { left_out, last_blocks, other_lines, other_next, outside, .. } = *summary;
    let mut remarks: Vec<String> =
        summary.cannot_tell(format).map(str::to_owned).into_iter().chain(summary.cut()).collect();
    if left_out > 0 {
        let blocks = match last_blocks {
            0 => String::new(),
            count => format!(
                ", {} of them of the last block, of which the log does not say whether it ran",
                grouped(count)
            ),
        };
        remarks.push(format!(
            "{} after the last event {} not in the trace{blocks}",
            counted(left_out, "instruction"),
            if left_out == 1 { "is" } else { "are" },
        ));
    }
    if other_next > 0 {
        remarks.push(format!(
            "{} with an rvfi_pc_wdata that is not the rvfi_pc_rdata of the next row, which has no rvfi_intr: such a \
             jump is a taken exception",
            counted(other_next, "row")
        ));
    }
    if other_lines > 0 {
        remarks.push(format!(
            "{} {} nothing of the execution",
            counted(other_lines, "line"),
            if other_lines == 1 { "says" } else { "say" },
        ));
    }
    if let Some(address) = outside {
        remarks.push(format!(
            "code at {address:#x} is in no file of the program, and its words are those of the log: a decoder needs it \
             as --image FILE.bin@ADDRESS"
        ));
    }
    if format == Format::Qemu && arguments.program.is_none() && arguments.images.is_none() {
        remarks.push("the instructions of blocks are those that the log lists".to_owned());
    }
    remarks
}

fn show(arguments: &Arguments, format: Format, done: &Done) -> Result<()> {
    if arguments.json && !arguments.output.is_stdout() {
        return print::json(done);
    }
    for remark in &done.remarks {
        print::remark(table::sentences(&format!("note: {}: {remark}\n", done.log)));
    }
    if arguments.output.is_stdout() {
        return Ok(());
    }
    let accesses = print::accesses(done.accesses);
    print::sentences(&format!(
        "{}: {}, {accesses}{}, {}, of {}\n",
        done.output,
        counted(done.events, "event"),
        counted(done.instructions, "instruction"),
        counted(done.exceptions, "taken exception"),
        format.description(),
    ))
}
