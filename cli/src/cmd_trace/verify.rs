//! `tracewright trace verify`: checks that traces are consistent.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use serde::Serialize;
use tracewright_image::Image;
use tracewright_import::Spans;
use tracewright_sim::event::{Item, Machine};
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::trace_io::{Learner, Repeated};
use tracewright_verification::trace::Blocks;
use tracewright_view::Walker;

use crate::pipeline::events;
use crate::pipeline::paths::Input;
use crate::pipeline::print::{self, counted};
use crate::pipeline::program_files::{CodeArguments, check_processor, image_of_list};
use crate::pipeline::progress::Progress;

/// Check that each trace is valid and is of one program
#[derive(Args)]
#[command(after_help = "\
Every event must obey the rules of the format and agree with the events before it: the same
address has the same instruction, and the same start address has the same block. The first event
that does not is reported. With --images every instruction must be the one that the program's files
have there, and their list of changes if the code changes while the program runs.

Examples:
  tracewright trace verify run.pet.zst
  tracewright trace verify run.pet.zst --images run.images
  tracewright trace verify workloads/*.pet.zst --json")]
pub struct Arguments {
    /// Traces; - is standard input
    #[arg(value_name = "TRACE", required = true)]
    traces: Vec<Input>,
    /// Check the traces against the program in this list of files, as `capture --images` writes it
    #[arg(long, value_name = "FILE")]
    images: Option<Input>,
    #[command(flatten)]
    code: CodeArguments,
    /// Print JSON: an array of objects with trace, events, accesses, instructions, threads, blocks
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Verified {
    trace: String,
    events: u64,
    accesses: u64,
    instructions: u64,
    threads: usize,
    blocks: usize,
}

/// Runs the command.
///
/// # Errors
/// The first inconsistency.
pub fn run(arguments: &Arguments) -> Result<()> {
    let progress = events::progress_of(&arguments.traces, 1);
    let images = match &arguments.images {
        Some(list) => Some((list, image_of_list(list, arguments.code)?)),
        None => None,
    };
    let one = |trace: &Input| match &images {
        Some((list, image)) => verify_against(trace, list, image, &progress),
        None => verify(trace, &progress),
    };
    let verified: Vec<Verified> = arguments.traces.iter().map(one).collect::<Result<_>>()?;
    drop(progress);
    let with = match &arguments.images {
        Some(list) => format!(" with {}", list.display()),
        None => String::new(),
    };
    if arguments.json {
        return print::json(&verified);
    }
    for Verified { trace, events, accesses, instructions, threads, blocks } in verified {
        let threads = if threads > 1 { format!("{threads} threads, ") } else { String::new() };
        print::sentences(&format!(
            "{trace}: consistent{with}, {}, {}{}, {threads}{}\n",
            counted(events, "event"),
            print::accesses(accesses),
            counted(instructions, "instruction"),
            counted(blocks as u64, "block")
        ))?;
    }
    Ok(())
}

fn verify(trace: &Input, progress: &Progress) -> Result<Verified> {
    let mut reader = events::open(trace, progress)?;
    let mut checks = Checks {
        trace,
        builders: [const { None }; 8],
        machine: reader.machine(),
        spans: Spans::new(reader.machine()),
    };
    reader.learn(&mut checks)?;
    let (mut threads, mut blocks) = (0, 0);
    for (thread, builder) in checks.builders.into_iter().enumerate() {
        if let Some(builder) = builder {
            threads += 1;
            blocks += builder.finish().with_context(|| of_thread(trace, thread))?.most_blocks();
        }
    }
    Ok(Verified {
        trace: trace.display().to_string(),
        events: reader.events(),
        accesses: reader.accesses(),
        instructions: reader.instructions(),
        threads,
        blocks,
    })
}

/// What is checked of a trace.
struct Checks<'t> {
    trace: &'t Input,
    /// Each thread executes the program separately.
    builders: [Option<ProgramBuilder>; 8],
    machine: Machine,
    spans: Spans,
}

impl Learner for Checks<'_> {
    type Error = anyhow::Error;

    fn item(&mut self, item: &Item) -> Result<()> {
        let Item::Event(event) = item else { return Ok(()) };
        let trace = || of_thread(self.trace, event.thread.into());
        self.spans.check(event).with_context(trace)?;
        let builder = &mut self.builders[usize::from(event.thread & 7)];
        let builder = builder.get_or_insert_with(|| ProgramBuilder::new(self.machine));
        builder.event(event).map_err(|error| {
            let trace = trace();
            anyhow!("{trace}: {error}; if the code changes while the program runs, --images FILE checks against it")
        })
    }

    fn repeated(&mut self, repeated: &Repeated) {
        let Repeated { events, last, .. } = repeated;
        self.spans.pass_over(*events, last);
        if let Some(builder) = &mut self.builders[usize::from(last.thread & 7)] {
            builder.pass_over(*events, last);
        }
    }
}

/// Follows the trace through the program's files.
fn verify_against(
    trace: &Input,
    list: &Input,
    image: &Arc<Image>,
    progress: &Progress,
) -> Result<Verified> {
    let reader = events::open(trace, progress)?;
    check_processor((reader.machine(), trace), (image.machine(), list))?;
    let mut blocks = Blocks::new(reader);
    let code = Arc::clone(image);
    let mut walker = Walker::new(code, Some(image.entry()));
    let mut threads = [false; 8];
    while let Some(block) = blocks.next_block()? {
        for item in block {
            let Item::Event(event) = item else { continue };
            walker.step(event).with_context(|| trace.display().to_string())?;
            threads[usize::from(event.thread & 7)] = true;
        }
    }
    let (reader, ()) = blocks.finish();
    Ok(Verified {
        trace: trace.display().to_string(),
        events: reader.events(),
        accesses: reader.accesses(),
        instructions: reader.instructions(),
        threads: threads.iter().filter(|thread| **thread).count(),
        blocks: walker.blocks().len(),
    })
}

/// The trace and, unless it is the first, the thread whose events are counted.
fn of_thread(trace: &Input, thread: usize) -> String {
    if thread == 0 {
        trace.display().to_string()
    } else {
        format!("{}, thread {thread}", trace.display())
    }
}
