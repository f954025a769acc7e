//! One program on several cores: every core runs a part of it, at one instruction per cycle.
//!
//! Paper E's programs divide their work among threads. A trace of one thread is divided here into parts of as many
//! instructions each; a trace of several threads is taken as it is.

use rayon::prelude::*;
use tracewright_sim::encode::windows::Windows;
use tracewright_sim::event::{Event, Machine};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::field::{Account, Field, Sink};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::multicore::schedule::Schedule;
use tracewright_sim::scheme::{Design, Encoder, Scheme};
use tracewright_sim::trace_io::Reader;
use tracewright_verification::Progress;
use tracewright_verification::trace::{self, Calls};

use super::Settings;
use super::predictions::{Lengths, MOST_BITS, Predictions, Rate};
use crate::error::{Error, Result};
use crate::program::Program;

/// The numbers of cores in paper E.
pub const CORES: [u32; 4] = [1, 2, 4, 8];

/// Events in a batch that every design encodes in turn.
const BATCH_EVENTS: usize = 1 << 15;

/// A trace module of paper E.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Module {
    /// The Nexus-like one (NX_b).
    Nexus,
    /// mcfTRaptor Small.
    Small,
    /// mcfTRaptor Medium.
    Medium,
    /// mcfTRaptor Large.
    Large,
}

impl Module {
    /// mcfTRaptor's, by size.
    pub const TRAPTOR: [Module; 3] = [Module::Small, Module::Medium, Module::Large];

    fn preset(self) -> &'static str {
        match self {
            Module::Nexus => "nexus",
            Module::Small => "mctraptor-small",
            Module::Medium => "mctraptor-medium",
            Module::Large => "mctraptor-large",
        }
    }

    /// The paper's name.
    pub fn name(self) -> &'static str {
        match self {
            Module::Nexus => "Nexus",
            Module::Small => "Small",
            Module::Medium => "Medium",
            Module::Large => "Large",
        }
    }
}

/// A way of tracing that paper E compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mechanism {
    /// The trace module of each core.
    pub module: Module,
    /// True for the encoding with small chunks (TR_e).
    pub variable: bool,
    /// True with time stamps.
    pub timed: bool,
}

impl Mechanism {
    /// Every one, without and with time stamps.
    pub fn all() -> Vec<Mechanism> {
        let of_module = |module: Module| {
            let encodings: &[bool] =
                if module == Module::Nexus { &[false] } else { &[false, true] };
            encodings.iter().map(move |variable| (module, *variable))
        };
        let modules = [Module::Nexus, Module::Small, Module::Medium, Module::Large];
        let untimed: Vec<_> = modules.into_iter().flat_map(of_module).collect();
        let with = |timed| {
            let mechanism = move |(module, variable)| Mechanism { module, variable, timed };
            untimed.iter().copied().map(mechanism)
        };
        with(false).chain(with(true)).collect()
    }

    /// The paper's name: NX_b, tTR_e and the like.
    pub fn name(&self) -> String {
        let timed = if self.timed { "t" } else { "" };
        match (self.module, self.variable) {
            (Module::Nexus, _) => format!("{timed}NX_b"),
            (_, false) => format!("{timed}TR_b"),
            (_, true) => format!("{timed}TR_e"),
        }
    }

    /// The design for so many cores.
    fn design(&self, cores: u32, settings: &Settings) -> Result<Design> {
        let timed = if self.timed { "-timed" } else { "" };
        let mut design = Design::preset(&format!("{}-n{cores}{timed}", self.module.preset()))?;
        let encoding = if self.variable { "variable" } else { "fixed" };
        design.set("encoding", encoding)?;
        settings.apply(&mut design)?;
        Ok(design)
    }
}

/// One program on so many cores.
#[derive(Clone, Debug)]
pub struct OnCores {
    /// The number of cores.
    pub cores: u32,
    /// Instructions of all cores.
    pub instructions: u64,
    /// Cycles until the last core is done.
    pub cycles: u64,
    /// Every way of tracing, in the order of [`Mechanism::all`].
    pub mechanisms: Vec<Traced>,
    /// The predictors of the three sizes, all cores together: outcomes and targets.
    pub predictions: Vec<(Rate, Rate)>,
    /// Bits of the fields of mcfTRaptor Large: branch counts, target differences and time stamps.
    pub lengths: [Box<Lengths>; 3],
}

/// One way of tracing.
#[derive(Clone, Debug)]
pub struct Traced {
    /// The way.
    pub mechanism: Mechanism,
    /// Bits by field.
    pub account: Account,
    /// Bits over time.
    pub bits: Windows,
}

