//! `tracewright debug`: a GDB server over a recorded execution.

mod connection;

use std::net::{Ipv4Addr, TcpListener};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use serde::Serialize;
use tracewright_debugger::recording::{Recorder, Recording, of_working_set};
use tracewright_debugger::{Debuggee, Error, serve};
use tracewright_sim::packet::part::Part;
use tracewright_view::{Error as ViewError, OfContext};
use tracewright_working_set::{Rerun, file};

use crate::cmd_wset;
use crate::pipeline::contexts::Contexts;
use crate::pipeline::encoded::EncodedArguments;
use crate::pipeline::execution::Execution;
use crate::pipeline::failure::usage;
use crate::pipeline::gaps;
use crate::pipeline::paths::Input;
use crate::pipeline::print::{self, grouped};
use crate::pipeline::program_arguments::ProgramArguments;
use crate::pipeline::program_files::check_processor;
use crate::pipeline::programs;
use crate::pipeline::progress;

use connection::Standard;

/// Debug an execution with GDB, forwards and backwards
#[derive(Args)]
#[command(override_usage = "\
tracewright debug [OPTIONS] --program <FILE> <TRACE>
       tracewright debug [OPTIONS] --images <FILE> <TRACE>")]
#[command(after_help = "\
The whole trace is read first; then one GDB can connect, and the command ends with its session.
Breakpoints, steps, `finish` and `next` work in both directions, and `backtrace` has the calls of the
trace. Registers and memory that no trace has are not available. `monitor help` in GDB lists more.

Examples:
  tracewright debug run.pet.zst --program prog.elf --port 3333
  gdb-multiarch prog.elf -ex 'target remote :3333'
  gdb-multiarch prog.elf -ex 'target remote | tracewright debug run.bits --images run.images --stdio'")]
pub struct Arguments {
    /// A trace, an encoded file, or a working set, which has all registers and memory; - is a trace on standard input
    #[arg(value_name = "TRACE")]
    trace: Input,
    #[command(flatten)]
    program: ProgramArguments,
    #[command(flatten)]
    encoded: EncodedArguments,
    /// Wait for GDB at this port of this machine; 0, the default, is any that is free
    #[arg(long, value_name = "NUMBER", conflicts_with = "stdio")]
    port: Option<u16>,
    /// Speak with GDB over standard input and output, as its `target remote |` starts commands
    #[arg(long)]
    stdio: bool,
    /// Print JSON when GDB can connect: an object with trace, program, port, events, instructions, threads, gaps
    #[arg(long, conflicts_with = "stdio")]
    json: bool,
}

/// What --json prints.
#[derive(Serialize)]
struct Shown {
    trace: String,
    program: String,
    port: u16,
    events: u64,
    instructions: u64,
    /// Threads, or contexts if the trace has them.
    threads: usize,
    /// Parts of the execution that are not known.
    gaps: usize,
}

/// Runs the command.
///
/// # Errors
/// When the trace or the program is bad, they do not belong together, or GDB cannot connect.
pub fn run(arguments: &Arguments) -> Result<()> {
    let program = arguments.program.path();
    let contexts = arguments.program.load()?;
    let programs = programs::of_contexts(&contexts, program)?;
    if arguments.trace.begins_with(&file::MAGIC) {
        return rerun(arguments, &contexts, &programs);
    }
    let input = Execution::open(&arguments.trace, &arguments.encoded, &contexts, program)?;
    let (recording, failure) = record(arguments, input, &programs)?;
    let debuggee = Debuggee::new(recording).map_err(|error| explain(arguments, error))?;
    session(arguments, debuggee)?;
    failure.map_or(Ok(()), Err)
}

