//! Traces of packets that are cut and damaged, and what a decoder makes of them.

use std::ops::Range;

use rand::Rng;
use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::field::{Field, Sink};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::header::fields;
use tracewright_sim::packet::part::{Gap, Part, Recovered};
use tracewright_sim::program::Programs;
use tracewright_sim::scheme::{self, Design, DesignError, Encoder};

/// A trace, and where its packets are.
pub struct Marked {
    pub bytes: Vec<u8>,
    pub bits: u64,
    /// The first bit of each packet's marker and the number of events before it, the end included.
    pub packets: Vec<(u64, usize)>,
}

#[derive(Default)]
struct Marking {
    packer: BitPacker,
    markers: Vec<u64>,
}

impl Sink for Marking {
    fn put(&mut self, field: &Field, bits: u64, count: u32) {
        let is_first = field.name == fields::MARKER.name && bits & 1 == 1;
        if is_first {
            self.markers.push(self.packer.bits());
        }
        self.packer.push(bits, count);
    }

    fn align(&mut self, unit: u32) {
        BitPacker::align(&mut self.packer, unit);
    }
}

/// The trace of these events.
pub fn marked(design: &Design, events: &[Event]) -> Marked {
    let mut encoder = Encoder::new(design).expect("a legal design");
    let mut sink = Marking::default();
    let mut packets = Vec::new();
    for (index, event) in events.iter().enumerate() {
        encoder.event(event, &mut sink).expect("an event that the design can trace");
        // A packet begins with its first event.
        packets.extend(sink.markers.drain(..).map(|marker| (marker, index)));
    }
    encoder.flush(&mut sink);
    packets.extend(sink.markers.drain(..).map(|marker| (marker, events.len())));
    let bits = sink.packer.bits();
    Marked { bytes: sink.packer.finish(), bits, packets }
}

/// What a decoder made of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All events that it gave are right, and so many packets are missing.
    Right { lost_packets: usize },
    /// This event was given for another, or for none.
    Wrong { event: usize },
}

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error(transparent)]
    Decode(#[from] DecodeError),
    #[error(transparent)]
    Design(#[from] DesignError),
}

/// The parts of a trace from one of its bits on.
pub fn decode_from<'a>(
    design: &Design,
    programs: impl Into<Programs<'a>>,
    bytes: &[u8],
    bit: u64,
) -> (Vec<Part>, Recovered) {
    let mut parts = Vec::new();
    let mut bits = BitUnpacker::new(bytes);
    for _ in 0..bit {
        bits.take(1).expect("a bit of the trace");
    }
    let recovered = scheme::decode_packets(design, programs, &mut bits, u64::MAX, |part| {
        parts.push(part);
        Ok::<(), Error>(())
    });
    (parts, recovered.expect("damage is no error"))
}

impl Marked {
    /// Compares the parts of a trace with the events that were encoded.
    pub fn judge(&self, events: &[Event], parts: &[Part]) -> Verdict {
        let mut at = 0;
        let mut lost_packets = 0;
        let mut is_first = false;
        for part in parts {
            match part {
                Part::Event(event) => {
                    let Some(expected) = events.get(at) else {
                        return Verdict::Wrong { event: at };
                    };
                    // Its instruction is in a packet that is missing.
                    let unknown =
                        is_first && event.kind == Kind::Exception && event.instructions == 0;
                    let known =
                        if unknown { expected.program_counter } else { event.program_counter };
                    let described =
                        Event { length: expected.length, program_counter: known, ..*event };
                    if described != *expected {
                        return Verdict::Wrong { event: at };
                    }
                    at += 1;
                    is_first = false;
                }
                Part::State(_) | Part::Time(_) | Part::Unverified => {}
                Part::Gap(Gap { bits, .. }) => {
                    // After the gap comes the packet whose marker ends it, or none.
                    let next = self.packets.iter().find(|(marker, _)| *marker >= bits.end);
                    let next = next.map_or(events.len(), |(_, before)| *before);
                    let skipped = |(marker, _): &&(u64, usize)| bits.contains(marker);
                    lost_packets += self.packets.iter().filter(skipped).count();
                    if next < at {
                        return Verdict::Wrong { event: at };
                    }
                    at = next;
                    is_first = true;
                }
            }
        }
        if at < events.len() {
            Verdict::Wrong { event: at }
        } else {
            Verdict::Right { lost_packets }
        }
    }
}

/// A preset of each scheme that can have packets.
pub const FAMILIES: [&str; 9] = [
    "traptor-m4",
    "talon-s",
    "stream-rbase-128",
    "ntuple-32x4-memory",
    "nexs",
    "nexus-n1",
    "mctraptor-small-n1",
    "etrace-base",
    "ntrace-htm",
];

/// A packet that can be put elsewhere.
#[derive(Clone)]
pub struct Piece {
    bits: Vec<bool>,
    /// Its events, by their numbers among those of all traces.
    pub events: Range<usize>,
}

