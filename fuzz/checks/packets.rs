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
    &[
        ("sync_interval", "1024"),
        ("context_bits", "5"),
        ("privilege_bits", "2"),
        ("cause_bits", "4"),
        ("time_bits", "9"),
        ("time_source", "gray"),
        ("sequence_bits", "0"),
        ("sync_bytes", "64"),
    ],
    &[
        ("sync_interval", "1024"),
        ("checksum_bits", "8"),
        ("sync_keeps_tables", "true"),
        ("sequence_bits", "3"),
    ],
    &[("sync_interval", "0"), ("checksum_bits", "16"), ("sequence_bits", "16")],
];

/// What a trace of packets is decoded to.
pub struct Decoded {
    /// The events between gaps: one part more than there are gaps.
    pub parts: Vec<Vec<Event>>,
    /// The gaps.
    pub gaps: Vec<Gap>,
    recovered: Recovered,
}

/// Decodes the trace after the first byte, which chooses program, design and parameters of packets.
///
/// Gives the events of a trace without gaps, and `None` for any other.
pub fn check(input: &[u8]) -> Option<Vec<Event>> {
    let (subject, design, trace) = chosen(input)?;
    let decoded = decode(subject, &design, trace);
    check_parts(subject, &decoded);
    check_gaps(trace, &decoded);
    let Decoded { parts, gaps, .. } = decoded;
    let whole = parts.into_iter().next().filter(|_| gaps.is_empty())?;
    let again = decode(subject, &design, &encode(&design, &whole, usize::MAX));
    assert_eq!(again.gaps, [], "what was decoded cannot be traced by {:?}", design.values());
    assert_eq!(again.parts, [whole.as_slice()]);
    Some(whole)
}

/// Every part is an execution, and the totals are those of the parts.
fn check_parts(subject: &Subject, decoded: &Decoded) {
    let Decoded { parts, gaps, recovered } = decoded;
    assert!(recovered.instructions <= subject.most_instructions);
    for part in parts {
        let mut validator =
            Validator::new(subject.machine, Extensions::LENGTHS).expect("a legal machine");
        for event in part {
            validator.check(event).unwrap_or_else(|violation| panic!("{violation} in {event}"));
        }
    }
    let events: usize = parts.iter().map(Vec::len).sum();
    assert_eq!(recovered.events, events as u64);
    let instructions: u64 = parts.iter().flatten().map(|event| event.instructions).sum();
    let trailing: u64 = gaps.iter().map(|gap| gap.trailing_instructions).sum();
    assert_eq!(recovered.instructions, instructions + trailing + recovered.trailing_instructions);
}

/// The gaps are in order and in the trace, and the totals are theirs.
fn check_gaps(trace: &[u8], decoded: &Decoded) {
    let Decoded { gaps, recovered, .. } = decoded;
    assert_eq!(recovered.gaps, gaps.len() as u64);
    let (mut position, mut bits) = (0, 0);
    for Gap { bits: gap, .. } in gaps {
        assert!(position <= gap.start && gap.start <= gap.end, "{gaps:?}");
        position = gap.end;
        bits += gap.end - gap.start;
    }
    assert!(position <= trace.len() as u64 * 8, "{gaps:?}");
    assert_eq!(recovered.gap_bits, bits);
}

/// Decodes an input, whatever gaps it has; `None` if it chooses no design.
pub fn decoded(input: &[u8]) -> Option<Decoded> {
    let (subject, design, trace) = chosen(input)?;
    Some(decode(subject, &design, trace))
}

/// The program, the design and the trace of an input.
fn chosen(input: &[u8]) -> Option<(&'static Subject, Design, &[u8])> {
    let (choice, trace) = input.split_first()?;
    let choice = usize::from(*choice);
    let subject = &SUBJECTS[choice / DESIGNS.len() % SUBJECTS.len()];
    let variant = choice / (DESIGNS.len() * SUBJECTS.len()) % VARIANTS.len();
    Some((subject, design_of(choice, variant, subject)?, trace))
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

fn decode(subject: &Subject, design: &Design, trace: &[u8]) -> Decoded {
    let (mut parts, mut gaps) = (vec![Vec::new()], Vec::new());
    let mut bits = BitUnpacker::new(trace);
    let (program, limit) = (&subject.program, subject.most_instructions);
    let recovered = scheme::decode_packets(design, program, &mut bits, limit, |part| {
        match part {
            Part::Event(event) => parts.last_mut().expect("the first part").push(event),
            Part::State(_) | Part::Time(_) | Part::Unverified => {}
            Part::Gap(gap) => {
                parts.push(Vec::new());
                gaps.push(gap);
            }
        }
        Ok::<(), Box<dyn Error>>(())
    });
    Decoded { parts, gaps, recovered: recovered.expect("damage is no error") }
}
