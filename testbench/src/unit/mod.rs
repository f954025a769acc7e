//! Whole units in Verilator: what `generate` writes, from the core's port to what takes the trace, against the models of all
//! that is in it.
//!
//! A core shows the instructions of a trace at the unit's port, software drives the bus, and what takes the trace does so at
//! its pace. The pins of the trace module in the unit are seen through the module around it, so there is a comparison at each
//! boundary: what the adapter shows with the adapter's model, what the trace module sends with the golden encoder's bits, what
//! leaves the unit, or is in its ring, with what the trace module has sent. The place of a [`Failure`] is where the first of
//! them differs.

mod adapter;
mod bench;
mod execution;
mod follower;
mod hart;
mod lane;
mod outlet;
mod port;
mod probe;
mod seen;
mod software;
pub mod system;
mod words;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tracewright_hdl::Generated;
use tracewright_sim::code::{Code, Instruction};
use tracewright_sim::control::table::Map;
use tracewright_sim::event::Item;
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_sim::unit::Ingress;
use tracewright_sim::{ram_sink, system_memory_sink};

pub use self::execution::Known;
pub use self::follower::Taken;
pub use crate::recording::Trace;

use self::bench::{Bench, Stop};
use crate::BuildOptions;
use crate::error::Result;
use crate::library::Library;
use crate::stimulus::Stimulus;

/// The Verilog of a unit, and what is in it.
#[derive(Clone, Debug)]
pub struct Whole {
    /// The outermost module with every file.
    pub verilog: Generated,
    /// The trace module in it.
    pub trace_module: Generated,
    /// The instances from the outermost module down to the trace module.
    pub path: Vec<&'static str>,
    /// The adapter of the core's port.
    pub ingress: Option<Ingress>,
    /// What takes the trace, where no memory does.
    pub sink: Option<Sink>,
    /// The registers, if there are any.
    pub registers: Option<Map>,
    /// The sink with a memory of its own.
    pub ram_sink: Option<ram_sink::Config>,
    /// The sink in the memory of the system.
    pub system_memory: Option<system_memory_sink::Config>,
}

/// A memory that takes the trace.
#[derive(Clone, Copy, Debug)]
pub enum MemorySink {
    /// That of the RAM sink.
    Ring(ram_sink::Config),
    /// That of the system.
    Memory(system_memory_sink::Config),
}

impl Whole {
    /// The memory that takes the trace, if one does.
    fn memory_sink(&self) -> Option<MemorySink> {
        let ring = self.ram_sink.map(MemorySink::Ring);
        ring.or(self.system_memory.map(MemorySink::Memory))
    }

    /// What a core can show in a cycle.
    fn lanes(&self) -> u32 {
        self.ingress.map_or(1, Ingress::lanes)
    }

    /// The trace module has a pin of this name.
    fn has_module_pin(&self, name: &str) -> bool {
        self.trace_module.ports.iter().any(|port| port.name == name)
    }

    /// Registers switch the trace bus on.
    fn has_bridge(&self) -> bool {
        self.registers.is_some() && self.sink == Some(Sink::Atb)
    }

    /// Builds the model, or takes it from the cache.
    ///
    /// # Errors
    /// When a tool is missing or fails.
    pub fn build(&self, options: &BuildOptions) -> Result<Arc<Library>> {
        probe::model(self).build(options)
    }
}

/// Which part of a unit does something wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The adapter of the core's port.
    Adapter,
    /// The trace module.
    Module,
    /// The trace port of the whole.
    Port,
    /// What hands the trace on.
    Sink,
    /// The registers, and what they switch.
    Registers,
    /// The ring of the RAM sink.
    Ring,
    /// The ring in the memory of the system.
    SystemMemory,
    /// What merges the traces of several harts.
    Funnel,
    /// All of it.
    Unit,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Place::Adapter => "adapter",
            Place::Module => "trace module",
            Place::Port => "trace port",
            Place::Sink => "sink",
            Place::Registers => "registers",
            Place::Ring => "ring",
            Place::SystemMemory => "ring in system memory",
            Place::Funnel => "funnel",
            Place::Unit => "unit",
        })
    }
}

/// What a unit does wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where.
    pub place: Place,
    /// Clocks after the reset.
    pub cycle: u64,
    /// What.
    pub what: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, cycle {}: {}", self.place, self.cycle, self.what)
    }
}

/// The instructions that a core has shown, by their addresses.
#[derive(Clone, Debug)]
pub struct ShownCode(pub(crate) BTreeMap<u64, Instruction>);

