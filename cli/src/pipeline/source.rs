//! What co-simulation is fed with: traces and synthetic programs.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use tracewright_sim::event::Event;
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::trace_io::Extensions;
use tracewright_testbench::cosim::AnyError;

use super::events::{self, Learned};
use super::failure::usage;
use super::progress::Progress;

/// Events of a synthetic program if nothing else is said.
const SYNTHETIC_EVENTS: u64 = 100_000;

/// Something that gives the same events as often as it is asked.
#[derive(Clone, Debug)]
pub enum Source {
    /// The first events of a trace.
    Trace {
        /// The file.
        path: PathBuf,
        /// How many events at most.
        limit: u64,
    },
    /// A synthetic program.
    Synthetic(Box<Options>),
}

/// Events, or why there are no more.
pub type Events = Box<dyn Iterator<Item = std::result::Result<Event, AnyError>>>;

impl Source {
    /// The first `limit` events of a trace.
    pub fn trace(path: PathBuf, limit: Option<u64>) -> Source {
        Source::Trace { path, limit: limit.unwrap_or(u64::MAX) }
    }

    /// The program of this seed, with addresses that every one of the designs can trace.
    pub fn synthetic(seed: u64, limit: Option<u64>, designs: &[Design]) -> Source {
        let events = limit.unwrap_or(SYNTHETIC_EVENTS);
        let mut options = Options { events, ..Options::from_seed(seed) };
        if designs.iter().any(|design| design.processor().address_width == 32) {
            options.machine.address_bits = 32;
            options = within_addresses(options);
        }
        Source::Synthetic(Box::new(options))
    }

    /// What results call it.
    pub fn name(&self) -> String {
        match self {
            Source::Trace { path, .. } => path.display().to_string(),
            Source::Synthetic(options) => format!("synthetic-{}", options.seed),
        }
    }

    /// Goes through it once to learn the program.
    ///
    /// # Errors
    /// When the trace is bad.
    pub fn learn(&self, progress: &Progress) -> Result<Learned> {
        let options = match self {
            Source::Trace { path, limit } => return events::learn(path, *limit, progress),
            Source::Synthetic(options) => options,
        };
        let synthetic = Synthetic::new((**options).clone()).map_err(usage)?;
        let mut builder = ProgramBuilder::new(synthetic.machine());
        let (mut events, mut instructions) = (0, 0);
        for event in synthetic {
            builder.event(&event).with_context(|| self.name())?;
            events += 1;
            instructions += event.instructions;
        }
        let program = builder.finish().with_context(|| self.name())?;
        let extensions = Extensions { lengths: true, threads: options.threads > 4 };
        Ok(Learned { program, events, instructions, extensions })
    }

    /// Every event, complete for encoding.
    ///
    /// # Errors
    /// When the trace cannot be opened.
    pub fn events(&self, learned: &Arc<Learned>) -> Result<Events> {
        let calls = Arc::clone(learned);
        let complete = move |event| calls.complete(event);
        match self {
            Source::Trace { path, .. } => {
                let reader = events::open(path, &Progress::new(0, "bytes"))?;
                let limit = usize::try_from(learned.events).unwrap_or(usize::MAX);
                Ok(Box::new(reader.take(limit).map(move |event| Ok(complete(event?)))))
            }
            Source::Synthetic(options) => {
                let synthetic = Synthetic::new((**options).clone()).map_err(usage)?;
                Ok(Box::new(synthetic.map(move |event| Ok(complete(event)))))
            }
        }
    }
}

/// The options with the code moved to where the machine has addresses.
pub fn within_addresses(mut options: Options) -> Options {
    let room = if options.machine.address_bits == 32 { u64::from(u32::MAX) } else { u64::MAX };
    if options.code_base > room {
        options.code_base = 0x1_0000;
    }
    options.code_span = options.code_span.min(room - options.code_base);
    options
}
