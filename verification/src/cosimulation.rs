//! One design on one workload: the hardware's bits against the model's, then the decoded trace against the input.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use serde::Deserialize;
use tracewright_hdl::Generated;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Item};
use tracewright_sim::filter::Settings;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{self, Design, Encoder};
use tracewright_sim::session::copying::Copying;
use tracewright_testbench::cosim::{self, Activity, Failure, Options, Report};
use tracewright_testbench::stimulus::Stimulus;
use tracewright_testbench::{BuildOptions, Library, design as models};

use crate::by_thread::ByThread;
use crate::error::{Error, Result};
use crate::golden_trace::Trace;
use crate::packets::decodes_packets;
use crate::progress::Progress;
use crate::source::{Items, Workload};

/// Cycles before a failure that are written as waves.
const WAVE_CYCLES: u64 = 1000;

/// Items between two reports of progress.
const PROGRESS_ITEMS: u64 = 1 << 16;

/// Options of a co-simulation.
#[derive(Clone, Debug, Default)]
pub struct Setup<'a> {
    /// Pace, stalls and seeds of what the hardware is shown.
    pub stimulus: Stimulus,
    /// The file for waves after a failure.
    pub waves: Option<&'a Path>,
    /// The file for the coverage of the Verilog.
    pub coverage: Option<&'a Path>,
    /// Counts toggles too, if coverage is counted.
    pub toggles: bool,
    /// The design's folder, or one of design folders, to read the Verilog from, instead of generating it.
    pub verilog: Option<&'a Path>,
    /// A netlist that is simulated in place of the design, and whose activity is written.
    pub gates: Option<&'a Gates>,
}

/// A netlist with the ports of a design, and what is to be written of its activity.
#[derive(Clone, Debug)]
pub struct Gates {
    /// Names and texts of its files.
    pub files: Vec<(String, String)>,
    /// What is written.
    pub activity: Activity,
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
    /// True if the model's trace decodes to the input; `None` if the workload has no program to decode it with.
    pub decoded_equal: Option<bool>,
}

/// Co-simulates `design`, which is for the machine of the workload. `progress` is in events and accesses.
///
/// # Errors
/// When a tool is missing or the trace is bad; a difference is not an error.
pub fn cosimulate(
    setup: &Setup<'_>,
    design: &Design,
    workload: &Workload,
    progress: &Progress,
) -> Result<Cosimulated> {
    cosimulate_model(setup, &model(setup, design)?, design, workload, progress)
}

/// Co-simulates `model`, which [`model`] made from this design with this setup.
pub(crate) fn cosimulate_model(
    setup: &Setup<'_>,
    model: &Arc<Library>,
    design: &Design,
    workload: &Workload,
    progress: &Progress,
) -> Result<Cosimulated> {
    let workload = &with_addresses(design, workload)?;
    let (report, trace) = simulate(setup, model, design, workload, progress)?;
    let failure = match &report.failure {
        None => None,
        Some(failure) => Some(describe(setup, failure, design, workload)?),
    };
    let sent_bits = trace.bits();
    let trace = match failure {
        None if !design.protocol().has_gaps_alone() => trace,
        // The simulation did not reach the end, or a decoder without packets would stop at the first part that is missing.
        _ => encode(design, workload)?,
    };
    let bits = if failure.is_none() { sent_bits } else { trace.bits() };
    let resets = if failure.is_none() { setup.stimulus.resets.len() } else { 0 };
    let filter = match failure {
        None => setup.stimulus.filter.clone(),
        Some(_) => Settings::default(),
    };
    let decoded_equal = decodes(design, workload, trace, resets, &filter)?;
    Ok(Cosimulated { report, failure, bits, decoded_equal })
}

/// A packet ends after any block where blocks are lost, so each instruction needs an address.
fn with_addresses(design: &Design, workload: &Workload) -> Result<Workload> {
    match design.protocol().drops_blocks() {
        true => with_every_address(design, workload),
        false => Ok(workload.clone()),
    }
}

