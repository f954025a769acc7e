//! A dump as the items of a trace: the payloads of each source are followed through the program.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

use tracewright_sim::config::mask;
use tracewright_sim::event::Item;
use tracewright_sim::trace_io;

use super::code::Code;
use super::encoder::Encoder;
use super::error::{Error, Problem};
use super::execution::{Missing, Progress, Run};
use super::fields::Field;
use super::frames::{Frame, Frames};
use super::hart::{Failed, Hart};
use super::payload::Payload;
use crate::flow::FlowFollower;

/// Branches that a payload may stand for if its encoder does not say another number: as many as the longest history of
/// N-Trace, repeated as often as a message can say, have.
pub const PAYLOAD_BRANCHES: u64 = 1 << 23;

/// How a dump is decoded.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The only source to take, as thread 0; without it, each source is the thread of its number.
    pub hart: Option<u32>,
    /// Bits of an address in the trace: 32 or 64.
    pub address_bits: u8,
    /// The highest thread of the trace.
    pub thread_max: u8,
    /// The trace has states, which only a trace of one thread can have.
    pub has_states: bool,
    /// What comes before the dump is missing, as in a ring that has wrapped.
    pub begins_in_the_middle: bool,
    /// Events after which the dump is given up: a few bytes can stand for thousands of millions of branches.
    pub events_max: u64,
}

/// Why something is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The dump begins in the middle of the execution.
    Beginning,
    /// Tracing was off.
    Off,
    /// The encoder says that payloads were lost.
    Lost,
    /// The dump does not go on with what is right.
    Damaged(Problem),
}

impl Reason {
    /// The reason in a word.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::Beginning => "beginning",
            Reason::Off => "off",
            Reason::Lost => "payloads-lost",
            Reason::Damaged(_) => "damaged",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Beginning => f.write_str("no start comes before these payloads"),
            Reason::Off => f.write_str("tracing was off"),
            Reason::Lost => f.write_str("the encoder has lost payloads"),
            Reason::Damaged(problem) => problem.fmt(f),
        }
    }
}

/// A place where something is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The byte of the dump at which it begins.
    pub offset: u64,
    /// The byte of the payload with which the execution goes on, or the end of the dump.
    pub end: u64,
    /// Why something is missing.
    pub reason: Reason,
    /// The address at which the execution goes on; `None` if it does not.
    pub goes_on: Option<u64>,
    /// Instructions after the last event before it, which are in no event.
    pub trailing_instructions: u64,
}

/// A message beside those of the execution: what a program has written to the trace, an event, a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The thread.
    pub thread: u8,
    /// The byte of the dump at which the message begins.
    pub offset: u64,
    /// The time, if it is known.
    pub time: Option<u64>,
    /// Instructions since the last event that have retired before it, and are known by then.
    pub since: u64,
    /// The kind of message.
    pub name: &'static str,
    /// Its fields.
    pub fields: Vec<(&'static str, Field)>,
}

/// Takes what is decoded.
pub trait Receiver {
    /// Takes an event or a state.
    ///
    /// # Errors
    /// The trace cannot be written.
    fn item(&mut self, item: &Item) -> Result<(), trace_io::Error>;

    /// Takes the time that a payload of a thread says, after the events up to it.
    ///
    /// # Errors
    /// The time cannot be written.
    fn time(&mut self, _thread: u8, _time: u64) -> Result<(), trace_io::Error> {
        Ok(())
    }

    /// Takes a message beside those of the execution.
    ///
    /// # Errors
    /// It cannot be written.
    fn told(&mut self, _told: &Told) -> Result<(), trace_io::Error> {
        Ok(())
    }

    /// What comes next is after a gap: it begins with an exception after no instruction.
    ///
    /// # Errors
    /// The trace cannot be written.
    fn gap(&mut self, gap: &Gap) -> Result<(), trace_io::Error>;
}

/// What was decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Payloads of instructions.
    pub payloads: u64,
    /// Payloads of other kinds, and of sources that were not asked for.
    pub other_payloads: u64,
    /// The sources of the dump, each with its payloads.
    pub sources: BTreeMap<u32, u64>,
    /// Instructions that have retired.
    pub instructions: u64,
    /// Exceptions and interrupts.
    pub exceptions: u64,
    /// Instructions after the last event of a part, which are in no event.
    pub left_out: u64,
    /// Gaps.
    pub gaps: u64,
}

