//! `tracewright trace`: commands on traces that need no design.

mod convert;
mod dump;
mod generate;
mod info;
mod verify;

use anyhow::Result;
use clap::Subcommand;
use tracewright_sim::trace_io::{Format, Reader, Writer, WriterOptions};

use crate::pipeline::count;
use crate::pipeline::paths::OutputFile;

/// Inspect, check, convert and generate traces
#[derive(Subcommand)]
pub enum Command {
    Info(info::Arguments),
    Dump(dump::Arguments),
    Verify(verify::Arguments),
    Generate(generate::Arguments),
    Convert(convert::Arguments),
}

/// Runs the command.
///
/// # Errors
/// When a trace or the output is bad.
pub fn run(command: &Command) -> Result<()> {
    match command {
        Command::Info(arguments) => info::run(arguments),
        Command::Dump(arguments) => dump::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Generate(arguments) => generate::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
    }
}

/// The part of a trace to take.
#[derive(clap::Args)]
struct Part {
    /// Skip this many events, and the accesses before them
    #[arg(long, value_name = "EVENTS", default_value_t = 0, value_parser = count::parse)]
    skip: u64,
    /// Take at most this many events
    #[arg(long, value_name = "EVENTS", default_value_t = u64::MAX, hide_default_value = true, value_parser = count::parse)]
    limit: u64,
}

/// Copies a part of a trace into a file.
fn copy(mut reader: Reader, part: &Part, output: &OutputFile, format: Format) -> Result<Copied> {
    let sink = output.create()?;
    let name = sink.name(output);
    let options =
        WriterOptions { format, extensions: reader.extensions(), name, ..WriterOptions::default() };
    let mut writer = Writer::new(sink, reader.machine(), options)?;
    while writer.events() < part.limit {
        // An access belongs to the event that is still to come.
        let before = reader.events();
        let Some(item) = reader.next_item()? else { break };
        if before >= part.skip {
            writer.write_item(&item)?;
        }
    }
    let copied = Copied {
        events: writer.events(),
        accesses: writer.accesses(),
        instructions: writer.instructions(),
    };
    writer.finish()?.commit()?;
    Ok(copied)
}

/// Counts of what was copied.
#[derive(Clone, Copy)]
struct Copied {
    events: u64,
    accesses: u64,
    instructions: u64,
}
