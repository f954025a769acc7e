//! Measures the bits per instruction of designs on traces with the golden models.

mod by_state;

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Serialize, Serializer};
use tracewright_sim::data_stride::layout::fields;
use tracewright_sim::encode::dynamics::Dynamics;
use tracewright_sim::encode::fifo::Fifo;
use tracewright_sim::event::{Event, Item};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::field::{Account, Field, Sink};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::multicore::schedule::Schedule;
use tracewright_sim::scheme::{Design, Encoder, Scheme};
use tracewright_sim::talon_data;
use tracewright_sim::trace_io::Reader;

use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::threads::{self, is_for_one_core};
use crate::trace::{self, Addresses, Blocks};
pub use by_state::{By, OfState, by_state};

/// Items up to which designs are begun again at once.
const FIRST_ITEMS: usize = 1 << 15;

/// The most threads that a trace can have; each is a core.
const TRACE_THREADS: u32 = 8;

/// One design on one trace. Its fields are those of `tracewright measure --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// The design.
    pub design: String,
    /// The trace's file.
    pub trace: String,
    /// Bits of an address in the design, as it was measured.
    pub address_width: u32,
    /// Upper bits of targets that the design's tables leave out, as it was measured; null where it has no such tables.
    pub elided_upper_bits: Option<u32>,
    /// Events in the trace.
    pub events: u64,
    /// Memory accesses in the trace.
    pub accesses: u64,
    /// Instructions in the trace.
    pub instructions: u64,
    /// Bits of the encoded trace, without padding.
    pub bits: u64,
    /// `bits` divided by `instructions`.
    pub bits_per_instruction: f64,
    /// `bits` divided by `accesses`; null for a design that does not trace accesses.
    pub bits_per_access: Option<f64>,
    /// Bits of an uncompressed trace with an address for each instruction or access that the design traces.
    pub plain_bits: u64,
    /// `plain_bits` divided by `bits`.
    pub compression_ratio: f64,
    /// Number of predicted accesses; null for a design that does not trace accesses.
    pub hits: Option<u64>,
    /// `hits` divided by `accesses`; null for a design that does not trace accesses.
    pub hit_rate: Option<f64>,
    /// Number of records.
    pub records: u64,
    /// Bits of every field by its name, in the order of the record.
    #[serde(serialize_with = "as_object")]
    pub fields: Vec<(String, u64)>,
    /// Trace modules that were used: one, or for a design for one core one for each thread of the trace.
    pub modules: u32,
    /// The largest number of bits in the output FIFO.
    pub fifo_high_water_bits: u64,
    /// The largest number of bits that the FIFO would hold without a limit.
    pub fifo_needed_bits: u64,
    /// Cycles in which the FIFO was too full to accept a block.
    pub stall_cycles: u64,
    /// Bits over time, bursts, lengths of records, and the level of the FIFO.
    #[serde(skip)]
    pub dynamics: Dynamics,
    /// What the designs of the measurement took from the trace.
    #[serde(skip)]
    pub addresses: Addresses,
}

pub(crate) fn as_object<S: Serializer>(fields: &[(String, u64)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(fields.iter().map(|(name, bits)| (name, bits)))
}

impl Measured {
    /// Bits of a field; `None` if the design's records have no such field.
    pub fn field(&self, name: &str) -> Option<u64> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, bits)| *bits)
    }
}

/// Measures every design on every trace: the traces of the first design, then those of the second, and so on. Each
/// trace is read twice, and may have as many records as `limit` allows; `progress` is in bytes. Designs whose
/// alignment, address width or elided upper bits were not set have those that each trace needs. A design for one core
/// traces each thread as the program of a core of its own: the bits are those of all these modules together.
///
/// # Errors
/// When a trace is bad, or a design cannot trace it.
pub fn measure(
    designs: &[Design],
    traces: &[PathBuf],
    limit: EventLimit,
    progress: &Progress,
) -> Result<Vec<Measured>> {
    let on_trace = |trace: &PathBuf| on_trace(designs, trace, limit, progress);
    let by_trace: Vec<Vec<Measured>> = traces.par_iter().map(on_trace).collect::<Result<_>>()?;
    let mut measured: Vec<Measured> = Vec::new();
    let mut columns: Vec<_> = by_trace.into_iter().map(Vec::into_iter).collect();
    for _ in designs {
        measured.extend(columns.iter_mut().filter_map(Iterator::next));
    }
    Ok(measured)
}

