//! Designs, comparators and predictors without hardware on the same traces: bits per instruction beside each other.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;
use tracewright_comparators::predictor::Model;
use tracewright_comparators::{Comparator, Core, Encode};
use tracewright_sim::event::{Event, Item};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::field::Account;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::preset;
use tracewright_sim::scheme::{Design, Encoder};

use crate::error::Result;
use crate::models;
use crate::progress::Progress;
use crate::threads::is_for_one_core;
use crate::trace::{self, Addresses, Blocks};

/// A design, a comparator or a predictor without hardware.
#[derive(Clone, Debug)]
pub enum Contender {
    /// A design of this project, by its golden encoder.
    Design(Box<Design>),
    /// Another encoder.
    Comparator(&'static Comparator),
    /// A predictor without hardware.
    Model(Box<Model>),
}

impl Contender {
    /// The name of the design, comparator or predictor.
    pub fn name(&self) -> &str {
        match self {
            Contender::Design(design) => &design.name,
            Contender::Comparator(comparator) => comparator.name,
            Contender::Model(model) => model.name(),
        }
    }

    /// What its bits are.
    pub fn basis(&self) -> String {
        match self {
            Contender::Design(_) => "design".into(),
            Contender::Comparator(comparator) => comparator.basis.to_string(),
            Contender::Model(_) => models::BASIS.into(),
        }
    }

    /// The logic gates that a paper or another source states.
    pub fn stated_gates(&self) -> Option<u32> {
        match self {
            Contender::Comparator(comparator) => comparator.gates.map(|gates| gates.gates),
            Contender::Design(design) => {
                // The paper's figure is not for a changed preset.
                let is_preset = Design::preset(&design.name).is_ok_and(|preset| preset == **design);
                let preset = preset::all().find(|preset| is_preset && preset.name == design.name);
                preset.and_then(|preset| preset.paper_gates)
            }
            Contender::Model(_) => None,
        }
    }

    /// Gate equivalents of a comparator's implementation with memories of flip-flops; those of designs need synthesis.
    pub fn flip_flop_implementation_ge(&self) -> Option<u32> {
        match self {
            Contender::Comparator(comparator) => {
                comparator.flip_flop_implementation_ge.map(|gates| gates.gates)
            }
            Contender::Design(_) | Contender::Model(_) => None,
        }
    }

    /// Gates by the papers' rule, from the storage.
    pub fn estimated_gates(&self) -> Option<u32> {
        match self {
            Contender::Comparator(_) => None,
            Contender::Design(design) => Some(design.estimated_gates()),
            Contender::Model(model) => models::estimated_gates(model),
        }
    }

    /// Storage in bits, as the papers count it; `None` for software.
    pub fn papers_bits(&self) -> Option<u32> {
        let sum = |storage: &[(&str, u32)]| storage.iter().map(|(_, bits)| bits).sum();
        match self {
            Contender::Design(design) => Some(sum(&design.estimated_storage())),
            Contender::Comparator(comparator) => {
                let storage = comparator.storage;
                (!storage.is_empty()).then(|| sum(storage))
            }
            Contender::Model(model) => model.storage_bits().try_into().ok(),
        }
    }
}

/// One contender on one trace. Its fields are those of `tracewright compare --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// The design or comparator.
    pub name: String,
    /// `design`, `real encoder`, `model`, or `model only` for a predictor without hardware.
    pub basis: String,
    /// The trace's file.
    pub trace: String,
    /// Events in the trace.
    pub events: u64,
    /// Instructions in the trace.
    pub instructions: u64,
    /// Bits of the encoded trace, without padding; null if the format cannot carry the trace.
    pub bits: Option<u64>,
    /// `bits` divided by `instructions`.
    pub bits_per_instruction: Option<f64>,
    /// Why the format cannot carry the trace.
    pub refused: Option<String>,
    /// Logic gates that a paper or another source states.
    pub stated_gates: Option<u32>,
    /// Gates by the papers' rule, from the storage.
    pub estimated_gates: Option<u32>,
    /// Storage in bits, as the papers count it.
    pub papers_bits: Option<u32>,
    /// Gate equivalents after synthesis, a bit of memory being 1.5; null for what was not synthesized.
    pub gate_equivalents: Option<u32>,
    /// Gate equivalents with memories of flip-flops; null for what was not synthesized.
    pub flip_flop_implementation_ge: Option<u32>,
    /// What is not printed.
    #[serde(skip)]
    pub seen: Seen,
}

