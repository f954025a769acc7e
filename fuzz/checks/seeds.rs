//! Valid inputs, from which fuzzing begins; `write_the_corpus` in `sim/tests/fuzz_corpus.rs` writes them.

use tracewright_sim::bits_file::{BitsWriter, Header};
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, ExecutionState, Kind};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::header::{LossCause, Next};
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::{Session, Synchronisation, Turn};
use tracewright_sim::trace_io::{Extensions, Format, Writer, WriterOptions};

use super::subject::{DESIGNS, SUBJECTS, Subject, design};
use super::{decode_trace, packets};

/// A valid input of a target.
pub struct Seed {
    /// The target.
    pub target: &'static str,
    /// Its file's name, `valid-` at the front.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// What it comes back as.
    pub events: Vec<Event>,
}

/// Events of an encoded file or a trace file: it has to be small.
const FEW: usize = 100;

/// Every valid input.
pub fn seeds() -> Vec<Seed> {
    let mut seeds = Vec::new();
    for (number, subject) in SUBJECTS.iter().enumerate() {
        let machine = format!("{}-{}", subject.machine.isa, subject.machine.address_bits);
        let events = &subject.events;
        for at in 0..DESIGNS.len() {
            for (what, interval) in [("whole", usize::MAX), ("flushed", 37)] {
                let trace = decode_trace::encode(&design(at, subject), events, interval);
                seeds.push(Seed {
                    target: "decode_trace",
                    name: format!("valid-{machine}-design{at}-{what}"),
                    bytes: [&[decode_trace::choice(number, at)], trace.as_slice()].concat(),
                    events: events.clone(),
                });
            }
        }
        seeds.extend(of_packets(number, subject, &machine));
        let few = &events[..FEW];
        for sealed in [0, 1] {
            seeds.push(Seed {
                target: "bits_file",
                name: format!("valid-{machine}-{sealed}"),
                bytes: [&[sealed], bits_file(subject, few).as_slice()].concat(),
                events: few.to_vec(),
            });
        }
        for (name, format) in
            [("text", Format::Text), ("pet1", Format::Pet1), ("zstd", Format::Pet1Zstd)]
        {
            for lengths in [false, true] {
                let kept = |event: &Event| match (lengths, format) {
                    (true, Format::Text) => event.length,
                    (true, _) if event.call => event.length,
                    _ => 0,
                };
                seeds.push(Seed {
                    target: "trace_file",
                    name: format!(
                        "valid-{machine}-{name}{}",
                        if lengths { "-lengths" } else { "" }
                    ),
                    bytes: trace_file(subject, few, format, lengths),
                    events: few
                        .iter()
                        .map(|event| Event { length: kept(event), ..*event })
                        .collect(),
                });
            }
        }
    }
    seeds
}

/// Traces of packets of one program, with ends in the middle.
fn of_packets(number: usize, subject: &Subject, machine: &str) -> Vec<Seed> {
    let mut seeds = Vec::new();
    for at in 0..DESIGNS.len() {
        for variant in 0..packets::VARIANTS.len() {
            let Some(design) = packets::design_of(at, variant, subject) else { continue };
            let trace = decode_trace::encode(&design, &subject.events, 151);
            seeds.push(Seed {
                target: "packets",
                name: format!("valid-{machine}-design{at}-{variant}"),
                bytes: [&[packets::choice(number, at, variant)], trace.as_slice()].concat(),
                events: subject.events.clone(),
            });
        }
    }
    seeds
}

/// A valid trace of packets with gaps.
pub struct GappedSeed {
    /// Its file's name, `gaps-` at the front.
    pub name: String,
    /// Content of an input of `packets`.
    pub bytes: Vec<u8>,
    /// The executions between the gaps.
    pub parts: Vec<Vec<Event>>,
}

/// Designs of traces with gaps, one for each program: they fill the last trace word up to a byte.
const GAPPED_DESIGNS: [usize; 4] = [0, 8, 10, 13];

/// Every valid trace with gaps: instructions are lost, and then the processor is reset.
pub fn gapped() -> Vec<GappedSeed> {
    let mut seeds = Vec::new();
    for (number, (subject, at)) in SUBJECTS.iter().zip(GAPPED_DESIGNS).enumerate() {
        for variant in 0..packets::VARIANTS.len() {
            let design = packets::design_of(at, variant, subject).expect("a design with packets");
            let events = &subject.events;
            let (begin, end) = lost(events);
            let mut trace = with_loss(&design, events, begin, end);
            trace.extend(decode_trace::encode(&design, events, usize::MAX));
            seeds.push(GappedSeed {
                name: format!("gaps-design{at}-{variant}"),
                bytes: [&[packets::choice(number, at, variant)], trace.as_slice()].concat(),
                parts: vec![events[..begin].to_vec(), events[end..].to_vec(), events.clone()],
            });
        }
    }
    seeds
}

/// The events that are lost: the last one is taken, and the one after it retires instructions.
fn lost(events: &[Event]) -> (usize, usize) {
    let (begin, after) = (events.len() / 3, events.len() / 2);
    let is_end = |pair: &[Event]| {
        pair[0].taken && pair[0].kind != Kind::Exception && pair[1].instructions > 0
    };
    let end = events[after..].windows(2).position(is_end).expect("a jump in a program");
    (begin, after + end + 1)
}

fn with_loss(design: &Design, events: &[Event], begin: usize, end: usize) -> Vec<u8> {
    let mut encoder = Encoder::new(design).expect("a legal design");
    let mut packer = BitPacker::new();
    for event in &events[..begin] {
        encoder.event(event, &mut packer).expect("an event of the machine");
    }
    let what = Synchronisation::AfterLoss {
        instructions: events[begin..end].iter().map(|event| event.instructions).sum(),
        cause: LossCause::NoRoom,
        next: Next::At(events[end - 1].target),
        state: ExecutionState::default(),
    };
    encoder.turn(Turn::Synchronise(what), &mut packer);
    for event in &events[end..] {
        encoder.event(event, &mut packer).expect("an event of the machine");
    }
    encoder.flush(&mut packer);
    packer.finish()
}

fn bits_file(subject: &Subject, events: &[Event]) -> Vec<u8> {
    let design = design(3, subject);
    let mut encoder = Encoder::new(&design).expect("a legal design");
    let header = Header { design, machine: subject.machine };
    let mut writer = BitsWriter::new(Vec::new(), "seed.bits", &header).expect("memory takes all");
    for event in events {
        encoder.event(event, &mut writer).expect("an event of the machine");
        writer.event(event).expect("memory takes all");
    }
    encoder.flush(&mut writer);
    writer.finish().expect("memory takes all").0
}

fn trace_file(subject: &Subject, events: &[Event], format: Format, lengths: bool) -> Vec<u8> {
    let extensions = Extensions { lengths, ..Extensions::NONE };
    let options = WriterOptions { format, extensions, ..WriterOptions::default() };
    let mut writer = Writer::new(Vec::new(), subject.machine, options).expect("a legal machine");
    events.iter().for_each(|event| writer.write(event).expect("a legal event"));
    writer.finish().expect("memory takes all")
}