/// The packets of a trace of so many events, which are numbered from `first` on.
pub fn pieces(trace: &Marked, first: usize, events: usize) -> Vec<Piece> {
    let bit = |place: u64| trace.bytes[(place / 8) as usize] >> (place % 8) & 1 == 1;
    let packet = |(number, (begin, before)): (usize, &(u64, usize))| {
        let (end, after) = trace.packets.get(number + 1).copied().unwrap_or((trace.bits, events));
        let bits = (*begin..end).map(bit).collect();
        Piece { bits, events: first + before..first + after }
    };
    trace.packets.iter().enumerate().map(packet).collect()
}

/// Another trace of the same events, which are numbered after those of the first: it ends and goes on after each
/// `period` events.
pub fn shifted(design: &Design, events: &[Event], period: usize) -> Vec<Piece> {
    let mut encoder = Encoder::new(design).expect("a legal design");
    let mut sink = Marking::default();
    let mut packets = Vec::new();
    for (index, event) in events.iter().enumerate() {
        if index % period == period - 1 {
            encoder.flush(&mut sink);
            packets.extend(sink.markers.drain(..).map(|marker| (marker, index)));
        }
        encoder.event(event, &mut sink).expect("an event that the design can trace");
        packets.extend(sink.markers.drain(..).map(|marker| (marker, index)));
    }
    encoder.flush(&mut sink);
    packets.extend(sink.markers.drain(..).map(|marker| (marker, events.len())));
    let bits = sink.packer.bits();
    let trace = Marked { bytes: sink.packer.finish(), bits, packets };
    pieces(&trace, events.len(), events.len())
}

impl Piece {
    /// The bytes of packets in a row, and where each begins, with its events.
    pub fn join(pieces: &[Piece]) -> (Vec<u8>, Vec<(u64, Range<usize>)>) {
        let (mut packer, mut places) = (BitPacker::new(), Vec::new());
        for Piece { bits, events } in pieces {
            places.push((packer.bits(), events.clone()));
            bits.chunks(64).for_each(|chunk| {
                let word = chunk.iter().rev().fold(0, |word, bit| word << 1 | u64::from(*bit));
                packer.push(word, chunk.len() as u32);
            });
        }
        (packer.finish(), places)
    }
}

/// Drops, repeats or swaps packets of a trace, or puts some of another trace in their place, in turn; says what was
/// done.
pub fn damage(
    random: &mut impl Rng,
    case: usize,
    trace: &[Piece],
    other: &[Piece],
) -> (String, Vec<Piece>) {
    let count = trace.len();
    let mut damaged = trace.to_vec();
    let at = random.random_range(0..count);
    let most = if case % 8 < 4 { 1 } else { 12 };
    let end = (at + random.random_range(1..=most)).min(count);
    let to = random.random_range(0..=count);
    let what = match case % 4 {
        0 => {
            damaged.drain(at..end);
            format!("{at}..{end} are dropped")
        }
        1 => {
            let to = if case.is_multiple_of(3) { to } else { end };
            damaged.splice(to..to, trace[at..end].iter().cloned());
            format!("{at}..{end} are there again at {to}")
        }
        2 => {
            let to = if case.is_multiple_of(3) { (at + 1) % count } else { to % count };
            damaged.swap(at, to);
            format!("{at} and {to} are swapped")
        }
        _ => {
            // The first packets of the other trace are those of this one.
            let from = random.random_range(other.len() / 4..other.len());
            let until = random.random_range(from + 1..=other.len());
            let length = (until - from).min(most);
            damaged.splice(at..end, other[from..from + length].iter().cloned());
            format!("{from}..{} of another trace is in place of {at}..{end}", from + length)
        }
    };
    (what, damaged)
}

/// The first event that was given for another one or for none, or was left out without a gap; `places` says where
/// packets are, and which of `events` each has.
pub fn judge(events: &[Event], places: &[(u64, Range<usize>)], parts: &[Part]) -> Option<usize> {
    let (mut at, mut is_first) = (Some(0), false);
    for part in parts {
        match (part, at) {
            (Part::Event(event), Some(index)) => {
                let Some(expected) = events.get(index) else { return Some(index) };
                let unknown = is_first && event.kind == Kind::Exception && event.instructions == 0;
                let known = if unknown { expected.program_counter } else { event.program_counter };
                let described = Event { length: expected.length, program_counter: known, ..*event };
                if described != *expected {
                    return Some(index);
                }
                (at, is_first) = (Some(index + 1), false);
            }
            (Part::Event(_), None) => return Some(events.len()),
            (Part::State(_) | Part::Time(_) | Part::Unverified, _) => {}
            (Part::Gap(Gap { bits, .. }), _) => {
                let next = places.iter().find(|(marker, _)| *marker >= bits.end);
                (at, is_first) = (next.map(|(_, events)| events.start), true);
            }
        }
    }
    let end = places.last().map(|(_, events)| events.end);
    at.filter(|at| Some(*at) != end)
}
