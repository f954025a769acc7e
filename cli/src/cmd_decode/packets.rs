//! Decoding a trace of packets: parts of the execution as traces of their own, and the gaps between them.

use std::io::Write;

use anyhow::{Result, anyhow};
use serde::Serialize;
use tracewright_sim::config::Protocol;
use tracewright_sim::event::{Event, ExecutionState, Item};
use tracewright_sim::packet::part::{Gap, Part, Recovered};
use tracewright_sim::program::{Place, Programs};
use tracewright_sim::trace_io::Format;

use super::times::open_times;
use super::{Arguments, Destination, Done, Traced};
use crate::pipeline::aside::Ended;
use crate::pipeline::contexts::Contexts;
use crate::pipeline::encoded::{Encoded, Packets};
use crate::pipeline::gaps::{self, ShownGap};
use crate::pipeline::output::{self, Output};
use crate::pipeline::parts::{Forms, OpenPart, Written};
use crate::pipeline::print;
use crate::pipeline::program_counters::ProgramCounters;

/// What there is of a trace of packets.
#[derive(Serialize)]
pub struct Recovery {
    packets: u64,
    /// True if nothing is missing but what the filter left out, as far as that is known.
    complete: bool,
    lost_instructions: u64,
    filtered_instructions: u64,
    /// Events of a packet in which the trace ends, which nothing confirms.
    unverified_events: u64,
    /// Contexts, privilege levels and causes in the trace.
    states: u64,
    gap_bits: u64,
    /// How the file is damaged.
    damage: Option<String>,
    parts: Vec<Written>,
    gaps: Vec<ShownGap>,
}

/// Decodes a trace of packets.
///
/// # Errors
/// When the file, the program or the output is bad, or they do not belong together; with exit status 3 if
/// there are gaps or the file is damaged.
pub fn run(
    arguments: &Arguments,
    format: Format,
    contexts: &Contexts,
    encoded: Encoded<'_>,
) -> Result<()> {
    let design = encoded.design.clone();
    let traced = Traced::new(arguments, contexts, encoded.machine, &design)?;
    let programs = traced.programs.all()?;
    let mut parts = Parts::new(arguments, &traced, &programs, format)?;
    let packets = encoded.packets(&programs, arguments.program.path(), |part| match part {
        Part::Gap(gap) => parts.gap(&gap),
        Part::Event(event) => parts.event(&event),
        Part::State(state) => parts.state(&state),
        Part::Time(time) => parts.time(time),
        Part::Unverified => Ok(()),
    });
    match packets {
        Ok(packets) => report(parts, packets),
        Err(error) => {
            // An item that cannot be written comes before what ended decoding.
            parts.writer.take().map_or(Ok(()), OpenPart::close)?;
            Err(error)
        }
    }
}

/// Prints what was decoded.
fn report(mut parts: Parts<'_>, packets: Packets) -> Result<()> {
    let arguments = parts.arguments;
    let is_whole = packets.recovered.gaps == 0;
    parts.end(is_whole)?;
    match is_whole {
        true => parts.forms.written_whole()?,
        false => parts.forms.written_parts(parts.written.len())?,
    }
    let trailing = packets.recovered.trailing_instructions;
    let counters = parts.program_counters.take().map(|file| file.finish(trailing)).transpose()?;
    output::commit_all(parts.times.take().into_iter().chain(counters))?;
    let file = arguments.file.display().to_string();
    let failure = gaps::failure(&file, &packets, arguments.encoded.allow_gaps);
    if !arguments.output.is_stdout() {
        let Packets { recovered, is_verified, damage, .. } = packets;
        let done = Done {
            design: parts.traced.design.name.clone(),
            file,
            program: arguments.program.path().display().to_string(),
            output: arguments.output.display().to_string(),
            events: recovered.events,
            accesses: 0,
            instructions: recovered.instructions,
            records: recovered.records,
            verified: is_verified,
            packets: Some(Recovery {
                packets: recovered.packets,
                complete: is_complete(parts.traced.design.protocol(), &recovered, is_verified),
                lost_instructions: recovered.lost_instructions,
                filtered_instructions: recovered.filtered_instructions,
                unverified_events: recovered.unverified_events,
                states: recovered.states,
                gap_bits: recovered.gap_bits,
                damage,
                parts: parts.written,
                gaps: parts.gaps,
            }),
        };
        match arguments.json {
            true => print::json(&done)?,
            false => print::sentences(&text(&done))?,
        }
    }
    failure.map_or(Ok(()), Err)
}