/// The workload with an address for each instruction of a program that was learned.
pub(crate) fn with_every_address(design: &Design, workload: &Workload) -> Result<Workload> {
    let is_learned = workload.program().is_some_and(|program| !program.is_code());
    if is_learned && design.reads_lengths() && design.framing().is_some() {
        return Err(Error::UnknownLengths { design: design.name.clone() });
    }
    Ok(workload.clone().with_all_addresses())
}

/// Runs the hardware against the golden encoder, and gives the trace of the latter, or what was received if there are
/// resets or discards, at which bits of the latter are lost in the hardware.
fn simulate(
    setup: &Setup<'_>,
    model: &Arc<Library>,
    design: &Design,
    workload: &Workload,
    progress: &Progress,
) -> Result<(Report, Trace)> {
    let mut stimulus = setup.stimulus.clone();
    // A trace without packets does not say that something was discarded.
    stimulus.discards &= design.framing().is_some();
    let options = Options {
        stimulus,
        program: workload.shared_program().filter(|_| design.protocol().drops_blocks()),
        coverage: setup.coverage.map(Path::to_path_buf),
        activity: setup.gates.map(|gates| gates.activity.clone()),
        ..Options::default()
    };
    let trace = Rc::new(RefCell::new(Trace::default()));
    let start = || {
        // A second run, for waves, starts over.
        trace.take();
        // The order of several cores' records is that of the simulation.
        let golden = Copying::new(Encoder::new(design)?, &trace);
        let items = workload.items_for(design)?;
        Ok::<_, Error>((golden, watched(items, progress)))
    };
    let discards = options.stimulus.discards && design.protocol().enable_pin;
    if discards || !options.stimulus.resets.is_empty() {
        let make = || start().map_err(|error| tracewright_testbench::Error::Events(error.into()));
        let (report, received) = cosim::run_with_resets(model, make, &options)?;
        return Ok((report, Trace::of(&received.bytes)));
    }
    let report = match setup.waves {
        None => {
            let (golden, items) = start()?;
            cosim::run(model, golden, items, &options)?
        }
        Some(path) => {
            let make =
                || start().map_err(|error| tracewright_testbench::Error::Events(error.into()));
            cosim::run_with_waves(model, make, &options, path.into(), WAVE_CYCLES)?
        }
    };
    Ok((report, trace.take()))
}

/// The model of the design, built or from the cache.
pub(crate) fn model(setup: &Setup<'_>, design: &Design) -> Result<Arc<Library>> {
    let build = BuildOptions {
        waves: setup.waves.is_some() || setup.gates.is_some(),
        netlist: setup.gates.is_some(),
        coverage: setup.coverage.is_some(),
        toggles: setup.toggles,
        ..BuildOptions::default()
    };
    Ok(models::source(&verilog(setup, design)?).build(&build)?)
}

/// The design's Verilog, generated or from a folder.
fn verilog(setup: &Setup<'_>, design: &Design) -> Result<Generated> {
    let mut generated = tracewright_hdl::generate(design)?;
    if let Some(folder) = setup.verilog {
        generated.files = files_in(folder, design)?;
    }
    if let Some(gates) = setup.gates {
        generated.files.clone_from(&gates.files);
    }
    Ok(generated)
}

/// The Verilog files of a design, as `generate` has written them into this folder, or into the design's folder in it.
pub(crate) fn files_in(folder: &Path, design: &Design) -> Result<Vec<(String, String)>> {
    let is_of_design = folder.join(MANIFEST).exists();
    let folder = if is_of_design { folder.to_owned() } else { folder.join(&design.name) };
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read_to_string(&path).map_err(|source| Error::Read { path, source })
    };
    let manifest: Manifest = serde_json::from_str(&read(MANIFEST)?)
        .map_err(|source| Error::Manifest { path: folder.join(MANIFEST), source })?;
    check_parameters(&manifest, design, &folder)?;
    manifest.files.into_iter().map(|name| read(&name).map(|text| (name, text))).collect()
}

