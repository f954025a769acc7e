//! Writing an encoded trace, in frames as the bits come.

use std::io::{self, Write};

use super::{Error, FRAME_BYTES_MAX, Fingerprint, Header, Problem, Totals, check};
use crate::encode::bit_packer::BitPacker;
use crate::event::{Access, Event, Item};
use crate::field::{Field, Sink};

/// Bits after which a frame is written.
const FRAME_BITS: u64 = 8 * FRAME_BYTES_MAX as u64;

/// Writes an encoded trace in bounded memory: the [`Sink`] of an encoder.
///
/// The file is complete only after [`finish`](BitsWriter::finish).
#[derive(Debug)]
pub struct BitsWriter<W> {
    sink: W,
    name: String,
    offset: u64,
    packer: BitPacker,
    framed_bits: u64,
    totals: Totals,
    fingerprint: Fingerprint,
    traces_data: bool,
    /// A sink of bits cannot fail: what went wrong in it waits here for [`BitsWriter::event`].
    failure: Option<io::Error>,
}

impl<W: Write> BitsWriter<W> {
    /// Writes the header; errors call the file `name`.
    ///
    /// # Errors
    /// When `sink` fails.
    pub fn new(sink: W, name: &str, header: &Header) -> Result<Self, Error> {
        let mut writer = Self {
            sink,
            name: name.into(),
            offset: 0,
            packer: BitPacker::new(),
            framed_bits: 0,
            totals: Totals::default(),
            fingerprint: Fingerprint::default(),
            traces_data: header.design.traces_data(),
            failure: None,
        };
        writer.write(&header.to_bytes());
        writer.failed()?;
        Ok(writer)
    }

    /// Counts an event that the encoder has put into this sink.
    ///
    /// # Errors
    /// When the sink below failed since the event before.
    #[inline]
    pub fn event(&mut self, event: &Event) -> Result<(), Error> {
        self.totals.events += 1;
        self.totals.instructions += event.instructions;
        self.fingerprint.add(event);
        if self.failure.is_some() { self.failed() } else { Ok(()) }
    }

    /// Counts items that the encoder has put into this sink: events, and memory accesses where they are traced.
    ///
    /// # Errors
    /// When the sink below failed since the items before.
    pub fn items(&mut self, items: &[Item]) -> Result<(), Error> {
        let Self { totals, fingerprint, traces_data, .. } = self;
        for item in items {
            match item {
                Item::Event(event) => {
                    totals.events += 1;
                    totals.instructions += event.instructions;
                    fingerprint.add(event);
                }
                Item::Access(access) if *traces_data => fingerprint.add_access(access),
                Item::Access(_) | Item::State(_) | Item::Cycles(_) => {}
            }
        }
        self.check()
    }

    /// Counts all that the encoder has put into this sink, as it was read: so many events and instructions, and the
    /// fingerprint of the events, and of the memory accesses where they are traced.
    pub fn count(&mut self, events: u64, instructions: u64, fingerprint: Fingerprint) {
        self.totals.events = events;
        self.totals.instructions = instructions;
        self.fingerprint = fingerprint;
    }

    /// Says whether the sink below has failed since it was asked last.
    ///
    /// # Errors
    /// When it has.
    pub fn check(&mut self) -> Result<(), Error> {
        if self.failure.is_some() { self.failed() } else { Ok(()) }
    }

    /// Counts a memory access that the encoder has put into this sink, where accesses are traced.
    ///
    /// # Errors
    /// When the sink below failed since the item before.
    #[inline]
    pub fn access(&mut self, access: &Access) -> Result<(), Error> {
        self.fingerprint.add_access(access);
        if self.failure.is_some() { self.failed() } else { Ok(()) }
    }

    /// Writes what is left and the trailer; gives back the sink, flushed.
    ///
    /// # Errors
    /// When the sink fails or has failed before.
    pub fn finish(mut self) -> Result<(W, Totals), Error> {
        let packer = std::mem::take(&mut self.packer);
        self.totals.bits = packer.bits() - self.totals.padding;
        self.totals.fingerprint = self.fingerprint.value();
        self.frames(&packer.finish());
        self.write(&self.totals.to_trailer(self.offset));
        if self.failure.is_none() {
            self.failure = self.sink.flush().err();
        }
        self.failed()?;
        Ok((self.sink, self.totals))
    }

    #[cold]
    fn spill(&mut self) {
        let bytes = self.packer.take_bytes();
        self.framed_bits += 8 * bytes.len() as u64;
        self.frames(&bytes);
    }

    fn frames(&mut self, bytes: &[u8]) {
        for frame in bytes.chunks(FRAME_BYTES_MAX) {
            let length = frame.len() as u32;
            let sum = check(self.offset, length, frame);
            self.write(&length.to_le_bytes());
            self.write(&sum.to_le_bytes());
            self.write(frame);
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.failure.is_none() {
            self.failure = self.sink.write_all(bytes).err();
            self.offset += bytes.len() as u64;
        }
    }

    #[cold]
    fn failed(&mut self) -> Result<(), Error> {
        match self.failure.take() {
            None => Ok(()),
            Some(error) => Err(Error {
                file: self.name.clone(),
                offset: self.offset,
                problem: Problem::Write(error),
            }),
        }
    }
}

impl<W: Write> Sink for BitsWriter<W> {
    #[inline]
    fn put(&mut self, _: &Field, bits: u64, count: u32) {
        self.packer.push(bits, count);
        if self.packer.bits() - self.framed_bits >= FRAME_BITS {
            self.spill();
        }
    }

    fn align(&mut self, unit: u32) {
        self.totals.padding += u64::from(self.packer.align(unit));
    }
}
