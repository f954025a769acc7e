//! `tracewright trace`: commands on traces that need no design.

mod beginnings;
mod convert;
mod dump;
mod generate;
mod import;
mod info;
mod payloads;
pub mod script;
mod verify;

use anyhow::Result;
use clap::Subcommand;
use tracewright_sim::event::Item;
use tracewright_sim::trace_io::{Extensions, Reader};
use tracewright_verification::threads::{OneCore, alone};

use beginnings::Beginnings;

use crate::pipeline::count;
use crate::pipeline::format::Form;
use crate::pipeline::paths::OutputFile;
use crate::pipeline::trace_output::TraceOutput;

/// Inspect, check, convert and generate traces
#[derive(Subcommand)]
pub enum Command {
    Info(info::Arguments),
    Dump(dump::Arguments),
    Verify(verify::Arguments),
    Generate(generate::Arguments),
    Script(script::Arguments),
    Convert(convert::Arguments),
    Import(import::Arguments),
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
        Command::Script(arguments) => script::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Import(arguments) => import::run(arguments),
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

/// Which threads of a trace are taken, and as what.
enum Threads {
    /// All, as they are.
    All,
    /// One, as the only one.
    Only(u8),
    /// All, as one core runs them.
    OneCore(Box<OneCore>),
}

impl Threads {
    /// What the new trace has of an item.
    fn take(&mut self, item: Item, mut emit: impl FnMut(Item)) {
        match self {
            Threads::All => emit(item),
            Threads::Only(thread) if item.thread() == *thread => emit(alone(item)),
            Threads::Only(_) => {}
            Threads::OneCore(core) => core.item(item, emit),
        }
    }

    /// The extensions of the new trace.
    fn extensions(&self, of: Extensions) -> Extensions {
        match self {
            Threads::All => of,
            Threads::Only(_) => Extensions { threads: false, ..of },
            Threads::OneCore(_) => Extensions { threads: false, states: true, ..of },
        }
    }
}

/// Copies a part of a trace into a file, with beginnings of its threads if `beginnings` are given. The part is counted
/// in events of the trace.
fn copy(
    mut reader: Reader,
    part: &Part,
    mut beginnings: Option<&mut Beginnings>,
    mut threads: Threads,
    output: &OutputFile,
    form: Form,
) -> Result<(Copied, Threads)> {
    let sink = output.create()?;
    let name = sink.name(output);
    let extensions = threads.extensions(reader.extensions());
    let mut writer = TraceOutput::new(sink, form, reader.machine(), extensions, name)?;
    let mut written = Ok(());
    while reader.events() < part.skip.saturating_add(part.limit) {
        // An access belongs to the event that is still to come.
        let before = reader.events();
        let Some(item) = reader.next_item()? else { break };
        let mut take = |item| {
            threads.take(item, |item| {
                if written.is_ok() {
                    written = writer.write(&item);
                }
            });
        };
        match (&mut beginnings, before >= part.skip) {
            (Some(beginnings), true) => beginnings.take(item, take),
            (None, true) => take(item),
            (Some(beginnings), false) => beginnings.skip(&item),
            (None, false) => {}
        }
        std::mem::replace(&mut written, Ok(()))?;
    }
    if let Threads::OneCore(core) = &mut threads {
        core.finish(|item| {
            if written.is_ok() {
                written = writer.write(&item);
            }
        });
        written?;
    }
    let (events, accesses, instructions) = writer.counts();
    let copied = Copied { events, accesses, instructions };
    writer.finish()?.commit()?;
    Ok((copied, threads))
}

/// Counts of what was copied.
#[derive(Clone, Copy)]
struct Copied {
    events: u64,
    accesses: u64,
    instructions: u64,
}
