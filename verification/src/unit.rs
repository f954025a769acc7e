//! One unit on one workload: all that `generate` writes, from the core's port to what takes the trace, against the models of
//! its parts, then the decoded trace against what the trace module took.

use std::path::Path;
use std::sync::Arc;

use tracewright_packaging::control::Bus;
use tracewright_packaging::{Ingress, Unit};
use tracewright_sim::code::Code;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Isa, Item, Kind, Machine};
use tracewright_sim::packet::header::MOST_LOST;
use tracewright_sim::packet::part::{Part, Reason};
use tracewright_sim::program::{Program, ProgramBuilder};
use tracewright_sim::scheme::{self, Design};
use tracewright_testbench::BuildOptions;
use tracewright_testbench::stimulus::Stimulus;
use tracewright_testbench::unit::{self, Known, Report, Taken, Whole};

use crate::cosimulation::{files_in, watched};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::source::Workload;

/// The result of the co-simulation of a unit.
#[derive(Debug)]
pub struct UnitCosimulated {
    /// The testbench's report.
    pub report: Report,
    /// True if what took the trace has what the trace module took; `None` where that is not decoded.
    pub decoded_equal: Option<bool>,
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
    let mut whole = whole(unit)?;
    if let Some(folder) = verilog {
        whole.verilog.files = files_in(folder, design)?;
    }
    let library = whole.build(&BuildOptions::default())?;
    let failed = tracewright_testbench::Error::Events;
    let items = watched(workload.items_for(design)?, progress).map(|item| item.map_err(failed));
    let known = known(workload)?;
    let report = unit::run(&library, (&whole, design), stimulus, (items, known))?;
    // What is lost while tracing goes off is not told apart from what comes while it is off.
    let is_blurred = design.protocol().drops_blocks() && stimulus.flush_interval.is_some();
    let decoded_equal = match report.failure {
        None if !is_blurred => decodes(unit, workload, &report)?,
        _ => None,
    };
    Ok(UnitCosimulated { report, decoded_equal, parts: parts(unit) })
}

/// What is known of the program of a workload.
fn known(workload: &Workload) -> Result<Known> {
    let program = workload.shared_program().filter(|program| program.is_code());
    let mut known = Known { program, ..Known::default() };
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
    let assembly = unit.assemble().map_err(refused)?;
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
    let registers = bus.map(|bus| match bus {
        Bus::Apb => "apb registers".to_owned(),
        Bus::AxiLite => "axi-lite registers".to_owned(),
    });
    let ring = unit.control.and_then(|control| control.ram_sink);
    let ring = ring.map(|bytes| format!("ring of {bytes} bytes"));
    let memory = unit.control.and_then(|control| control.system_memory);
    let memory = memory.map(|_| "ring in system memory".to_owned());
    let sink = unit.sinks.first().map(|sink| format!("{} sink", sink.name()));
    let around = [sink, registers, ring, memory].into_iter().flatten();
    adapter.into_iter().chain(["trace module".to_owned()]).chain(around).collect()
}

/// The program that a trace is decoded with: the code that the core has shown, or that of the workload.
fn program(unit: &Unit, workload: &Workload, report: &Report) -> Result<Option<Program>> {
    let shows_words = matches!(unit.ingress, Some(Ingress::Rvfi(_)));
    if !shows_words {
        return Ok(workload.program().cloned());
    }
    let machine = Machine { isa: Isa::RiscV, ..workload.machine() };
    if let Some(code) = report.code.clone() {
        let code: Arc<dyn Code> = code;
        // Code that is too much for a decoder is not decoded.
        return Ok(Program::of_code(machine, code, None).ok());
    }
    // Of lengths that were made up an address may have two.
    if unit.design.reads_lengths() {
        return Ok(None);
    }
    let mut builder = ProgramBuilder::new(machine);
    let learned = report.events_shown.iter().try_for_each(|event| builder.event(event));
    Ok(learned.and_then(|()| builder.finish()).ok())
}

