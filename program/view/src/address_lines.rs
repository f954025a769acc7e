//! Lines of addresses, made without the machinery of formats: a list of program counters has as many as instructions ran.

use std::io::{self, Write};

/// The most bytes of a line: `0x`, the digits of an address, and its end.
const LINE_BYTES: usize = 2 + 16 + 1;

/// The digits that are written anew while those before them stay.
const LOW_DIGITS: usize = 2;

/// Bytes that are collected before they are written.
const BUFFER_BYTES: usize = 1 << 16;

/// Writes each address as `{address:#x}` and a newline does. An address that has all but its lowest eight bits in common
/// with the one before takes two digits of work.
pub struct AddressLines<W: Write> {
    into: W,
    buffer: Vec<u8>,
    filled: usize,
    line: [u8; LINE_BYTES],
    length: usize,
    /// What the digits before the last two stand for, if there are any.
    high: Option<u64>,
}

impl<W: Write> AddressLines<W> {
    /// Before the first line.
    pub fn new(into: W) -> Self {
        let (buffer, line) = (vec![0; BUFFER_BYTES], [b'\n'; LINE_BYTES]);
        Self { into, buffer, filled: 0, line, length: 0, high: None }
    }

    /// Writes the line of an address.
    ///
    /// # Errors
    /// When the file cannot be written.
    #[inline]
    pub fn address(&mut self, address: u64) -> io::Result<()> {
        let high = address >> (4 * LOW_DIGITS);
        if self.high == Some(high) {
            self.line[self.length - 3] = digit(address >> 4);
            self.line[self.length - 2] = digit(address);
        } else {
            self.begin_anew(address);
            self.high = Some(high).filter(|high| *high != 0);
        }
        if self.filled + LINE_BYTES > BUFFER_BYTES {
            self.pass_on()?;
        }
        // What is after the line is overwritten by the line that follows: a copy of a fixed size is a few instructions.
        if let Some(space) = self.buffer[self.filled..].first_chunk_mut() {
            *space = self.line;
            self.filled += self.length;
        }
        Ok(())
    }

    #[cold]
    fn begin_anew(&mut self, address: u64) {
        let digits = (u64::BITS - address.leading_zeros()).div_ceil(4).max(1) as usize;
        self.length = 2 + digits + 1;
        self.line[..2].copy_from_slice(b"0x");
        for place in 0..digits {
            self.line[2 + place] = digit(address >> (4 * (digits - 1 - place)));
        }
        self.line[2 + digits] = b'\n';
    }

    #[cold]
    fn pass_on(&mut self) -> io::Result<()> {
        self.into.write_all(&self.buffer[..self.filled])?;
        self.filled = 0;
        Ok(())
    }

    /// Writes what was collected, and gives the file back.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.pass_on()?;
        Ok(self.into)
    }
}

/// Any other text among the lines.
impl<W: Write> Write for AddressLines<W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        if self.filled + text.len() > BUFFER_BYTES {
            self.pass_on()?;
        }
        let taken = &text[..text.len().min(BUFFER_BYTES)];
        self.buffer[self.filled..][..taken.len()].copy_from_slice(taken);
        self.filled += taken.len();
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass_on()?;
        self.into.flush()
    }
}

/// The digit of the lowest four bits.
fn digit(value: u64) -> u8 {
    b"0123456789abcdef"[(value & 0xf) as usize]
}
