//! Encoding: a trace to the bits of a design, with the records that they are.

use std::path::PathBuf;

use pyo3::prelude::*;
use tracewright_sim::bits_file::{BitsWriter, Header};
use tracewright_sim::event::Item;
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::field::{Field, Sink};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{self, Encoder};
use tracewright_verification::trace::{self, Blocks};
use tracewright_verification::{Error, Progress};

use crate::decode::Stream;
use crate::design::Design;
use crate::error::{DesignError, EncodeError, of_trace, of_verification, sentence};
use crate::interruptible;
use crate::records::{Buffer, Piece, SentRecord};

/// A sink that writes the file of an encoded trace, and notes what its bits are.
struct Noted {
    writer: BitsWriter<Vec<u8>>,
    /// The fields, and the bits of each.
    fields: Vec<(&'static str, u64)>,
    records: Vec<SentRecord>,
    pieces: Option<Vec<Piece>>,
    /// Bits so far, padding included.
    position: u64,
    /// Where the record at hand begins.
    begin: u64,
    /// Events that the encoder has been given before the one at hand.
    event: u64,
}

impl Noted {
    fn field(&mut self, field: &Field) -> usize {
        let known = self.fields.iter().position(|(name, _)| *name == field.name);
        known.unwrap_or_else(|| {
            self.fields.push((field.name, 0));
            self.fields.len() - 1
        })
    }
}

impl Sink for Noted {
    fn put(&mut self, field: &Field, bits: u64, count: u32) {
        self.writer.put(field, bits, count);
        self.position += u64::from(count);
        let number = self.field(field);
        self.fields[number].1 += u64::from(count);
        let record = self.records.len() as u64;
        if let Some(pieces) = &mut self.pieces {
            pieces.push(Piece { value: bits, record, bits: count, field: number as u32 });
        }
    }

    fn end_record(&mut self) {
        self.writer.end_record();
        let (first_bit, bits) = (self.begin, self.position - self.begin);
        self.records.push(SentRecord { first_bit, event: self.event, bits });
        self.begin = self.position;
    }

    fn align(&mut self, unit: u32) {
        self.writer.align(unit);
        self.position = self.position.next_multiple_of(unit.into());
        self.begin = self.position;
    }
}

/// An encoded trace, the bits of each field, the records, and the pieces of the records if they are wanted.
type Encoded = (Stream, Vec<(&'static str, u64)>, Buffer, Option<Buffer>);

/// Encodes the trace in a file as `tracewright encode` does.
#[pyfunction]
pub fn encode(py: Python<'_>, design: &Design, path: PathBuf, pieces: bool) -> PyResult<Encoded> {
    let design = design.0.clone();
    let (noted, design, machine) =
        interruptible::run(py, |progress| encode_file(design, &path, pieces, progress))?;
    let Noted { writer, fields, records, pieces, .. } = noted;
    let (file, totals) = writer.finish().map_err(|error| EncodeError::new_err(sentence(error)))?;
    let stream = Stream { file, design, machine, totals };
    Ok((stream, fields, Buffer::new(records), pieces.map(Buffer::new)))
}

fn encode_file(
    design: scheme::Design,
    path: &std::path::Path,
    pieces: bool,
    progress: &Progress,
) -> PyResult<(Noted, scheme::Design, tracewright_sim::event::Machine)> {
    let limit = EventLimit::default();
    let open = || trace::open(path, limit, progress);
    let (calls, reader) = trace::open_for_encoding(path, progress, open).map_err(of_trace)?;
    let machine = reader.machine();
    let design = trace::design_for(&design, machine).map_err(of_verification)?;
    if design.traces_data() && !reader.extensions().data {
        return Err(DesignError::new_err(format!(
            "{} traces data addresses: expected a trace with accesses, found one without",
            design.name
        )));
    }
    let addresses = calls.addresses(path, &design, limit).map_err(of_verification)?;
    let design = addresses.fit(design);
    let of_encoder = |error| of_verification(Error::Encode(error));
    let mut encoder = Encoder::new(&design).map_err(|error| of_verification(error.into()))?;
    let header = Header { design, machine };
    let failed = |error| EncodeError::new_err(sentence(error));
    let writer = BitsWriter::new(Vec::new(), "the stream", &header).map_err(failed)?;
    let pieces = pieces.then(Vec::new);
    let (fields, records) = (Vec::new(), Vec::new());
    let mut noted = Noted { writer, fields, records, pieces, position: 0, begin: 0, event: 0 };
    let mut blocks = Blocks::prepared(reader, calls);
    while let Some(block) = blocks.next_block().map_err(of_trace)? {
        for item in block {
            encoder.item(item, &mut noted).map_err(of_encoder)?;
            noted.event += u64::from(matches!(item, Item::Event(_)));
        }
        noted.writer.items(block).map_err(failed)?;
    }
    let (reader, calls) = blocks.finish();
    calls.check(path, &reader).map_err(of_verification)?;
    encoder.flush(&mut noted);
    Ok((noted, header.design, machine))
}
