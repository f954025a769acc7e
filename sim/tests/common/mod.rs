//! What the tests of every scheme need: programs from events, traces from events, events from traces.

#![allow(dead_code, reason = "no test file needs all of it")]

use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::field::{Account, Field, Sink};
use tracewright_sim::program::{Program, ProgramBuilder};
use tracewright_sim::replay::{DecodeError, Summary};
use tracewright_sim::scheme::{self, Design, DesignError, Encoder, Scheme};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::trace_io;

/// The traces that `workloads/` has.
pub const WORKLOADS: [&str; 6] = [
    "arm-adpcm_c",
    "arm-stringsearch",
    "rv64-djpeg",
    "rv64-stringsearch",
    "arm-tiff2bw",
    "arm-fft-head",
];

/// The machine of events that tests write down.
pub const MACHINE: Machine = Machine { isa: Isa::Arm, alignment: 2, address_bits: 32 };

/// Why a trace was refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// By the decoder.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// By the design.
    #[error(transparent)]
    Design(#[from] DesignError),
}

/// The program of the events, which are given the lengths of their calls.
pub fn learn(machine: Machine, events: &mut [Event]) -> Program {
    let mut builder = ProgramBuilder::new(machine);
    for event in events.iter() {
        builder.event(event).unwrap();
    }
    let program = builder.finish().unwrap();
    for event in events.iter_mut().filter(|event| event.call) {
        event.length = program.call_length(event.program_counter).unwrap();
    }
    program
}

/// The first `limit` events of a real trace.
pub fn workload(name: &str, limit: usize) -> (Machine, Vec<Event>) {
    let path = format!("{}/../workloads/{name}.pet.zst", env!("CARGO_MANIFEST_DIR"));
    let mut reader = trace_io::open(path).unwrap();
    let machine = reader.machine();
    let mut events = Vec::new();
    while events.len() < limit
        && let Some(event) = reader.next_event().unwrap()
    {
        events.push(event);
    }
    (machine, events)
}

/// A synthetic program of one thread.
pub fn synthetic(seed: u64, events: u64) -> (Machine, Vec<Event>) {
    let mut synthetic = Synthetic::new(Options { events, ..Options::from_seed(seed) }).unwrap();
    (synthetic.machine(), synthetic.by_ref().collect())
}

/// A design that no preset has.
pub fn design(scheme: Scheme) -> Design {
    Design::new("test", scheme).unwrap()
}

/// The trace of the events, flushed behind every `interval` of them and at the end.
pub fn encode(design: &Design, events: &[Event], interval: usize) -> (Vec<u8>, Account) {
    let mut encoder = Encoder::new(design).unwrap();
    let mut sinks = (BitPacker::new(), Account::default());
    for part in events.chunks(interval) {
        part.iter().for_each(|event| encoder.event(event, &mut sinks).unwrap());
        encoder.flush(&mut sinks);
    }
    (sinks.0.finish(), sinks.1)
}

/// The events of a trace.
pub fn decode(
    design: &Design,
    program: &Program,
    bytes: &[u8],
) -> Result<(Vec<Event>, Summary), Refusal> {
    let mut events = Vec::new();
    let mut bits = BitUnpacker::new(bytes);
    let summary = scheme::decode(design, program, &mut bits, u64::MAX, |event| {
        events.push(event);
        Ok::<(), Refusal>(())
    })?;
    Ok((events, summary))
}

/// An event without the length, which only calls carry through a file.
pub fn described(event: &Event) -> Event {
    Event { length: 0, ..*event }
}

/// Encodes with a flush behind every `interval` events, decodes, and compares all of it.
#[track_caller]
pub fn round_trip(
    design: &Design,
    program: &Program,
    events: &[Event],
    interval: usize,
) -> Account {
    let what = || format!("{} every {interval}: {:?}", design.name, design.scheme);
    let (bytes, account) = encode(design, events, interval);
    let (back, summary) =
        decode(design, program, &bytes).unwrap_or_else(|error| panic!("{error}: {}", what()));
    let differs = |at: &usize| back.get(*at).map(described) != Some(described(&events[*at]));
    if let Some(at) = (0..events.len()).find(differs) {
        let found = back.get(at).map(ToString::to_string);
        panic!("event {at} is {found:?}, not {}: {}", events[at], what());
    }
    assert_eq!(back.len(), events.len(), "{}", what());
    assert_eq!(summary.records, account.records, "{}", what());
    let instructions: u64 = events.iter().map(|event| event.instructions).sum();
    assert_eq!(summary.instructions, instructions, "{}", what());
    account
}

/// An event of this many instructions.
pub fn event(kind: Kind, instructions: u64, program_counter: u64, taken: Option<u64>) -> Event {
    Event {
        instructions,
        program_counter,
        target: taken.unwrap_or(0),
        kind,
        call: false,
        is_return: false,
        taken: taken.is_some(),
        length: 4,
        thread: 0,
    }
}

/// The trace as text, first bit first, records divided by spaces.
pub fn text(design: &Design, events: &[Event]) -> String {
    #[derive(Default)]
    struct Text(String);
    impl Sink for Text {
        fn put(&mut self, _: &Field, bits: u64, count: u32) {
            self.0.extend((0..count).map(|place| if bits >> place & 1 == 1 { '1' } else { '0' }));
        }
        fn end_record(&mut self) {
            self.0.push(' ');
        }
        fn align(&mut self, _: u32) {}
    }
    let mut encoder = Encoder::new(design).unwrap();
    let mut text = Text::default();
    events.iter().for_each(|event| encoder.event(event, &mut text).unwrap());
    encoder.flush(&mut text);
    text.0.trim_end().into()
}

/// Holds the trace of the events, flush record and all, to these records; spaces in them are free.
#[track_caller]
pub fn sends(design: &Design, events: &[Event], records: &[&str]) {
    let expected: Vec<String> = records.iter().map(|record| record.replace(' ', "")).collect();
    assert_eq!(text(design, events), expected.join(" "));
}
