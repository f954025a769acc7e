//! Decoding a trace of packets: parts of the execution as traces of their own, and the gaps between them.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use tracewright_sim::bits_file::{BitsReader, Fingerprint};
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::packet::part::{Gap, Part, Reason, Recovered};
use tracewright_sim::program::Place;
use tracewright_sim::scheme::{self, Design};
use tracewright_sim::trace_io::{Format, Writer};

use super::{
    Arguments, Destination, Done, PROGRESS_EVENTS, Traced, agreed, explain, of_totals, raw_design,
    ring,
};
use crate::pipeline::failure::{incomplete, usage};
use crate::pipeline::limits;
use crate::pipeline::output::{Output, is_stdout};
use crate::pipeline::print::{self, grouped};
use crate::pipeline::program_files::Followed;
use crate::pipeline::progress;

/// Gaps that are printed as text; JSON has all of them.
const PRINTED_GAPS: usize = 20;

/// What there is of a trace of packets.
#[derive(Serialize)]
pub struct Recovery {
    packets: u64,
    /// True if nothing is missing.
    complete: bool,
    lost_instructions: u64,
    gap_bits: u64,
    parts: Vec<Written>,
    gaps: Vec<Shown>,
}

/// A part between two gaps, which has events.
#[derive(Serialize)]
struct Written {
    output: String,
    events: u64,
    instructions: u64,
}

/// A gap.
#[derive(Serialize)]
struct Shown {
    first_bit: u64,
    end_bit: u64,
    reason: &'static str,
    says: String,
    /// Instructions before the gap that have no event, and are in no part's file.
    trailing_instructions: u64,
    /// Instructions that the hardware says were lost.
    lost_instructions: Option<u64>,
    /// Where the execution goes on.
    goes_on: Option<String>,
}

impl Shown {
    fn new(gap: &Gap) -> Self {
        let goes_on = gap.goes_on.map(|place| place.to_string());
        let lost = if let Reason::Lost(loss) = gap.reason { Some(loss.instructions) } else { None };
        Shown {
            first_bit: gap.bits.start,
            end_bit: gap.bits.end,
            reason: gap.reason.name(),
            says: gap.reason.to_string(),
            trailing_instructions: gap.trailing_instructions,
            lost_instructions: lost,
            goes_on,
        }
    }

    fn sentence(&self) -> String {
        let Shown { first_bit, end_bit, says, goes_on, .. } = self;
        let bits = match end_bit - first_bit {
            0 => format!("at bit {}", grouped(*first_bit)),
            _ => format!("bits {} to {}", grouped(*first_bit), grouped(end_bit - 1)),
        };
        let goes_on =
            goes_on.as_ref().map_or(String::new(), |place| format!("; goes on at {place}"));
        format!("gap {bits}: {says}{goes_on}\n")
    }
}

/// Decodes a trace of packets.
///
/// # Errors
/// When the file, the program or the output is bad, or they do not belong together; with exit status 3 if there are gaps.
pub fn run(
    arguments: &Arguments,
    format: Format,
    followed: &Followed,
    reader: Option<BitsReader<File>>,
    wanted: Option<Design>,
) -> Result<()> {
    if arguments.program_counters.is_some() {
        return Err(usage(
            "--program-counters: a trace of packets may have gaps, expected a design without packets",
        ));
    }
    if arguments.times.is_some() {
        return Err(usage("--times: traces of packets have no time stamps"));
    }
    let design = match &reader {
        Some(reader) => agreed(arguments, reader, wanted)?,
        None => raw_design(followed, wanted)?,
    };
    let machine = reader.as_ref().map_or(followed.machine(), |reader| reader.header().machine);
    let traced = Traced::new(arguments, followed, machine, &design)?;
    let mut parts = Parts::new(arguments, &traced, format)?;
    let (recovered, verified) = match reader {
        Some(mut reader) => {
            let most = reader.most_instructions();
            let recovered = parts.decode(&mut reader, most)?;
            let is_whole = recovered.gaps == 0;
            if is_whole {
                check(&parts, &recovered, &reader)?;
            }
            (recovered, is_whole)
        }
        None if arguments.ring => {
            let bytes = ring::turned(arguments, &traced)?;
            (parts.decode(Cursor::new(bytes), u64::MAX)?, false)
        }
        None => {
            let file = File::open(&arguments.file)
                .with_context(|| format!("cannot open {}", arguments.file.display()))?;
            (parts.decode(file, u64::MAX)?, false)
        }
    };
    report(parts, &recovered, verified)
}

