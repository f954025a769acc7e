//! `tracewright wset replay`: replays runs from their working sets.

use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use tracewright_sim::trace_io::WriterOptions;
use tracewright_working_set::{WorkingSet, replay};

use super::{check_length, open};
use crate::pipeline::format::{self, FormatName};
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print::{self, counted, grouped};
use crate::pipeline::progress::{self, Progress};
use crate::pipeline::trace_sink::TraceSink;

/// Replay a run from its working set, with every instruction, load and store
#[derive(Args)]
#[command(after_help = "\
Without --output the run is only replayed and checked, and the speed of the emulator is printed.
The trace begins with the reset, as a taken exception to the first instruction.

Examples:
  tracewright wset replay run.wset
  tracewright wset replay run.wset -o run.pet.zst
  tracewright wset replay run.wset --data -o run.pet.zst")]
pub struct Arguments {
    /// The working set
    #[arg(value_name = "WSET")]
    working_set: Input,
    /// Write the trace here; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<OutputFile>,
    /// Write loads and stores to the trace too
    #[arg(long, requires = "output")]
    data: bool,
    /// Choose the format of the output; the default follows the ending of its name
    #[arg(long, requires = "output")]
    format: Option<FormatName>,
    /// Print JSON: an object with working_set, output (null without one), instructions, events, accesses,
    /// seconds, instructions_per_second
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Done {
    working_set: String,
    output: Option<String>,
    instructions: u64,
    /// Events written, null without an output.
    events: Option<u64>,
    accesses: Option<u64>,
    seconds: f64,
    instructions_per_second: f64,
}

/// Runs the command.
///
/// # Errors
/// When the working set does not hold the run, or the output cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let name = || arguments.working_set.display().to_string();
    let (working_set, file_bytes) = open(&arguments.working_set)?;
    check_length(&arguments.working_set, &working_set, file_bytes)?;
    let instructions = working_set.totals.instructions;
    let progress = progress::bar(instructions, "instructions");
    let begin = Instant::now();
    let counts = match (&arguments.output, arguments.data) {
        (None, _) => {
            replay(&working_set, &mut (), |done| progress.add(done)).with_context(name)?;
            None
        }
        (Some(output), false) => Some(write::<false>(arguments, &working_set, output, &progress)?),
        (Some(output), true) => Some(write::<true>(arguments, &working_set, output, &progress)?),
    };
    let seconds = begin.elapsed().as_secs_f64();
    drop(progress);
    if arguments.output.as_ref().is_some_and(OutputFile::is_stdout) {
        return Ok(());
    }
    let done = Done {
        working_set: name(),
        output: arguments.output.as_ref().map(|output| output.display().to_string()),
        instructions,
        events: counts.map(|(events, _)| events),
        accesses: counts.map(|(_, accesses)| accesses),
        seconds,
        instructions_per_second: if seconds > 0.0 { instructions as f64 / seconds } else { 0.0 },
    };
    if arguments.json {
        return print::json(&done);
    }
    let written = match counts {
        Some((events, accesses)) => {
            let accesses = if accesses == 1 {
                "1 access".into()
            } else {
                format!("{} accesses", grouped(accesses))
            };
            format!(" -> {}, {accesses}", counted(events, "event"))
        }
        None => String::new(),
    };
    print::sentences(&format!(
        "{}: {}, as captured{written}\n{:.2} s, {:.1} million instructions per second\n",
        done.working_set,
        counted(instructions, "instruction"),
        seconds,
        done.instructions_per_second / 1e6
    ))
}

/// Replays into a trace; returns the numbers of its events and accesses.
fn write<const DATA: bool>(
    arguments: &Arguments,
    working_set: &WorkingSet,
    path: &OutputFile,
    progress: &Progress,
) -> Result<(u64, u64)> {
    let format = format::of_output(path, arguments.format)?;
    let output = path.create()?;
    let options = WriterOptions { format, name: output.name(path), ..WriterOptions::default() };
    let mut sink = TraceSink::<_, DATA>::new(output, working_set.machine, options)?;
    replay(working_set, &mut sink, |done| progress.add(done)).map_err(|error| {
        // Errors of the output already name it.
        match error.is::<tracewright_working_set::Error>() {
            true => error.context(arguments.working_set.display().to_string()),
            false => error,
        }
    })?;
    let counts = sink.counts();
    sink.finish()?.commit()?;
    Ok(counts)
}
