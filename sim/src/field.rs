//! One statement of a record's layout, walked three ways.
//!
//! A scheme's `layout.rs` walks over the fields of a record once. [`Putter`] sends what the walk
//! passes, [`Taker`] fills it in from bits, [`Describer`] writes it down for `docs/formats.md`, and
//! [`Account`] counts bits by field. A format cannot differ between them.

use std::convert::Infallible;
use std::io::Read;

use crate::encode::bit_packer::{BitPacker, BitUnpacker, TakeError};
use crate::encode::variable_length::{Chunks, Malformed};

/// A field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, as reports and documents show it.
    pub name: &'static str,
    /// What it says.
    pub doc: &'static str,
}

/// Something that visits the fields of a record in order.
pub trait Walker {
    /// What can go wrong on the way.
    type Error;
    /// A chunked number.
    fn number(
        &mut self,
        field: &Field,
        chunks: &Chunks,
        value: &mut u64,
    ) -> Result<(), Self::Error>;
    /// A chunked number or, as `None`, the escape.
    fn number_or_escape(
        &mut self,
        field: &Field,
        chunks: &Chunks,
        value: &mut Option<u64>,
    ) -> Result<(), Self::Error>;
    /// A field of `width` bits, 1 to 64.
    fn bits(&mut self, field: &Field, width: u32, value: &mut u64) -> Result<(), Self::Error>;
}

/// Something that takes the pieces of a record, in order.
pub trait Sink {
    /// The next `count` bits, 1 to 64, which belong to `field`.
    fn put(&mut self, field: &Field, bits: u64, count: u32);
    /// A record ends here.
    fn end_record(&mut self) {}
    /// The trace is filled up with zeros to a multiple of `unit` bits.
    fn align(&mut self, unit: u32);
}

impl Sink for BitPacker {
    #[inline]
    fn put(&mut self, _: &Field, bits: u64, count: u32) {
        self.push(bits, count);
    }

    fn align(&mut self, unit: u32) {
        BitPacker::align(self, unit);
    }
}

/// A walker that sends the fields to a sink.
#[derive(Debug)]
pub struct Putter<'a, S>(pub &'a mut S);

impl<S: Sink> Walker for Putter<'_, S> {
    type Error = Infallible;

    fn number(
        &mut self,
        field: &Field,
        chunks: &Chunks,
        value: &mut u64,
    ) -> Result<(), Infallible> {
        chunks.put(*value, |bits, count| self.0.put(field, bits, count));
        Ok(())
    }

    fn number_or_escape(
        &mut self,
        field: &Field,
        chunks: &Chunks,
        value: &mut Option<u64>,
    ) -> Result<(), Infallible> {
        let send = |bits, count| self.0.put(field, bits, count);
        match value {
            Some(value) => chunks.put(*value, send),
            None => chunks.put_escape(send),
        }
        Ok(())
    }

    fn bits(&mut self, field: &Field, width: u32, value: &mut u64) -> Result<(), Infallible> {
        self.0.put(field, *value, width);
        Ok(())
    }
}

/// Why a field could not be read.
#[derive(Debug, thiserror::Error)]
pub enum FieldError {
    /// The source ended or failed.
    #[error(transparent)]
    Take(#[from] TakeError),
    /// The bits are not a number that an encoder sends.
    #[error("not a number that the encoder sends ({0:?})")]
    Malformed(Malformed),
}

impl From<Malformed> for FieldError {
    fn from(malformed: Malformed) -> Self {
        FieldError::Malformed(malformed)
    }
}

/// A walker that fills the fields in from bits.
#[derive(Debug)]
pub struct Taker<'a, R>(pub &'a mut BitUnpacker<R>);

impl<R: Read> Walker for Taker<'_, R> {
    type Error = FieldError;

    fn number(
        &mut self,
        field: &Field,
        chunks: &Chunks,
        value: &mut u64,
    ) -> Result<(), FieldError> {
        let mut number = None;
        self.number_or_escape(field, chunks, &mut number)?;
        *value = number.ok_or(FieldError::Malformed(Malformed::NotShortest))?;
        Ok(())
    }

    fn number_or_escape(
        &mut self,
        _: &Field,
        chunks: &Chunks,
        value: &mut Option<u64>,
    ) -> Result<(), FieldError> {
        *value = chunks.take(|count| self.0.take(count).map_err(FieldError::from))?;
        Ok(())
    }

    fn bits(&mut self, _: &Field, width: u32, value: &mut u64) -> Result<(), FieldError> {
        *value = self.0.take(width)?;
        Ok(())
    }
}

/// A walker that writes down what it passes, a line a field.
#[derive(Clone, Debug, Default)]
pub struct Describer {
    /// The fields passed: name, how it is coded, what it says.
    pub fields: Vec<(&'static str, String, &'static str)>,
}

