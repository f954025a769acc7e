//! The results that `view` shows.

use serde::Serialize;
use tracewright_view::branches::{self, Branches};
use tracewright_view::callers::Caller;
use tracewright_view::exceptions::ExceptionCount;
use tracewright_view::functions::{FunctionCount, Functions};
use tracewright_view::lines::Lines;
use tracewright_view::loops::{self, Loop};
use tracewright_view::profile::Counts;
use tracewright_view::timeline::Timeline;
use tracewright_view::{ContextCount, OfContext, Seen};

use super::Arguments;
use super::difference;
use super::questions::Answer;
use crate::pipeline::gaps::ShownGap;
use crate::pipeline::output::Output;

/// Calls in a timeline.
#[derive(Serialize)]
pub struct Calls {
    pub written: u64,
    /// Calls left out because they are too deep or too short.
    pub left_out: u64,
}

/// A row of a table.
#[derive(Serialize)]
pub struct Row<T> {
    #[serde(flatten)]
    pub row: T,
    /// The context, if it has a program of its own, which this row is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<u64>,
}

/// The results that --json prints.
#[derive(Serialize)]
pub struct Shown {
    pub trace: String,
    pub program: String,
    pub events: u64,
    pub instructions: u64,
    /// Instructions of each thread.
    pub threads: Vec<u64>,
    /// Instructions of each context, if the trace has contexts.
    pub contexts: Vec<ContextCount>,
    pub functions: Vec<Row<FunctionCount>>,
    pub loops: Vec<Row<Loop>>,
    pub branches: Branches,
    /// Places where exceptions came before an instruction retired.
    pub exceptions: Vec<Row<ExceptionCount>>,
    /// True if some contexts have programs of their own.
    #[serde(skip)]
    pub has_own_programs: bool,
    /// Who calls the functions that were asked for.
    pub calls_of: Vec<Row<Caller>>,
    /// Calls in the timeline, if there is one.
    pub timeline: Option<Calls>,
    /// Files that were written.
    pub files: Vec<String>,
    /// What is different from the run of --diff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<difference::Shown>,
    /// The answers to what is asked.
    pub answers: Vec<Answer>,
    /// Parts of the execution that are not known.
    pub gaps: Vec<ShownGap>,
}

impl Shown {
    /// What is shown of an execution; `order` has its functions, the one with the most instructions first.
    pub fn new(
        arguments: &Arguments,
        programs: &[OfContext],
        functions: &[Functions<'_>],
        order: &[FunctionCount],
        seen: &Seen<Output, Output>,
    ) -> Self {
        let row =
            |row: &FunctionCount| Row { context: programs[row.program].context, row: row.clone() };
        let mut loops = hot_loops(programs, &seen.counts, functions);
        loops.truncate(arguments.top);
        let mut exceptions = exceptions_of(programs, &seen.counts);
        exceptions.truncate(arguments.top);
        let timeline = seen.timeline.as_ref().map(Timeline::calls);
        Self {
            trace: arguments.trace.display().to_string(),
            program: arguments.program.path().display().to_string(),
            events: seen.events,
            instructions: seen.counts[0].total,
            threads: seen.counts[0].threads.clone(),
            contexts: seen.contexts.clone(),
            functions: order.iter().take(arguments.top).map(row).collect(),
            loops,
            branches: branches::branches(&seen.counts, seen.matching),
            exceptions,
            calls_of: Vec::new(),
            has_own_programs: programs.len() > 1,
            timeline: timeline.map(|(written, left_out)| Calls { written, left_out }),
            files: arguments.files.names(),
            difference: None,
            answers: Vec::new(),
            gaps: Vec::new(),
        }
    }
}

/// The loops of all programs, the one with the most instructions first.
fn hot_loops(
    programs: &[OfContext],
    counts: &[Counts],
    functions: &[Functions<'_>],
) -> Vec<Row<Loop>> {
    let of_programs = programs.iter().zip(counts).zip(functions);
    let mut hot: Vec<Row<Loop>> = of_programs
        .flat_map(|((program, counts), functions)| {
            let lines = &mut Lines::of_image(&program.image);
            let found = loops::loops(&program.image, counts, functions, lines);
            found.into_iter().map(|row| Row { row, context: program.context })
        })
        .collect();
    hot.sort_by_key(|one| (std::cmp::Reverse(one.row.instructions), one.row.address));
    hot
}

/// The places of exceptions in all programs, the most frequent one first.
fn exceptions_of(programs: &[OfContext], counts: &[Counts]) -> Vec<Row<ExceptionCount>> {
    let of_program = |(program, counts): (&OfContext, &Counts)| {
        let context = program.context;
        ExceptionCount::all(&program.image, counts).into_iter().map(move |row| Row { row, context })
    };
    let mut rows: Vec<_> = programs.iter().zip(counts).flat_map(of_program).collect();
    rows.sort_by_key(|one| (std::cmp::Reverse(one.row.count), one.row.address));
    rows
}
