//! The messages of a dump, found by their control bits.
//!
//! A byte has two control bits (MSEO) below six bits of data (MDO). They are 0 within a field, 1 at the end of a field of
//! variable length, and 3 at the end of a message. A byte of ones between messages is idle.

use super::body::Body;
use super::encoder::Encoder;
use super::error::{Problem, Unreadable};
use super::read::Group;

/// Bits of data in a byte.
const DATA_BITS: u32 = 6;

/// Bits of a field that are kept. No field of the standard has so many.
const KEPT_BITS: u32 = 120;

/// Fields of variable length that are kept. No message of the standard has so many.
const KEPT_FIELDS: usize = 8;

/// A message where it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its bytes.
    pub length: usize,
    /// Which encoder it is of; 0 without a source.
    pub source: u32,
    /// The time stamp: whole where the message synchronises, else the difference from the one before.
    pub timestamp: Option<u64>,
    /// Its kind and fields.
    pub body: Body,
}

/// The messages of a dump, each with the byte of the dump at which it begins.
#[derive(Clone, Debug)]
pub struct Messages<'a> {
    dump: &'a [u8],
    place: usize,
    encoder: &'a Encoder,
    idle: u64,
}

impl<'a> Messages<'a> {
    /// The messages of a dump.
    ///
    /// # Errors
    /// The dump is empty, or a parameter of the encoder is out of its range.
    pub fn of(dump: &'a [u8], encoder: &'a Encoder) -> Result<Self, crate::e_trace::Problem> {
        encoder.check()?;
        if dump.is_empty() {
            return Err(crate::e_trace::Problem::Empty);
        }
        Ok(Messages { dump, place: 0, encoder, idle: 0 })
    }

    /// Idle bytes, and zeros that fill up words, so far.
    pub fn idle_bytes(&self) -> u64 {
        self.idle
    }

    /// Passes over the rest of a message that cannot be read, and gives what is wrong.
    fn pass(&mut self, found: u8, place: &'static str) -> Problem {
        let rest = &self.dump[self.place..];
        let end = rest.iter().position(|byte| byte & 3 == 3);
        self.place += end.map_or(rest.len(), |end| end + 1);
        Problem::Control { found, place }
    }

    /// The groups of fields of the next message: each ends in one of variable length.
    fn groups(&mut self) -> Result<Vec<Group>, Problem> {
        let first = self.dump[self.place] & 3;
        if first != 0 {
            return Err(self.pass(first, "at the beginning of a message"));
        }
        let (start, mut groups) = (self.place, Vec::new());
        let mut group = Group::default();
        while let Some(byte) = self.dump.get(self.place) {
            if byte & 3 == 2 {
                return Err(self.pass(2, "are reserved"));
            }
            self.place += 1;
            if group.bits < KEPT_BITS {
                group.value |= u128::from(byte >> 2) << group.bits;
                group.bits += DATA_BITS;
            }
            if byte & 1 == 1 && groups.len() < KEPT_FIELDS {
                groups.push(std::mem::take(&mut group));
            }
            if byte & 3 == 3 {
                return Ok(groups);
            }
        }
        Err(Problem::Cut(self.dump.len() - start))
    }

    /// Passes over zeros that fill up a word, up to an idle byte or the end of the dump.
    fn passes_zeros(&mut self) -> bool {
        let rest = &self.dump[self.place..];
        let zeros = rest.iter().take_while(|byte| **byte == 0).count();
        let ends = matches!(rest.get(zeros), None | Some(0xff));
        if zeros == 0 || !ends {
            return false;
        }
        self.place += zeros;
        self.idle += zeros as u64;
        true
    }
}

impl Iterator for Messages<'_> {
    type Item = (u64, Result<Message, Unreadable>);

    fn next(&mut self) -> Option<Self::Item> {
        while *self.dump.get(self.place)? == 0xff || self.passes_zeros() {
            if self.dump.get(self.place) == Some(&0xff) {
                self.place += 1;
                self.idle += 1;
            }
        }
        let start = self.place;
        let groups = self.groups().map_err(|problem| Unreadable { of: None, problem });
        let message = groups.and_then(|groups| {
            let (source, body, timestamp) = Body::read(&groups, self.encoder)?;
            Ok(Message { length: self.place - start, source, timestamp, body })
        });
        Some((start as u64, message))
    }
}