impl Walker for Describer {
    type Error = Infallible;

    fn number(
        &mut self,
        field: &Field,
        chunks: &Chunks,
        value: &mut u64,
    ) -> Result<(), Infallible> {
        self.number_or_escape(field, chunks, &mut Some(*value))
    }

    fn number_or_escape(
        &mut self,
        field: &Field,
        chunks: &Chunks,
        value: &mut Option<u64>,
    ) -> Result<(), Infallible> {
        let Chunks { first, next, width, connect_bits } = chunks;
        let plural = if *connect_bits == 1 { "" } else { "s" };
        let coding = match value {
            Some(0) => format!("one chunk of {first} zeros and connect bit{plural} 0"),
            Some(_) if *connect_bits == 1 => {
                format!("{width}-bit number in chunks of {first}, {next}, {next}, ... bits")
            }
            Some(_) => format!(
                "{width}-bit number in chunks of {first}, {next}, {next}, ... bits, {connect_bits} connect bits each"
            ),
            None => format!("escape: {first} zeros, 1, {next} zeros, 0"),
        };
        self.fields.push((field.name, coding, field.doc));
        Ok(())
    }

    fn bits(&mut self, field: &Field, width: u32, value: &mut u64) -> Result<(), Infallible> {
        let plural = if width == 1 { "" } else { "s" };
        let coding = match field.name {
            "extended" => format!("{width} bit{plural}, value {value}"),
            _ => format!("{width} bit{plural}"),
        };
        self.fields.push((field.name, coding, field.doc));
        Ok(())
    }
}

/// A sink that counts bits by field, and records.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// Bits by field, in the order the fields first came.
    pub fields: Vec<(&'static str, u64)>,
    /// Bits of whole records; padding is not counted.
    pub bits: u64,
    /// Records.
    pub records: u64,
}

impl Sink for Account {
    fn put(&mut self, field: &Field, _: u64, count: u32) {
        let count = u64::from(count);
        self.bits += count;
        match self.fields.iter_mut().find(|(name, _)| *name == field.name) {
            Some((_, bits)) => *bits += count,
            None => self.fields.push((field.name, count)),
        }
    }

    fn end_record(&mut self) {
        self.records += 1;
    }

    fn align(&mut self, _: u32) {}
}

impl<S: Sink> Sink for &mut S {
    #[inline]
    fn put(&mut self, field: &Field, bits: u64, count: u32) {
        (**self).put(field, bits, count);
    }

    #[inline]
    fn end_record(&mut self) {
        (**self).end_record();
    }

    fn align(&mut self, unit: u32) {
        (**self).align(unit);
    }
}

/// Two sinks fed alike.
impl<A: Sink, B: Sink> Sink for (A, B) {
    fn put(&mut self, field: &Field, bits: u64, count: u32) {
        self.0.put(field, bits, count);
        self.1.put(field, bits, count);
    }

    fn end_record(&mut self) {
        self.0.end_record();
        self.1.end_record();
    }

    fn align(&mut self, unit: u32) {
        self.0.align(unit);
        self.1.align(unit);
    }
}

/// A field of a trace, found by a bit of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The record, counted from 0.
    pub record: u64,
    /// The field; `None` in the padding after a flush.
    pub field: Option<&'static str>,
    /// Where the piece of the field with that bit begins in the trace, in bits.
    pub first_bit: u64,
    /// The piece: a chunk with its connect bit, or a field of fixed width.
    pub bits: u64,
    /// Its bits.
    pub count: u32,
}

/// A sink that finds what a bit of the trace belongs to.
#[derive(Clone, Debug)]
pub struct Locator {
    bit: u64,
    position: u64,
    record: u64,
    /// What the bit belongs to, once it has passed.
    pub found: Option<Location>,
}

impl Locator {
    /// Looks for the bit at this place of the trace, from 0.
    pub fn new(bit: u64) -> Self {
        Self { bit, position: 0, record: 0, found: None }
    }

    fn pass(&mut self, field: Option<&'static str>, bits: u64, count: u32) {
        let first_bit = self.position;
        self.position += u64::from(count);
        if self.found.is_none() && self.bit < self.position {
            self.found = Some(Location { record: self.record, field, first_bit, bits, count });
        }
    }
}

impl Sink for Locator {
    fn put(&mut self, field: &Field, bits: u64, count: u32) {
        self.pass(Some(field.name), bits, count);
    }

    fn end_record(&mut self) {
        self.record += 1;
    }

    fn align(&mut self, unit: u32) {
        let padding = self.position.next_multiple_of(unit.into()) - self.position;
        self.pass(None, 0, padding as u32);
    }
}
