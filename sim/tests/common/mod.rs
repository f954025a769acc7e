//! What the tests of several schemes share.

pub mod additive_reference;
pub mod data_accesses;
pub mod packet_damage;
pub mod talon_reference;

use std::fmt::Debug;

use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::field::{Account, Field, Sink};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::program::{Program, ProgramBuilder};
use tracewright_sim::scheme::{self, Design, Encoder};
use tracewright_sim::{decode, trace_io};

/// `make long-tests` runs every test at its full length.
pub fn is_long() -> bool {
    std::env::var_os("LONG_TESTS").is_some()
}

/// True for the whole traces that a test measures: without `LONG_TESTS` those of one program on two instruction sets, with
/// three events in ten.
pub fn is_measured(trace: &str) -> bool {
    is_long() || trace.ends_with("stringsearch")
}

/// The machine of the handmade events.
pub const MACHINE: Machine = Machine { isa: Isa::Arm, alignment: 2, address_bits: 32 };

/// The program of these events, whose calls get their lengths.
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

/// An event without the length, which only calls carry through a file.
pub fn described(event: &Event) -> Event {
    Event { length: 0, ..*event }
}

/// The first events of a workload.
pub fn workload(name: &str, limit: usize) -> (Machine, Vec<Event>) {
    let path = format!("{}/../workloads/{name}.pet.zst", env!("CARGO_MANIFEST_DIR"));
    let mut reader = trace_io::open(std::path::Path::new(&path)).unwrap();
    let machine = reader.machine();
    let events = reader.by_ref().take(limit).collect::<Result<_, _>>().unwrap();
    (machine, events)
}

/// An event of the handmade machine.
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

/// A trace as text, first bit first, records divided by spaces.
#[derive(Default)]
pub struct Text(pub String);

impl Sink for Text {
    fn put(&mut self, _: &Field, bits: u64, count: u32) {
        self.0.extend((0..count).map(|place| if bits >> place & 1 == 1 { '1' } else { '0' }));
    }

    fn end_record(&mut self) {
        self.0.push(' ');
    }

    fn align(&mut self, _: u32) {}
}

/// An encoder sends these records for these events and a flush; spaces inside a record do not count.
#[track_caller]
pub fn sends(mut encoder: impl GoldenEncoder<Error: Debug>, events: &[Event], records: &[&str]) {
    let mut text = Text::default();
    events.iter().for_each(|event| encoder.event(event, &mut text).unwrap());
    encoder.flush(&mut text);
    let expected: Vec<String> = records.iter().map(|record| record.replace(' ', "")).collect();
    assert_eq!(text.0.trim_end(), expected.join(" "));
}

/// The trace of these events, flushed after every `interval` of them and at the end.
pub fn encode(design: &Design, events: &[Event], interval: usize) -> (Vec<u8>, Account) {
    let mut encoder = Encoder::new(design).unwrap();
    let mut sinks = (BitPacker::new(), Account::default());
    for part in events.chunks(interval) {
        part.iter().for_each(|event| encoder.event(event, &mut sinks).unwrap());
        encoder.flush(&mut sinks);
    }
    (sinks.0.finish(), sinks.1)
}

/// The events of one thread, without lengths.
pub fn of_thread(events: &[Event], thread: u8) -> Vec<Event> {
    events.iter().filter(|event| event.thread == thread).map(described).collect()
}

/// A trace that was encoded so is decoded to the same events of every thread.
#[track_caller]
pub fn round_trip(
    design: &Design,
    program: &Program,
    events: &[Event],
    interval: usize,
    what: &str,
) -> Account {
    let (bytes, account) = encode(design, events, interval);
    let mut back = Vec::new();
    let mut bits = BitUnpacker::new(bytes.as_slice());
    let instructions: u64 = events.iter().map(|event| event.instructions).sum();
    let summary = scheme::decode(design, program, &mut bits, instructions, |event| {
        back.push(event);
        Ok::<(), Error>(())
    })
    .unwrap_or_else(|error| panic!("{what}: {error}"));
    for thread in 0..8 {
        let (back, there) = (of_thread(&back, thread), of_thread(events, thread));
        let same = back.iter().zip(&there).take_while(|(one, other)| one == other).count();
        assert_eq!(back.get(same), there.get(same), "{what}: event {same} of thread {thread}");
    }
    if design.protocol().switches_alone() {
        // A payload and an end after it may be of one record or of two, which the trace does not say.
        assert!(summary.records <= account.records, "{what}");
    } else {
        assert_eq!(summary.records, account.records, "{what}");
    }
    assert_eq!(summary.instructions, instructions, "{what}");
    account
}

/// Why a trace cannot be decoded.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The trace.
    #[error(transparent)]
    Decode(#[from] decode::error::DecodeError),
    /// The design.
    #[error(transparent)]
    Design(#[from] scheme::DesignError),
}
