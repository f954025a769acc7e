//! `tracewright combine decode`: events and memory accesses out of one trace.

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use tracewright_sim::combined;
use tracewright_sim::combined::access_sites::AccessSites;
use tracewright_sim::trace_io::{Writer, WriterOptions};

use super::{Designs, learned};
use crate::pipeline::events;
use crate::pipeline::format::{self, FormatName};
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print::{self, grouped};

/// Decode the frames of both: events and accesses in the order of the execution
#[derive(Args)]
#[command(after_help = "\
The program is learned from a trace: its code, and which instructions access memory. The decoder
refuses programs whose instructions do not always make the same accesses, such as string
instructions of x86.

Examples:
  tracewright combine decode talon-m talon-d run.bin --program run.pet.zst -o back.pet.zst")]
pub struct Arguments {
    #[command(flatten)]
    designs: Designs,
    /// The frames
    #[arg(value_name = "FRAMES")]
    file: Input,
    /// A trace of the program, with data records
    #[arg(long, value_name = "TRACE")]
    program: Input,
    /// Write the decoded trace here; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Choose the format of the output; the default follows the ending of its name
    #[arg(long)]
    format: Option<FormatName>,
    /// Print JSON: an object with file, program, output, events, accesses, instructions
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Done {
    file: String,
    program: String,
    output: String,
    events: u64,
    accesses: u64,
    instructions: u64,
}

/// Runs the command.
///
/// # Errors
/// When the frames, the program or the output is bad, or they do not belong together.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { designs, file, program, output: path, .. } = arguments;
    let format = format::of_output(path, arguments.format)?;
    let (combined, machine) = designs.fitted(program)?;
    let learned = learned(program)?;
    let named = || program.display().to_string();
    let progress = events::progress_of([program], 1);
    let execution = events::open(program, &progress)?.items();
    let execution = execution.map(|item| item.map_err(anyhow::Error::from));
    let sites = AccessSites::learn(execution).with_context(named)?;
    drop(progress);
    let output = path.create()?;
    let name = output.name(path);
    let options = WriterOptions {
        format,
        extensions: learned.extensions,
        name: name.clone(),
        ..WriterOptions::default()
    };
    let mut writer = Writer::new(output, machine, options)?;
    let emit = |item| writer.write_item(&item).map_err(anyhow::Error::from);
    combined::decode(&combined, &learned.program, &sites, file.open()?, u64::MAX, emit)
        .with_context(|| file.display().to_string())?;
    let (events, accesses, instructions) =
        (writer.events(), writer.accesses(), writer.instructions());
    writer.finish()?.commit()?;
    if path.is_stdout() {
        return Ok(());
    }
    let done = Done {
        file: file.display().to_string(),
        program: named(),
        output: name,
        events,
        accesses,
        instructions,
    };
    match arguments.json {
        true => print::json(&done),
        false => print::sentences(&format!(
            "{}: {} events, {} accesses, {} instructions -> {}\n",
            done.file,
            grouped(events),
            grouped(accesses),
            grouped(instructions),
            done.output
        )),
    }
}