/// Events as they are found in a trace, with the instructions up to each.
#[derive(Default)]
struct Found {
    at: u64,
    events: Vec<Taken>,
    /// There is a gap that does not say how much is missing, or that no module makes.
    is_cut: bool,
}

impl Found {
    fn event(&mut self, event: &Event) {
        self.at += event.instructions;
        let Event { instructions, program_counter, taken, target, kind, .. } = *event;
        // A system call that came back is a straight run to the hardware.
        if kind == Kind::Exception && !taken {
            return;
        }
        let target = if taken { target } else { 0 };
        // Of an exception after no instruction the trace may not say where it was.
        let program_counter = if instructions == 0 { 0 } else { program_counter };
        self.events.push(Taken { at: self.at, program_counter, taken, target });
    }
}

/// True if the trace has the events that the trace module has taken, each after as many instructions.
fn decodes(unit: &Unit, workload: &Workload, report: &Report) -> Result<Option<bool>> {
    let design = &unit.design;
    // Words of a ring end in zeros, which only a reader of packets passes over; and code that a trace ingress port shows
    // piece by piece is not put together again.
    let is_in_ring = unit
        .control
        .is_some_and(|control| control.ram_sink.is_some() || control.system_memory.is_some());
    let is_of_tip = matches!(unit.ingress, Some(Ingress::Tip(_)));
    if is_of_tip || is_in_ring && design.framing().is_none() {
        return Ok(None);
    }
    let Some(program) = program(unit, workload, report)? else { return Ok(None) };
    let has_packets = design.framing().is_some();
    let mut found = Found::default();
    let trailing = if has_packets {
        packets(design, &program, report, &mut found)?
    } else {
        let mut bits = BitUnpacker::new(report.received.as_slice());
        let each = |event: Event| {
            found.event(&event);
            Ok::<(), Error>(())
        };
        match scheme::decode(design, &program, &mut bits, report.shown, each) {
            Ok(summary) => summary.trailing_instructions,
            // It ends at the first blocks that were lost.
            Err(_) if report.lost > 0 => {
                return Ok(Some(report.taken.starts_with(&found.events)));
            }
            Err(error) => return Err(error),
        }
    };
    if found.is_cut {
        return Ok(Some(false));
    }
    let end = found.at + trailing;
    let Some(before) = report.shown.checked_sub(end) else { return Ok(Some(false)) };
    let missing = report.taken.len().checked_sub(found.events.len());
    let Some(missing) =
        missing.filter(|missing| report.has_wrapped || *missing == 0 && before == 0)
    else {
        return Ok(Some(false));
    };
    let known = |one: &Taken| (one.program_counter, one.taken, one.target);
    let mut pairs = found.events.iter().zip(&report.taken[missing..]);
    let is_same = |(one, other): (&Taken, &Taken)| {
        one.at + before == other.at
            && (known(one) == known(other)
                || one.taken && one.target == other.target && one.program_counter == 0)
    };
    Ok(Some(pairs.all(is_same)))
}

/// Decodes packets; gives the instructions after the last event.
fn packets(design: &Design, program: &Program, report: &Report, found: &mut Found) -> Result<u64> {
    let mut bits = BitUnpacker::new(report.received.as_slice());
    let recovered = scheme::decode_packets(design, program, &mut bits, report.shown, |part| {
        match part {
            Part::Event(event) => found.event(&event),
            Part::Gap(gap) => {
                found.at += gap.trailing_instructions;
                match gap.reason {
                    Reason::Lost(loss) if loss.instructions < MOST_LOST => {
                        found.at += loss.instructions;
                    }
                    reason => {
                        let is_beginning =
                            report.has_wrapped && found.at == 0 && reason.name() == "beginning";
                        found.is_cut |= !is_beginning;
                    }
                }
            }
            Part::State(_) | Part::Time(_) | Part::Unverified => {}
        }
        Ok::<(), Error>(())
    })?;
    Ok(recovered.trailing_instructions)
}