/// True if an item is of thread 0; most are events.
#[inline]
fn is_of_first_thread(item: &Item) -> bool {
    matches!(item, Item::Event(event) if event.thread == 0) || item.thread() == 0
}

/// The account of one design on one trace, and the output FIFO of each of its modules.
struct Meter {
    /// The design as it was, for the modules of threads that have not run yet.
    design: Design,
    /// By core: the module. A design for one core has a module for each thread, which is the thread of its own core.
    encoders: Vec<Option<Encoder>>,
    sink: Metered,
}

struct Metered {
    account: Account,
    /// By core, as the modules.
    fifos: Vec<Fifo>,
    /// The core whose module encodes.
    core: usize,
    /// Bits counted up to the last record.
    recorded: u64,
    schedule: Schedule,
    clock: u64,
    dynamics: Dynamics,
}

impl Sink for Metered {
    /// An access is encoded before the event that ends its run, so it has the cycle of the event before.
    fn begin(&mut self, event: &Event) {
        self.clock = self.schedule.event(event.thread, event.instructions);
    }

    fn put(&mut self, field: &Field, bits: u64, count: u32) {
        self.account.put(field, bits, count);
    }

    fn end_record(&mut self) {
        self.account.end_record();
        let bits = self.account.bits - self.recorded;
        let fifo = &mut self.fifos[self.core];
        fifo.push(self.clock, bits);
        self.dynamics.record(self.clock, bits, fifo.level());
        self.recorded = self.account.bits;
    }

    fn align(&mut self, _: u32) {}
}

impl Meter {
    fn new(design: &Design) -> Result<Self> {
        let port = design.port();
        let fifo = Fifo::new(port.fifo_bits.into(), port.trace_port_width);
        let modules = if is_for_one_core(design) { TRACE_THREADS as usize } else { 1 };
        let (account, dynamics) = (Account::default(), Dynamics::default());
        let fifos = vec![fifo; modules];
        let mut encoders = vec![None; modules];
        encoders[0] = Some(Encoder::new(design)?);
        let schedule = Schedule::new(TRACE_THREADS);
        let sink = Metered { account, fifos, core: 0, recorded: 0, schedule, clock: 0, dynamics };
        Ok(Self { design: design.clone(), encoders, sink })
    }

    fn encode(&mut self, block: &[Item]) -> Result<()> {
        if self.encoders.len() == 1 || block.iter().all(is_of_first_thread) {
            self.sink.core = 0;
            return match &mut self.encoders[0] {
                Some(encoder) => Ok(encoder.items(block, &mut self.sink)?),
                None => Ok(()),
            };
        }
        for item in block {
            if let Item::Event(event) = item {
                self.sink.begin(event);
            }
            self.sink.core = usize::from(item.thread());
            let encoder = match &mut self.encoders[self.sink.core] {
                Some(encoder) => encoder,
                none => none.insert(Encoder::new(&self.design)?),
            };
            encoder.item(&threads::alone(*item), &mut self.sink)?;
        }
        Ok(())
    }

