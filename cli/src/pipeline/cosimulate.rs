//! Co-simulation of one design on one trace: hardware against model, then decoded trace against trace.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use tracewright_hdl::Generated;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Access, Event, Item};
use tracewright_sim::field::{Field, Sink};
use tracewright_sim::scheme::{self, Design, Encoder};
use tracewright_testbench::cosim::{self, AnyError, Failure, Golden, Report};
use tracewright_testbench::stimulus::Stimulus;
use tracewright_testbench::{BitQueue, BuildOptions, design as models};

use super::events::Learned;
use super::progress::Progress;
use super::source::{Items, Source};
use super::threads::ByThread;

/// Cycles before a failure that are written as waves.
const WAVE_CYCLES: u64 = 1000;

/// Events or accesses between updates of the progress bar.
const PROGRESS_ITEMS: u64 = 1 << 16;

/// Options of a co-simulation.
#[derive(Clone, Debug)]
pub struct Setup<'a> {
    /// Pace, stalls and seeds of what the hardware is shown.
    pub stimulus: Stimulus,
    /// The file for waves after a failure.
    pub waves: Option<&'a Path>,
    /// The file for the coverage of the Verilog.
    pub coverage: Option<&'a Path>,
    /// The folder of design folders to read the Verilog from, instead of generating it.
    pub verilog: Option<&'a Path>,
}

/// The result of a co-simulation.
#[derive(Clone, Debug)]
pub struct Cosimulated {
    /// The testbench's report.
    pub report: Report,
    /// The failure, described in terms of the trace.
    pub failure: Option<String>,
    /// Bits of the model's trace without padding.
    pub bits: u64,
    /// True if the model's trace decodes to the input.
    pub decoded_equal: bool,
}

/// Co-simulates `design`, which is for the machine of the trace.
///
/// # Errors
/// When a tool is missing or the trace is bad; a difference is not an error.
pub fn cosimulate(
    setup: &Setup<'_>,
    design: &Design,
    source: &Source,
    learned: &Arc<Learned>,
    progress: &Progress,
) -> Result<Cosimulated> {
    let build = BuildOptions {
        waves: setup.waves.is_some(),
        coverage: setup.coverage.is_some(),
        ..BuildOptions::default()
    };
    let library = models::source(&verilog(setup, design)?).build(&build)?;
    let options = cosim::Options {
        stimulus: setup.stimulus.clone(),
        coverage: setup.coverage.map(Path::to_path_buf),
        ..cosim::Options::default()
    };
    let kept = Rc::new(RefCell::new(Kept::default()));
    let start = || {
        // A run for waves starts from the beginning.
        kept.take();
        let golden = Keeping { encoder: Encoder::new(design)?, kept: Rc::clone(&kept) };
        let items = source.items(learned, design.traces_data())?;
        Ok::<_, anyhow::Error>((golden, watched(items, progress)))
    };
    let report = match setup.waves {
        None => {
            let (golden, items) = start()?;
            cosim::run(&library, golden, items, &options)?
        }
        Some(path) => {
            let make =
                || start().map_err(|error| tracewright_testbench::Error::Events(error.into()));
            cosim::run_with_waves(&library, make, &options, path.into(), WAVE_CYCLES)?
        }
    };
    let failure = match &report.failure {
        None => None,
        Some(failure) => Some(describe(setup, failure, design, source, learned)?),
    };
    let kept = match failure {
        None => kept.take(),
        // The simulation stopped before the end, so the model encodes the whole trace alone.
        Some(_) => encode(design, source, learned)?,
    };
    let bits = kept.packer.bits() - kept.padding;
    let decoded_equal = decodes(design, source, learned, kept)?;
    Ok(Cosimulated { report, failure, bits, decoded_equal })
}

/// A trace of the golden encoder.
#[derive(Default)]
struct Kept {
    packer: BitPacker,
    padding: u64,
}

impl Sink for Kept {
    #[inline]
    fn put(&mut self, _: &Field, bits: u64, count: u32) {
        self.packer.push(bits, count);
    }

    fn align(&mut self, unit: u32) {
        self.padding += u64::from(self.packer.align(unit));
    }
}

/// A golden encoder whose trace is kept: with several cores its order is that of the simulation.
struct Keeping {
    encoder: Encoder,
    kept: Rc<RefCell<Kept>>,
}

