//! The contents of a file as a walk over its fields, with a walker that writes, one that reads and one that describes.

use crate::error::Error;

/// Visits the fields of a file in their order.
pub trait Walk {
    /// A number up to `most`, as a varint (LEB128).
    fn number(
        &mut self,
        name: &'static str,
        doc: &'static str,
        most: u64,
        value: &mut u64,
    ) -> Result<(), Error>;

    /// Four bytes, the lowest first.
    fn word(&mut self, name: &'static str, doc: &'static str, value: &mut u32)
    -> Result<(), Error>;

    /// A field of `length` bytes.
    fn bytes(
        &mut self,
        name: &'static str,
        doc: &'static str,
        count: u64,
        value: &mut Vec<u8>,
    ) -> Result<(), Error>;

    /// A list whose length is a varint; each item takes at least one byte.
    fn list<T: Clone + Default>(
        &mut self,
        name: &'static str,
        doc: &'static str,
        items: &mut Vec<T>,
        each: impl FnMut(&mut Self, &mut T) -> Result<(), Error>,
    ) -> Result<(), Error>;
}

/// Writes the fields.
#[derive(Default)]
pub struct Put(pub Vec<u8>);

impl Put {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

impl Walk for Put {
    fn number(&mut self, _: &str, _: &str, _: u64, value: &mut u64) -> Result<(), Error> {
        self.varint(*value);
        Ok(())
    }

    fn word(&mut self, _: &str, _: &str, value: &mut u32) -> Result<(), Error> {
        self.0.extend(value.to_le_bytes());
        Ok(())
    }

    fn bytes(&mut self, _: &str, _: &str, _: u64, value: &mut Vec<u8>) -> Result<(), Error> {
        self.0.extend_from_slice(value);
        Ok(())
    }

    fn list<T: Clone + Default>(
        &mut self,
        _: &str,
        _: &str,
        items: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.varint(items.len() as u64);
        items.iter_mut().try_for_each(|item| each(self, item))
    }
}

/// Reads the fields, and checks every size against the bytes that are present.
pub struct Take<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Take<'a> {
    /// Reads from the beginning.
    pub fn new(bytes: &'a [u8]) -> Take<'a> {
        Take { bytes, offset: 0 }
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// When bytes are left.
    pub fn finish(self) -> Result<(), Error> {
        match self.left() {
            0 => Ok(()),
            left => Err(self.error("contents", "their end", format!("{left} more bytes"))),
        }
    }

    /// An error at the current offset.
    pub fn error(
        &self,
        what: &'static str,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Error {
        let offset = self.offset as u64;
        Error::Format { what, offset, expected: expected.into(), found: found.into() }
    }

    fn left(&self) -> u64 {
        (self.bytes.len() - self.offset) as u64
    }

    fn take(&mut self, name: &'static str, count: u64) -> Result<&'a [u8], Error> {
        if count > self.left() {
            let found = format!("{} until the end", self.left());
            return Err(self.error(name, format!("{count} bytes"), found));
        }
        let begin = self.offset;
        self.offset += count as usize;
        Ok(&self.bytes[begin..self.offset])
    }

    fn varint(&mut self, name: &'static str) -> Result<u64, Error> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = u64::from(self.take(name, 1)?[0]);
            if shift == 63 && byte > 1 {
                break;
            }
            value |= (byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(self.error(name, "a number of at most 64 bits", "a longer one"))
    }
}

impl Walk for Take<'_> {
    fn number(
        &mut self,
        name: &'static str,
        _: &str,
        most: u64,
        value: &mut u64,
    ) -> Result<(), Error> {
        let begin = self.offset;
        *value = self.varint(name)?;
        if *value > most {
            let found = value.to_string();
            self.offset = begin;
            return Err(self.error(name, format!("at most {most}"), found));
        }
        Ok(())
    }

    fn word(&mut self, name: &'static str, _: &str, value: &mut u32) -> Result<(), Error> {
        let bytes = self.take(name, 4)?;
        *value = bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
        Ok(())
    }

    fn bytes(
        &mut self,
        name: &'static str,
        _: &str,
        count: u64,
        value: &mut Vec<u8>,
    ) -> Result<(), Error> {
        *value = self.take(name, count)?.to_vec();
        Ok(())
    }

    fn list<T: Clone + Default>(
        &mut self,
        name: &'static str,
        _: &str,
        items: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let most = self.left();
        let mut count = 0;
        self.number(name, "", most, &mut count)?;
        items.clear();
        for _ in 0..count {
            let mut item = T::default();
            each(self, &mut item)?;
            items.push(item);
        }
        Ok(())
    }
}

/// Prints the fields as a table; for lists it prints the items that it is given.
#[derive(Default)]
pub struct Describe {
    /// The rows so far.
    pub rows: String,
    depth: usize,
}

impl Describe {
    fn row(&mut self, name: &str, coding: &str, doc: &str) {
        let row = format!("| {}`{name}` | {coding} | {doc} |\n", "- ".repeat(self.depth));
        // An item of another kind can repeat fields that are in the table.
        if !self.rows.contains(&row) {
            self.rows.push_str(&row);
        }
    }
}

impl Walk for Describe {
    fn number(&mut self, name: &str, doc: &str, _: u64, _: &mut u64) -> Result<(), Error> {
        self.row(name, "varint", doc);
        Ok(())
    }

    fn word(&mut self, name: &str, doc: &str, _: &mut u32) -> Result<(), Error> {
        self.row(name, "4 bytes", doc);
        Ok(())
    }

    fn bytes(&mut self, name: &str, doc: &str, _: u64, _: &mut Vec<u8>) -> Result<(), Error> {
        self.row(name, "bytes", doc);
        Ok(())
    }

    fn list<T: Clone + Default>(
        &mut self,
        name: &str,
        doc: &str,
        items: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.row(name, "varint count, then for each:", doc);
        self.depth += 1;
        items.iter_mut().try_for_each(|item| each(self, item))?;
        self.depth -= 1;
        Ok(())
    }
}