/// The Verilog files of the system of this name in a folder of systems, or in its own.
pub(crate) fn files_of_system(folder: &Path, name: &str) -> Result<Vec<(String, String)>> {
    let is_of_system = folder.join(MANIFEST).exists();
    let folder = if is_of_system { folder.to_owned() } else { folder.join(name) };
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read_to_string(&path).map_err(|source| Error::Read { path, source })
    };
    let manifest: Manifest = serde_json::from_str(&read(MANIFEST)?)
        .map_err(|source| Error::Manifest { path: folder.join(MANIFEST), source })?;
    let verilog = manifest.files.into_iter().filter(|name| name.ends_with(".v"));
    verilog.map(|name| read(&name).map(|text| (name, text))).collect()
}

/// The file in a design's folder that lists its Verilog files.
pub const MANIFEST: &str = "manifest.json";

/// What is needed of a manifest.
#[derive(Deserialize)]
struct Manifest {
    files: Vec<String>,
    #[serde(default)]
    parameters: serde_json::Map<String, serde_json::Value>,
}

/// Refuses Verilog of other parameters than the design's, such as the alignment, which follows the trace.
fn check_parameters(manifest: &Manifest, design: &Design, folder: &Path) -> Result<()> {
    let path = folder.join(MANIFEST);
    for (parameter, expected) in design.resolved().values() {
        let expected = serde_json::to_value(expected)
            .map_err(|source| Error::Manifest { path: path.clone(), source })?;
        if let Some(found) = manifest.parameters.get(parameter).filter(|found| **found != expected)
        {
            let (found, expected) = (found.to_string(), expected.to_string());
            return Err(Error::OtherVerilog { path, parameter, found, expected });
        }
    }
    Ok(())
}

/// The items; reading them reports progress.
pub(crate) fn watched(items: Items, progress: &Progress) -> Items {
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
    workload: &Workload,
) -> Result<String> {
    let Failure::Mismatch(mismatch) = failure else {
        return Ok(failure.to_string());
    };
    let items = workload.items_for(design)?;
    let explanation = models::explain(design, items, setup.stimulus.flush_interval, mismatch)?;
    Ok(format!("cycle {}, trace bit {}: {explanation}", mismatch.cycle, mismatch.bit))
}

/// The golden encoder's trace in the order of the input.
pub(crate) fn encode(design: &Design, workload: &Workload) -> Result<Trace> {
    let mut encoder = Encoder::new(design)?;
    let mut trace = Trace::default();
    for item in workload.items_for(design)? {
        encoder.item(&item.map_err(Error::Items)?, &mut trace)?;
    }
    encoder.flush(&mut trace);
    Ok(trace)
}

/// True if a trace decodes to the input, thread by thread, with at most so many resets; `None` without a program.
pub(crate) fn decodes(
    design: &Design,
    workload: &Workload,
    trace: Trace,
    resets: usize,
    filter: &Settings,
) -> Result<Option<bool>> {
    let bytes = trace.into_bytes();
    let data = design.traces_data();
    // Without packets, a decoder that follows a program gives no states, and cycles beside the events.
    let is_given = move |item: &_| data || !matches!(item, Ok(Item::State(_) | Item::Cycles(_)));
    let mut expected = ByThread::new(Box::new(workload.items(data)?.filter(is_given)) as Items);
    let mut equal = true;
    let mut emit = |item: Item| {
        let wanted = expected.next(item.thread()).map_err(Error::Items)?;
        equal &= wanted.map(comparable) == Some(comparable(item));
        Ok::<(), Error>(())
    };
    let mut bits = BitUnpacker::new(bytes.as_slice());
    if data {
        let execution = workload.items(data)?;
        let sites = execution.map(|item| item.map(Item::site).map_err(Error::Items));
        scheme::decode_data(design, sites, &mut bits, emit)?;
    } else {
        let Some(program) = workload.program() else { return Ok(None) };
        if design.framing().is_some() {
            return decodes_packets(design, program, workload, &mut bits, resets, filter).map(Some);
        }
        let emit = |event| emit(Item::Event(event));
        scheme::decode(design, program, &mut bits, workload.learned().instructions, emit)?;
    }
    Ok(Some(equal && expected.is_empty().map_err(Error::Items)?))
}

/// An item as a trace has it: only calls have lengths.
pub(crate) fn comparable(item: Item) -> Item {
    match item {
        Item::Event(event) => {
            Item::Event(Event { length: if event.call { event.length } else { 0 }, ..event })
        }
        other => other,
    }
}
