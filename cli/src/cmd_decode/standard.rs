//! Decoding the dump of another encoder: parts of the execution as traces of their own, and the gaps between them.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use tracewright_image::Image;
use tracewright_import::e_trace::{Gap, Options, Receiver, Summary, Told};
use tracewright_sim::event::{Isa, Item, Machine};
use tracewright_sim::trace_io::{self, Extensions, Format, Writer, WriterOptions};

use super::Arguments;
use super::messages::Messages;
use super::shown::{Done, ShownGap, text};
use super::times::create_times;
use crate::pipeline::aside::Ended;
use crate::pipeline::contexts::Contexts;
use crate::pipeline::encoded::{Encoded, of_standard, only_says_where};
use crate::pipeline::failure::{incomplete, usage, with_gaps};
use crate::pipeline::format;
use crate::pipeline::limits;
use crate::pipeline::output::{self, Output};
use crate::pipeline::parts::{Forms, OpenPart, Written};
use crate::pipeline::print::{self, counted};
use crate::pipeline::program_counters::ProgramCounters;
use crate::pipeline::program_files::Followed;
use crate::pipeline::progress::{self, Progress};
use crate::pipeline::ring::RamSink;
use crate::pipeline::standard::{self, Parameters, Standard};

/// Events between updates of the progress bar.
const PROGRESS_EVENTS: u64 = 1 << 16;

/// Decodes a dump of which nothing but the parameters of its encoder is known.
///
/// # Errors
/// When the dump, the program or the output is bad, or they do not belong together; with exit status 3 if there are
/// gaps.
pub fn run(arguments: &Arguments, encoder: Parameters) -> Result<()> {
    let tells_states = arguments.hart.is_some() || !encoder.has_sources();
    match arguments.encoded.read_ring(&arguments.file, None)? {
        Some((sink, dump)) => run_of(arguments, encoder, tells_states, (Some(sink), &dump)),
        None => run_of(arguments, encoder, tells_states, (None, &arguments.file.bytes()?)),
    }
}

/// Decodes the trace of a design.
///
/// # Errors
/// Those of [`run`].
pub fn run_encoded(
    arguments: &Arguments,
    mut encoded: Encoded<'_>,
    standard: Standard,
) -> Result<()> {
    let encoder = standard::of_design(&encoded.design, standard)?;
    let (sink, dump) = encoded.payloads()?;
    run_of(arguments, encoder, encoded.design.protocol().traces_state(), (sink, &dump))
}

fn run_of(
    arguments: &Arguments,
    encoder: Parameters,
    tells_states: bool,
    (sink, dump): (Option<RamSink>, &[u8]),
) -> Result<()> {
    let standard = encoder.standard();
    let times = times(arguments, &encoder)?;
    let format = format::of_output(&arguments.output, arguments.format)?;
    let (contexts, image) = program(arguments, standard)?;
    let machine = image.machine();
    let encoder = encoder.for_addresses(machine.address_bits);
    let is_alone = arguments.hart.is_some() || !encoder.has_sources();
    let extensions = Extensions { threads: !is_alone, states: tells_states, ..Extensions::LENGTHS };
    let options = Options {
        hart: arguments.hart,
        address_bits: machine.address_bits,
        thread_max: extensions.thread_max(),
        has_states: tells_states,
        begins_in_the_middle: sink.is_some_and(RamSink::has_wrapped),
        events_max: limits::events().of_bytes(dump.len() as u64),
    };
    let mut parts = Parts {
        arguments,
        forms: Forms::new(&arguments.output)?,
        format,
        machine,
        extensions,
        progress: progress::bar(0, "events"),
        first: 0,
        writer: None,
        written: Vec::new(),
        gaps: Vec::new(),
        times,
        program_counters: counters(arguments, &contexts, &encoder, !is_alone)?,
        leads_to: None,
        messages: messages(arguments, standard)?,
        counts: BTreeMap::new(),
        failure: None,
    };
    parts.begin()?;
    let first = encoder.first(dump, &image, &options);
    parts.first = first as u64;
    let decoded = encoder.decode(&dump[first..], &image, &options, &mut parts);
    if let Some(failure) = parts.failure.take() {
        return Err(failure);
    }
    let file = arguments.file.display();
    let summary = decoded.map_err(|error| anyhow::anyhow!("{file}: {error}"))?;
    finish(parts, standard, summary)
}

