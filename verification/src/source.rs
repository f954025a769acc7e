//! Sources of events for co-simulation: traces and synthetic programs.

use std::path::PathBuf;
use std::sync::Arc;

use tracewright_sim::event::{Isa, Item, Machine};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::program::{CallLengths, Program, ProgramBuilder};
use tracewright_sim::scheme::{Design, DesignError};
use tracewright_sim::synthetic::states::States;
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::trace_io::Extensions;
use tracewright_testbench::cosim::AnyError;

use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::threads::{self, is_for_one_core};
use crate::trace::{self, Counts, Learned};

/// Events of a synthetic program without a limit.
const SYNTHETIC_EVENTS: u64 = 100_000;

/// Percentage of instructions that access memory in a program for designs that trace accesses.
const DATA_ACCESSES: u8 = 30;

/// The seed of the states of a workload that has none.
const STATES_SEED: u64 = 15;

/// Something that gives the same events whenever it is read.
#[derive(Clone, Debug)]
pub enum Source {
    /// The first events of a trace.
    Trace {
        /// The file.
        path: PathBuf,
        /// Number of events to take.
        first: u64,
        /// The most records that the trace may have.
        limit: EventLimit,
    },
    /// A synthetic program.
    Synthetic(Box<Options>),
}

impl Source {
    /// The first events of a trace, or all of them.
    pub fn trace(path: PathBuf, first: Option<u64>, limit: EventLimit) -> Source {
        Source::Trace { path, first: first.unwrap_or(u64::MAX), limit }
    }

    /// The synthetic program of this seed, with addresses that each of the designs can trace: as many bits, and the
    /// alignment that a design was set to.
    pub fn synthetic(seed: u64, limit: Option<u64>, designs: &[Design]) -> Source {
        let events = limit.unwrap_or(SYNTHETIC_EVENTS);
        let data = designs.iter().any(Design::traces_data);
        let data_accesses = if data { DATA_ACCESSES } else { 0 };
        let mut options = Options { events, data_accesses, ..Options::from_seed(seed).shaped() };
        // Addresses of programs have 32 or 64 bits, those of designs any number between.
        if designs.iter().any(|design| design.processor().address_width < 64) {
            options.machine.address_bits = 32;
            options = within_addresses(options);
        }
        if let Some(alignment) = needed_alignment(designs, options.machine) {
            let isa =
                if options.machine.isa == Isa::X86 { Isa::RiscV } else { options.machine.isa };
            options.machine = Machine { isa, alignment, ..options.machine };
        }
        Source::Synthetic(Box::new(options))
    }

    /// The same for this number of cores: each runs a thread of a synthetic program, at uneven rates.
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

    /// The machine of a synthetic program; `None` for a trace, which has to be read.
    pub(crate) fn machine(&self) -> Option<Machine> {
        match self {
            Source::Trace { .. } => None,
            Source::Synthetic(options) => Some(options.machine),
        }
    }

    /// The same for a port that RISC-V cores have: no synthetic program is of another length of instructions.
    #[must_use]
    pub fn for_risc_v(mut self) -> Source {
        if let Source::Synthetic(options) = &mut self
            && options.machine.isa == Isa::X86
        {
            options.machine = Machine { isa: Isa::RiscV, alignment: 1, ..options.machine };
        }
        self
    }

    /// The name that results have it under.
    pub fn name(&self) -> String {
        match self {
            Source::Trace { path, .. } => path.display().to_string(),
            Source::Synthetic(options) => format!("synthetic-{}", options.seed),
        }
    }

