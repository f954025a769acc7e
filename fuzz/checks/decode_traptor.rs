//! Any bits as a T-raptor trace: refused, or an execution that can be traced and decoded again.

use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::Event;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::traptor::decoder::{DecodeError, Decoder};
use tracewright_sim::traptor::encoder::Encoder;

use super::subject::{DESIGNS, SUBJECTS, Subject, design};

/// Decodes the trace behind the first byte, which chooses program and design.
///
/// Gives the events, or `None` for a trace that the decoder refuses.
pub fn check(input: &[u8]) -> Option<Vec<Event>> {
    let (choice, trace) = input.split_first()?;
    let (subject, design) = chosen(*choice);
    let events = decode(subject, &design, trace).ok()?;
    let again = decode(subject, &design, &encode(&design, &events, usize::MAX));
    assert_eq!(again.expect("what was decoded can be traced"), events);
    Some(events)
}

/// The first byte of an input for this program and this design.
pub fn choice(subject: usize, design: usize) -> u8 {
    (subject * DESIGNS.len() + design) as u8
}

fn chosen(choice: u8) -> (&'static Subject, Design) {
    let choice = usize::from(choice);
    let subject = &SUBJECTS[choice / DESIGNS.len() % SUBJECTS.len()];
    (subject, design(choice, subject))
}

/// The trace of these events, flushed after every `interval` of them and at the end.
pub fn encode(design: &Design, events: &[Event], interval: usize) -> Vec<u8> {
    let Scheme::Traptor(config) = &design.scheme;
    let mut encoder = Encoder::new(config).expect("a legal design");
    let mut packer = BitPacker::new();
    for part in events.chunks(interval) {
        part.iter().for_each(|event| encoder.event(event, &mut packer));
        encoder.flush(&mut packer);
    }
    if events.is_empty() {
        encoder.flush(&mut packer);
    }
    packer.finish()
}

fn decode(subject: &Subject, design: &Design, trace: &[u8]) -> Result<Vec<Event>, DecodeError> {
    let Scheme::Traptor(config) = &design.scheme;
    let mut events = Vec::new();
    let mut decoder = Decoder::new(config, &subject.program)
        .expect("a legal design")
        .limit(subject.most_instructions);
    let summary = decoder.decode(&mut BitUnpacker::new(trace), |event| {
        events.push(event);
        Ok::<(), DecodeError>(())
    })?;
    assert_eq!(summary.events, events.len() as u64);
    let instructions: u64 = events.iter().map(|event| event.instructions).sum();
    assert_eq!(summary.instructions, instructions + summary.trailing_instructions);
    Ok(events)
}