/// True if nothing is missing. Without numbers a packet that is missing may leave no sign, unless the trace is in a
/// file with checks of its own, or no packet can be between the first one and the end.
fn is_complete(protocol: &Protocol, recovered: &Recovered, is_verified: bool) -> bool {
    let is_known = protocol.number_bits() > 0 || is_verified || recovered.packets <= 2;
    is_known && recovered.gaps == recovered.filtered_gaps
}

fn text(done: &Done) -> String {
    let gaps = done.packets.as_ref().map_or(&[][..], |packets| &packets.gaps);
    gaps::text(gaps) + &done.sentence()
}

/// The parts that are being written.
struct Parts<'a> {
    arguments: &'a Arguments,
    traced: &'a Traced<'a>,
    programs: &'a Programs<'a>,
    format: Format,
    forms: Forms<'a>,
    /// The part at hand.
    writer: Option<OpenPart>,
    /// The file of times, and the events of all parts so far.
    times: Option<Output>,
    events: u64,
    program_counters: Option<ProgramCounters>,
    written: Vec<Written>,
    gaps: Vec<ShownGap>,
}

impl<'a> Parts<'a> {
    fn new(
        arguments: &'a Arguments,
        traced: &'a Traced<'a>,
        programs: &'a Programs<'a>,
        format: Format,
    ) -> Result<Self> {
        let mut parts = Self {
            arguments,
            traced,
            programs,
            format,
            forms: Forms::new(&arguments.output)?,
            writer: None,
            times: open_times(arguments, traced.design)?,
            events: 0,
            program_counters: traced.program_counters(arguments)?,
            written: Vec::new(),
            gaps: Vec::new(),
        };
        // A file that cannot be written is found before the trace is decoded.
        parts.begin(None)?;
        Ok(parts)
    }

    fn event(&mut self, event: &Event) -> Result<()> {
        if let Some(program_counters) = &mut self.program_counters {
            program_counters.event(event)?;
        }
        self.events += u64::from(self.writer.is_some());
        self.item(Item::Event(*event))
    }

    fn item(&mut self, item: Item) -> Result<()> {
        let Some(part) = &mut self.writer else { return Ok(()) };
        match part.item(item) {
            Ok(()) => Ok(()),
            Err(Ended) => Ok(self.writer.take().map_or(Ok(()), OpenPart::close)?),
        }
    }

    fn state(&mut self, state: &ExecutionState) -> Result<()> {
        if let Some(program_counters) = &mut self.program_counters {
            program_counters.state(state)?;
        }
        self.item(Item::State(*state))
    }

    /// Writes when the last instruction before a packet retired.
    fn time(&mut self, time: u64) -> Result<()> {
        if let Some(times) = &mut self.times {
            writeln!(times, "0,{time},{}", self.events)?;
        }
        Ok(())
    }

    /// Ends a part, and begins the next one.
    fn gap(&mut self, gap: &Gap) -> Result<()> {
        let output = &self.arguments.output;
        if output.is_stream() {
            let (file, reason) = (self.arguments.file.display(), &gap.reason);
            let output = if output.is_stdout() {
                "standard output".into()
            } else {
                output.display().to_string()
            };
            return Err(anyhow!(
                "{file}, bit {}: {reason}; {output} takes only a trace without gaps",
                gap.bits.start
            ));
        }
        if let Some(program_counters) = &mut self.program_counters {
            program_counters.gap(gap)?;
        }
        self.end(false)?;
        self.gaps.push(ShownGap::new(gap));
        let address = |place| self.programs.of(gap.context).address(place);
        let begins = gap.goes_on.filter(|place| !matches!(place, Place::Start(_)));
        self.begin(begins.and_then(address))
    }

    /// Begins a part; one that does not begin with the program begins with an exception that leads to its first
    /// instruction.
    fn begin(&mut self, goes_on: Option<u64>) -> Result<()> {
        let path = &self.arguments.output;
        let output = path.create_held()?;
        let name = output.name(path);
        let destination = Destination { output, name: &name, format: self.format };
        let mut writer = self.traced.writer(destination)?;
        if let Some(target) = goes_on {
            writer.write(&arrival(target))?;
        }
        self.writer = Some(OpenPart::new(writer));
        Ok(())
    }

    /// Gives the file of a part its name; a part without events has none.
    fn end(&mut self, is_whole: bool) -> Result<()> {
        match self.writer.take() {
            Some(part) => self.forms.finish(part, is_whole, &mut self.written),
            None => Ok(()),
        }
    }
}

/// The exception, after no instruction, with which a part begins at an address.
fn arrival(target: u64) -> Event {
    Event::exception(0, 0, target)
}
