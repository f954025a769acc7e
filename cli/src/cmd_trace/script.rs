//! `tracewright trace script`: writes traces of programs that are text.

use anyhow::{Context, Result};
use clap::Args;
use tracewright_sim::synthetic::script::{MACHINE, Script};
use tracewright_sim::trace_io::{Extensions, Writer, WriterOptions};

use crate::pipeline::count;
use crate::pipeline::format::{self, FormatName};
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print;

/// Run a program that is text, as `adversary` finds them, and write its trace
#[derive(Args)]
#[command(after_help = "\
docs/worst_case.md has the statements. The text decides the trace.

Examples:
  tracewright trace script worst/returns.txt -o returns.pet.zst
  tracewright trace script worst/returns.txt --events 50")]
pub struct Arguments {
    /// The program
    #[arg(value_name = "SCRIPT")]
    script: Input,
    /// Write the trace here; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: OutputFile,
    /// Choose the format of the trace; the default follows the ending of its name, and is text for standard output
    #[arg(long)]
    format: Option<FormatName>,
    /// Set the number of events
    #[arg(long, default_value_t = 10_000, value_parser = count::parse)]
    events: u64,
}

/// Runs the command.
///
/// # Errors
/// When the script is none or the output is bad.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { script, output, format, events } = arguments;
    let format = format::of_output(output, *format)?;
    let run = read(script)?.run().with_context(|| script.display().to_string())?;
    let file = output.create()?;
    let (extensions, name) = (Extensions::LENGTHS, file.name(output));
    let options = WriterOptions { format, extensions, name, ..WriterOptions::default() };
    let name = options.name.clone();
    let mut writer = Writer::new(file, MACHINE, options)?;
    for event in run.take(*events as usize) {
        writer.write(&event)?;
    }
    let (events, instructions) = (writer.events(), writer.instructions());
    writer.finish()?.commit()?;
    if output.is_stdout() { Ok(()) } else { print::written(&name, events, 0, instructions) }
}

/// Reads a script.
///
/// # Errors
/// When it cannot be read or is none.
pub fn read(path: &Input) -> Result<Script> {
    path.text()?.parse().with_context(|| path.display().to_string())
}
