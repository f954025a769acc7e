//! The files that `view` writes: either all of them, complete, or none.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, anyhow};
use clap::Args;
use tracewright_view::functions::{FunctionCount, Functions};
use tracewright_view::listing::{Listing, Window};
use tracewright_view::profile::Counts;
use tracewright_view::timeline::{Limits, Timeline};
use tracewright_view::{OfContext, Seen, annotate, coverage, tree};

use super::difference::First;
use crate::pipeline::count;
use crate::pipeline::failure::usage;
use crate::pipeline::output::{self, Output};
use crate::pipeline::paths::OutputFile;
use crate::pipeline::print::grouped;

/// The files to write.
#[derive(Args)]
pub struct Files {
    /// Write a listing of the instructions in the order they retired: address, bytes, text, source line, branches
    #[arg(long, value_name = "FILE")]
    listing: Option<OutputFile>,
    /// Start the listing at this instruction, counted from 0 over all threads
    #[arg(long, value_name = "INSTRUCTION", default_value_t = 0, requires = "listing", value_parser = count::parse)]
    from: u64,
    /// Set the number of instructions in the listing
    #[arg(long, value_name = "INSTRUCTIONS", default_value_t = 100_000, requires = "listing", value_parser = count::parse)]
    count: u64,
    /// List the last instructions, so many, instead; or show the last time that a place ran
    #[arg(long, value_name = "INSTRUCTIONS|PLACE", conflicts_with_all = ["from", "count"])]
    last: Option<Last>,
    /// Write the code of the functions that ran, with how often each instruction ran
    #[arg(long, value_name = "FILE")]
    annotate: Option<OutputFile>,
    /// Write calls over time for ui.perfetto.dev or chrome://tracing; one microsecond there is one instruction
    #[arg(long, value_name = "FILE")]
    perfetto: Option<OutputFile>,
    /// Leave out of --perfetto calls that are deeper than this
    #[arg(long, value_name = "CALLS", default_value_t = 64, requires = "perfetto", value_parser = count::parse)]
    depth: u64,
    /// Leave out of --perfetto calls with fewer instructions than this
    #[arg(long, value_name = "INSTRUCTIONS", default_value_t = 100, requires = "perfetto", value_parser = count::parse)]
    shortest: u64,
    /// Write folded stacks, one per line, each with the number of instructions of its innermost function
    #[arg(long, value_name = "FILE")]
    folded: Option<OutputFile>,
    /// Write a flame graph as SVG: the width of a function is the number of its instructions and of those it called
    #[arg(long, value_name = "FILE")]
    flame_graph: Option<OutputFile>,
    /// Write coverage for lcov, of functions and, if there is debugging information, of lines
    #[arg(long, value_name = "FILE")]
    lcov: Option<OutputFile>,
}

/// What came last that is asked for.
#[derive(Clone, Debug)]
pub enum Last {
    /// Instructions of the listing.
    Instructions(u64),
    /// The last time that a place ran.
    Place(String),
}

impl From<&str> for Last {
    fn from(text: &str) -> Last {
        count::parse(text).map_or_else(|_| Last::Place(text.into()), Last::Instructions)
    }
}

impl Last {
    /// The place, if one is asked for.
    pub fn place(&self) -> Option<&str> {
        match self {
            Last::Instructions(_) => None,
            Last::Place(place) => Some(place),
        }
    }
}

/// The open files, which get their names at the end.
pub struct Open<'a> {
    /// Written during the pass over the trace.
    pub listing: Option<Listing<'a, Output>>,
    /// Written during the pass over the trace.
    pub timeline: Option<Timeline<Output>>,
    annotate: Option<Output>,
    folded: Option<Output>,
    flame_graph: Option<Output>,
    lcov: Option<Output>,
}

impl Files {
    fn all(&self) -> [Option<&OutputFile>; 6] {
        let Self { listing, annotate, perfetto, folded, flame_graph, lcov, .. } = self;
        [listing, annotate, perfetto, folded, flame_graph, lcov].map(Option::as_ref)
    }

    /// The files that are asked for.
    pub fn names(&self) -> Vec<String> {
        self.all().into_iter().flatten().map(|path| path.display().to_string()).collect()
    }

    /// True if one of them is standard output; then nothing else may be printed there.
    pub fn is_to_stdout(&self) -> bool {
        self.all().into_iter().flatten().any(OutputFile::is_stdout)
    }

    /// Fails if one of the files is standard output, where a table or JSON `is_asked` for, too.
    ///
    /// # Errors
    /// When both would be there.
    pub fn check_stdout(&self, is_asked: bool) -> Result<()> {
        match is_asked && self.is_to_stdout() {
            true => Err(usage(
                "-: expected a file's name, because standard output gets the tables, answers or JSON that are asked for",
            )),
            false => Ok(()),
        }
    }

    /// Fails if the listing would begin after the last of so many instructions.
    ///
    /// # Errors
    /// When it would.
    pub fn check_listing(&self, trace: &Path, instructions: u64) -> Result<()> {
        if self.listing.is_none() || self.from == 0 || self.from < instructions {
            return Ok(());
        }
        let (from, trace) = (grouped(self.from), trace.display());
        Err(usage(format_args!(
            "--from {from}: {trace} has {} instructions, which are counted from 0",
            grouped(instructions)
        )))
    }