/// Decodes a dump.
///
/// # Errors
/// Nothing of the dump can be decoded, its sources do not fit into a trace, or the receiver fails. Damage, and what the
/// encoder has lost, is a gap.
pub fn decode(
    dump: &[u8],
    encoder: &Encoder,
    code: &impl Code,
    options: &Options,
    receiver: &mut dyn Receiver,
) -> Result<Summary, Error> {
    let frames = Frames::of(dump, encoder)?;
    let receiver = RefCell::new(receiver);
    let mut sink = |item: &Item| receiver.borrow_mut().item(item);
    let flow = FlowFollower::new(options.address_bits, &mut sink);
    let mut decoder = Decoder {
        encoder,
        code,
        options,
        receiver: &receiver,
        flow,
        harts: BTreeMap::new(),
        number: None,
        broken: None,
        summary: Summary::default(),
    };
    decoder.run(frames)?;
    decoder.finish(dump.len() as u64)
}

/// Bytes from the beginning of a dump on of which each may be the first of a payload: as many as one has at most.
const TRIED_BYTES: usize = 64;

/// Bytes that are decoded from each of them on.
const TRIED_LENGTH: usize = 1 << 16;

/// The byte at which the first whole payload begins in a dump that begins in the middle of one, as a ring that has
/// wrapped: that from which on the most instructions are decoded.
pub fn first_payload(dump: &[u8], encoder: &Encoder, code: &impl Code, options: &Options) -> usize {
    /// Takes everything and keeps nothing.
    struct Nothing;
    impl Receiver for Nothing {
        fn item(&mut self, _: &Item) -> Result<(), trace_io::Error> {
            Ok(())
        }
        fn gap(&mut self, _: &Gap) -> Result<(), trace_io::Error> {
            Ok(())
        }
    }
    let tried = &dump[..dump.len().min(TRIED_LENGTH)];
    let decoded = |place: usize| {
        let summary = decode(&tried[place..], encoder, code, options, &mut Nothing);
        summary.map_or((0, 0), |summary| (summary.instructions, u64::MAX - summary.gaps))
    };
    let places = 0..TRIED_BYTES.min(tried.len());
    places.rev().max_by_key(|place| decoded(*place)).unwrap_or(0)
}

struct Decoder<'a, 'r, 's, C> {
    encoder: &'a Encoder,
    code: &'a C,
    options: &'a Options,
    receiver: &'a RefCell<&'r mut dyn Receiver>,
    flow: FlowFollower<'s>,
    harts: BTreeMap<u32, (Hart<'a, C>, Progress)>,
    /// The number of the next payload, if payloads have numbers.
    number: Option<u32>,
    /// Where the lengths of payloads lead nowhere.
    broken: Option<(u64, Problem)>,
    summary: Summary,
}

impl Options {
    /// The thread of a source at a byte of the dump; `None` for one that is not taken.
    pub(crate) fn thread(&self, source: u32, offset: u64) -> Result<Option<u8>, Error> {
        let most = self.thread_max;
        match self.hart {
            Some(wanted) if wanted == source => Ok(Some(0)),
            Some(_) => Ok(None),
            None => match u8::try_from(source) {
                Ok(thread) if thread <= most => Ok(Some(thread)),
                _ => Err(Error::Source { offset, most, found: source }),
            },
        }
    }
}

