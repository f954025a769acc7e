//! What took the trace of a unit, decoded, against the events that its trace module took.

use std::sync::Arc;

use tracewright_sim::code::Code;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::packet::header::MOST_LOST;
use tracewright_sim::packet::part::{Part, Reason};
use tracewright_sim::program::Program;
use tracewright_sim::scheme::{self, Design};
use tracewright_sim::unit::{Ingress, Unit};
use tracewright_testbench::unit::{Report, Taken};

use crate::error::{Error, Result};
use crate::source::Workload;

/// What became of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decoded {
    /// It has the events that the trace module took, each after as many instructions.
    Equal,
    /// It has not: what differs first.
    Different(String),
    /// Why it is not decoded.
    Not(&'static str),
}

/// Events as they are found in a trace, with the instructions up to each.
#[derive(Default)]
struct Found {
    at: u64,
    events: Vec<Taken>,
    /// A gap that does not say how much is missing, or that no module makes.
    cut: Option<String>,
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

    /// The first event that is not what the module took, where so many instructions and events are missing before.
    fn differs(&self, taken: &[Taken], before: u64) -> Option<String> {
        let is_same = |(one, other): &(&Taken, &Taken)| {
            let target = (one.taken, one.target) == (other.taken, other.target);
            let is_nowhere = one.taken && one.program_counter == 0;
            one.at + before == other.at
                && target
                && (is_nowhere || one.program_counter == other.program_counter)
        };
        let mut pairs = self.events.iter().zip(taken);
        let at = pairs.position(|pair| !is_same(&pair))?;
        Some(format!(
            "event {at}: {}, and the trace module took {}",
            Taken { at: self.events[at].at + before, ..self.events[at] },
            taken[at]
        ))
    }
}

/// Decodes what took the trace, and compares.
///
/// # Errors
/// When the trace cannot be decoded.
pub(crate) fn decode(unit: &Unit, workload: &Workload, report: &Report) -> Result<Decoded> {
    let design = &unit.design;
    let has_packets = design.framing().is_some();
    if report.has_wrapped && !has_packets {
        return Ok(Decoded::Not(
            "the ring has lost the beginning, and a trace without packets is decoded from there alone",
        ));
    }
    let program = match program(unit, workload, report) {
        Ok(program) => program,
        Err(why) => return Ok(Decoded::Not(why)),
    };
    let mut found = Found::default();
    let trailing = if has_packets {
        packets(design, &program, report, &mut found)?
    } else {
        // The last word of a ring is filled up with zeros, which are passed over between packets alone.
        let sent = report.received.len().min(report.sent_bytes as usize);
        let mut bits = BitUnpacker::new(&report.received[..sent]);
        let each = |event: Event| {
            found.event(&event);
            Ok::<(), Error>(())
        };
        let decoded = scheme::decode(design, &program, &mut bits, report.shown, each);
        // Without packets nothing says how many instructions are missing.
        if let Some(before) = report.taken_before_loss {
            return Ok(before_loss(&found, before as usize, report));
        }
        match decoded {
            Ok(summary) => summary.trailing_instructions,
            Err(error) => return Ok(Decoded::Different(error.to_string())),
        }
    };
    Ok(compare(&found, trailing, report))
}

/// Compares the events before the first loss.
fn before_loss(found: &Found, before: usize, report: &Report) -> Decoded {
    let events = found.events.len();
    match found.differs(&report.taken[..before], 0) {
        Some(differs) => Decoded::Different(differs),
        // Where a jump led that came last is in no payload of E-Trace.
        None if events + 1 < before => {
            Decoded::Different(format!("{events} events, and {before} came before the first loss"))
        }
        None => Decoded::Equal,
    }
}

/// Compares the events of a whole trace, and the instructions after the last of them.
fn compare(found: &Found, trailing: u64, report: &Report) -> Decoded {
    let different = |what: String| Decoded::Different(what);
    if let Some(cut) = &found.cut {
        return different(cut.clone());
    }
    let (events, taken) = (found.events.len(), report.taken.len());
    let end = found.at + trailing;
    let before = report.shown.checked_sub(end).filter(|before| report.has_wrapped || *before == 0);
    let missing = taken.checked_sub(events).filter(|missing| report.has_wrapped || *missing == 0);
    let differs = found.differs(&report.taken[missing.unwrap_or(0)..], before.unwrap_or(0));
    match (differs, missing, before) {
        (Some(differs), ..) => different(differs),
        (None, Some(_), Some(_)) => Decoded::Equal,
        (None, None, _) => different(format!("{events} events, and the trace module took {taken}")),
        (None, _, None) => different(format!(
            "{end} instructions, and the trace module was shown {}",
            report.shown
        )),
    }
}

/// The program that a trace is decoded with: the code that the core has shown, or that of the workload; or why there is none.
fn program(
    unit: &Unit,
    workload: &Workload,
    report: &Report,
) -> std::result::Result<Program, &'static str> {
    let shows_words = matches!(unit.ingress, Some(Ingress::Rvfi(_) | Ingress::Tip(_)));
    if !shows_words {
        let changes = "the code changes, and there is no list of the program's files";
        return workload.program().cloned().ok_or(changes);
    }
    let machine = Machine { isa: Isa::RiscV, ..workload.machine() };
    // Runs of which no end is known may overlap others, and get other lengths there.
    let code: Arc<dyn Code> =
        report.code.clone().ok_or("one address had two instructions, which were made up")?;
    Program::of_code(machine, code, None).map_err(|_| "the code is too large")
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
                        let is_beginning = report.has_wrapped && found.at == 0;
                        let is_beginning =
                            is_beginning && matches!(reason.name(), "beginning" | "tables-unknown");
                        let at = found.events.len();
                        let what = || format!("a gap after event {at}: {reason}");
                        found.cut = found.cut.take().or_else(|| (!is_beginning).then(what));
                    }
                }
            }
            Part::State(_) | Part::Time(_) | Part::Unverified => {}
        }
        Ok::<(), Error>(())
    })?;
    Ok(recovered.trailing_instructions)
}
