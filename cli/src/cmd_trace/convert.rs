//! `tracewright trace convert`: writes traces in another format.

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use tracewright_verification::threads::OneCore;

use super::beginnings::Beginnings;
use super::{Part, Threads, copy};
use crate::pipeline::count;
use crate::pipeline::events;
use crate::pipeline::failure::usage;
use crate::pipeline::format::{self, FormName};
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print::{self, grouped};

/// Write a trace, or a part of it, in another format
#[derive(Args)]
#[command(after_help = "\
A part of a trace is a valid trace: after --skip each thread begins with an exception to where it
goes on, at the first event of which the trace says that. The lengths of calls and the memory accesses are kept if the
trace has them. Only .pet.zst states its end: a .pet or .txt file that was cut between two records
is read as a shorter trace. A table (.csv, .jsonl) is for other tools; `trace import` reads it back.

A design for one core traces one thread. With --thread the new trace is that thread. With
--one-core it is that of a core which runs the threads in turns of so many instructions: between
two is an exception to where the next one goes on, and the thread is the context. Designs trace
it with --set framing=packets --set context_bits=3.

Examples:
  tracewright trace convert hand-written.txt -o run.pet.zst
  tracewright trace convert run.pet.zst -o head.pet.zst --limit 100000
  tracewright trace convert run.pet.zst -o first.pet.zst --thread 0
  tracewright trace convert run.pet.zst -o run.csv
  tracewright trace convert run.pet.zst -o core.pet.zst --one-core 100000")]
pub struct Arguments {
    /// The trace; - is standard input
    trace: Input,
    /// Write the new trace here; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Choose the format of the new trace; the default follows the ending of its name
    #[arg(long)]
    format: Option<FormName>,
    #[command(flatten)]
    part: Part,
    /// Take this thread of the trace, as the only one
    #[arg(long, value_name = "NUMBER", conflicts_with = "one_core", value_parser = clap::value_parser!(u8).range(0..=7))]
    thread: Option<u8>,
    /// Let one core run the threads of the trace, in turns of this many instructions
    #[arg(long, value_name = "INSTRUCTIONS", value_parser = count::parse)]
    one_core: Option<u64>,
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
    let format = format::form_of_output(&arguments.output, arguments.format)?;
    let progress = events::progress_of([&arguments.trace], 1);
    let reader = events::open(&arguments.trace, &progress)?;
    let taken = match (arguments.thread, arguments.one_core) {
        (Some(thread), _) => Threads::Only(thread),
        (None, Some(quantum)) if reader.extensions().states => {
            return Err(usage(format!(
                "--one-core {quantum}: {} has contexts, so it is of one core already",
                arguments.trace.display()
            )));
        }
        (None, Some(quantum)) => Threads::OneCore(Box::new(OneCore::new(quantum))),
        (None, None) => Threads::All,
    };
    let mut beginnings = Beginnings::default();
    let (part, output) = (&arguments.part, &arguments.output);
    let (copied, taken) = copy(reader, part, Some(&mut beginnings), taken, output, format)?;
    if beginnings.left_out() > 0 {
        print::remark(format_args!(
            "{} more skipped, up to a taken branch: the trace does not say where the part would begin\n",
            match beginnings.left_out() {
                1 => "1 event".to_owned(),
                events => format!("{} events", grouped(events)),
            }
        ));
    }
    if let (Threads::Only(thread), 0) = (&taken, copied.events) {
        print::remark(format_args!(
            "{} has no event of thread {thread}\n",
            arguments.trace.display()
        ));
    }
    if let Threads::OneCore(core) = &taken {
        print::remark(format_args!(
            "{} switches of threads; {} instructions at which the trace does not say where a thread goes on are left out\n",
            grouped(core.switches()),
            grouped(core.left_out())
        ));
    }
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