impl Golden for Keeping {
    #[inline]
    fn event(&mut self, event: &Event, bits: &mut BitQueue) -> Result<(), AnyError> {
        let mut sinks = (bits, &mut *self.kept.borrow_mut());
        self.encoder.event(event, &mut sinks).map_err(AnyError::from)
    }

    #[inline]
    fn access(&mut self, access: &Access, bits: &mut BitQueue) -> Result<(), AnyError> {
        let mut sinks = (bits, &mut *self.kept.borrow_mut());
        self.encoder.access(access, &mut sinks).map_err(AnyError::from)
    }

    fn flush(&mut self, bits: &mut BitQueue) -> Result<(), AnyError> {
        self.encoder.flush(&mut (bits, &mut *self.kept.borrow_mut()));
        Ok(())
    }

    fn is_timed(&self) -> bool {
        self.encoder.is_timed()
    }

    fn follow_clocks(&mut self) {
        self.encoder.follow_clocks();
    }

    #[inline]
    fn end_of_clock(
        &mut self,
        core: u8,
        stalled: bool,
        bits: &mut BitQueue,
    ) -> Result<(), AnyError> {
        self.encoder.end_of_clock(core, stalled, &mut (bits, &mut *self.kept.borrow_mut()));
        Ok(())
    }
}

/// The design's Verilog, generated or from a folder.
fn verilog(setup: &Setup<'_>, design: &Design) -> Result<Generated> {
    let mut generated = tracewright_hdl::generate(design)?;
    if let Some(folder) = setup.verilog {
        for (name, text) in &mut generated.files {
            let path = folder.join(&design.name).join(&*name);
            *text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
        }
    }
    Ok(generated)
}

/// The items, which update the progress bar as they are taken.
fn watched(items: Items, progress: &Progress) -> Items {
    let (progress, mut count) = (progress.clone(), 0u64);
    Box::new(items.inspect(move |_| {
        count += 1;
        if count.is_multiple_of(PROGRESS_ITEMS) {
            progress.add(PROGRESS_ITEMS);
        }
    }))
}

/// Describes the failure in terms of the trace.
fn describe(
    setup: &Setup<'_>,
    failure: &Failure,
    design: &Design,
    source: &Source,
    learned: &Arc<Learned>,
) -> Result<String> {
    let Failure::Mismatch(mismatch) = failure else {
        return Ok(failure.to_string());
    };
    let items = source.items(learned, design.traces_data())?;
    let explanation = models::explain(design, items, setup.stimulus.flush_interval, mismatch)?;
    Ok(format!("cycle {}, trace bit {}: {explanation}", mismatch.cycle, mismatch.bit))
}

/// The golden encoder's trace in the order of the input.
fn encode(design: &Design, source: &Source, learned: &Arc<Learned>) -> Result<Kept> {
    let mut encoder = Encoder::new(design)?;
    let mut kept = Kept::default();
    for item in source.items(learned, design.traces_data())? {
        encoder.item(&unboxed(item)?, &mut kept)?;
    }
    encoder.flush(&mut kept);
    Ok(kept)
}

/// True if a trace decodes to the input, thread by thread.
fn decodes(design: &Design, source: &Source, learned: &Arc<Learned>, kept: Kept) -> Result<bool> {
    let bytes = kept.packer.finish();
    let data = design.traces_data();
    let mut expected = ByThread::new(source.items(learned, data)?);
    let mut equal = true;
    let mut emit = |item: Item| {
        let wanted = unboxed(expected.next(item.thread()))?;
        equal &= wanted.map(comparable) == Some(comparable(item));
        Ok::<(), anyhow::Error>(())
    };
    let mut bits = BitUnpacker::new(bytes.as_slice());
    if data {
        let execution = source.items(learned, data)?.map(|item| unboxed(item).map(Item::site));
        scheme::decode_data(design, execution, &mut bits, emit)?;
    } else {
        let emit = |event| emit(Item::Event(event));
        scheme::decode(design, &learned.program, &mut bits, learned.instructions, emit)?;
    }
    Ok(equal && unboxed(expected.is_empty())?)
}

/// The item without the lengths of instructions other than calls, which traces do not have.
fn comparable(item: Item) -> Item {
    match item {
        Item::Event(event) => {
            Item::Event(Event { length: if event.call { event.length } else { 0 }, ..event })
        }
        access => access,
    }
}

fn unboxed<T>(result: Result<T, AnyError>) -> Result<T> {
    result.map_err(|error| anyhow!(error))
}
