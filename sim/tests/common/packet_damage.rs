//! Traces of packets that are cut and damaged, and what a decoder makes of them.

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
                Part::State(_) | Part::Time(_) => {}
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