/// Runs a program on 1, 2, 4 and 8 cores.
///
/// # Errors
/// When the trace is bad or a design cannot trace it.
pub fn run(
    program: &Program,
    settings: &Settings,
    limit: EventLimit,
    progress: &Progress,
) -> Result<Vec<OnCores>> {
    let open = || trace::open(&program.trace, limit, &Progress::silent());
    let (mut instructions, mut threads) = (0, 1);
    let mut reader = open()?;
    while let Some(event) = reader.next_event()? {
        instructions += event.instructions;
        threads = threads.max(u32::from(event.thread) + 1);
    }
    let bytes = program.trace.metadata().map_or(0, |metadata| metadata.len());
    progress.add(bytes);
    let mut runs = Vec::new();
    for cores in CORES {
        let fits = threads == 1 || (threads <= cores && cores < 2 * threads);
        if fits {
            let (calls, reader) =
                trace::open_for_encoding(&program.trace, &Progress::silent(), open)?;
            let machine = reader.machine();
            let mut source = match threads {
                1 => Source::parts(cores, instructions, open)?,
                _ => Source::Threads(Box::new(reader)),
            };
            runs.push(on_cores(program, machine, cores, settings, &calls, &mut source)?);
        }
        progress.add(bytes);
    }
    Ok(runs)
}

/// The events of all cores in the order of their cycles.
enum Source {
    Threads(Box<Reader>),
    Parts(Vec<Part>),
}

/// The part of a trace that a core runs.
struct Part {
    reader: Reader,
    next: Option<Event>,
    /// Instructions until the end of the part.
    left: u64,
    /// The cycle of the next event.
    clock: u64,
}

impl Source {
    fn parts<E>(cores: u32, instructions: u64, open: impl Fn() -> Result<Reader, E>) -> Result<Self>
    where
        Error: From<E>,
    {
        let part = |core: u32| {
            let bound = |core: u32| instructions * u64::from(core) / u64::from(cores);
            let mut reader = open()?;
            let (mut position, mut next) = (0, reader.next_event()?);
            while let Some(event) = next.filter(|_| position < bound(core)) {
                position += event.instructions;
                next = reader.next_event()?;
            }
            let left = bound(core + 1).saturating_sub(position);
            let clock = next.map_or(0, |event| event.instructions);
            Ok(Part { reader, next: next.filter(|_| left > 0), left, clock })
        };
        Ok(Source::Parts((0..cores).map(part).collect::<Result<_>>()?))
    }

    fn next(&mut self) -> Result<Option<Event>> {
        let parts = match self {
            Source::Threads(reader) => return Ok(reader.next_event()?),
            Source::Parts(parts) => parts,
        };
        let running = parts.iter_mut().enumerate().filter(|(_, part)| part.next.is_some());
        let Some((core, part)) = running.min_by_key(|(core, part)| (part.clock, *core)) else {
            return Ok(None);
        };
        let event = part.next.take();
        let Some(event) = event else { return Ok(None) };
        part.left = part.left.saturating_sub(event.instructions);
        if part.left > 0 {
            part.next = part.reader.next_event()?;
            part.clock += part.next.map_or(0, |event| event.instructions.max(1));
        }
        Ok(Some(Event { thread: core as u8, ..event }))
    }
}

/// A design that encodes, and what it is told apart by.
struct Meter {
    design: Design,
    encoder: Encoder,
    sink: Metered,
}

struct Metered {
    account: Account,
    bits: Windows,
    clock: u64,
    /// Bits of the record at hand by field: branch count, target difference, time stamp.
    pieces: [u32; 3],
    lengths: Option<[Box<Lengths>; 3]>,
}

/// The fields whose lengths paper E draws.
const FIELDS: [&str; 3] = ["branch_count", "target_difference", "clocks"];

impl Sink for Metered {
    fn put(&mut self, field: &Field, bits: u64, count: u32) {
        self.account.put(field, bits, count);
        self.bits.add(self.clock, count.into());
        if self.lengths.is_some()
            && let Some(place) = FIELDS.iter().position(|name| *name == field.name)
        {
            self.pieces[place] += count;
        }
    }

    fn end_record(&mut self) {
        self.account.end_record();
        let Some(lengths) = &mut self.lengths else { return };
        for (bits, lengths) in self.pieces.iter_mut().zip(lengths) {
            // In chunks of one bit, each with its continuation bit.
            let length = (*bits as usize / 2).min(MOST_BITS);
            lengths[length] += u64::from(*bits > 0);
            *bits = 0;
        }
    }