    fn finish(
        mut self,
        design: &Design,
        trace: &Path,
        read: &Reader,
        addresses: Addresses,
    ) -> Measured {
        for (core, encoder) in self.encoders.iter_mut().enumerate() {
            if let Some(encoder) = encoder {
                self.sink.core = core;
                encoder.flush(&mut self.sink);
            }
        }
        let modules = self.encoders.iter().flatten().count() as u32;
        let Metered { account, fifos, dynamics, .. } = self.sink;
        let most = |of: fn(&Fifo) -> u64| fifos.iter().map(of).max().unwrap_or_default();
        let traces_data = design.traces_data();
        let traced = if traces_data { read.accesses() } else { read.instructions() };
        let plain_bits = traced.saturating_mul(read.machine().address_bits.into());
        let hits = traces_data.then(|| read.accesses() - misses(design, &account));
        Measured {
            design: design.name.clone(),
            trace: trace.display().to_string(),
            address_width: design.processor().address_width,
            elided_upper_bits: design.elided_upper_bits(),
            events: read.events(),
            accesses: read.accesses(),
            instructions: read.instructions(),
            bits: account.bits,
            bits_per_instruction: ratio(account.bits, read.instructions()),
            bits_per_access: traces_data.then(|| ratio(account.bits, read.accesses())),
            plain_bits,
            compression_ratio: ratio(plain_bits, account.bits),
            hits,
            hit_rate: hits.map(|hits| ratio(hits, read.accesses())),
            records: account.records,
            fields: account.fields.iter().map(|(name, bits)| ((*name).into(), *bits)).collect(),
            modules,
            fifo_high_water_bits: most(|fifo| fifo.high_water_bits),
            fifo_needed_bits: most(|fifo| fifo.needed_bits),
            stall_cycles: fifos.iter().map(|fifo| fifo.stall_cycles).sum(),
            dynamics,
            addresses,
        }
    }
}

/// Number of accesses that a data address design did not predict, whose address it sent.
fn misses(design: &Design, account: &Account) -> u64 {
    let bits = |field: &Field| {
        account.fields.iter().find(|(name, _)| **name == *field.name).map_or(0, |(_, bits)| *bits)
    };
    if let Scheme::TalonData(config) = &design.scheme {
        return bits(&talon_data::layout::fields::MISS) / u64::from(config.miss_bits());
    }
    let addresses = bits(&fields::ADDRESS) / u64::from(design.processor().address_width);
    // Without data repetitions a flush is sent as an address too.
    addresses - u64::from(bits(&fields::HIT) > 0)
}

/// Measures every design on one trace, which is read for all designs together.
fn on_trace(
    designs: &[Design],
    trace: &Path,
    limit: EventLimit,
    progress: &Progress,
) -> Result<Vec<Measured>> {
    let (calls, reader) =
        trace::open_for_encoding(trace, progress, || trace::open(trace, limit, progress))?;
    let machine = reader.machine();
    let mut blocks = Blocks::prepared(reader, calls.clone());
    let of_machine = designs.iter().map(|design| trace::design_for(design, machine));
    let designs: Vec<Design> = of_machine.collect::<Result<_>>()?;
    let known = calls.code(&designs);
    let mut addresses = known.unwrap_or_default();
    let mut meters = meters(&designs, &addresses)?;
    let mut items = 0;
    while let Some(block) = blocks.next_block()? {
        items += block.len();
        let before = addresses;
        if known.is_none() {
            block.iter().for_each(|item| addresses.add(item));
        }
        let is_other = |(design, (_, fitted)): (&Design, &(Meter, Design))| {
            addresses.fit(design.clone()) != *fitted
        };
        // The designs are begun again with what the trace shows, early in most traces: a pass over the trace to see it
        // before they begin costs more. Late in a trace the rest is read first, so that they begin again only once.
        if addresses != before && designs.iter().zip(&meters).any(is_other) {
            let mut again = progress.clone();
            if items > FIRST_ITEMS {
                addresses.read_on(&mut blocks, designs.iter())?;
                again = Progress::silent();
            }
            meters = self::meters(&designs, &addresses)?;
            blocks = Blocks::prepared(trace::open(trace, limit, &again)?, calls.clone());
            items = 0;
            continue;
        }
        meters.par_iter_mut().try_for_each(|(meter, design)| {
            let of_run = Error::of_run(&design.name, trace.display().to_string());
            meter.encode(block).map_err(of_run)
        })?;
    }
    let (reader, calls) = blocks.finish();
    calls.check(trace, &reader)?;
    let finished = meters.into_iter();
    Ok(finished.map(|(meter, design)| meter.finish(&design, trace, &reader, addresses)).collect())
}

/// The designs as a trace with these addresses needs them, and the account of each.
fn meters(designs: &[Design], addresses: &Addresses) -> Result<Vec<(Meter, Design)>> {
    let meter = |design: &Design| {
        let design = addresses.fit(design.clone());
        Ok((Meter::new(&design)?, design))
    };
    designs.iter().map(meter).collect()
}

fn ratio(part: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}
