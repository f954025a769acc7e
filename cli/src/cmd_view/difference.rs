//! `view --diff`: how two executions of a program differ.

use std::io;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use anyhow::Result;
use serde::Serialize;
use tracewright_image::Image;
use tracewright_sim::event::Event;
use tracewright_sim::packet::part::Part;
use tracewright_view::difference::{Comparison, MoreOften, Numbered, Parting, Twice};
use tracewright_view::lines::Lines;
use tracewright_view::names;
use tracewright_view::{OfContext, Seen, Views};

use super::{Arguments, explain};
use crate::pipeline::contexts::Contexts;
use crate::pipeline::execution::Execution;
use crate::pipeline::gaps;
use crate::pipeline::paths::Input;

/// Events in a batch that the pass over the first execution hands on.
const BATCH_EVENTS: usize = 1 << 13;

/// The most batches that wait.
const BATCHES: usize = 8;

/// The views of the first execution.
pub type First = Seen<io::Sink, io::Sink>;

/// What was found of the first execution.
pub struct Base {
    /// Its comparison with the second one.
    pub compared: Compared,
    /// The error with which the command ends after it has shown what is known.
    pub failure: Option<anyhow::Error>,
}

/// The first execution, and how it compares with the second one.
pub struct Compared {
    /// Its views.
    pub seen: First,
    /// Where the executions part.
    pub partings: Vec<Parting>,
}

/// The comparison while the second execution is read.
pub struct Pair {
    comparison: Comparison,
    first: Receiver<Vec<Event>>,
    events: usize,
}

impl Pair {
    /// Takes an event of the second execution, and some of the first, so that few wait.
    pub fn event(&mut self, event: &Event) {
        self.comparison.event(1, event);
        self.events += 1;
        if self.events.is_multiple_of(BATCH_EVENTS)
            && let Ok(batch) = self.first.recv()
        {
            batch.iter().for_each(|event| self.comparison.event(0, event));
        }
    }

    fn finish(mut self) -> Vec<Parting> {
        for event in self.first.into_iter().flatten() {
            self.comparison.event(0, &event);
        }
        self.comparison.finish()
    }
}

/// Makes the pass over the first execution beside `pass`, which makes that over the second one.
///
/// # Errors
/// Those of both passes.
pub fn beside<T>(
    arguments: &Arguments,
    (base, contexts): (&Input, &Contexts),
    programs: &[OfContext],
    pass: impl FnOnce(&mut Pair) -> Result<T>,
) -> Result<(T, Base)> {
    thread::scope(|scope| {
        let (sender, first) = mpsc::sync_channel(BATCHES);
        let other = scope.spawn(move || first_pass(arguments, (base, contexts), programs, sender));
        let mut pair = Pair { comparison: Comparison::default(), first, events: 0 };
        let passed = pass(&mut pair);
        let partings = match &passed {
            Ok(_) => pair.finish(),
            // Without a receiver, the other pass ends soon.
            Err(_) => {
                drop(pair);
                Vec::new()
            }
        };
        let first = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let passed = passed?;
        let (seen, failure) = first?;
        Ok((passed, Base { compared: Compared { seen, partings }, failure }))
    })
}

fn first_pass(
    arguments: &Arguments,
    (base, contexts): (&Input, &Contexts),
    programs: &[OfContext],
    sender: SyncSender<Vec<Event>>,
) -> Result<(First, Option<anyhow::Error>)> {
    let Arguments { encoded, program, .. } = arguments;
    let input = Execution::open(base, encoded, contexts, program.path())?;
    let mut views: Views<'_, io::Sink, io::Sink> =
        Views::new(programs, input.has_contexts(), None, None);
    let mut batch = Vec::with_capacity(BATCH_EVENTS);
    let end = input.each_part(|part| {
        match &part {
            Part::Event(event) => {
                batch.push(*event);
                if batch.len() == BATCH_EVENTS {
                    let full = std::mem::replace(&mut batch, Vec::with_capacity(BATCH_EVENTS));
                    sender.send(full)?;
                }
                views.event(event)
            }
            Part::State(state) => views.state(state),
            Part::Time(_) | Part::Unverified => Ok(()),
            Part::Gap(gap) => views.gap(gap),
        }
        .map_err(|error| explain(arguments, base, error))
    })?;
    sender.send(batch)?;
    drop(sender);
    let trace = base.display().to_string();
    let incomplete =
        end.packets.and_then(|packets| gaps::failure(&trace, &packets, encoded.allow_gaps));
    let seen = views.trail(end.trailing_instructions).and_then(|()| views.finish());
    let seen = seen.map_err(|error| explain(arguments, base, error))?;
    Ok((seen, end.failure.or(incomplete)))
}