    /// Reads it once to learn the program, and once more if its code changes. `progress` is in bytes of traces.
    ///
    /// # Errors
    /// When the trace is bad, or the options of the synthetic program are.
    pub fn learn(self, progress: &Progress) -> Result<Workload> {
        let mut calls = None;
        let learned = match &self {
            Source::Trace { path, first, limit } => {
                match trace::learn(path, *first, *limit, progress) {
                    Err(Error::Program { .. }) => {
                        let (learned, lengths) =
                            trace::learn_calls(path, *first, *limit, progress)?;
                        calls = Some(Arc::new(lengths));
                        learned
                    }
                    learned => learned?,
                }
            }
            Source::Synthetic(options) => learn_synthetic(options, || self.name())?,
        };
        let items = learned.events + learned.accesses;
        let learned = Arc::new(learned);
        Ok(Workload { source: self, items, thread: None, learned, calls, program: None })
    }
}

/// The alignment of a design that was set to one that a machine does not have: it would lose bits of addresses.
fn needed_alignment(designs: &[Design], machine: Machine) -> Option<u8> {
    let needed = |design: &Design| match design.for_machine(machine) {
        Err(DesignError::Alignment { design, .. }) => u8::try_from(design).ok(),
        _ => None,
    };
    designs.iter().filter_map(needed).max()
}

fn learn_synthetic(options: &Options, name: impl Fn() -> String) -> Result<Learned> {
    let synthetic = Synthetic::new(options.clone())?;
    let mut builder = ProgramBuilder::new(synthetic.machine());
    let of_program = Error::program(name);
    let (mut events, mut accesses, mut instructions) = (0, 0, 0);
    let mut threads = Vec::new();
    for item in synthetic.items() {
        Counts::add(&mut threads, &item);
        match item {
            Item::State(_) | Item::Cycles(_) => {}
            Item::Access(_) => accesses += 1,
            Item::Event(event) => {
                builder.event(&event).map_err(&of_program)?;
                events += 1;
                instructions += event.instructions;
            }
        }
    }
    let program = Arc::new(builder.finish().map_err(&of_program)?);
    let extensions = Extensions {
        data: options.data_accesses > 0,
        threads: options.threads > 4,
        ..Extensions::LENGTHS
    };
    Ok(Learned { program, events, accesses, instructions, extensions, threads })
}

/// Events and memory accesses, or an error at the end.
pub type Items = Box<dyn Iterator<Item = std::result::Result<Item, AnyError>>>;

/// A source that was read, so that designs can run it. Copies share its program.
#[derive(Clone, Debug)]
pub struct Workload {
    source: Source,
    /// Events and accesses of the source, all threads together.
    items: u64,
    /// The thread that is run alone, if one is.
    thread: Option<u8>,
    learned: Arc<Learned>,
    /// The lengths of calls, if the code changes; then `learned` has no code.
    calls: Option<Arc<CallLengths>>,
    /// The program, if it is read from its files.
    program: Option<Arc<Program>>,
}

impl Workload {
    /// The seed of a synthetic program.
    pub fn seed(&self) -> Option<u64> {
        match &self.source {
            Source::Synthetic(options) => Some(options.seed),
            Source::Trace { .. } => None,
        }
    }

    /// The same with an address for each instruction of a program that was learned.
    #[must_use]
    pub(crate) fn with_all_addresses(self) -> Workload {
        let learned = self.program().filter(|program| !program.is_code());
        match learned.map(|program| program.clone().with_all_addresses()) {
            Some(program) => self.of_program(program),
            None => self,
        }
    }

    /// The name that results have it under.
    pub fn name(&self) -> String {
        match self.thread {
            None => self.source.name(),
            Some(thread) => format!("{} thread {thread}", self.source.name()),
        }
    }

    /// What a design runs of it: the threads one after the other where the design is for one core and there are several.
    pub fn for_design(&self, design: &Design) -> Vec<Workload> {
        let is_trace = matches!(self.source, Source::Trace { .. });
        let runs = |thread: &u8| self.learned.threads[usize::from(*thread)].events > 0;
        let threads: Vec<u8> = (0..self.learned.threads.len() as u8).filter(runs).collect();
        if !is_trace || !is_for_one_core(design) || matches!(threads.as_slice(), [] | [0]) {
            return vec![self.clone()];
        }
        let alone = |thread: u8| Workload {
            thread: Some(thread),
            learned: Arc::new(self.learned.of_thread(thread)),
            ..self.clone()
        };
        threads.into_iter().map(alone).collect()
    }

