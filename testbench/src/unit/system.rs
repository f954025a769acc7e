//! Whole systems in Verilator: several harts, each with its unit, a funnel of whole messages, one sink and one bus.
//!
//! Each hart is shown a trace of its own at its core's port. The boundaries of its unit are compared as in a unit alone; after
//! them what the funnel takes and sends is compared with the funnel's model in every cycle, and what leaves the system, or is in
//! the ring of the sink, read back by the registers or in the memory of the system, with what the funnel has sent. Software
//! switches harts off in the funnel, and the funnel itself, while the cores run.

mod bench;
mod funnel;
mod software;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tracewright_hdl::Generated;
use tracewright_sim::control::table::Map;
use tracewright_sim::event::Item;
use tracewright_sim::message_funnel;
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_sim::unit::Ingress;

use self::bench::Bench;
use super::bench::Stop;
use super::follower::Taken;
use super::probe::{self, Probed};
use super::{Failure, Known, MemorySink, ShownCode};
use crate::BuildOptions;
use crate::error::Result;
use crate::library::Library;
use crate::stimulus::Stimulus;

/// A hart of a system.
#[derive(Clone, Debug)]
pub struct Hart {
    /// What the names of its pins begin with.
    pub prefix: String,
    /// Its design.
    pub design: Design,
    /// The port of its core.
    pub ingress: Option<Ingress>,
    /// Its trace module.
    pub trace_module: Generated,
    /// The instances from the outermost module down to its trace module.
    pub path: Vec<String>,
    /// Its registers.
    pub registers: Map,
    /// What is added to their addresses.
    pub base: u32,
}

/// What takes the trace of a system.
#[derive(Clone, Copy, Debug)]
pub enum SharedSink {
    /// A memory.
    Memory(MemorySink),
    /// What is outside.
    Port(Sink),
}

/// The Verilog of a system, and what is in it.
#[derive(Clone, Debug)]
pub struct WholeSystem {
    /// The outermost module with every file.
    pub verilog: Generated,
    /// The harts.
    pub harts: Vec<Hart>,
    /// The funnel.
    pub funnel: message_funnel::Config,
    /// What takes the trace of all.
    pub sink: SharedSink,
    /// The registers of the funnel, and in the next page those of the sink, if it has any.
    pub shared_registers: Map,
    /// What is added to their addresses.
    pub shared_base: u32,
}

impl WholeSystem {
    /// Builds the model, or takes it from the cache.
    ///
    /// # Errors
    /// When a tool is missing or fails.
    pub fn build(&self, options: &BuildOptions) -> Result<Arc<Library>> {
        let probed = self.harts.iter().map(|hart| Probed {
            prefix: hart.prefix.clone(),
            path: hart.path.iter().map(|instance| format!("{instance}.")).collect(),
            trace_module: &hart.trace_module,
            lanes: hart.ingress.map_or(1, Ingress::lanes),
        });
        let nets = funnel::nets(self.funnel.sources);
        probe::model_of(&self.verilog, &probed.collect::<Vec<_>>(), &nets).build(options)
    }
}

/// What was found of one hart.
#[derive(Clone, Debug, Default)]
pub struct HartReport {
    /// Events and instructions of the trace.
    pub events: u64,
    /// The instructions.
    pub instructions: u64,
    /// Instructions that were shown to the trace module.
    pub shown: u64,
    /// Instructions of them that were lost.
    pub lost: u64,
    /// Bits that the trace module has sent.
    pub bits: u64,
    /// Cycles in which the core had to wait.
    pub stall_cycles: u64,
    /// The most bits of the trace that have waited in the trace module.
    pub fifo_high_water_bits: u64,
    /// The events that the trace module has taken.
    pub taken: Vec<Taken>,
    /// How many of them it took before it lost a block; `None` if it lost none.
    pub taken_before_loss: Option<u64>,
    /// The code that was shown; `None` where one address had two instructions, or words were not shown.
    pub code: Option<Arc<ShownCode>>,
}

/// What a co-simulation of a system found.
#[derive(Clone, Debug, Default)]
pub struct SystemReport {
    /// What the system does wrong first; `None` if nothing.
    pub failure: Option<Failure>,
    /// The harts.
    pub harts: Vec<HartReport>,
    /// Clocks after the reset.
    pub cycles: u64,
    /// What is in the ring, the oldest byte first, or what was taken outside.
    pub received: Vec<u8>,
    /// Bytes that the funnel has sent.
    pub sent_bytes: u64,
    /// The ring has lost its beginning.
    pub has_wrapped: bool,
    /// How long it took.
    pub elapsed: Duration,
}

/// Runs a trace through each hart of a system whose model is `library`, and compares.
///
/// With a flush interval for the first hart tracing is switched off and on again after so many of its events.
///
/// # Errors
/// When the model fails, or a trace cannot be read or shown; what the system does wrong is no error.
pub fn run<I: Iterator<Item = Result<Item>>>(
    library: &Arc<Library>,
    system: &WholeSystem,
    executions: Vec<((I, Known), Stimulus)>,
) -> Result<SystemReport> {
    let start = Instant::now();
    let first = executions.first().map(|(_, stimulus)| stimulus.clone()).unwrap_or_default();
    let mut bench = Bench::new(library, system, first.clone(), executions)?;
    bench.model.reset(first.reset_clocks.max(1))?;
    let mut report = SystemReport::default();
    match bench.simulate() {
        Ok(ring) => report.received = ring,
        Err(Stop::Error(error)) => return Err(error),
        Err(Stop::Failure(failure)) => {
            report.failure = Some(Failure { cycle: bench.cycles, ..failure });
        }
    }
    (report.cycles, report.has_wrapped) = (bench.cycles, bench.has_wrapped);
    report.sent_bytes = bench.sent_bytes;
    report.harts = bench.into_reports();
    report.elapsed = start.elapsed();
    Ok(report)
}