/// What a comparison knows of a contender on a trace besides its bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// Bits of every field by its name.
    pub fields: Vec<(String, u64)>,
    /// Encoders that were used: one for each thread of the trace, or one for all.
    pub modules: u32,
    /// Memory accesses in the trace.
    pub accesses: u64,
    /// Bits of an address of the processor.
    pub address_bits: u8,
    /// Bits of an address in the formats of comparators and predictors.
    pub address_width: u32,
}

/// Bits of an address in the formats of comparators and predictors without hardware: 64 if the addresses of one of the
/// traces need them, else 32.
///
/// # Errors
/// When a trace cannot be read.
pub fn address_width(traces: &[PathBuf], limit: EventLimit) -> Result<u32> {
    // The formats have the width that designs need.
    let format = Design::preset("nexs")?;
    let read = |trace: &PathBuf| Addresses::of(trace, [&format].into_iter(), limit);
    let by_trace: Vec<Addresses> = traces.par_iter().map(read).collect::<Result<_>>()?;
    let all = by_trace.iter().fold(Addresses::default(), Addresses::and);
    Ok(if all.widen(&format) { 64 } else { 32 })
}

/// Compares contenders on traces: all traces of the first contender, then those of the second, and so on.
/// Each trace is read twice, and may have as many records as `limit` allows; `progress` is in bytes. Addresses have at
/// most `address_width` bits.
///
/// # Errors
/// When a trace is bad. A contender that cannot encode a trace is a result.
pub fn compare(
    contenders: &[Contender],
    traces: &[PathBuf],
    address_width: u32,
    limit: EventLimit,
    progress: &Progress,
) -> Result<Vec<Compared>> {
    let on_trace = |trace: &PathBuf| on_trace(contenders, trace, address_width, limit, progress);
    let mut by_trace: Vec<Vec<Compared>> = Vec::with_capacity(traces.len());
    // Some encoders have a hundred megabytes of tables, so that only some traces are read at the same time.
    for some in traces.chunks(rayon::current_num_threads()) {
        let of_some: Vec<_> = some.par_iter().map(on_trace).collect::<Result<_>>()?;
        by_trace.extend(of_some);
    }
    let mut columns: Vec<_> = by_trace.into_iter().map(Vec::into_iter).collect();
    let row = |_: &Contender| columns.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>();
    Ok(contenders.iter().flat_map(row).collect())
}

/// The encoder of a contender for one core, or why it cannot encode the trace.
enum Running {
    Design(Box<Encoder>),
    Comparator(Box<dyn Encode>),
    Refused(String),
}

/// A contender on a trace: what it needs to begin another encoder, and the encoder of each thread, or of all together
/// where it traces several cores.
struct Runner<'a> {
    contender: &'a Contender,
    core: &'a Core,
    running: Vec<Option<Running>>,
    account: Account,
}

impl Running {
    fn new(contender: &Contender, core: &Core) -> Self {
        match contender {
            Contender::Design(design) => trace::design_for(design, core.machine)
                .and_then(|design| Ok(Encoder::new(&design)?))
                .map(|encoder| Running::Design(Box::new(encoder)))
                .unwrap_or_else(|error| Running::Refused(error.to_string())),
            Contender::Comparator(comparator) => match comparator.encoder(core) {
                Ok(encoder) => Running::Comparator(encoder),
                Err(error) => Running::Refused(error.to_string()),
            },
            Contender::Model(model) => match model.encoder(core) {
                Ok(encoder) => Running::Comparator(encoder),
                Err(error) => Running::Refused(error.to_string()),
            },
        }
    }

    fn encode(&mut self, event: &Event, account: &mut Account) -> Result<(), String> {
        match self {
            Running::Design(encoder) => {
                encoder.event(event, account).map_err(|error| error.to_string())
            }
            Running::Comparator(encoder) => {
                encoder.event(event, account).map_err(|error| error.to_string())
            }
            Running::Refused(_) => Ok(()),
        }
    }

