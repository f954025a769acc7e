//! Writing a trace, in any form.

use std::io::Write;

use super::error::{Error, Place, Problem};
use super::extensions::Extensions;
use super::marks::Marks;
use super::validate::Validator;
use super::{STREAM, pet1, text};
use crate::bits_file::Fingerprint;
use crate::event::{Access, Event, ExecutionState, Item, Machine};

/// Bytes collected before they go to the sink or to the compressor.
const CHUNK: usize = 64 << 10;

/// The form of a trace being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// PET1 in one zstd frame with a checksum.
    Pet1Zstd,
    /// PET1 as it is.
    Pet1,
    /// Text.
    Text,
}

/// How a trace is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriterOptions {
    /// The form; default PET1 in zstd.
    pub format: Format,
    /// What the trace has; default nothing, because PET1 readers that predate an extension
    /// refuse it.
    pub extensions: Extensions,
    /// The zstd level, 1 to 22; others count as the nearest. Default 9.
    pub level: i32,
    /// What errors call the sink; default [`STREAM`].
    pub name: String,
}

impl Default for WriterOptions {
    fn default() -> WriterOptions {
        WriterOptions {
            format: Format::Pet1Zstd,
            extensions: Extensions::default(),
            level: 9,
            name: STREAM.to_owned(),
        }
    }
}

/// Writes the items of one trace to a sink. It buffers for itself.
///
/// The trace is complete only after [`finish`](Writer::finish).
pub struct Writer<W: Write> {
    sink: Sink<W>,
    pet1: Option<pet1::Encoder>,
    validator: Validator,
    pending: Vec<u8>,
    name: String,
    marks: Option<Marks>,
}