/// A difference, as --json prints it.
#[derive(Serialize)]
pub struct Shown {
    /// The first execution.
    pub base: String,
    /// Its instructions.
    pub instructions: u64,
    /// Where threads part; none if the executions are equal.
    pub partings: Vec<ShownParting>,
    pub functions: Vec<ShownTwice>,
    pub lines: Vec<ShownTwice>,
    pub branches: Vec<ShownTwice>,
}

/// Where a thread parts, as it is shown.
#[derive(Serialize)]
pub struct ShownParting {
    pub thread: usize,
    /// Events and instructions of the thread before, which are equal.
    pub events: u64,
    pub instructions: u64,
    /// Where it was then, and the line.
    pub at: Option<String>,
    pub line: Option<String>,
    pub first: Option<ShownEvent>,
    pub second: Option<ShownEvent>,
}

/// An event that only one of the executions has.
#[derive(Serialize)]
pub struct ShownEvent {
    pub event: u64,
    pub instruction: u64,
    pub says: String,
}

/// Counts of both executions.
#[derive(Serialize)]
pub struct ShownTwice {
    pub what: String,
    /// Instructions of a function itself, runs of a line, or taken runs of a branch.
    pub first: u64,
    pub second: u64,
    /// How often a function was entered, or a branch ran.
    pub first_runs: u64,
    pub second_runs: u64,
}

/// What is shown of a difference, `most` rows of each kind.
pub fn shown<L, T>(
    (name, base): (&Input, &Compared),
    second: &Seen<L, T>,
    programs: &[OfContext],
    most: usize,
) -> Shown {
    let MoreOften { functions, lines, branches } = MoreOften::of(programs, &base.seen, second);
    let rows = |twice: Vec<Twice>| {
        let row = |Twice { what, counts: [first, second], runs: [first_runs, second_runs] }| {
            ShownTwice { what, first, second, first_runs, second_runs }
        };
        twice.into_iter().take(most).map(row).collect()
    };
    // A trace with several programs is of one thread, and contexts tell where it is.
    let image = &programs[0].image;
    let mut of_image = Lines::of_image(image);
    let partings = base.partings.iter().map(|parting| of_parting(image, &mut of_image, parting));
    Shown {
        base: name.display().to_string(),
        instructions: base.seen.counts[0].total,
        partings: partings.collect(),
        functions: rows(functions),
        lines: rows(lines),
        branches: rows(branches),
    }
}

fn of_parting(image: &Image, lines: &mut Lines, parting: &Parting) -> ShownParting {
    let Parting { thread, events, instructions, runs, .. } = parting;
    let [first, second] = runs.map(|run| run.map(|numbered| of_event(image, &numbered)));
    let at = runs.iter().flatten().map(|run| run.event.program_counter).next();
    let byte_address = |address| image.instruction_set().byte_address(address);
    ShownParting {
        thread: *thread,
        events: *events,
        instructions: *instructions,
        at: at.map(|address| names::spoken(image, address)),
        line: at
            .and_then(|address| lines.spoken(byte_address(address)))
            .map(|line| line.to_string()),
        first,
        second,
    }
}

fn of_event(image: &Image, numbered: &Numbered) -> ShownEvent {
    let Numbered { event, number, instruction } = numbered;
    let at = names::spoken(image, event.program_counter);
    let kind = super::questions::kind_of(image, event.program_counter, event.kind);
    let goes = match event.taken {
        true => format!("goes to {}", names::spoken(image, event.target)),
        false => "is not taken".into(),
    };
    let says = format!("{kind} at {at} {goes}");
    ShownEvent {
        event: *number,
        instruction: instruction + event.instructions.saturating_sub(1),
        says,
    }
}