impl<C: Code> Decoder<'_, '_, '_, C> {
    fn run(&mut self, frames: Frames<'_>) -> Result<(), Error> {
        let mut end = 0;
        for frame in frames {
            match frame {
                Ok(frame) => {
                    end = frame.offset;
                    self.count(&frame);
                    self.frame(&frame)?;
                }
                // The lengths lead nowhere from here on.
                Err(problem) => {
                    let offset =
                        if let Problem::Cut { offset, .. } = problem { offset } else { end };
                    for (hart, progress) in self.harts.values_mut() {
                        hart.give_up();
                        progress.miss(offset, Reason::Damaged(problem.clone()));
                    }
                    self.broken.get_or_insert((offset, problem));
                }
            }
        }
        Ok(())
    }

    /// Payloads whose numbers are missing are lost.
    fn count(&mut self, frame: &Frame) {
        let Some(number) = frame.number else { return };
        let next = number.wrapping_add(1) & mask(8 * self.encoder.number_bytes) as u32;
        if self.number.replace(next).is_some_and(|expected| expected != number) {
            for (hart, progress) in self.harts.values_mut() {
                hart.give_up();
                progress.miss(frame.offset, Reason::Lost);
            }
        }
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), Error> {
        if !frame.is_of_instructions {
            self.summary.other_payloads += 1;
            return Ok(());
        }
        *self.summary.sources.entry(frame.source).or_default() += 1;
        let Some(thread) = self.options.thread(frame.source, frame.offset)? else {
            self.summary.other_payloads += 1;
            return Ok(());
        };
        self.summary.payloads += 1;
        let (encoder, code) = (self.encoder, self.code);
        let is_cut = self.options.begins_in_the_middle;
        let new = || (Hart::new(encoder, code), Progress::of(thread, is_cut));
        let (hart, progress) = self.harts.entry(frame.source).or_insert_with(new);
        let mut run = Run {
            flow: &mut self.flow,
            receiver: self.receiver,
            progress,
            gaps: &mut self.summary.gaps,
            options: self.options,
            may_have_gaps: self.options.hart.is_some() || encoder.source_id_width == 0,
            offset: frame.offset,
            source: frame.source,
        };
        let payload = Payload::read(frame, encoder).map_err(Failed::Dump);
        match payload.and_then(|payload| run.take(hart, &payload)) {
            Ok(()) => Ok(()),
            Err(Failed::Sink(error)) => Err(error),
            Err(Failed::Dump(problem)) => {
                hart.give_up();
                progress.miss(frame.offset, Reason::Damaged(problem));
                Ok(())
            }
        }
    }

    fn finish(mut self, end: u64) -> Result<Summary, Error> {
        let mut ends = Vec::new();
        for (mut hart, progress) in std::mem::take(&mut self.harts).into_values() {
            ends.push((hart.leave(), progress));
        }
        let Decoder { options, receiver, flow, broken, summary, .. } = self;
        finish(ends, End { options, receiver, flow, broken, summary, end })
    }
}

/// What is left at the end of a dump.
pub(crate) struct End<'a, 'r, 's> {
    pub options: &'a Options,
    pub receiver: &'a RefCell<&'r mut dyn Receiver>,
    pub flow: FlowFollower<'s>,
    pub broken: Option<(u64, Problem)>,
    pub summary: Summary,
    /// Bytes of the dump.
    pub end: u64,
}

/// Ends the harts, each with the address to which its last instruction leads, if that is known.
pub(crate) fn finish(
    harts: Vec<(Option<u64>, Progress)>,
    dump: End<'_, '_, '_>,
) -> Result<Summary, Error> {
    let End { options, receiver, mut flow, broken, mut summary, end } = dump;
    if let Some(wanted) = options.hart
        && harts.is_empty()
    {
        let sources: Vec<_> = summary.sources.keys().map(u32::to_string).collect();
        let found = if sources.is_empty() { "none".into() } else { sources.join(", ") };
        return Err(Error::NoSource { wanted, found });
    }
    let mut missing = Vec::new();
    for (leads_to, mut progress) in harts {
        if let Some(address) = leads_to {
            flow.leads_to(progress.thread, address);
        }
        flow.forget_system_call(progress.thread);
        let trailing = flow.end(progress.thread)?;
        if let Some(state) = progress.held.take() {
            flow.state(state)?;
        }
        // Where tracing was off to the end, nothing is missing.
        let found = progress.missing.filter(|missing| missing.reason != Reason::Off);
        missing.extend(found.map(|missing| (missing, trailing)));
    }
    if missing.is_empty() {
        let broken =
            broken.map(|(offset, problem)| Missing { offset, reason: Reason::Damaged(problem) });
        missing.extend(broken.map(|missing| (missing, 0)));
    }
    let counts = flow.counts;
    // A dump may have only what a program has written to the trace.
    let has_execution = summary.payloads > 0 || summary.other_payloads == 0;
    if counts.instructions == 0 && has_execution {
        let (offset, reason) = missing.first().map_or((0, Reason::Beginning), |(missing, _)| {
            (missing.offset, missing.reason.clone())
        });
        return Err(Error::Nothing { offset, reason: reason.to_string() });
    }
    for (Missing { offset, reason }, trailing_instructions) in missing {
        summary.gaps += 1;
        let gap = Gap { offset, end, reason, goes_on: None, trailing_instructions };
        receiver.borrow_mut().gap(&gap)?;
    }
    summary.instructions = counts.instructions;
    summary.exceptions = counts.exceptions;
    summary.left_out = counts.left_out;
    Ok(summary)
}
