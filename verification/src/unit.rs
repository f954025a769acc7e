//! One unit on one workload: all that `generate` writes, from the core's port to what takes the trace, against the models of
//! its parts, then the decoded trace against what the trace module took.

mod decoded;

use std::path::Path;
use std::sync::Arc;

use tracewright_hdl::unit::assemble;
use tracewright_sim::event::Item;
use tracewright_sim::unit::{Ingress, Unit};
use tracewright_testbench::stimulus::Stimulus;
use tracewright_testbench::unit::{self, Known, Report, Whole};
use tracewright_testbench::{BuildOptions, Library};

pub use self::decoded::Decoded;
pub(crate) use self::decoded::decode;
use crate::cosimulation::{files_in, watched, with_every_address};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::source::Workload;

/// The result of the co-simulation of a unit.
#[derive(Debug)]
pub struct UnitCosimulated {
    /// The testbench's report.
    pub report: Report,
    /// What became of what took the trace; `None` after a failure.
    pub decoded: Option<Decoded>,
    /// The parts that were simulated, from the core to what takes the trace.
    pub parts: Vec<String>,
}

/// Co-simulates a unit, whose design is for the machine of the workload, from the Verilog in a folder of designs if one is given.
///
/// # Errors
/// When the unit cannot be simulated as a whole, a tool is missing or the trace is bad; a difference is not an error.
pub fn cosimulate_unit(
    (unit, verilog): (&Unit, Option<&Path>),
    stimulus: &Stimulus,
    workload: &Workload,
    progress: &Progress,
) -> Result<UnitCosimulated> {
    let design = &unit.design;
    check(unit)?;
    let workload = &with_addresses(unit, workload)?;
    let mut whole = whole(unit)?;
    if let Some(folder) = verilog {
        whole.verilog.files = files_in(folder, design)?;
    }
    let library = whole.build(&BuildOptions::default())?;
    simulate((unit, &whole), &library, stimulus, workload, progress)
}

/// The model of a unit, built or from the cache.
pub(crate) fn model(unit: &Unit) -> Result<Arc<Library>> {
    check(unit)?;
    Ok(whole(unit)?.build(&BuildOptions::default())?)
}

/// Co-simulates a unit with its model.
pub(crate) fn cosimulate_model(
    unit: &Unit,
    library: &Arc<Library>,
    stimulus: &Stimulus,
    workload: &Workload,
    progress: &Progress,
) -> Result<UnitCosimulated> {
    let workload = &with_addresses(unit, workload)?;
    simulate((unit, &whole(unit)?), library, stimulus, workload, progress)
}

fn simulate(
    (unit, whole): (&Unit, &Whole),
    library: &Arc<Library>,
    stimulus: &Stimulus,
    workload: &Workload,
    progress: &Progress,
) -> Result<UnitCosimulated> {
    let design = &unit.design;
    let failed = tracewright_testbench::Error::Events;
    let items = watched(workload.items_for(design)?, progress).map(|item| item.map_err(failed));
    let known = known(workload)?;
    let report = unit::run(library, (whole, design), stimulus, (items, known))?;
    let decoded = match report.failure {
        None => Some(decode(unit, workload, &report)?),
        Some(_) => None,
    };
    Ok(UnitCosimulated { report, decoded, parts: parts(unit) })
}

/// The workload with an address for each instruction, as far as its port shows them.
pub(crate) fn with_addresses(unit: &Unit, workload: &Workload) -> Result<Workload> {
    let design = &unit.design;
    let shows_words = matches!(unit.ingress, Some(Ingress::Rvfi(_) | Ingress::Tip(_)));
    // Tracing goes off between any two instructions, so each needs an address.
    let loses = design.protocol().drops_blocks();
    let has_no_lengths = design.reads_lengths() && design.framing().is_some();
    Ok(match shows_words {
        false if loses => with_every_address(design, workload)?,
        false if has_no_lengths => workload.clone(),
        _ => workload.clone().with_all_addresses(),
    })
}

/// What is known of the program of a workload.
pub(crate) fn known(workload: &Workload) -> Result<Known> {
    let mut known = Known { program: workload.shared_program(), ..Known::default() };
    for item in workload.items(false)? {
        if let Item::Event(event) = item.map_err(Error::Items)? {
            known.event(&event);
        }
    }
    Ok(known)
}

/// Refuses what would not be simulated as it is built.
fn check(unit: &Unit) -> Result<()> {
    let design = &unit.design;
    let refused = [
        (design.traces_data(), "traces data addresses"),
        (design.cores() > 1, "traces several cores"),
        (unit.sinks.len() > 1, "has several sinks to choose from"),
        (unit.has_reader, "has a reader by a serial line"),
    ];
    match refused.into_iter().find(|(is_so, _)| *is_so) {
        Some((_, what)) => Err(Error::NotSimulated { design: design.name.clone(), what }),
        None => Ok(()),
    }
}

/// The Verilog of a unit, and what is in it.
fn whole(unit: &Unit) -> Result<Whole> {
    let design = &unit.design;
    let refused = |source| Error::Unit { design: design.name.clone(), source };
    let assembly = assemble(unit).map_err(refused)?;
    let registers = unit.control.map(|control| control.map(design)).transpose()?;
    Ok(Whole {
        trace_module: assembly.trace_module.clone(),
        path: assembly.path(),
        verilog: assembly.into_whole(),
        ingress: unit.ingress,
        sink: unit.sinks.first().copied(),
        registers,
        ram_sink: unit.control.and_then(|control| control.sink(design)),
        system_memory: unit.control.and_then(|control| control.system_memory_sink(design)),
    })
}

/// What a unit is made of, in words.
fn parts(unit: &Unit) -> Vec<String> {
    let adapter =
        unit.ingress.map(|ingress| format!("{} x{} adapter", ingress.name(), ingress.lanes()));
    let bus = unit.control.map(|control| control.bus);
    let registers = bus.map(|bus| bus.registers().to_owned());
    let ring = unit.control.and_then(|control| control.ram_sink);
    let ring = ring.map(|bytes| format!("ring of {bytes} bytes"));
    let memory = unit.control.and_then(|control| control.system_memory);
    let memory = memory.map(|_| "ring in system memory".to_owned());
    let sink = unit.sinks.first().map(|sink| format!("{} sink", sink.name()));
    let around = [sink, registers, ring, memory].into_iter().flatten();
    adapter.into_iter().chain(["trace module".to_owned()]).chain(around).collect()
}