    fn align(&mut self, _: u32) {}
}

impl Meter {
    fn new(design: Design, machine: Machine) -> Result<Self> {
        let design = trace::design_for(&design, machine)?;
        let sink = Metered {
            account: Account::default(),
            bits: Windows::sums(),
            clock: 0,
            pieces: [0; 3],
            lengths: None,
        };
        Ok(Self { encoder: Encoder::new(&design)?, design, sink })
    }

    fn encode(&mut self, batch: &[(Event, u64)], program: &Program) -> Result<()> {
        for (event, clock) in batch {
            self.sink.clock = *clock;
            let failed = |source| Error::Encode { trace: program.trace.clone(), source };
            self.encoder.event(event, &mut self.sink).map_err(failed)?;
        }
        Ok(())
    }
}

/// mcfTRaptor Large with time stamps, whose fields come in chunks of one bit.
fn counting_design(cores: u32, settings: &Settings) -> Result<Design> {
    let large = Mechanism { module: Module::Large, variable: true, timed: true };
    let mut design = large.design(cores, settings)?;
    for field in ["branch_count", "target", "time_stamp"] {
        for chunk in ["first", "next"] {
            design.set(&format!("{field}_{chunk}_chunk"), "1")?;
        }
    }
    Ok(design)
}

fn on_cores(
    program: &Program,
    machine: Machine,
    cores: u32,
    settings: &Settings,
    calls: &Calls,
    source: &mut Source,
) -> Result<OnCores> {
    let mechanisms = Mechanism::all();
    let designs = mechanisms.iter().map(|mechanism| mechanism.design(cores, settings));
    let meter = |design: Result<Design>| Meter::new(design?, machine);
    let mut meters = designs.map(meter).collect::<Result<Vec<_>>>()?;
    let mut counting = Meter::new(counting_design(cores, settings)?, machine)?;
    counting.sink.lengths = Some(std::array::from_fn(|_| Box::new([0; MOST_BITS + 1])));
    meters.push(counting);
    let mut predictions = predictors(&meters, &mechanisms, cores);
    let mut schedule = Schedule::new(cores);
    let (mut instructions, mut cycles) = (0, 0);
    let mut batch = Vec::with_capacity(BATCH_EVENTS);
    loop {
        batch.clear();
        while batch.len() < BATCH_EVENTS {
            let Some(event) = source.next()? else { break };
            let event = calls.complete(event);
            instructions += event.instructions;
            cycles = schedule.event(event.thread, event.instructions) + 1;
            batch.push((event, cycles - 1));
        }
        if batch.is_empty() {
            break;
        }
        meters.par_iter_mut().try_for_each(|meter| meter.encode(&batch, program))?;
        predictions.par_iter_mut().for_each(|of_size| {
            for (event, _) in &batch {
                of_size[usize::from(event.thread)].event(event);
            }
        });
    }
    for meter in &mut meters {
        meter.encoder.flush(&mut meter.sink);
    }
    let lengths = meters.pop().and_then(|meter| meter.sink.lengths);
    let traced = mechanisms.into_iter().zip(meters).map(|(mechanism, meter)| Traced {
        mechanism,
        account: meter.sink.account,
        bits: meter.sink.bits,
    });
    Ok(OnCores {
        cores,
        instructions,
        cycles,
        mechanisms: traced.collect(),
        predictions: predictions.iter().map(|of_size| all_cores(of_size)).collect(),
        lengths: lengths.unwrap_or_else(|| std::array::from_fn(|_| Box::new([0; MOST_BITS + 1]))),
    })
}

/// The predictors of every size and core, for the machine of the trace.
fn predictors(meters: &[Meter], mechanisms: &[Mechanism], cores: u32) -> Vec<Vec<Predictions>> {
    let of_size = |size: &Module| {
        let is_size = |mechanism: &Mechanism| mechanism.module == *size;
        let place = mechanisms.iter().position(is_size)?;
        match &meters[place].design.scheme {
            Scheme::Mctraptor(config) => {
                let predictions = Predictions::new(&config.encoded_module());
                Some(vec![predictions; cores as usize])
            }
            _ => None,
        }
    };
    Module::TRAPTOR.iter().filter_map(of_size).collect()
}

fn all_cores(of_size: &[Predictions]) -> (Rate, Rate) {
    of_size.iter().fold(Default::default(), |(outcomes, targets): (Rate, Rate), core| {
        (outcomes.with(core.outcomes), targets.with(core.targets))
    })
}
