//! `tracewright wset capture`: keeps the working set of a run.

use std::io::Write;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use serde::Serialize;
use tracewright_working_set::lines::LINE_BYTES;
use tracewright_working_set::{CaptureOptions, Captured, Program, capture, file};

use super::board;
use crate::pipeline::count;
use crate::pipeline::limits;
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print::{self, counted, grouped};
use crate::pipeline::progress;

/// Run a program once and write its working set
#[derive(Args)]
#[command(after_help = "\
The program is an ELF file for RV32 or RV64 IMAFDC without an operating system. docs/working_set.md
describes the memory and the devices of the default board, docs/firmware.md other boards. A program
ends with its exit, with a loop that does nothing, or at the limit. Its exit status does not change
the exit status of this command.

Examples:
  tracewright wset capture prog.elf -o run.wset
  tracewright wset capture prog.elf -o run.wset --input words.txt --limit 1000000
  tracewright wset capture dhrystone.riscv -o run.wset --board riscv-tests
  tracewright wset capture prog.elf -o run.wset --board mine.toml --semihosting-folder files")]
pub struct Arguments {
    /// The program
    #[arg(value_name = "ELF")]
    program: Input,
    /// Write the working set here; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Set the size of a memory line in bytes, a power of two from 8 to 4096
    #[arg(long, value_name = "BYTES", default_value_t = 32, value_parser = line_bytes)]
    line_bytes: u32,
    /// End with the first control-flow instruction after this many instructions
    #[arg(long, value_name = "INSTRUCTIONS", value_parser = count::at_least::<u64>(1))]
    limit: Option<u64>,
    /// Give the program this file through the input device
    #[arg(long, value_name = "FILE")]
    input: Option<Input>,
    #[command(flatten)]
    board: board::Arguments,
    /// Print JSON: an object with program, board, output, status (null at the limit and in an endless loop),
    /// endless (the address of that loop), console, instructions, loads, stores, line_bytes, lines, inputs,
    /// file_bytes, plain_trace_bytes
    #[arg(long)]
    json: bool,
}

fn line_bytes(argument: &str) -> Result<u32, String> {
    let bytes = argument.parse().ok().filter(|bytes: &u32| bytes.is_power_of_two());
    let bytes = bytes.filter(|bytes| LINE_BYTES.contains(bytes));
    let (least, most) = (LINE_BYTES.start(), LINE_BYTES.end());
    bytes.ok_or_else(|| format!("expected a power of two from {least} to {most}"))
}

#[derive(Serialize)]
struct Done {
    program: String,
    board: String,
    output: String,
    status: Option<u32>,
    endless: Option<u64>,
    /// The function of that loop, if the program has symbols.
    #[serde(skip)]
    function: Option<String>,
    console: String,
    instructions: u64,
    loads: u64,
    stores: u64,
    line_bytes: u32,
    lines: usize,
    inputs: usize,
    file_bytes: usize,
    plain_trace_bytes: u64,
}

/// Runs the command.
///
/// # Errors
/// When the program is bad or does what the machine cannot, or the output cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let name = || arguments.program.display().to_string();
    let program = Program::of_elf(&arguments.program.bytes()?).with_context(name)?;
    let most = limits::events().instructions_of_bytes(0);
    let options = CaptureOptions {
        line_bytes: arguments.line_bytes,
        limit: arguments.limit.unwrap_or(most),
        input: arguments.input.as_ref().map(Input::bytes).transpose()?.unwrap_or_default(),
        ..CaptureOptions::default()
    };
    let (board, said) = arguments.board.choose(&program)?;
    let options = arguments.board.options(&board, options);
    let mut output = arguments.output.create()?;
    let progress = progress::bar(arguments.limit.unwrap_or(0), "instructions");
    let captured = capture(&program, &options, &mut (), |done| progress.add(done));
    let captured = captured.map_err(|error| board::advised(error, &program, &board));
    let Captured { working_set, exit, endless, console } = captured.with_context(name)?;
    drop(progress);
    if exit.is_none() && endless.is_none() && arguments.limit.is_none() {
        return Err(anyhow!(
            "{}: expected the program to end within {} instructions; --limit ends it earlier, and --max-events \
             allows more",
            name(),
            grouped(most)
        ));
    }
    let bytes = file::write(&working_set).with_context(name)?;
    let written = output.write_all(&bytes).and_then(|()| output.flush());
    written.with_context(|| format!("cannot write {}", arguments.output.display()))?;
    let output_name = output.name(&arguments.output);
    output.commit()?;
    if arguments.output.is_stdout() {
        return Ok(());
    }
    if let Some(said) = said {
        print::remark(said + "\n");
    }
    let endless = endless.map(|stuck| stuck.program_counter);
    let done = Done {
        program: name(),
        board: board.name.clone(),
        output: output_name,
        status: exit,
        endless,
        function: endless.and_then(|address| program.function(address).map(str::to_owned)),
        console: String::from_utf8_lossy(&console).into(),
        instructions: working_set.totals.instructions,
        loads: working_set.totals.loads,
        stores: working_set.totals.stores,
        line_bytes: working_set.line_bytes,
        lines: working_set.lines.len(),
        inputs: working_set.inputs.len(),
        file_bytes: bytes.len(),
        plain_trace_bytes: working_set.plain_trace_bytes(),
    };
    if arguments.json {
        return print::json(&done);
    }
    print::text(show(&done))
}

fn show(done: &Done) -> String {
    let end = match (done.status, done.endless, &done.function) {
        (Some(status), _, _) => format!("ended with status {status}"),
        (None, Some(address), Some(function)) => {
            format!("ended in the endless loop at {address:#x} in {function}")
        }
        (None, Some(address), None) => format!("ended in the endless loop at {address:#x}"),
        (None, None, _) => "stopped at the limit".into(),
    };
    let console: String = done.console.lines().map(|line| format!("| {line}\n")).collect();
    format!(
        "{console}{}: {}, {end}\n{}: {} of {} bytes, {}, {} bytes in total\n\
         an uncompressed trace of all addresses has {}\n",
        done.program,
        counted(done.instructions, "instruction"),
        done.output,
        counted(done.lines as u64, "line"),
        done.line_bytes,
        counted(done.inputs as u64, "input"),
        grouped(done.file_bytes as u64),
        grouped(done.plain_trace_bytes)
    )
}
