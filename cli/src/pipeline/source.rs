//! Sources of events for co-simulation: traces and synthetic programs.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use tracewright_sim::event::Item;
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::trace_io::Extensions;
use tracewright_testbench::cosim::AnyError;

use super::events::{self, Learned};
use super::failure::usage;
use super::progress::Progress;

/// Events of a synthetic program without a limit.
const SYNTHETIC_EVENTS: u64 = 100_000;

/// Percentage of instructions that access memory, in a program for designs that trace data addresses.
const DATA_ACCESSES: u8 = 30;

/// A source that can be read several times with the same events.
#[derive(Clone, Debug)]
pub enum Source {
    /// The first events of a trace.
    Trace {
        /// The file.
        path: PathBuf,
        /// The largest number of events.
        limit: u64,
    },
    /// A synthetic program.
    Synthetic(Box<Options>),
}

/// Events and memory accesses, or an error at the end.
pub type Items = Box<dyn Iterator<Item = std::result::Result<Item, AnyError>>>;

impl Source {
    /// The first `limit` events of a trace.
    pub fn trace(path: PathBuf, limit: Option<u64>) -> Source {
        Source::Trace { path, limit: limit.unwrap_or(u64::MAX) }
    }

    /// The synthetic program of this seed, with addresses that each of the designs can trace.
    pub fn synthetic(seed: u64, limit: Option<u64>, designs: &[Design]) -> Source {
        let events = limit.unwrap_or(SYNTHETIC_EVENTS);
        let data = designs.iter().any(Design::traces_data);
        let data_accesses = if data { DATA_ACCESSES } else { 0 };
        let mut options = Options { events, data_accesses, ..Options::from_seed(seed) };
        if designs.iter().any(|design| design.processor().address_width == 32) {
            options.machine.address_bits = 32;
            options = within_addresses(options);
        }
        Source::Synthetic(Box::new(options))
    }

    /// The same source for `cores` cores: a synthetic program has a thread for each, at uneven rates.
    pub fn for_cores(&self, cores: u32) -> Source {
        match self {
            Source::Trace { .. } => self.clone(),
            Source::Synthetic(options) => Source::Synthetic(Box::new(Options {
                threads: cores as u8,
                uneven: cores > 1,
                ..(**options).clone()
            })),
        }
    }

    /// True unless it is a synthetic program for another number of cores.
    pub fn fits(&self, design: &Design) -> bool {
        match self {
            Source::Trace { .. } => true,
            Source::Synthetic(options) => u32::from(options.threads) == design.cores(),
        }
    }

    /// The name of the source in results.
    pub fn name(&self) -> String {
        match self {
            Source::Trace { path, .. } => path.display().to_string(),
            Source::Synthetic(options) => format!("synthetic-{}", options.seed),
        }
    }

    /// Reads the source once to learn the program.
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
        let (mut events, mut accesses, mut instructions) = (0, 0, 0);
        for item in synthetic.items() {
            match item {
                Item::Access(_) => accesses += 1,
                Item::Event(event) => {
                    builder.event(&event).with_context(|| self.name())?;
                    events += 1;
                    instructions += event.instructions;
                }
            }
        }
        let program = builder.finish().with_context(|| self.name())?;
        let extensions = Extensions {
            data: options.data_accesses > 0,
            threads: options.threads > 4,
            ..Extensions::LENGTHS
        };
        Ok(Learned { program, events, accesses, instructions, extensions })
    }

    /// Every event, complete for encoding, and on request the memory accesses between them.
    ///
    /// # Errors
    /// When the trace cannot be opened.
    pub fn items(&self, learned: &Arc<Learned>, data: bool) -> Result<Items> {
        let calls = Arc::clone(learned);
        let complete = move |item| calls.complete_item(item);
        match self {
            Source::Trace { path, .. } => {
                let reader = events::open(path, &Progress::new(0, "bytes"))?;
                let limit = usize::try_from(learned.events + learned.accesses);
                let part = reader.items().take(limit.unwrap_or(usize::MAX));
                let wanted = part.filter(move |item| data || !matches!(item, Ok(Item::Access(_))));
                Ok(Box::new(wanted.map(move |item| Ok(complete(item?)))))
            }
            Source::Synthetic(options) => {
                let synthetic = Synthetic::new((**options).clone()).map_err(usage)?;
                Ok(match data {
                    true => Box::new(synthetic.items().map(move |item| Ok(complete(item)))),
                    false => Box::new(synthetic.map(move |event| Ok(complete(Item::Event(event))))),
                })
            }
        }
    }
}

/// The options with the code moved into the address range of the machine.
pub fn within_addresses(mut options: Options) -> Options {
    let room = if options.machine.address_bits == 32 { u64::from(u32::MAX) } else { u64::MAX };
    if options.code_base > room {
        options.code_base = 0x1_0000;
    }
    options.code_span = options.code_span.min(room - options.code_base);
    options
}
