//! What a program did, from its trace and its files.

use std::io::Sink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::prelude::*;
use serde::Serialize;
use tracewright_image::Image;
use tracewright_sim::event::{Item, Machine};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::trace_io::Reader;
use tracewright_verification::{Progress, trace};
use tracewright_view::branches::{self, Branches};
use tracewright_view::functions::{FunctionCount, Functions};
use tracewright_view::lines::Lines;
use tracewright_view::loops::{self, Loop};
use tracewright_view::{OfContext, Views, Walker, tree};

use crate::compare::json;
use crate::error::{Error, ProgramError, of_trace, sentence};
use crate::interruptible;
use crate::program::Program;
use crate::records::{Buffer, InstructionRecord};

/// The views of an execution; those of `view --json`, and the folded stacks.
#[derive(Serialize)]
struct Seen {
    events: u64,
    instructions: u64,
    functions: Vec<FunctionCount>,
    loops: Vec<Loop>,
    branches: Branches,
    /// Functions from the outermost, and the instructions of the innermost.
    stacks: Vec<(String, u64)>,
}

/// The functions, loops, branches and stacks of an execution as JSON, and a flame graph as SVG.
#[pyfunction]
pub fn view(py: Python<'_>, path: PathBuf, program: &Program) -> PyResult<(String, String)> {
    let image = Arc::clone(&program.0);
    interruptible::run(py, |progress| view_file(&path, image, progress))
}

fn view_file(path: &Path, image: Arc<Image>, progress: &Progress) -> PyResult<(String, String)> {
    let mut reader = open(path, &image, progress)?;
    let entry = image.entry();
    let programs = [OfContext { context: None, image: Arc::clone(&image), entry }];
    let has_contexts = reader.extensions().states;
    let mut views: Views<'_, Sink, Sink> = Views::new(&programs, has_contexts, None, None);
    while let Some(item) = reader.next_item().map_err(of_trace)? {
        match item {
            Item::Event(event) => views.event(&event).map_err(contradicted)?,
            Item::State(state) => views.state(&state).map_err(contradicted)?,
            Item::Access(_) | Item::Cycles(_) => {}
        }
    }
    let seen = views.finish().map_err(contradicted)?;
    let counts = &seen.counts[0];
    let functions = Functions::new(&image, counts);
    let lines = &mut Lines::of_image(&image);
    let folded = seen.tree.folded(&seen.names);
    let stack = |line: &String| {
        let (stack, count) = line.rsplit_once(' ')?;
        Some((stack.to_owned(), count.parse().ok()?))
    };
    let shown = Seen {
        events: seen.events,
        instructions: seen.instructions,
        functions: FunctionCount::all(&seen),
        loops: loops::loops(&image, counts, &functions, lines),
        branches: branches::branches(&seen.counts, seen.matching),
        stacks: folded.iter().filter_map(stack).collect(),
    };
    let mut picture = Vec::new();
    tree::draw(&folded, "instructions", &mut picture)
        .map_err(|error| Error::new_err(error.to_string()))?;
    Ok((json(&shown)?, String::from_utf8_lossy(&picture).into_owned()))
}

fn contradicted(error: tracewright_view::Error) -> PyErr {
    ProgramError::new_err(sentence(error))
}

/// Opens a trace that is of the processor of a program.
fn open(path: &Path, image: &Image, progress: &Progress) -> PyResult<Reader> {
    let reader = trace::open(path, EventLimit::default(), progress).map_err(of_trace)?;
    let processor = |machine: Machine| (machine.isa, machine.address_bits);
    let (found, expected) = (processor(image.machine()), processor(reader.machine()));
    if found != expected {
        return Err(ProgramError::new_err(format!(
            "expected a program for {} of {} bits, found one for {} of {} bits",
            expected.0, expected.1, found.0, found.1
        )));
    }
    Ok(reader)
}

/// Every retired instruction of a trace, with the event that ends its run.
#[pyfunction]
pub fn instructions(py: Python<'_>, path: PathBuf, program: &Program) -> PyResult<Buffer> {
    let image = Arc::clone(&program.0);
    interruptible::run(py, |progress| {
        let mut reader = open(&path, &image, progress)?;
        let entry = Some(image.entry());
        let mut walker = Walker::new(image, entry);
        let mut records = Vec::new();
        let mut event_number = 0;
        while let Some(event) = reader.next_event().map_err(of_trace)? {
            let step =
                walker.step(&event).map_err(|error| ProgramError::new_err(sentence(*error)))?;
            let of = |program_counter| InstructionRecord { program_counter, event: event_number };
            records.extend(walker.program_counters(&step).map(of));
            event_number += 1;
        }
        Ok(Buffer::new(records))
    })
}
