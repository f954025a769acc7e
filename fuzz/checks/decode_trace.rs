//! Any bits as a trace of any scheme: refused, or an execution that can be traced and decoded again.

use std::error::Error;

use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::Event;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{self, Design, Encoder};
use tracewright_sim::trace_io::{Extensions, Validator};

use super::round_trip::learn;
use super::subject::{DESIGNS, SUBJECTS, Subject, design};

/// Decodes the trace after the first byte, which chooses program and design.
///
/// Whatever the decoder gives, be it before it refuses the rest, is a legal trace that can be
/// encoded and decoded again. Gives the events, or `None` for a trace that is refused.
pub fn check(input: &[u8]) -> Option<Vec<Event>> {
    let (choice, trace) = input.split_first()?;
    let (subject, design) = chosen(*choice);
    let (events, refusal) = decode(subject, &design, trace);
    let mut validator =
        Validator::new(subject.machine, Extensions::LENGTHS).expect("a legal machine");
    for event in &events {
        validator.check(event).unwrap_or_else(|violation| panic!("{violation} in {event}"));
    }
    learn(subject.machine, &events).expect("what was decoded is of one program");
    let again = decode(subject, &design, &encode(&design, &events, usize::MAX));
    assert!(again.1.is_none(), "what was decoded cannot be traced: {:?}", again.1);
    let differs = events.iter().zip(&again.0).find(|(first, second)| first != second);
    assert_eq!((differs, again.0.len()), (None, events.len()));
    refusal.is_none().then_some(events)
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
    let mut encoder = Encoder::new(design).expect("a legal design");
    let mut packer = BitPacker::new();
    for part in events.chunks(interval) {
        for event in part {
            encoder.event(event, &mut packer).expect("a design that fits the machine");
        }
        encoder.flush(&mut packer);
    }
    if events.is_empty() {
        encoder.flush(&mut packer);
    }
    packer.finish()
}

/// The events of a trace, and why the decoder refuses the rest.
pub fn decode(
    subject: &Subject,
    design: &Design,
    trace: &[u8],
) -> (Vec<Event>, Option<Box<dyn Error>>) {
    let mut events = Vec::new();
    let mut bits = BitUnpacker::new(trace);
    let (program, limit) = (&subject.program, subject.most_instructions);
    let decoded = scheme::decode(design, program, &mut bits, limit, |event| {
        events.push(event);
        Ok::<(), Box<dyn Error>>(())
    });
    let instructions: u64 = events.iter().map(|event| event.instructions).sum();
    assert!(instructions <= subject.most_instructions);
    if let Ok(summary) = &decoded {
        assert_eq!(summary.events, events.len() as u64);
        assert_eq!(summary.instructions, instructions + summary.trailing_instructions);
        assert!(summary.instructions <= subject.most_instructions);
    }
    (events, decoded.err())
}