/// The file of times, if --times is given.
fn times(arguments: &Arguments, encoder: &Parameters) -> Result<Option<Output>> {
    let Some(path) = &arguments.times else { return Ok(None) };
    if encoder.has_time() {
        return create_times(path, "time").map(Some);
    }
    Err(usage(
        "--times: the payloads say no time, expected notime_p = 0 and time_width_p in --encoder, or a design with time_bits",
    ))
}

/// The file of what is said beside the execution, if --messages is given.
fn messages(arguments: &Arguments, standard: Standard) -> Result<Option<Messages>> {
    match &arguments.messages {
        Some(_) if standard == Standard::Etrace => {
            Err(usage("--messages: payloads of E-Trace are of the execution alone"))
        }
        path => path.as_ref().map(Messages::create).transpose(),
    }
}

/// The file of program counters, if --program-counters is given.
fn counters(
    arguments: &Arguments,
    contexts: &Contexts,
    encoder: &Parameters,
    has_threads: bool,
) -> Result<Option<ProgramCounters>> {
    let create = |path| ProgramCounters::create(path, contexts, has_threads, encoder.cause_bits());
    arguments.program_counters.as_ref().map(create).transpose()
}

/// The program, which must be known to its last instruction.
fn program(arguments: &Arguments, standard: Standard) -> Result<(Contexts, Arc<Image>)> {
    let contexts = arguments.program.load()?;
    if !contexts.own.is_empty() {
        return Err(usage("--standard takes one program for all contexts"));
    }
    let Followed::Image { image, .. } = &contexts.other else {
        return Err(usage(format_args!(
            "{}: --standard needs the program as its ELF file",
            arguments.program.path().display()
        )));
    };
    let image = Arc::clone(image);
    match image.machine().isa {
        Isa::RiscV => Ok((contexts, image)),
        isa => Err(usage(format_args!(
            "{}: {} is of RISC-V, found a program of {isa}",
            arguments.program.path().display(),
            standard.title()
        ))),
    }
}

/// Prints what was decoded.
fn finish(mut parts: Parts<'_>, standard: Standard, summary: Summary) -> Result<()> {
    let arguments = parts.arguments;
    let is_whole = parts.gaps.is_empty();
    parts.end(is_whole)?;
    match is_whole {
        true => parts.forms.written_whole()?,
        false => parts.forms.written_parts(parts.written.len())?,
    }
    let Parts { progress, written, gaps, times, program_counters, messages, .. } = parts;
    drop(progress);
    // After a last gap nothing trails.
    let trailing =
        if gaps.iter().any(|gap| gap.goes_on.is_none()) { 0 } else { trailing(&summary, &gaps) };
    let counters = program_counters.map(|file| file.finish(trailing)).transpose()?;
    let messages = messages.map(Messages::finish).transpose()?;
    output::commit_all(times.into_iter().chain(counters).chain(messages))?;
    let file = arguments.file.display().to_string();
    let events = written.iter().map(|part| part.events).sum();
    // A dump may have only what is said beside the execution.
    let has_execution = summary.payloads > 0;
    let done = Done {
        standard: standard.name(),
        file: file.clone(),
        program: arguments.program.path().display().to_string(),
        output: arguments.output.display().to_string(),
        payloads: summary.payloads,
        events,
        instructions: summary.instructions,
        exceptions: summary.exceptions,
        left_out: summary.left_out,
        sources: summary.sources.into_keys().collect(),
        parts: written,
        gaps,
    };
    if !arguments.output.is_stdout() {
        match arguments.json {
            true => print::json(&done)?,
            false => print::sentences(&text(&done))?,
        }
    }
    let count = done.gaps.len();
    let only_off = done.gaps.iter().all(|gap| gap.reason == "off");
    match count {
        0 => Ok(()),
        _ if events == 0 && has_execution => {
            Err(incomplete(format_args!("{file}: no event was decoded")))
        }
        _ if only_off || arguments.encoded.allow_gaps => Ok(()),
        _ => {
            let gaps = counted(count as u64, "gap");
            let (events, were) =
                (counted(events, "event"), if events == 1 { "was" } else { "were" });
            Err(with_gaps(format_args!("{file}: {gaps}, {events} {were} decoded")))
        }
    }
}

/// Instructions after the last event of the last part.
fn trailing(summary: &Summary, gaps: &[ShownGap]) -> u64 {
    let before: u64 = gaps.iter().map(|gap| gap.trailing_instructions).sum();
    summary.left_out.saturating_sub(before)
}