    /// The last time of what is asked for, or how many instructions are listed.
    ///
    /// # Errors
    /// When instructions are to be listed, and nothing says where.
    pub fn last(&self) -> Result<Option<&Last>> {
        match &self.last {
            Some(Last::Instructions(_)) if self.listing.is_none() => {
                Err(usage("--last INSTRUCTIONS: expected --listing, or a place of the program"))
            }
            last => Ok(last.as_ref()),
        }
    }

    /// Opens the files, so that a file that cannot be written is reported before the trace is read.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn open<'a>(&self, programs: &'a [OfContext]) -> Result<Open<'a>> {
        let create = |file: &Option<OutputFile>| file.as_ref().map(OutputFile::create).transpose();
        let window = match &self.last {
            Some(Last::Instructions(count)) => Window::Last(*count),
            Some(Last::Place(_)) | None => Window::From { from: self.from, count: self.count },
        };
        let limits = Limits { depth: self.depth, shortest: self.shortest };
        // A list of images is named by its first file, which is the program.
        let first = programs.first().and_then(|program| program.image.files().first());
        let name =
            first.and_then(|file| file.path.file_name()).unwrap_or_default().to_string_lossy();
        let timeline = match create(&self.perfetto)? {
            Some(into) => Some(Timeline::new(into, &name, limits)?),
            None => None,
        };
        let images = programs.iter().map(|program| &*program.image);
        Ok(Open {
            listing: create(&self.listing)?.map(|into| Listing::new(into, images, window)),
            timeline,
            annotate: create(&self.annotate)?,
            folded: create(&self.folded)?,
            flame_graph: create(&self.flame_graph)?,
            lcov: create(&self.lcov)?,
        })
    }

    /// Writes the results that need the whole trace, and gives every file its name.
    ///
    /// # Errors
    /// When one cannot be written; then none has its name.
    pub fn write(
        &self,
        open: Open<'_>,
        (seen, earlier): (Seen<Output, Output>, Option<&First>),
        programs: &[OfContext],
        functions: &[Functions<'_>],
        order: &[FunctionCount],
    ) -> Result<()> {
        let Seen { counts, tree: calls, names, listing, timeline, .. } = seen;
        let timeline = timeline.map(Timeline::finish).transpose();
        let mut done = Vec::new();
        done.extend(listing);
        done.extend(timeline.map_err(|error| failed(&self.perfetto, &error))?);
        if let Some(mut into) = open.annotate {
            annotated(programs, &counts, functions, order, &mut into)
                .map_err(|error| failed(&self.annotate, &error))?;
            done.push(into);
        }
        let stacks = match earlier {
            _ if open.folded.is_none() && open.flame_graph.is_none() => Vec::new(),
            Some(earlier) => calls.folded_twice(&names, (&earlier.tree, &earlier.names)),
            None => calls.folded(&names),
        };
        if let Some(mut into) = open.folded {
            stacks
                .iter()
                .try_for_each(|line| writeln!(into, "{line}"))
                .map_err(|error| failed(&self.folded, &error))?;
            done.push(into);
        }
        if let Some(mut into) = open.flame_graph {
            let program = programs.first().and_then(|program| program.image.files().first());
            let program = program.and_then(|file| file.path.file_name());
            let title = program.unwrap_or_default().to_string_lossy();
            tree::draw(&stacks, &title, &mut into)
                .map_err(|error| failed(&self.flame_graph, &error))?;
            done.push(into);
        }
        if let Some(mut into) = open.lcov {
            for (program, counts) in programs.iter().zip(&counts) {
                coverage::lcov(&program.image, counts, &mut into)
                    .map_err(|error| failed(&self.lcov, &error))?;
            }
            done.push(into);
        }
        output::commit_all(done)
    }

    /// The error of the listing, which is written during the pass over the trace.
    pub fn listing_failed(&self, error: &io::Error) -> anyhow::Error {
        failed(&self.listing, error)
    }
}

/// Writes the code of each program, after a heading if several contexts have their own.
fn annotated(
    programs: &[OfContext],
    counts: &[Counts],
    functions: &[Functions<'_>],
    order: &[FunctionCount],
    into: &mut impl Write,
) -> io::Result<()> {
    for (number, program) in programs.iter().enumerate() {
        if programs.len() > 1 {
            writeln!(into, "-- {}\n", heading(program))?;
        }
        let order = order.iter().filter(|function| function.program == number);
        let order: Vec<FunctionCount> = order.cloned().collect();
        let (image, counts, functions) = (&program.image, &counts[number], &functions[number]);
        annotate::annotate(image, counts, functions, &order, into)?;
    }
    Ok(())
}

/// The contexts of a program in words.
fn heading(program: &OfContext) -> String {
    program.context.map_or("other contexts".into(), |context| format!("context {context:#x}"))
}

fn failed(path: &Option<OutputFile>, error: &io::Error) -> anyhow::Error {
    match path {
        Some(path) => output::cannot_write(path, error),
        None => anyhow!("cannot write: {error}"),
    }
}
