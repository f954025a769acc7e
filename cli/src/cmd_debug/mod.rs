//! `tracewright debug`: a GDB server over a recorded execution.

mod connection;
mod record;

use std::cell::Cell;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use serde::Serialize;
use tracewright_debugger::recording::Recording;
use tracewright_debugger::{Debuggee, Ended, Error, serve};
use tracewright_view::{Error as ViewError, OfContext};
use tracewright_working_set::{Rerun, WorkingSet, file};

use crate::cmd_wset;
use crate::pipeline::contexts::Contexts;
use crate::pipeline::encoded::EncodedArguments;
use crate::pipeline::events;
use crate::pipeline::failure::usage;
use crate::pipeline::paths::Input;
use crate::pipeline::print::{self, grouped};
use crate::pipeline::program_arguments::ProgramArguments;
use crate::pipeline::program_files::check_processor;
use crate::pipeline::programs;

use connection::Standard;
use record::Source;

/// Events that GDB has at once.
const FIRST_EVENTS: u64 = 64;

/// Debug an execution with GDB, forwards and backwards
#[derive(Args)]
#[command(override_usage = "\
tracewright debug [OPTIONS] --program <FILE> <TRACE>
       tracewright debug [OPTIONS] --images <FILE> <TRACE>")]
#[command(after_help = "\
One GDB or LLDB at a time can connect when the whole trace has been read. The command ends when it
detaches or quits; where its connection is lost, it can connect again. With
--stdio it waits for the rest of the trace at its first step. Breakpoints, steps, `finish` and `next`
work in both directions, and `backtrace` has the calls of the trace. Registers and memory that no
trace has are not available. `monitor help` in GDB lists more.

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
    let working_set = match arguments.trace.begins_with(&file::MAGIC) {
        true => Some(working_set(arguments, &contexts, &programs)?),
        false => None,
    };
    let source = Source {
        arguments,
        contexts: &contexts,
        programs: &programs,
        working_set: working_set.as_ref(),
        is_over: AtomicBool::new(false),
    };
    let failure = match arguments.stdio && !events::is_pipe(&arguments.trace) {
        true => at_once(&source)?,
        false => when_read(&source)?,
    };
    failure.map_or(Ok(()), Err)
}

/// The working set that is debugged, with all registers and all memory.
fn working_set(
    arguments: &Arguments,
    contexts: &Contexts,
    programs: &[OfContext],
) -> Result<WorkingSet> {
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
    Ok(working_set)
}

/// A debuggee at the beginning of a recording.
fn debuggee<'a>(source: &Source<'a>, recording: Recording) -> Result<Debuggee<'a>> {
    let debuggee = Debuggee::new(recording).map_err(|error| explain(source.arguments, error))?;
    Ok(match source.working_set {
        Some(working_set) => debuggee.with_rerun(Rerun::new(working_set.clone())),
        None => debuggee,
    })
}

/// Serves a GDB that has started this command: it has the beginning of the execution while the rest is read. Gives what is
/// to be said at the end.
fn at_once(source: &Source<'_>) -> Result<Option<anyhow::Error>> {
    let explain = |error: Error| explain(source.arguments, error);
    let (beginning, _) = source.record(FIRST_EVENTS)?;
    thread::scope(|scope| {
        let whole = scope.spawn(|| source.record(u64::MAX));
        let said = Cell::new(None);
        let awaited = || {
            let whole = whole.join().unwrap_or_else(|_| Err(Error::GivenUp.into()));
            let (recording, failure) = whole.map_err(|error| {
                said.set(Some(error));
                Error::GivenUp
            })?;
            said.set(failure);
            Ok(recording)
        };
        let mut debuggee = debuggee(source, beginning)?.awaiting(Box::new(awaited));
        let served = serve(&mut debuggee, Box::new(Standard::open()));
        source.is_over.store(true, Ordering::Relaxed);
        drop(debuggee);
        match (served, said.take()) {
            (Err(Error::GivenUp), Some(error)) => Err(error),
            (served, failure) => served.map(|_| failure).map_err(explain),
        }
    })
}

/// Reads the whole execution, and serves a GDB then.
fn when_read(source: &Source<'_>) -> Result<Option<anyhow::Error>> {
    let explain = |error: Error| explain(source.arguments, error);
    let (recording, failure) = source.record(u64::MAX)?;
    let mut debuggee = debuggee(source, recording)?;
    if source.arguments.stdio {
        serve(&mut debuggee, Box::new(Standard::open())).map_err(explain)?;
        return Ok(failure);
    }
    let port = source.arguments.port.unwrap_or(0);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| format!("--port: cannot listen at port {port} of this machine"))?;
    let port = listener.local_addr().context("the port is not known")?.port();
    say(source.arguments, debuggee.player().recording(), port)?;
    loop {
        let (stream, _) = listener.accept().context("GDB cannot connect")?;
        // GDB waits for every answer.
        if stream.set_nodelay(true).is_err() {
            continue;
        }
        if serve(&mut debuggee, Box::new(stream)).map_err(explain)? != Ended::Lost {
            return Ok(failure);
        }
    }
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
