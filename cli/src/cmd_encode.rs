//! `tracewright encode`: encodes a trace with the golden encoder.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use tracewright_sim::bits_file::{BitsWriter, Header};
use tracewright_sim::event::Item;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::Encoder;
use tracewright_verification::trace;

use crate::pipeline::design::{self, Changes};
use crate::pipeline::events;
use crate::pipeline::filter::FilterArguments;
use crate::pipeline::output::{Output, is_stdout};
use crate::pipeline::print::{self, grouped, ratio};

/// Encode a trace as the hardware does
#[derive(Args)]
#[command(after_help = "\
A trace without the lengths of calls is read twice: first to infer them from the targets of
returns. Traces of `capture` have them, and may come from standard input. A design that traces data
addresses encodes the trace's data records; from a trace without data records it makes only the
end of the trace.

Examples:
  tracewright encode traptor-m4 run.pet.zst -o run.bits
  tracewright encode my.toml run.pet.zst -o run.bits --set trace_port_width=4 --json")]
pub struct Arguments {
    /// A preset or a TOML file
    design: String,
    /// The trace to encode
    trace: PathBuf,
    /// Write the encoded file here; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    filter: FilterArguments,
    /// Print JSON: an object with design, trace, output, events, instructions, bits, padding_bits, bits_per_instruction
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Done {
    design: String,
    trace: String,
    output: String,
    events: u64,
    instructions: u64,
    bits: u64,
    padding_bits: u64,
    bits_per_instruction: f64,
}

/// Runs the command.
///
/// # Errors
/// When the design, the trace or the output is bad.
pub fn run(arguments: &Arguments) -> Result<()> {
    let design = design::load(&arguments.design, &arguments.changes)?;
    let path = arguments.trace.as_path();
    let progress = events::progress_of([path], 2);
    let mut is_again = false;
    let (calls, mut reader) = trace::open_for_encoding(path, &progress, || {
        if std::mem::replace(&mut is_again, true) {
            events::rereadable([path])?;
        }
        anyhow::Ok(events::open(path, &progress)?)
    })?;
    let machine = reader.machine();
    let design = design::for_machine(&design, machine)?;
    let mut encoder = Encoder::new(&design)?.filtered(&design, arguments.filter.settings())?;

    let named = || arguments.trace.display().to_string();
    let output = Output::create(&arguments.output)?;
    let name = output.name(&arguments.output);
    let traces_data = design.traces_data();
    let header = Header { design, machine };
    let mut writer = BitsWriter::new(output, &name, &header)?;
    while let Some(item) = reader.next_item()? {
        let item = calls.complete(item);
        encoder.item(&item, &mut writer).with_context(named)?;
        match &item {
            Item::Event(event) => writer.event(event)?,
            Item::Access(access) if traces_data => writer.access(access)?,
            Item::Access(_) | Item::State(_) => {}
        }
    }
    calls.check(path, &reader)?;
    encoder.flush(&mut writer);
    let (output, totals) = writer.finish()?;
    output.commit()?;

    if is_stdout(&arguments.output) {
        return Ok(());
    }
    let done = Done {
        design: header.design.name,
        trace: named(),
        output: name,
        events: totals.events,
        instructions: totals.instructions,
        bits: totals.bits,
        padding_bits: totals.padding,
        bits_per_instruction: ratio(totals.bits, totals.instructions),
    };
    if arguments.json {
        return print::json(&done);
    }
    print::text(format_args!(
        "{}: {} events, {} instructions -> {} bits, {:.4} bits per instruction\n",
        done.design,
        grouped(done.events),
        grouped(done.instructions),
        grouped(done.bits),
        done.bits_per_instruction
    ))
}