    /// Ends the trace, or says why there is none.
    fn finish(self, account: &mut Account) -> Result<(), String> {
        match self {
            Running::Design(mut encoder) => {
                encoder.flush(account);
                Ok(())
            }
            Running::Comparator(mut encoder) => {
                encoder.finish(account).map_err(|error| error.to_string())
            }
            Running::Refused(reason) => Err(reason),
        }
    }
}

impl<'a> Runner<'a> {
    fn new(contender: &'a Contender, core: &'a Core) -> Self {
        let running = vec![Some(Running::new(contender, core))];
        Self { contender, core, running, account: Account::default() }
    }

    fn encode(&mut self, batch: &[Event]) {
        let traces_several =
            matches!(self.contender, Contender::Design(design) if !is_for_one_core(design));
        for event in batch {
            let place = if traces_several { 0 } else { usize::from(event.thread) };
            if place >= self.running.len() {
                self.running.resize_with(place + 1, || None);
            }
            let (contender, core) = (self.contender, self.core);
            let running = self.running[place].get_or_insert_with(|| Running::new(contender, core));
            let event = if traces_several { *event } else { Event { thread: 0, ..*event } };
            if let Err(reason) = running.encode(&event, &mut self.account) {
                *running = Running::Refused(reason);
            }
        }
    }

    /// The bits, or why there are none, with the number of encoders.
    fn finish(mut self) -> Result<(Account, u32), String> {
        let mut modules = 0;
        for running in self.running.into_iter().flatten() {
            running.finish(&mut self.account)?;
            modules += 1;
        }
        Ok((self.account, modules))
    }
}

/// Compares on one trace, which is read for all contenders together.
fn on_trace(
    contenders: &[Contender],
    trace: &Path,
    address_width: u32,
    limit: EventLimit,
    progress: &Progress,
) -> Result<Vec<Compared>> {
    let (calls, reader) =
        trace::open_for_encoding(trace, progress, || trace::open(trace, limit, progress))?;
    let core = Core::of(reader.machine(), address_width);
    let mut runners: Vec<Runner<'_>> =
        contenders.iter().map(|contender| Runner::new(contender, &core)).collect();
    let mut blocks = Blocks::prepared(reader, calls);
    let mut events = Vec::new();
    while let Some(block) = blocks.next_block()? {
        events.clear();
        events.extend(block.iter().filter_map(|item| match item {
            Item::Event(event) => Some(*event),
            Item::Access(_) | Item::State(_) | Item::Cycles(_) => None,
        }));
        runners.par_iter_mut().for_each(|runner| runner.encode(&events));
    }
    let (reader, calls) = blocks.finish();
    calls.check(trace, &reader)?;
    // Some compressors do most of their work at the end.
    let finished: Vec<_> = runners.into_par_iter().map(Runner::finish).collect();
    let instructions = reader.instructions();
    let compared = |(contender, finished): (&Contender, Result<(Account, u32), String>)| {
        let bits = finished.as_ref().ok().map(|(account, _)| account.bits);
        let (account, modules) = finished.as_ref().cloned().unwrap_or_default();
        let fields = account.fields.into_iter().map(|(name, bits)| (name.to_owned(), bits));
        Compared {
            name: contender.name().into(),
            basis: contender.basis(),
            trace: trace.display().to_string(),
            events: reader.events(),
            instructions,
            bits,
            bits_per_instruction: bits.map(|bits| ratio(bits, instructions)),
            refused: finished.err(),
            stated_gates: contender.stated_gates(),
            estimated_gates: contender.estimated_gates(),
            papers_bits: contender.papers_bits(),
            gate_equivalents: None,
            flip_flop_implementation_ge: contender.flip_flop_implementation_ge(),
            seen: Seen {
                fields: fields.collect(),
                modules,
                accesses: reader.accesses(),
                address_bits: reader.machine().address_bits,
                address_width: core.address_width,
            },
        }
    };
    Ok(contenders.iter().zip(finished).map(compared).collect())
}

fn ratio(part: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}