impl Code for ShownCode {
    fn regions(&self) -> Vec<Range<u64>> {
        let mut regions: Vec<Range<u64>> = Vec::new();
        for (address, instruction) in &self.0 {
            let end = address + u64::from(instruction.length);
            match regions.last_mut() {
                Some(last) if last.end >= *address => last.end = last.end.max(end),
                _ => regions.push(*address..end),
            }
        }
        regions
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        self.0.get(&address).copied()
    }
}

/// What a co-simulation of a unit found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What the unit does wrong first; `None` if nothing.
    pub failure: Option<Failure>,
    /// Events and instructions of the trace.
    pub events: u64,
    /// Instructions that the core has retired.
    pub instructions: u64,
    /// Instructions that were shown to the trace module.
    pub shown: u64,
    /// Instructions of them that were lost.
    pub lost: u64,
    /// Bits that the trace module has sent.
    pub bits: u64,
    /// Clocks after the reset.
    pub cycles: u64,
    /// Cycles among them in which the core had to wait.
    pub stall_cycles: u64,
    /// The most bits of the trace that have waited in the trace module.
    pub fifo_high_water_bits: u64,
    /// The events that the trace module has taken.
    pub taken: Vec<Taken>,
    /// How many of them it took before it lost a block; `None` if it lost none.
    pub taken_before_loss: Option<u64>,
    /// What took the trace has of it, the oldest byte first.
    pub received: Vec<u8>,
    /// Bytes of it that the trace module has sent; zeros follow, up to a whole word of the memory.
    pub sent_bytes: u64,
    /// It is a ring that has lost its beginning.
    pub has_wrapped: bool,
    /// The code that was shown; `None` where one address had two instructions, or words were not shown.
    pub code: Option<Arc<ShownCode>>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Runs the instructions of a trace through a unit whose model is `library`, and compares.
///
/// With a flush interval the trace ends and begins anew after so many events, by registers where the unit has them.
///
/// # Errors
/// When the model fails, or the trace cannot be read or shown; what the unit does wrong is no error.
pub fn run<I: Iterator<Item = Result<Item>>>(
    library: &Arc<Library>,
    (whole, design): (&Whole, &Design),
    stimulus: &Stimulus,
    execution: (I, Known),
) -> Result<Report> {
    let start = Instant::now();
    let mut bench = Bench::new(library, (whole, design), stimulus, execution)?;
    bench.model.reset(stimulus.reset_clocks.max(1))?;
    let ended = simulate(&mut bench);
    let mut report = Report { elapsed: start.elapsed(), ..Report::default() };
    match ended {
        Ok(ring) => report.received = ring.unwrap_or_default(),
        Err(Stop::Error(error)) => return Err(error),
        Err(Stop::Failure(failure)) => {
            report.failure = Some(Failure { cycle: bench.cycles, ..failure });
        }
    }
    let Bench { core, follower, receiver, .. } = bench;
    let Bench { cycles, stall_cycles, has_wrapped, .. } = bench;
    report.fifo_high_water_bits = bench.most_words * u64::from(design.port().word_bits());
    (report.events, report.instructions) = core.counts();
    report.sent_bytes = receiver.sent_bits.div_ceil(8);
    if whole.memory_sink().is_none() {
        report.received = receiver.recording.finish().bytes;
    }
    report.bits = follower.comparison.expected.popped();
    (report.shown, report.lost) = (follower.instructions, follower.lost);
    (report.cycles, report.stall_cycles, report.has_wrapped) = (cycles, stall_cycles, has_wrapped);
    report.taken = follower.taken;
    report.taken_before_loss = follower.taken_before_loss;
    report.code = core.into_code().map(Arc::new);
    Ok(report)
}

/// What happens in a run; gives what is in the ring at the end, if there is one.
fn simulate<I: Iterator<Item = Result<Item>>>(
    bench: &mut Bench<'_, I>,
) -> std::result::Result<Option<Vec<u8>>, Stop> {
    let map = bench.whole.registers.clone();
    if let Some(map) = &map {
        bench.check_registers(map)?;
        bench.switch_on()?;
    }
    let interval = bench.flush_interval();
    loop {
        bench.run(interval)?;
        if interval.is_none() || bench.core.is_over() {
            break;
        }
        match &map {
            Some(_) => bench.switch_off_and_on()?,
            None => bench.end_by_flush()?,
        }
    }
    let ring = match &map {
        Some(map) => {
            let ring = bench.switch_off()?;
            bench.check_registers(map)?;
            ring
        }
        None => {
            bench.end_by_flush()?;
            None
        }
    };
    bench.drain()?;
    Ok(ring)
}
