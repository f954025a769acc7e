//! `tracewright trace dump`: prints traces as text.

use anyhow::Result;
use clap::Args;
use tracewright_sim::trace_io::Format;

use super::{Part, Threads, copy};
use crate::pipeline::events;
use crate::pipeline::format::Form;
use crate::pipeline::paths::{Input, OutputFile};

/// Print a trace as text
#[derive(Args)]
#[command(after_help = "\
The text is a trace too: every command can read it.

Examples:
  tracewright trace dump run.pet.zst --limit 20
  tracewright trace dump run.pet.zst --skip 1000000 --limit 1000 -o part.txt")]
pub struct Arguments {
    /// The trace; - is standard input
    trace: Input,
    /// Write the text here; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: OutputFile,
    #[command(flatten)]
    part: Part,
}

/// Runs the command.
///
/// # Errors
/// When the trace or the output is bad.
pub fn run(arguments: &Arguments) -> Result<()> {
    let progress = events::progress_of([&arguments.trace], 1);
    let reader = events::open(&arguments.trace, &progress)?;
    let form = Form::Trace(Format::Text);
    copy(reader, &arguments.part, None, Threads::All, &arguments.output, form).map(|_| ())
}
