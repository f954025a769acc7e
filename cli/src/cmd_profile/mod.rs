//! `tracewright profile`: profiles of executions in the formats of other tools.

mod formats;

use std::sync::Arc;

use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;
use tracewright_image::Image;
use tracewright_profile::flow::Recorder;
use tracewright_profile::part::FilePart;
use tracewright_sim::packet::part::Part;
use tracewright_view::{Error, Views};

use crate::pipeline::encoded::EncodedArguments;
use crate::pipeline::execution::{End, Execution};
use crate::pipeline::gaps::{self, ShownGap};
use crate::pipeline::output;
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print::{self, grouped};
use crate::pipeline::program_arguments::ProgramArguments;
use crate::pipeline::programs;

use formats::{Format, Made, Nothing};

/// Write a profile of what a program did, for optimisers and for other tools' viewers
#[derive(Args)]
#[command(override_usage = "\
tracewright profile [OPTIONS] --program <FILE> --format <FORMAT> -o <FILE> <RUN>...
       tracewright profile [OPTIONS] --images <FILE> --format <FORMAT> -o <FILE> <RUN>...")]
#[command(after_help = "\
Several runs of a program are counted together. All figures count instructions and branches that
retired, not samples and not time. docs/profile.md goes from a capture to a faster program.

If parts of a trace of packets (docs/packets.md) or of a ring are missing, the profile is of what is
known, and the exit status is 3, or for gaps 0 with --allow-gaps.

Examples:
  tracewright profile run.pet.zst --images run.images --format bolt -o run.preagg
  tracewright profile one.bits two.bits --program prog.elf --format lcov -o run.info
  tracewright profile run.pet.zst --program prog.elf --format callgrind -o callgrind.out")]
pub struct Arguments {
    /// Traces or encoded files of the program; - is a trace on standard input
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<Input>,
    #[command(flatten)]
    program: ProgramArguments,
    #[command(flatten)]
    encoded: EncodedArguments,
    /// Set the format
    #[arg(long, value_enum)]
    format: Format,
    /// Write the profile to this file; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Take this file of the program, by its name or path, for the formats that are of one file; the default is the
    /// first one
    #[arg(long, value_name = "NAME")]
    of: Option<String>,
    /// Print JSON: an object with runs (trace, events, gaps: those of decode --json), program, format, file (the one of
    /// the program that the profile is of, null for all), instructions, taken (branches, exceptions not among them),
    /// output
    #[arg(long)]
    json: bool,
}

/// A run.
#[derive(Serialize)]
struct Run {
    trace: String,
    events: u64,
    /// Parts of the execution that are not known.
    gaps: Vec<ShownGap>,
}

/// The results that --json prints.
#[derive(Serialize)]
struct Shown {
    runs: Vec<Run>,
    program: String,
    format: &'static str,
    file: Option<String>,
    instructions: u64,
    taken: u64,
    output: String,
}

/// Runs the command.
///
/// # Errors
/// When a trace, the program or the output is bad, or traces and program do not belong together.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { format, output, .. } = arguments;
    let contexts = arguments.program.load()?;
    let programs = programs::of_contexts(&contexts, arguments.program.path())?;
    let images: Vec<Arc<Image>> = programs.iter().map(|one| Arc::clone(&one.image)).collect();
    let of = FilePart::find(&images, arguments.of.as_deref());
    let of = of.map_err(|error| crate::pipeline::failure::usage(format!("--of: {error}")))?;
    let mut into = output.create()?;
    let path = arguments.program.path();
    let open = |run| Execution::open(run, &arguments.encoded, &contexts, path);
    let inputs: Vec<Execution<'_>> = arguments.runs.iter().map(open).collect::<Result<_>>()?;
    let has_contexts = inputs.iter().any(Execution::has_contexts);
    let mut recorder = Recorder::new(images.iter().cloned());
    let mut views = Views::<Nothing, Nothing>::new(&programs, has_contexts, None, None);
    views = views.only(format.wanted()).followed_by(&mut recorder);
    let (mut runs, mut failure) = (Vec::new(), None);
    for (number, (run, input)) in arguments.runs.iter().zip(inputs).enumerate() {
        if number > 0 {
            views.next_run();
        }
        let mut gaps = Vec::new();
        let end = follow(arguments, run, input, &mut views, &mut gaps)?;
        views.trail(end.trailing_instructions).map_err(|error| explain(arguments, run, error))?;
        let trace = run.display().to_string();
        let incomplete = end
            .packets
            .and_then(|packets| gaps::failure(&trace, &packets, arguments.encoded.allow_gaps));
        failure = failure.or(end.failure).or(incomplete);
        runs.push(Run { trace, events: views.events(), gaps });
    }
    let seen = views.finish().map_err(|error| anyhow!(error))?;
    let made = Made { images: &images, seen, flow: recorder.flow(), of };
    made.write(*format, &mut into).map_err(|error| formats::explain(output, error))?;
    let shown = Shown {
        runs,
        program: path.display().to_string(),
        format: format.name(),
        file: format.is_of_file().then(|| made.of.file().path.display().to_string()),
        instructions: made.instructions(),
        taken: made.taken(),
        output: output.display().to_string(),
    };
    output::commit_all([into])?;
    show(arguments, &shown)?;
    failure.map_or(Ok(()), Err)
}

/// Passes an execution to the views.
fn follow(
    arguments: &Arguments,
    run: &Input,
    input: Execution<'_>,
    views: &mut Views<'_, Nothing, Nothing>,
    gaps: &mut Vec<ShownGap>,
) -> Result<End> {
    input.each_part(|part| {
        match &part {
            Part::Event(event) => views.event(event),
            Part::State(state) => views.state(state),
            Part::Time(_) | Part::Unverified => Ok(()),
            Part::Gap(gap) => {
                gaps.push(ShownGap::new(gap));
                views.gap(gap)
            }
        }
        .map_err(|error| explain(arguments, run, error))
    })
}

/// Prints the results, unless standard output has the profile.
fn show(arguments: &Arguments, shown: &Shown) -> Result<()> {
    if arguments.output.is_stdout() {
        return Ok(());
    }
    if arguments.json {
        return print::json(shown);
    }
    let mut text = String::new();
    for run in &shown.runs {
        text += &gaps::text(&run.gaps);
    }
    let runs = match shown.runs.as_slice() {
        [one] => one.trace.clone(),
        more => format!("{} runs", grouped(more.len() as u64)),
    };
    text += &format!(
        "{}: {} instructions, {} branches taken, of {runs}\n",
        shown.output,
        grouped(shown.instructions),
        grouped(shown.taken)
    );
    print::text(text)
}

/// Adds the files to an error of the views.
fn explain(arguments: &Arguments, run: &Input, error: Error) -> anyhow::Error {
    let program = arguments.program.path().display();
    anyhow!(error).context(format!("{} and {program}", run.display()))
}