/// Compares a whole trace with the totals of its file.
fn check(parts: &Parts<'_>, recovered: &Recovered, reader: &BitsReader<File>) -> Result<()> {
    let arguments = parts.arguments;
    let file = arguments.file.display();
    let totals = reader
        .totals()
        .ok_or_else(|| anyhow!("{file}: the trace ends before the end of the file"))?;
    let decoded = (recovered.events, recovered.instructions, parts.fingerprint.value());
    match decoded == of_totals(&totals) {
        true => Ok(()),
        false => Err(anyhow!(
            "{file} does not decode to the execution that was traced; is {} the program that was traced?",
            arguments.program.path().display()
        )),
    }
}

/// Prints what was decoded.
fn report(mut parts: Parts<'_>, recovered: &Recovered, verified: bool) -> Result<()> {
    let arguments = parts.arguments;
    parts.finish(recovered.gaps == 0)?;
    let file = arguments.file.display().to_string();
    let failed = (recovered.gaps > 0).then(|| {
        let (events, gaps) = (grouped(recovered.events), grouped(recovered.gaps));
        let plural = if recovered.gaps == 1 { "" } else { "s" };
        incomplete(format_args!("{file}: {gaps} gap{plural}, {events} events were decoded"))
    });
    if !is_stdout(&arguments.output) {
        let done = Done {
            design: parts.traced.design.name.clone(),
            file,
            program: arguments.program.path().display().to_string(),
            output: arguments.output.display().to_string(),
            events: recovered.events,
            accesses: 0,
            instructions: recovered.instructions,
            records: recovered.records,
            verified,
            packets: Some(Recovery {
                packets: recovered.packets,
                complete: recovered.gaps == 0,
                lost_instructions: recovered.lost_instructions,
                gap_bits: recovered.gap_bits,
                parts: parts.written,
                gaps: parts.gaps,
            }),
        };
        match arguments.json {
            true => print::json(&done)?,
            false => print::text(text(&done))?,
        }
    }
    failed.map_or(Ok(()), Err)
}

fn text(done: &Done) -> String {
    let mut text = String::new();
    let gaps = done.packets.as_ref().map_or(&[][..], |packets| &packets.gaps);
    gaps.iter().take(PRINTED_GAPS).for_each(|gap| text += &gap.sentence());
    if let Some(more) = gaps.len().checked_sub(PRINTED_GAPS + 1) {
        text += &format!("and {} more; --json has all of them\n", grouped(more as u64 + 1));
    }
    text + &done.sentence()
}

/// The parts that are being written.
struct Parts<'a> {
    arguments: &'a Arguments,
    traced: &'a Traced<'a>,
    format: Format,
    /// The part at hand: its file, events and instructions.
    writer: Option<(Writer<Output>, u64, u64)>,
    fingerprint: Fingerprint,
    written: Vec<Written>,
    gaps: Vec<Shown>,
    events: u64,
    most_events: u64,
}

impl<'a> Parts<'a> {
    fn new(arguments: &'a Arguments, traced: &'a Traced<'a>, format: Format) -> Result<Self> {
        let mut parts = Self {
            arguments,
            traced,
            format,
            writer: None,
            fingerprint: Fingerprint::default(),
            written: Vec::new(),
            gaps: Vec::new(),
            events: 0,
            most_events: limits::events().of_bytes(limits::bytes_of(&arguments.file)),
        };
        // A file that cannot be written is found before the trace is decoded.
        parts.begin(None)?;
        Ok(parts)
    }