enum Sink<W: Write> {
    Plain(W),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Writer<W> {
    /// Begins a trace of this machine.
    ///
    /// # Errors
    ///
    /// The machine's alignment is above 2 or its addresses have neither 32 nor 64 bits.
    pub fn new(sink: W, machine: Machine, options: WriterOptions) -> Result<Writer<W>, Error> {
        let WriterOptions { format, extensions, level, name } = options;
        let fail = |problem| Error::new(&name, Place::File, problem);
        let validator =
            Validator::new(machine, extensions).map_err(|violation| fail(violation.into()))?;
        let mut pending = Vec::with_capacity(2 * CHUNK);
        let pet1 = match format {
            Format::Pet1 | Format::Pet1Zstd => {
                Some(pet1::Encoder::new(machine, extensions, &mut pending))
            }
            Format::Text => {
                text::put_header(machine, extensions, &mut pending);
                None
            }
        };
        let sink = if format == Format::Pet1Zstd {
            let encoder = zstd::Encoder::new(sink, level.clamp(1, 22)).and_then(|mut encoder| {
                encoder.include_checksum(true)?;
                Ok(encoder)
            });
            Sink::Zstd(encoder.map_err(|error| fail(Problem::Write(error)))?)
        } else {
            Sink::Plain(sink)
        };
        Ok(Writer { sink, pet1, validator, pending, name, marks: None })
    }

    /// Adds an event.
    ///
    /// # Errors
    ///
    /// The sink fails, or the event breaks a rule of [`Violation`](super::Violation); it is then
    /// not written.
    #[inline]
    pub fn write(&mut self, event: &Event) -> Result<(), Error> {
        self.validator.check(event).map_err(|violation| self.error(violation.into()))?;
        match &mut self.pet1 {
            Some(encoder) => encoder.put(event, &mut self.pending),
            None => text::put_event(event, self.validator.extensions().lengths, &mut self.pending),
        }
        if let Some(marks) = &mut self.marks {
            marks.fingerprint.add(event);
        }
        if self.pending.len() >= CHUNK { self.pass_on() } else { Ok(()) }
    }

    /// Adds items. Events that were written before, after one at the same address, are not made again.
    ///
    /// # Errors
    ///
    /// As those of [`write`](Writer::write); the items before are written.
    pub fn write_items(&mut self, items: &[Item]) -> Result<(), Error> {
        let mut rest = items;
        while let Some(first) = rest.first() {
            let run = self.write_again(rest)?;
            if run > 0 {
                rest = &rest[run..];
            } else {
                self.write_item(first)?;
                rest = &rest[1..];
            }
        }
        Ok(())
    }

    /// Adds the first items that were written before, and gives how many they are.
    fn write_again(&mut self, items: &[Item]) -> Result<usize, Error> {
        let Some(pet1) = &mut self.pet1 else { return Ok(0) };
        let run = pet1.put_again(items, &mut self.pending, CHUNK, self.marks.as_mut());
        let count = run.events as usize;
        if let Some(Item::Event(last)) = items[..count].last() {
            // They are valid, as they were before.
            self.validator.accept(last, &run);
        }
        if self.pending.len() >= CHUNK {
            self.pass_on()?;
        }
        Ok(count)
    }

    /// Follows from now on the fingerprint of the events and accesses that are written.
    pub fn follow_fingerprint(&mut self) {
        self.marks = Some(Marks { accesses: true, ..Marks::default() });
    }

    /// The fingerprint of what was written since it is followed.
    pub fn fingerprint(&self) -> Option<Fingerprint> {
        self.marks.map(|marks| marks.fingerprint)
    }

    /// Adds a memory access, which the trace's extensions must allow.
    ///
    /// # Errors
    ///
    /// As those of [`write`](Writer::write).
    pub fn write_access(&mut self, access: &Access) -> Result<(), Error> {
        self.validator.check_access(access).map_err(|violation| self.error(violation.into()))?;
        match &mut self.pet1 {
            Some(encoder) => encoder.put_access(access, &mut self.pending),
            None => text::put_access(access, &mut self.pending),
        }
        if let Some(marks) = &mut self.marks {
            marks.fingerprint.add_access(access);
        }
        if self.pending.len() >= CHUNK { self.pass_on() } else { Ok(()) }
    }

    /// Adds the state in which the execution goes on after the event before; the trace's extensions must allow it.
    ///
    /// # Errors
    ///
    /// As those of [`write`](Writer::write).
    pub fn write_state(&mut self, state: &ExecutionState) -> Result<(), Error> {
        self.validator.check_state(state).map_err(|violation| self.error(violation.into()))?;
        match &mut self.pet1 {
            Some(encoder) => encoder.put_state(state, &mut self.pending),
            None => text::put_state(state, &mut self.pending),
        }
        if self.pending.len() >= CHUNK { self.pass_on() } else { Ok(()) }
    }

    /// Adds how many cycles after the event before the next event retires; the trace's extensions must allow it.
    ///
    /// # Errors
    ///
    /// As those of [`write`](Writer::write).
    pub fn write_cycles(&mut self, cycles: u64) -> Result<(), Error> {
        self.validator.check_cycles().map_err(|violation| self.error(violation.into()))?;
        match &mut self.pet1 {
            Some(encoder) => encoder.put_cycles(cycles, &mut self.pending),
            None => text::put_cycles(cycles, &mut self.pending),
        }
        if self.pending.len() >= CHUNK { self.pass_on() } else { Ok(()) }
    }

    /// Adds an event, an access, a state or a number of cycles.
    ///
    /// # Errors
    ///
    /// As those of [`write`](Writer::write).
    pub fn write_item(&mut self, item: &Item) -> Result<(), Error> {
        match item {
            Item::Event(event) => self.write(event),
            Item::Access(access) => self.write_access(access),
            Item::State(state) => self.write_state(state),
            Item::Cycles(cycles) => self.write_cycles(*cycles),
        }
    }

    /// Ends the trace and gives the sink back, flushed.
    ///
    /// # Errors
    ///
    /// The sink fails.
    pub fn finish(mut self) -> Result<W, Error> {
        self.pass_on()?;
        let Writer { sink, validator, name, .. } = self;
        let finished = match sink {
            Sink::Plain(sink) => Ok(sink),
            Sink::Zstd(encoder) => encoder.finish(),
        };
        finished.and_then(|mut sink| sink.flush().map(|()| sink)).map_err(|error| {
            Error::new(&name, Place::Record { record: validator.records() }, Problem::Write(error))
        })
    }

    /// Events written so far.
    pub fn events(&self) -> u64 {
        self.validator.events()
    }

    /// Memory accesses written so far.
    pub fn accesses(&self) -> u64 {
        self.validator.accesses()
    }

    /// Instructions of the events written so far, over all threads.
    pub fn instructions(&self) -> u64 {
        self.validator.instructions()
    }

    fn pass_on(&mut self) -> Result<(), Error> {
        let written = match &mut self.sink {
            Sink::Plain(sink) => sink.write_all(&self.pending),
            Sink::Zstd(encoder) => encoder.write_all(&self.pending),
        };
        self.pending.clear();
        written.map_err(|error| self.error(Problem::Write(error)))
    }

    fn error(&self, problem: Problem) -> Error {
        Error::new(&self.name, Place::Record { record: self.validator.records() }, problem)
    }
}
