//! Messages as bytes of two control bits and six data bits.

use std::io::{self, Read};

use tracewright_sim::config::mask;
use tracewright_sim::field::{Field, Sink};

use super::fields;
use crate::DecodeError;

/// Data bits of a byte.
const DATA_BITS: u32 = 6;

/// Control bits of the last byte of a field of variable length, and of a message.
const END_OF_FIELD: u64 = 1;
const END_OF_MESSAGE: u64 = 3;

/// A byte: its fields, and its control bits.
#[derive(Clone, Debug, Default)]
struct Slice {
    pieces: Vec<(Field, u64, u32)>,
    count: u32,
    control: u64,
}

/// A message, field by field.
#[derive(Clone, Debug, Default)]
pub struct Message {
    slices: Vec<Slice>,
}

impl Message {
    /// A message of this kind.
    pub fn new(code: u64) -> Self {
        Self::default().fixed(fields::CODE, code, DATA_BITS)
    }

    /// The byte with room for more, after a field of variable length a new one.
    fn open(&mut self) -> &mut Slice {
        let full = |slice: &Slice| slice.count == DATA_BITS || slice.control != 0;
        if self.slices.last().is_none_or(full) {
            self.slices.push(Slice::default());
        }
        let last = self.slices.len() - 1;
        &mut self.slices[last]
    }

    /// Adds a field of `count` bits.
    #[must_use]
    pub fn fixed(mut self, field: Field, mut bits: u64, mut count: u32) -> Self {
        while count > 0 {
            let slice = self.open();
            let now = count.min(DATA_BITS - slice.count);
            slice.pieces.push((field, bits & mask(now), now));
            slice.count += now;
            bits >>= now;
            count -= now;
        }
        self
    }

    /// Adds a field of as many bits as the number needs.
    #[must_use]
    pub fn variable(self, field: Field, number: u64) -> Self {
        let mut message = self.fixed(field, number, (64 - number.leading_zeros()).max(1));
        if let Some(last) = message.slices.last_mut() {
            last.control = END_OF_FIELD;
        }
        message
    }

    /// Sends the message, which ends in a field of variable length.
    pub fn send(mut self, sink: &mut dyn Sink) {
        if let Some(last) = self.slices.last_mut() {
            last.control = END_OF_MESSAGE;
        }
        for slice in &self.slices {
            sink.put(&fields::CONTROL, slice.control, 2);
            for (field, bits, count) in &slice.pieces {
                sink.put(field, *bits, *count);
            }
            if slice.count < DATA_BITS {
                sink.put(&fields::PADDING, 0, DATA_BITS - slice.count);
            }
        }
        sink.end_record();
    }
}

/// Takes messages apart.
pub struct Reader<'a> {
    source: &'a mut dyn Read,
    /// Bytes taken.
    pub position: u64,
    data: u64,
    left: u32,
    control: u64,
}

impl<'a> Reader<'a> {
    /// At the first message.
    pub fn new(source: &'a mut dyn Read) -> Self {
        Self { source, position: 0, data: 0, left: 0, control: 0 }
    }

    /// An error at the byte at hand.
    pub fn failed(&self, what: String) -> DecodeError {
        let source = io::Error::new(io::ErrorKind::InvalidData, what);
        DecodeError::Packet { position: self.position, source }
    }

    fn byte(&mut self) -> Result<(), DecodeError> {
        let mut byte = [0];
        let position = self.position;
        let failed = |source| DecodeError::Packet { position, source };
        self.source.read_exact(&mut byte).map_err(failed)?;
        self.position += 1;
        self.control = u64::from(byte[0]) & 3;
        (self.data, self.left) = (u64::from(byte[0]) >> 2, DATA_BITS);
        Ok(())
    }

    /// The kind of the next message.
    ///
    /// # Errors
    /// When there is none.
    pub fn code(&mut self) -> Result<u64, DecodeError> {
        self.left = 0;
        self.fixed(DATA_BITS)
    }

    /// A field of `count` bits.
    ///
    /// # Errors
    /// When the message ends first.
    pub fn fixed(&mut self, count: u32) -> Result<u64, DecodeError> {
        let (mut bits, mut done) = (0, 0);
        while done < count {
            if self.left == 0 {
                self.byte()?;
            }
            let now = (count - done).min(self.left);
            bits |= (self.data & mask(now)) << done;
            self.data >>= now;
            self.left -= now;
            done += now;
        }
        Ok(bits)
    }

    /// A field of variable length, of at most 64 bits.
    ///
    /// # Errors
    /// When the bytes end, or it is longer.
    pub fn variable(&mut self) -> Result<u64, DecodeError> {
        let (mut bits, mut done) = (0, 0);
        loop {
            if self.left == 0 {
                self.byte()?;
            }
            if done >= 64 {
                return Err(self.failed("expected a field of at most 64 bits, found more".into()));
            }
            bits |= self.data << done;
            done += self.left;
            self.left = 0;
            if self.control != 0 {
                return Ok(bits);
            }
        }
    }
}