    fn decode(&mut self, bits: impl Read, most_instructions: u64) -> Result<Recovered> {
        let traced = self.traced;
        let known = if most_instructions == u64::MAX { 0 } else { most_instructions };
        let progress = progress::bar(known, "instructions");
        let (mut shown, mut instructions) = (0, 0u64);
        let emit = |part| match part {
            Part::Gap(gap) => self.gap(&gap),
            Part::Event(event) => {
                instructions = instructions.saturating_add(event.instructions);
                if self.events.is_multiple_of(PROGRESS_EVENTS) {
                    progress.add(instructions - shown);
                    shown = instructions;
                }
                self.event(&event)
            }
        };
        let mut bits = BitUnpacker::new(bits);
        scheme::decode_packets(traced.design, &traced.program, &mut bits, most_instructions, emit)
            .map_err(|error| explain(self.arguments, error))
    }

    fn event(&mut self, event: &Event) -> Result<()> {
        self.events += 1;
        if self.events.is_multiple_of(PROGRESS_EVENTS) {
            limits::check(&self.arguments.file, self.events, self.most_events, "events")?;
        }
        self.fingerprint.add(event);
        if let Some((writer, events, instructions)) = &mut self.writer {
            writer.write(event)?;
            *events += 1;
            *instructions = instructions.saturating_add(event.instructions);
        }
        Ok(())
    }

    /// Ends a part, and begins the next one.
    fn gap(&mut self, gap: &Gap) -> Result<()> {
        if is_stdout(&self.arguments.output) {
            let (file, reason) = (self.arguments.file.display(), &gap.reason);
            return Err(anyhow!(
                "{file}, bit {}: {reason}; standard output takes only a trace without gaps",
                gap.bits.start
            ));
        }
        self.end(false)?;
        self.gaps.push(Shown::new(gap));
        self.begin(gap.goes_on)
    }

    /// Begins a part; one that does not begin with the program begins with an exception that leads to its first instruction.
    fn begin(&mut self, goes_on: Option<Place>) -> Result<()> {
        let path = &self.arguments.output;
        let output = Output::create(path)?;
        let name = output.name(path);
        let destination = Destination { output, name: &name, format: self.format };
        let mut writer = self.traced.writer(destination)?;
        let start = goes_on.filter(|place| !matches!(place, Place::Start(_)));
        if let Some(target) = start.and_then(|place| self.traced.program.address(place)) {
            writer.write(&arrival(target))?;
        }
        self.writer = Some((writer, 0, 0));
        Ok(())
    }

    /// Gives the file of a part its name; a part without events has none.
    fn end(&mut self, is_whole: bool) -> Result<()> {
        let Some((writer, events, instructions)) = self.writer.take() else { return Ok(()) };
        if events == 0 && !is_whole {
            return Ok(());
        }
        let output = writer.finish()?;
        let path = match is_whole {
            true => self.arguments.output.clone(),
            false => numbered(&self.arguments.output, self.written.len() + 1),
        };
        let output = if is_whole { output } else { output.renamed(&path)? };
        output.commit()?;
        let output = path.display().to_string();
        self.written.push(Written { output, events, instructions });
        Ok(())
    }

    fn finish(&mut self, is_whole: bool) -> Result<()> {
        self.end(is_whole)
    }
}

/// The exception, after no instruction, with which a part begins at an address.
fn arrival(target: u64) -> Event {
    Event {
        instructions: 0,
        program_counter: 0,
        target,
        kind: Kind::Exception,
        call: false,
        is_return: false,
        taken: true,
        length: 0,
        thread: 0,
    }
}

/// The name of the file of a part: its number goes before the first ending.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, endings) =
        name.split_at(name[1.min(name.len())..].find('.').map_or(name.len(), |at| at + 1));
    path.with_file_name(format!("{stem}.part-{number}{endings}"))
}
