//! How the code of a program changes while it runs.
//!
//! The changes of a run are kept in a text file beside the list of the program's files. Its first line is
//! `tracewright-changes 1`. Every other line is one of these, with addresses and bytes in hexadecimal:
//!
//! | line | meaning |
//! |---|---|
//! | `file ADDRESS PATH` | a version: the code of this file, loaded at this address |
//! | `patch ADDRESS BYTES` | a version: these bytes, written over code of a file |
//! | `code ADDRESS BYTES` | a version: these bytes, which are of no file |
//! | `at THREAD EVENT VERSION` | from this event of the thread on, the thread runs this version |
//!
//! Versions are numbered from 0 in the order of their lines, and events of a thread from 0 in the order of the trace.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use crate::Error;

/// The first line of a file of changes.
pub const MAGIC: &str = "tracewright-changes 1";

/// The most bytes of a line, and with it of a version: more than the largest block that QEMU translates.
const LINE_MAX: u64 = 1 << 20;

/// Code that replaces what was at its addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Version {
    /// The code of a file.
    File {
        /// The file.
        path: PathBuf,
        /// The load address.
        load_address: u64,
    },
    /// Bytes.
    Bytes {
        /// The address of the first byte.
        address: u64,
        /// The bytes.
        bytes: Vec<u8>,
        /// True if they were written over code of a file, whose names they keep.
        is_patch: bool,
    },
}

/// A change that a thread meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The number of the thread's first event after the change.
    pub event: u64,
    /// The index of the version.
    pub version: u32,
}

/// The changes of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// All versions.
    pub versions: Vec<Version>,
    /// The changes of each thread, in the order in which it meets them.
    pub threads: Vec<Vec<Change>>,
}

impl Changes {
    /// True if the code does not change.
    pub fn is_empty(&self) -> bool {
        self.threads.iter().all(Vec::is_empty)
    }

    /// Notes that a thread runs a version from one of its events on.
    pub fn add(&mut self, thread: u8, change: Change) {
        let thread = usize::from(thread);
        if thread >= self.threads.len() {
            self.threads.resize(thread + 1, Vec::new());
        }
        self.threads[thread].push(change);
    }

    /// Writes the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, into: &mut impl Write) -> io::Result<()> {
        writeln!(into, "{MAGIC}")?;
        for version in &self.versions {
            match version {
                Version::File { path, load_address } => {
                    writeln!(into, "file {load_address:#x} {}", path.display())?;
                }
                Version::Bytes { address, bytes, is_patch } => {
                    let mut line = String::from(if *is_patch { "patch" } else { "code" });
                    let _ = write!(line, " {address:#x} ");
                    bytes.iter().for_each(|byte| _ = write!(line, "{byte:02x}"));
                    writeln!(into, "{line}")?;
                }
            }
        }
        for (thread, changes) in self.threads.iter().enumerate() {
            for Change { event, version } in changes {
                writeln!(into, "at {thread} {event} {version}")?;
            }
        }
        Ok(())
    }

    /// Reads the file at `path`; `from` are its bytes.
    ///
    /// # Errors
    /// When it cannot be read or a line is not valid.
    pub fn read(mut from: impl BufRead, path: &Path) -> Result<Changes, Error> {
        let mut changes = Changes::default();
        let mut line = String::new();
        for number in 1.. {
            line.clear();
            let read = io::Read::take(&mut from, LINE_MAX).read_line(&mut line);
            let length = read.map_err(|source| Error::Read { path: path.into(), source })?;
            let text = line.trim_end_matches('\n');
            let wrong = |expected| Error::Changes { path: path.into(), line: number, expected };
            if length == 0 && number > 1 {
                return Ok(changes);
            }
            if line.len() == text.len() {
                return Err(wrong("a whole line"));
            }
            match number {
                1 if text == MAGIC => {}
                1 => return Err(wrong(MAGIC)),
                _ => changes.line(text).map_err(wrong)?,
            }
        }
        Ok(changes)
    }

    fn line(&mut self, line: &str) -> Result<(), &'static str> {
        const EXPECTED: &str =
            "file ADDRESS PATH, patch ADDRESS BYTES, code ADDRESS BYTES or at THREAD EVENT VERSION";
        let (word, rest) = line.split_once(' ').ok_or(EXPECTED)?;
        let (first, rest) = rest.split_once(' ').ok_or(EXPECTED)?;
        if word == "at" {
            return self.change(first, rest);
        }
        let address =
            first.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let address = address.ok_or("a hexadecimal address after the first word")?;
        self.versions.push(match word {
            "file" if !rest.is_empty() => {
                Version::File { path: rest.into(), load_address: address }
            }
            "patch" | "code" => {
                let bytes = bytes(rest).ok_or("bytes as pairs of hexadecimal digits")?;
                if address.checked_add(bytes.len() as u64).is_none() {
                    return Err("bytes below the last address");
                }
                Version::Bytes { address, bytes, is_patch: word == "patch" }
            }
            _ => return Err(EXPECTED),
        });
        Ok(())
    }

    fn change(&mut self, thread: &str, rest: &str) -> Result<(), &'static str> {
        const EXPECTED: &str = "at THREAD EVENT VERSION, three numbers";
        let (event, version) = rest.split_once(' ').ok_or(EXPECTED)?;
        let thread: u8 = thread.parse().map_err(|_| EXPECTED)?;
        let event = event.parse().map_err(|_| EXPECTED)?;
        let version: u32 = version.parse().map_err(|_| EXPECTED)?;
        if version as usize >= self.versions.len() {
            return Err("the number of a version on a line before");
        }
        let last = self.threads.get(usize::from(thread)).and_then(|changes| changes.last());
        if last.is_some_and(|last| last.event > event) {
            return Err("the events of a thread in ascending order");
        }
        self.add(thread, Change { event, version });
        Ok(())
    }
}

/// The bytes of at least one pair of hexadecimal digits.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let byte = |[high, low]: &[u8; 2]| Some((digit(*high)? << 4 | digit(*low)?) as u8);
    (rest.is_empty() && !pairs.is_empty()).then(|| pairs.iter().map(byte).collect())?
}
