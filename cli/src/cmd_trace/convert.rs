//! `tracewright trace convert`: writes traces in another format.

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::{Part, copy};
use crate::pipeline::events;
use crate::pipeline::format::{self, FormatName};
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print;

/// Write a trace, or a part of it, in another format
#[derive(Args)]
#[command(after_help = "\
A part of a trace is a valid trace. The lengths of calls and the memory accesses are kept if the
trace has them. Only .pet.zst states its end: a .pet or .txt file that was cut between two records
is read as a shorter trace.

Examples:
  tracewright trace convert hand-written.txt -o run.pet.zst
  tracewright trace convert run.pet.zst -o head.pet.zst --limit 100000")]
pub struct Arguments {
    /// The trace; - is standard input
    trace: Input,
    /// Write the new trace here; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Choose the format of the new trace; the default follows the ending of its name
    #[arg(long)]
    format: Option<FormatName>,
    #[command(flatten)]
    part: Part,
    /// Print JSON: an object with trace, output, events, accesses, instructions
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Done {
    trace: String,
    output: String,
    events: u64,
    accesses: u64,
    instructions: u64,
}

/// Runs the command.
///
/// # Errors
/// When the trace or the output is bad.
pub fn run(arguments: &Arguments) -> Result<()> {
    let format = format::of_output(&arguments.output, arguments.format)?;
    let progress = events::progress_of([&arguments.trace], 1);
    let reader = events::open(&arguments.trace, &progress)?;
    let copied = copy(reader, &arguments.part, &arguments.output, format)?;
    if arguments.output.is_stdout() {
        return Ok(());
    }
    let done = Done {
        trace: arguments.trace.display().to_string(),
        output: arguments.output.display().to_string(),
        events: copied.events,
        accesses: copied.accesses,
        instructions: copied.instructions,
    };
    if arguments.json {
        return print::json(&done);
    }
    print::written(&done.output, done.events, done.accesses, done.instructions)
}