/// The parts that are being written.
struct Parts<'a> {
    arguments: &'a Arguments,
    forms: Forms<'a>,
    format: Format,
    machine: Machine,
    extensions: Extensions,
    progress: Progress,
    /// The byte of the dump at which its first payload begins.
    first: u64,
    /// The part at hand.
    writer: Option<OpenPart>,
    written: Vec<Written>,
    gaps: Vec<ShownGap>,
    times: Option<Output>,
    messages: Option<Messages>,
    /// The events and the instructions of each thread so far.
    counts: BTreeMap<u8, (u64, u64)>,
    program_counters: Option<ProgramCounters>,
    /// The address at which the execution goes on after a gap, until the next event.
    leads_to: Option<u64>,
    /// Why a file could not be made.
    failure: Option<anyhow::Error>,
}

impl Parts<'_> {
    fn begin(&mut self) -> Result<()> {
        let output = self.arguments.output.create_held()?;
        let name = output.name(&self.arguments.output);
        let (format, extensions) = (self.format, self.extensions);
        let options = WriterOptions { format, extensions, name, ..WriterOptions::default() };
        self.writer = Some(OpenPart::new(Writer::new(output, self.machine, options)?));
        Ok(())
    }

    fn end(&mut self, is_whole: bool) -> Result<()> {
        match self.writer.take() {
            Some(part) => self.forms.finish(part, is_whole, &mut self.written),
            None => Ok(()),
        }
    }

    fn next_part(&mut self, gap: &Gap) -> Result<()> {
        let output = &self.arguments.output;
        if output.is_stream() {
            let file = self.arguments.file.display();
            return Err(anyhow::anyhow!(
                "{file}, byte {}: {}; {} takes only a trace without gaps",
                self.first + gap.offset,
                gap.reason,
                output.display()
            ));
        }
        self.end(false)?;
        self.gaps.push(ShownGap::new(gap, self.first));
        if let Some(counters) = &mut self.program_counters {
            counters.gap(&of_standard(gap, self.first))?;
        }
        self.leads_to = gap.goes_on;
        self.begin()
    }

    /// Writes the program counters of an event, but for the exception that says where the execution goes on.
    fn count(&mut self, item: &Item) -> Result<()> {
        let Some(counters) = &mut self.program_counters else { return Ok(()) };
        match item {
            Item::Event(event) if only_says_where(event, self.leads_to.take()) => Ok(()),
            Item::Event(event) => counters.event(event),
            Item::State(state) => counters.state(state),
            Item::Access(_) | Item::Cycles(_) => Ok(()),
        }
    }
}

impl Receiver for Parts<'_> {
    fn item(&mut self, item: &Item) -> Result<(), trace_io::Error> {
        if self.failure.is_none() {
            self.failure = self.count(item).err();
        }
        let Some(part) = &mut self.writer else { return Ok(()) };
        if let Err(Ended) = part.item(*item) {
            return self.writer.take().map_or(Ok(()), OpenPart::close);
        }
        if let Item::Event(event) = item {
            if self.times.is_some() || self.messages.is_some() {
                let (events, instructions) = self.counts.entry(event.thread).or_default();
                *events += 1;
                *instructions = instructions.saturating_add(event.instructions);
            }
            if part.events.is_multiple_of(PROGRESS_EVENTS) {
                self.progress.add(PROGRESS_EVENTS);
            }
        }
        Ok(())
    }

    fn time(&mut self, thread: u8, time: u64) -> Result<(), trace_io::Error> {
        if let Some(times) = &mut self.times {
            let (events, _) = self.counts.get(&thread).copied().unwrap_or_default();
            // As of the files of parts, an error waits.
            if let Err(error) = writeln!(times, "{thread},{time},{events}") {
                self.failure.get_or_insert(error.into());
            }
        }
        Ok(())
    }

    fn told(&mut self, told: &Told) -> Result<(), trace_io::Error> {
        if let Some(messages) = &mut self.messages {
            let (_, instructions) = self.counts.get(&told.thread).copied().unwrap_or_default();
            if let Err(error) = messages.write(told, instructions.saturating_add(told.since)) {
                self.failure.get_or_insert(error);
            }
        }
        Ok(())
    }

    fn gap(&mut self, gap: &Gap) -> Result<(), trace_io::Error> {
        // An error of the files waits until the dump has been read.
        if self.failure.is_none()
            && let Err(error) = self.next_part(gap)
        {
            self.failure = Some(error);
            self.writer = None;
        }
        Ok(())
    }
}
