//! Any bits as a trace of packets: parts of executions, and gaps.

use std::error::Error;

use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::Event;
use tracewright_sim::packet::part::{Gap, Part, Recovered};
use tracewright_sim::scheme::{self, Design};
use tracewright_sim::trace_io::{Extensions, Validator};

use super::decode_trace::encode;
use super::subject::{DESIGNS, SUBJECTS, Subject, design};

/// What is set of packets.
pub const VARIANTS: [&[(&str, &str)]; 3] = [
    &[("sync_interval", "1024")],
    &[("sync_interval", "1024"), ("checksum_bits", "8"), ("sync_keeps_tables", "true")],
    &[("sync_interval", "0"), ("checksum_bits", "16")],
];

/// Decodes the trace after the first byte, which chooses program, design and parameters of packets.
///
/// Gives the events of a trace without gaps, and `None` for any other.
pub fn check(input: &[u8]) -> Option<Vec<Event>> {
    let (choice, trace) = input.split_first()?;
    let choice = usize::from(*choice);
    let subject = &SUBJECTS[choice / DESIGNS.len() % SUBJECTS.len()];
    let variant = choice / (DESIGNS.len() * SUBJECTS.len()) % VARIANTS.len();
    let design = design_of(choice, variant, subject)?;
    let (parts, gaps, recovered) = decode(subject, &design, trace);
    assert!(recovered.instructions <= subject.most_instructions);
    for part in &parts {
        let mut validator =
            Validator::new(subject.machine, Extensions::LENGTHS).expect("a legal machine");
        for event in part {
            validator.check(event).unwrap_or_else(|violation| panic!("{violation} in {event}"));
        }
    }
    let whole = parts.into_iter().next().filter(|_| gaps.is_empty())?;
    let again = encode(&design, &whole, usize::MAX);
    let (parts, gaps, _) = decode(subject, &design, &again);
    assert_eq!(gaps, [], "what was decoded cannot be traced by {:?}", design.values());
    assert_eq!(parts, [whole.as_slice()]);
    Some(whole)
}

/// A design with packets, if it can have them.
pub fn design_of(number: usize, variant: usize, subject: &Subject) -> Option<Design> {
    let mut design = design(number, subject);
    let settings = [("framing", "packets")];
    for (name, value) in settings.iter().chain(VARIANTS[variant]) {
        design.set(name, value).expect("a parameter of every design");
    }
    design.validate().is_ok().then_some(design)
}

/// The first byte of an input for this program, this design and these packets.
pub fn choice(subject: usize, design: usize, variant: usize) -> u8 {
    ((variant * SUBJECTS.len() + subject) * DESIGNS.len() + design) as u8
}

/// The events between gaps, and the gaps.
fn decode(
    subject: &Subject,
    design: &Design,
    trace: &[u8],
) -> (Vec<Vec<Event>>, Vec<Gap>, Recovered) {
    let (mut parts, mut gaps) = (vec![Vec::new()], Vec::new());
    let mut bits = BitUnpacker::new(trace);
    let (program, limit) = (&subject.program, subject.most_instructions);
    let recovered = scheme::decode_packets(design, program, &mut bits, limit, |part| {
        match part {
            Part::Event(event) => parts.last_mut().expect("the first part").push(event),
            Part::State(_) => {}
            Part::Gap(gap) => {
                parts.push(Vec::new());
                gaps.push(gap);
            }
        }
        Ok::<(), Box<dyn Error>>(())
    });
    (parts, gaps, recovered.expect("damage is no error"))
}
