//! `tracewright combine encode`: a trace as both designs and the funnel send it.

use std::io::Write;

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use tracewright_sim::combined::Encoder;
use tracewright_verification::trace::{self, Blocks};

use super::Designs;
use crate::pipeline::events;
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print::{self, grouped, ratio};

/// Encode a trace with data records, and print the size
#[derive(Args)]
#[command(after_help = "\
The bits of each design are those that its hardware sends. How the bytes of the two alternate
depends in hardware on when they come.

Examples:
  tracewright combine encode talon-m talon-d run.pet.zst -o run.bin")]
pub struct Arguments {
    #[command(flatten)]
    designs: Designs,
    /// The trace to encode
    trace: Input,
    /// Write the frames here; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Print JSON: an object with instructions_design, data_design, trace, output, events, accesses, instructions,
    /// flow_bytes, data_bytes, frame_bytes, bits_per_instruction
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Done {
    instructions_design: String,
    data_design: String,
    trace: String,
    output: String,
    events: u64,
    accesses: u64,
    instructions: u64,
    flow_bytes: u64,
    data_bytes: u64,
    frame_bytes: u64,
    bits_per_instruction: f64,
}

impl Done {
    fn sentences(&self) -> String {
        let Self { instructions_design: flow, data_design: data, .. } = self;
        let [events, accesses, instructions, flow_bytes, data_bytes, frame_bytes] = [
            self.events,
            self.accesses,
            self.instructions,
            self.flow_bytes,
            self.data_bytes,
            self.frame_bytes,
        ]
        .map(grouped);
        format!(
            "{flow} and {data}: {events} events, {accesses} accesses, {instructions} instructions -> {frame_bytes} bytes, \
             {:.4} bits per instruction\n{flow_bytes} bytes are of {flow}, {data_bytes} of {data}\n",
            self.bits_per_instruction
        )
    }
}

/// Runs the command.
///
/// # Errors
/// When a design, the trace or the output is bad.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { designs, trace: path, output: file, json } = arguments;
    let (combined, _) = designs.fitted(path)?;
    let progress = events::progress_of([path], 2);
    let (calls, reader) =
        trace::open_for_encoding(path, &progress, || events::open(path, &progress))?;
    let named = || path.display().to_string();
    let mut output = file.create()?;
    let name = output.name(file);
    let mut encoder = Encoder::new(&combined)?;
    let mut blocks = Blocks::prepared(reader, calls);
    while let Some(block) = blocks.next_block()? {
        for item in block {
            encoder.item(item).with_context(named)?;
            output.write_all(&encoder.take_frames())?;
        }
    }
    let (reader, calls) = blocks.finish();
    calls.check(path, &reader)?;
    let (last, totals) = encoder.finish();
    output.write_all(&last)?;
    output.commit()?;
    if file.is_stdout() {
        return Ok(());
    }
    let [flow, data] = combined.designs();
    let done = Done {
        instructions_design: flow.name.clone(),
        data_design: data.name.clone(),
        trace: named(),
        output: name,
        events: totals.events,
        accesses: totals.accesses,
        instructions: totals.instructions,
        flow_bytes: totals.flow_bytes,
        data_bytes: totals.data_bytes,
        frame_bytes: totals.frame_bytes,
        bits_per_instruction: ratio(8 * totals.frame_bytes, totals.instructions),
    };
    if *json { print::json(&done) } else { print::sentences(&done.sentences()) }
}
