//! Fields of records, and what takes the bits of a trace field by field.

use crate::encode::bit_packer::BitPacker;
use crate::event::Event;

/// A field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, as reports and documents show it.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// Something that takes the pieces of a record, in order.
pub trait Sink {
    /// The next event, whose bits come now, if there are any.
    fn begin(&mut self, _event: &Event) {}
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

impl<S: Sink + ?Sized> Sink for &mut S {
    #[inline]
    fn begin(&mut self, event: &Event) {
        (**self).begin(event);
    }

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

/// Two sinks that are given the same bits.
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
    /// The offset in the trace of the piece of the field with that bit.
    pub first_bit: u64,
    /// The piece: a chunk with its continuation bit, or a field of fixed width.
    pub bits: u64,
    /// Its bits.
    pub count: u32,
}

impl Location {
    /// True if the piece ends after this bit of the trace.
    pub fn ends_behind(&self, bit: u64) -> bool {
        bit < self.first_bit + u64::from(self.count)
    }
}

/// A sink that finds what a bit of the trace belongs to.
#[derive(Clone, Debug)]
pub struct Locator {
    bit: u64,
    position: u64,
    record: u64,
    /// The field that the bit belongs to, after the bit has been put.
    pub found: Option<Location>,
}

impl Locator {
    /// Looks for the bit at this offset of the trace.
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
