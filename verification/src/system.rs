//! A system on a workload for each of its harts: all that `generate` writes, from the cores' ports to the ring, against the
//! models of its parts, then the trace of each hart in the ring against what its trace module took.

use std::path::Path;
use std::sync::Arc;

use tracewright_hdl::Fault;
use tracewright_hdl::unit::{SystemAssembly, assemble_system, assemble_system_with_faults};
use tracewright_sim::message_funnel::by_source;
use tracewright_sim::unit::{System, SystemSinkConfig, Unit, register_base};
use tracewright_testbench::stimulus::Stimulus;
use tracewright_testbench::unit::system::{
    self, Hart, HartReport, SharedSink, SystemReport, WholeSystem,
};
use tracewright_testbench::unit::{MemorySink, Report};
use tracewright_testbench::{BuildOptions, Library};

use crate::cosimulation::{files_of_system, watched};
use crate::error::Result;
use crate::progress::Progress;
use crate::source::Workload;
use crate::unit::{Decoded, decode, known, with_addresses};

/// The result of the co-simulation of a system.
#[derive(Debug)]
pub struct SystemCosimulated {
    /// The testbench's report.
    pub report: SystemReport,
    /// What became of each hart's trace; none after a failure.
    pub decoded: Vec<Decoded>,
}

/// Co-simulates a system, whose designs are for the machines of the workloads, one for each hart, from the Verilog in a folder
/// of systems if one is given.
///
/// # Errors
/// When the system cannot be put together, a tool is missing or a trace is bad; a difference is not an error.
pub fn cosimulate_system(
    (system, verilog): (&System, Option<&Path>),
    stimuli: &[Stimulus],
    workloads: &[Workload],
    progress: &Progress,
) -> Result<SystemCosimulated> {
    cosimulate_system_model((system, verilog), None, stimuli, workloads, progress)
}

/// The model of a system with an input `fault_select`, which switches on one of these faults in how its units and what they
/// share are joined, counted from 1.
///
/// # Errors
/// When the system cannot be put together, or a tool is missing.
pub fn system_with_faults(system: &System) -> Result<(Arc<Library>, Vec<Fault>)> {
    let whole = whole(system, assemble_system_with_faults(system)?)?;
    Ok((whole.build(&BuildOptions::default())?, whole.verilog.faults))
}

/// The model of a system, built or from the cache.
pub(crate) fn model(system: &System) -> Result<Arc<Library>> {
    Ok(whole(system, assemble_system(system)?)?.build(&BuildOptions::default())?)
}

/// Co-simulates a system as [`cosimulate_system`] does, with its model if there is one.
///
/// # Errors
/// Those of [`cosimulate_system`].
pub fn cosimulate_system_model(
    (system, verilog): (&System, Option<&Path>),
    model: Option<&Arc<Library>>,
    stimuli: &[Stimulus],
    workloads: &[Workload],
    progress: &Progress,
) -> Result<SystemCosimulated> {
    let units: Vec<Unit> = system.harts.iter().map(|hart| hart.unit(&system.sink)).collect();
    let with_addresses = |(unit, workload)| with_addresses(unit, workload);
    let workloads: Vec<Workload> =
        units.iter().zip(workloads).map(with_addresses).collect::<Result<_>>()?;
    let mut whole = whole(system, assemble_system(system)?)?;
    if let Some(folder) = verilog {
        whole.verilog.files = files_of_system(folder, &system.name)?;
    }
    let library = match model {
        Some(model) => Arc::clone(model),
        None => whole.build(&BuildOptions::default())?,
    };
    let executions = units.iter().zip(&workloads).map(|(unit, workload)| {
        let failed = tracewright_testbench::Error::Events;
        let items = watched(workload.items_for(&unit.design)?, progress);
        Ok((items.map(move |item| item.map_err(failed)), known(workload)?))
    });
    let executions = executions.collect::<Result<Vec<_>>>()?;
    let executions = executions.into_iter().zip(stimuli.iter().cloned());
    let report = system::run(&library, &whole, executions.collect())?;
    let decoded = match report.failure {
        Some(_) => Vec::new(),
        None => decoded(system, (&units, &workloads), &report)?,
    };
    Ok(SystemCosimulated { report, decoded })
}

/// The Verilog of a system, and what is in it.
fn whole(system: &System, assembly: SystemAssembly) -> Result<WholeSystem> {
    let harts = system.harts.iter().zip(&assembly.units).enumerate();
    let harts = harts.map(|(place, (hart, unit))| {
        let below = unit.path().into_iter().map(str::to_owned);
        Ok(Hart {
            prefix: hart.pin(""),
            design: hart.design.clone(),
            ingress: hart.ingress,
            trace_module: unit.trace_module.clone(),
            path: std::iter::once(hart.instance()).chain(below).collect(),
            registers: hart.registers()?,
            base: register_base(place),
        })
    });
    Ok(WholeSystem {
        harts: harts.collect::<Result<_>>()?,
        verilog: assembly.whole,
        funnel: assembly.funnel,
        sink: match assembly.sink {
            SystemSinkConfig::Ring(config) => SharedSink::Memory(MemorySink::Ring(config)),
            SystemSinkConfig::Memory(config) => SharedSink::Memory(MemorySink::Memory(config)),
            SystemSinkConfig::Port(sink) => SharedSink::Port(sink),
        },
        shared_registers: assembly.shared_registers,
        shared_base: register_base(system.harts.len()),
    })
}

/// The trace of each hart in the ring, decoded and compared.
fn decoded(
    system: &System,
    (units, workloads): (&[Unit], &[Workload]),
    report: &SystemReport,
) -> Result<Vec<Decoded>> {
    if report.has_wrapped {
        let why = "the ring has lost the beginning, and a trace without packets is decoded from there alone";
        return Ok(vec![Decoded::Not(why); units.len()]);
    }
    let funnel = system.funnel()?;
    // The last word of the ring is filled up with zeros.
    let sent = report.received.len().min(report.sent_bytes as usize);
    let source_bits = units.first().map_or(0, |unit| unit.design.protocol().source_bits);
    let mut sources = by_source(&report.received[..sent], funnel.messages, source_bits);
    let mut all = Vec::new();
    for ((unit, workload), hart) in units.iter().zip(workloads).zip(&report.harts) {
        let received = sources.remove(&unit.design.protocol().source_id).unwrap_or_default();
        all.push(decode(unit, workload, &of_hart(hart, received))?);
    }
    match sources.keys().next() {
        Some(source) => {
            Ok(vec![Decoded::Different(format!("messages of source {source}, which no hart has"))])
        }
        None => Ok(all),
    }
}

/// What a unit alone would have reported, whose trace this is.
fn of_hart(hart: &HartReport, received: Vec<u8>) -> Report {
    Report {
        shown: hart.shown,
        taken: hart.taken.clone(),
        taken_before_loss: hart.taken_before_loss,
        sent_bytes: received.len() as u64,
        received,
        code: hart.code.clone(),
        ..Report::default()
    }
}