/// Debugs the run of a working set, with all registers and all memory.
fn rerun(arguments: &Arguments, contexts: &Contexts, programs: &[OfContext]) -> Result<()> {
    let Arguments { trace, encoded, program, .. } = arguments;
    if encoded.has_design() || programs.len() > 1 {
        let trace = trace.display();
        return Err(usage(format!(
            "{trace} is a working set, expected one program and no --design"
        )));
    }
    let (working_set, bytes) = cmd_wset::open(trace)?;
    cmd_wset::check_length(trace, &working_set, bytes)?;
    check_processor((working_set.machine, trace), (contexts.other.machine(), program.path()))?;
    let progress = progress::bar(working_set.totals.instructions, "instructions");
    let recording = of_working_set(&programs[0], &working_set, |done| progress.add(done));
    drop(progress);
    let explain = |error: Error| explain(arguments, error);
    let debuggee = Debuggee::new(recording.map_err(explain)?).map_err(explain)?;
    session(arguments, debuggee.with_rerun(Rerun::new(working_set)))
}

/// Takes the whole execution; gives what is to be said at the end, too.
fn record(
    arguments: &Arguments,
    input: Execution<'_>,
    programs: &[OfContext],
) -> Result<(Recording, Option<anyhow::Error>)> {
    let explain = |error: Error| explain(arguments, error);
    let mut recorder = Recorder::new(programs, input.has_contexts());
    let end = input.each_part(|part| {
        match &part {
            Part::Event(event) => recorder.event(event),
            Part::State(state) => recorder.state(state),
            Part::Time(_) | Part::Unverified => Ok(()),
            Part::Gap(gap) => recorder.gap(gap),
        }
        .map_err(explain)
    })?;
    recorder.trail(end.trailing_instructions).map_err(explain)?;
    let trace = arguments.trace.display().to_string();
    let incomplete = end
        .packets
        .and_then(|packets| gaps::failure(&trace, &packets, arguments.encoded.allow_gaps));
    let recording = recorder.finish().map_err(explain)?;
    Ok((recording, end.failure.or(incomplete)))
}

/// Serves one GDB.
fn session(arguments: &Arguments, mut debuggee: Debuggee) -> Result<()> {
    let explain = |error: Error| explain(arguments, error);
    if arguments.stdio {
        return serve(&mut debuggee, Standard::open()).map(|_| ()).map_err(explain);
    }
    let port = arguments.port.unwrap_or(0);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| format!("--port: cannot listen at port {port} of this machine"))?;
    let port = listener.local_addr().context("the port is not known")?.port();
    say(arguments, debuggee.player().recording(), port)?;
    let (stream, _) = listener.accept().context("GDB cannot connect")?;
    // GDB waits for every answer.
    stream.set_nodelay(true).context("GDB cannot connect")?;
    serve(&mut debuggee, stream).map(|_| ()).map_err(explain)
}

/// Prints that GDB can connect.
fn say(arguments: &Arguments, recording: &Recording, port: u16) -> Result<()> {
    let shown = Shown {
        trace: arguments.trace.display().to_string(),
        program: arguments.program.path().display().to_string(),
        port,
        events: recording.events(),
        instructions: recording.instructions(),
        threads: recording.stacks().len(),
        gaps: recording.gaps().len(),
    };
    if arguments.json {
        return print::json(&shown);
    }
    let Shown { trace, events, instructions, threads, .. } = &shown;
    let gaps = match shown.gaps {
        0 => String::new(),
        1 => ", 1 gap".into(),
        gaps => format!(", {gaps} gaps"),
    };
    let what = if *threads == 1 { "thread" } else { "threads" };
    print::sentences(&format!(
        "{trace}: {} instructions, {} events, {threads} {what}{gaps}\n\
         waiting for GDB: target remote localhost:{port}\n",
        grouped(*instructions),
        grouped(*events)
    ))
}

/// Adds the files to an error.
fn explain(arguments: &Arguments, error: Error) -> anyhow::Error {
    let trace = arguments.trace.display();
    match error {
        Error::View(ViewError::Contradiction(contradiction)) => anyhow!(contradiction)
            .context(format!("{trace} and {}", arguments.program.path().display())),
        error @ Error::Empty => anyhow!("{trace}: {error}"),
        error => error.into(),
    }
}
