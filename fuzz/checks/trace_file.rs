//! Any bytes as a trace of any form.

use std::io::{Cursor, Read};

use tracewright_sim::event::{Event, Machine};
use tracewright_sim::trace_io::{Extensions, Format, Reader, Writer, WriterOptions};

use super::round_trip;

/// Events after which a trace is left: a small zstd frame can hold very many.
const EVENTS_MAX: usize = 50_000;

/// The first bytes of a zstd frame.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Reads the trace, and what was read once more from every form it can be written in; encodes and
/// decodes it if it is of one program.
///
/// Gives the events, or `None` for a trace that is refused, be it after some events.
pub fn check(input: &[u8]) -> Option<Vec<Event>> {
    let whole = read(Cursor::new(input.to_vec()));
    let pieces = read(Pieces { bytes: input.to_vec(), at: 0 });
    // A damaged zstd frame gives as much as the decompressor had finished.
    if !input.starts_with(&ZSTD_MAGIC) {
        assert_eq!(whole, pieces, "it matters in what pieces the bytes come");
    }
    let Trace { machine, extensions, events, refusal } = whole.ok()?;
    for format in [Format::Text, Format::Pet1, Format::Pet1Zstd] {
        let options = WriterOptions { format, extensions, level: 1, ..WriterOptions::default() };
        let mut writer =
            Writer::new(Vec::new(), machine, options).expect("a machine that was read");
        events.iter().for_each(|event| writer.write(event).expect("an event that was read"));
        let again = read(Cursor::new(writer.finish().expect("memory takes all")))
            .expect("what was written");
        // Only text has the lengths of instructions that are no calls.
        let kept =
            |event: &Event| if format == Format::Text || event.call { event.length } else { 0 };
        let expected = events.iter().map(|event| Event { length: kept(event), ..*event });
        assert!(expected.eq(again.events), "{format:?}");
        assert_eq!(
            (again.machine, again.extensions, again.refusal),
            (machine, extensions, None),
            "{format:?}"
        );
    }
    round_trip::check(machine, events.clone());
    refusal.is_none().then_some(events)
}

#[derive(Debug, PartialEq)]
struct Trace {
    machine: Machine,
    extensions: Extensions,
    events: Vec<Event>,
    refusal: Option<String>,
}

fn read(stream: impl Read + Send + 'static) -> Result<Trace, String> {
    let mut reader = Reader::new(stream).map_err(|error| error.to_string())?;
    let (machine, extensions) = (reader.machine(), reader.extensions());
    let mut trace = Trace { machine, extensions, events: Vec::new(), refusal: None };
    for event in reader.by_ref().take(EVENTS_MAX) {
        match event {
            Ok(event) => trace.events.push(event),
            Err(error) => trace.refusal = Some(error.to_string()),
        }
    }
    assert_eq!(reader.events(), trace.events.len() as u64);
    assert_eq!(
        reader.instructions(),
        trace.events.iter().map(|event| event.instructions).sum::<u64>()
    );
    Ok(trace)
}

/// Gives the bytes in pieces of 1 to 7.
struct Pieces {
    bytes: Vec<u8>,
    at: usize,
}

impl Read for Pieces {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let rest = &self.bytes[self.at..];
        let count = rest.len().min(into.len()).min(1 + self.at % 7);
        into[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}