    /// The counts, and the program if its code does not change.
    pub fn learned(&self) -> &Learned {
        &self.learned
    }

    /// The same with a program from its files, or one that knows more.
    #[must_use]
    pub fn of_program(self, program: Program) -> Workload {
        Workload { program: Some(Arc::new(program)), ..self }
    }

    /// The program where it is read from its files or was given.
    pub fn shared_program(&self) -> Option<Arc<Program>> {
        self.program.clone()
    }

    /// The program that the encoded trace is decoded with; `None` if its code changes and it has no files.
    pub fn program(&self) -> Option<&Program> {
        match (&self.program, &self.calls) {
            (Some(program), _) => Some(program),
            (None, None) => Some(&self.learned.program),
            (None, Some(_)) => None,
        }
    }

    /// The processor of the workload.
    pub fn machine(&self) -> Machine {
        self.learned.machine()
    }

    /// False for a synthetic program of another number of cores than the design's.
    pub fn fits(&self, design: &Design) -> bool {
        match &self.source {
            Source::Trace { .. } => true,
            Source::Synthetic(options) => u32::from(options.threads) == design.cores(),
        }
    }

    /// The design for the machine of this workload.
    ///
    /// # Errors
    /// When a parameter was set for another machine.
    pub fn design(&self, design: &Design) -> Result<Design> {
        trace::design_for(design, self.machine())
    }

    /// What a design traces of the workload. If the design has states and the workload has none, they are drawn.
    ///
    /// # Errors
    /// When the trace cannot be opened.
    pub fn items_for(&self, design: &Design) -> Result<Items> {
        let mut items = self.items(design.traces_data())?;
        if let Some(program) = self.program.clone().filter(|_| design.reads_lengths()) {
            items = Box::new(items.map(move |item| {
                Ok(match item? {
                    Item::Event(event) => Item::Event(program.with_length(event)),
                    other => other,
                })
            }));
        }
        let Some(mut states) = States::new(STATES_SEED, design.protocol()) else {
            return Ok(Box::new(items.filter(|item| !matches!(item, Ok(Item::State(_))))));
        };
        if self.learned.extensions.states {
            return Ok(items);
        }
        Ok(Box::new(items.flat_map(move |item| {
            let state = match &item {
                Ok(Item::Event(event)) => states.after(event),
                _ => None,
            };
            std::iter::once(item).chain(state.map(|state| Ok(Item::State(state))))
        })))
    }

    /// Every event, complete for encoding; with `data` also the memory accesses between them.
    ///
    /// # Errors
    /// When the trace cannot be opened.
    pub fn items(&self, data: bool) -> Result<Items> {
        let (learned, calls) = (Arc::clone(&self.learned), self.calls.clone());
        let complete = move |item| match (item, &calls) {
            (Item::Event(event), Some(calls)) => Item::Event(calls.complete(event)),
            (item, _) => learned.complete_item(item),
        };
        match &self.source {
            Source::Trace { path, limit, .. } => {
                let reader = trace::open(path, *limit, &Progress::silent())?;
                let (mut left, thread) = (self.items, self.thread);
                let part = reader.items().take_while(move |item| {
                    if matches!(item, Ok(Item::State(_) | Item::Cycles(_))) {
                        return true;
                    }
                    let is_within = left > 0;
                    left = left.saturating_sub(1);
                    is_within
                });
                let wanted = part.filter(move |item| data || !matches!(item, Ok(Item::Access(_))));
                let wanted = wanted.filter_map(move |item| match (item, thread) {
                    (Ok(item), Some(thread)) => {
                        (item.thread() == thread).then(|| Ok(threads::alone(item)))
                    }
                    (item, _) => Some(item),
                });
                Ok(Box::new(wanted.map(move |item| Ok(complete(item?)))))
            }
            Source::Synthetic(options) => {
                let synthetic = Synthetic::new((**options).clone())?;
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
