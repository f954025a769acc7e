//! A dump as the items of a trace: the messages of each source are followed through the program.

use std::cell::RefCell;
use std::collections::BTreeMap;

use tracewright_sim::config::mask;
use tracewright_sim::event::Item;

use super::body::Body;
use super::encoder::Encoder;
use super::error::{Problem as Wrong, Unreadable};
use super::hart::Hart;
use super::messages::{Message, Messages};
use crate::e_trace::{
    Code, End, Error, Failed, Options, Problem, Progress, Reason, Receiver, Run, Summary, Told,
    finish,
};
use crate::flow::FlowFollower;

/// Decodes a dump, with payloads of the summary as messages.
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
    let encoder = &encoder.clone().for_addresses(options.address_bits);
    let messages = Messages::of(dump, encoder)?;
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
        times: BTreeMap::new(),
        broken: None,
        summary: Summary::default(),
    };
    for (offset, message) in messages {
        match message {
            Ok(message) => decoder.message(offset, &message)?,
            Err(problem) => {
                if let Wrong::Cut(_) = problem.problem {
                    decoder.end(offset)?;
                }
                decoder.damage(offset, problem);
            }
        }
    }
    decoder.end(dump.len() as u64)?;
    let harts = std::mem::take(&mut decoder.harts).into_values();
    let ends = harts.map(|(mut hart, progress)| (hart.leave(), progress)).collect();
    let Decoder { flow, broken, summary, .. } = decoder;
    // Where there are harts, each has said what is wrong with the messages.
    let broken = broken.filter(|_| summary.payloads == 0);
    let end = dump.len() as u64;
    finish(ends, End { options, receiver: &receiver, flow, broken, summary, end })
}

/// The byte at which the first whole message begins in a dump that begins in the middle of one, as a ring that has wrapped.
pub fn first_message(dump: &[u8]) -> usize {
    dump.iter().position(|byte| byte & 3 == 3).map_or(dump.len(), |end| end + 1)
}

struct Decoder<'a, 'r, 's, C> {
    encoder: &'a Encoder,
    code: &'a C,
    options: &'a Options,
    receiver: &'a RefCell<&'r mut dyn Receiver>,
    flow: FlowFollower<'s>,
    harts: BTreeMap<u32, (Hart<'a, C>, Progress)>,
    /// The last time of each source that has said a whole one.
    times: BTreeMap<u32, u64>,
    /// The first place at which there is no message.
    broken: Option<(u64, Problem)>,
    summary: Summary,
}

impl<C: Code> Decoder<'_, '_, '_, C> {
    /// A message that cannot be read is a loss of its source, or of all if nobody knows which it is of.
    fn damage(&mut self, offset: u64, unreadable: Unreadable) {
        let Unreadable { of, problem } = unreadable;
        let problem = Problem::from(problem);
        let is_of = |source: &u32| of.is_none_or(|of| of == *source);
        self.times.retain(|source, _| !is_of(source));
        for (_, (hart, progress)) in self.harts.iter_mut().filter(|(source, _)| is_of(source)) {
            hart.forget_address();
            if let Some(address) = hart.leave() {
                self.flow.leads_to(progress.thread, address);
            }
            progress.miss(offset, Reason::Damaged(problem.clone()));
        }
        self.broken.get_or_insert((offset, problem));
    }

    /// The dump ends here.
    fn end(&mut self, offset: u64) -> Result<(), Error> {
        for (source, (hart, progress)) in &mut self.harts {
            let mut run = Run {
                flow: &mut self.flow,
                receiver: self.receiver,
                progress,
                gaps: &mut self.summary.gaps,
                options: self.options,
                may_have_gaps: self.options.hart.is_some() || self.encoder.source_bits == 0,
                offset,
                source: *source,
            };
            if let Err(Failed::Sink(error)) = hart.end(&mut run) {
                return Err(error);
            }
        }
        Ok(())
    }

    fn message(&mut self, offset: u64, message: &Message) -> Result<(), Error> {
        let Message { source, body, .. } = message;
        *self.summary.sources.entry(*source).or_default() += 1;
        let Some(thread) = self.options.thread(*source, offset)? else {
            self.summary.other_payloads += 1;
            return Ok(());
        };
        match body.is_of_data() {
            true => self.summary.other_payloads += 1,
            false => self.summary.payloads += 1,
        }
        let (encoder, code) = (self.encoder, self.code);
        let is_cut = self.options.begins_in_the_middle;
        let broken = &self.broken;
        let new = || {
            let mut progress = Progress::of(thread, is_cut);
            if let Some((offset, problem)) = broken {
                progress.miss(*offset, Reason::Damaged(problem.clone()));
            }
            (Hart::new(encoder, code), progress)
        };
        let (hart, progress) = self.harts.entry(*source).or_insert_with(new);
        let mut run = Run {
            flow: &mut self.flow,
            receiver: self.receiver,
            progress,
            gaps: &mut self.summary.gaps,
            options: self.options,
            may_have_gaps: self.options.hart.is_some() || encoder.source_bits == 0,
            offset,
            source: *source,
        };
        if let Err(Failed::Sink(error)) = hart.take(body, &mut run) {
            return Err(error);
        }
        let places = hart.places(body);
        let time = self.time(message);
        if body.tells_more() {
            let (since, mut fields) = (self.flow.since(thread), body.fields());
            fields.extend(places);
            let told = Told { thread, offset, time, since, name: body.name(), fields };
            self.receiver.borrow_mut().told(&told)?;
        }
        let mut receiver = self.receiver.borrow_mut();
        Ok(time.map_or(Ok(()), |time| receiver.time(thread, time))?)
    }

    /// The time of a message. It is known once a whole one was sent, until a message may be missing or one comes of which it is
    /// not known whether it has a time.
    fn time(&mut self, message: &Message) -> Option<u64> {
        let Message { source, body, timestamp, .. } = message;
        if matches!(body, Body::Error { .. } | Body::PassedOver { .. }) {
            self.times.remove(source);
            return None;
        }
        let stamp = (*timestamp)?;
        let before = match body.has_whole_time() {
            true => 0,
            false => self.times.get(source).copied()?,
        };
        let is_xor = self.encoder.timestamp_xor == 1;
        let sum = if is_xor { before ^ stamp } else { before.wrapping_add(stamp) };
        let time = sum & mask(self.encoder.time_mask_bits());
        self.times.insert(*source, time);
        Some(time)
    }
}
