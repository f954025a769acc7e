//! What can be wrong with a trace, and where.

use std::fmt;
use std::io;

use super::violation::Violation;

/// A trace that cannot be read or written: the file, the place in it, the problem.
///
/// One machine word, so that the `Result` of every event stays small.
#[derive(thiserror::Error)]
#[error("{}{}: {}", .0.file, .0.place, .0.problem)]
pub struct Error(Box<Detail>);

struct Detail {
    file: String,
    place: Place,
    problem: Problem,
}

impl Error {
    /// A problem found at this place of this file.
    #[cold]
    pub(super) fn new(file: &str, place: Place, problem: Problem) -> Error {
        Error(Box::new(Detail { file: file.to_owned(), place, problem }))
    }

    /// The path as it was given, or [`STREAM`](super::STREAM).
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// Where in the file.
    pub fn place(&self) -> Place {
        self.0.place
    }

    /// What was expected there and what was found.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("file", &self.0.file)
            .field("place", &self.0.place)
            .field("problem", &self.0.problem)
            .finish()
    }
}

/// A place in a trace. Records count from 0, so that in a trace without
/// data a record is the index of its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A record of the binary form.
    Byte {
        /// Bytes before it in the stream, after decompression.
        offset: u64,
        /// Records before it.
        record: u64,
    },
    /// A line of the text form.
    Line {
        /// The line, counted from 1.
        line: u64,
        /// Records before it.
        record: u64,
    },
    /// A record being written.
    Record {
        /// Records before it.
        record: u64,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Byte { offset, record } => write!(f, ", byte {offset}, record {record}"),
            Place::Line { line, record } => write!(f, ", line {line}, record {record}"),
            Place::Record { record } => write!(f, ", record {record}"),
        }
    }
}

/// What is wrong with a trace.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The file cannot be opened.
    #[error("cannot open: {0}")]
    Open(io::Error),
    /// The operating system failed to read.
    #[error("cannot read: {0}")]
    Read(io::Error),
    /// The sink failed to write.
    #[error("cannot write: {0}")]
    Write(io::Error),
    /// The zstd frame is damaged, or needs more memory than is allowed.
    #[error("expected a sound zstd frame (window at most 128 MiB): {0}")]
    Decompress(io::Error),
    /// The zstd frame stops in the middle.
    #[error("expected more of the zstd frame, found the end of the file")]
    TruncatedFrame,
    /// Something follows the zstd frame.
    #[error("expected the end of the file after the zstd frame, found more data")]
    TrailingData,
    /// No bytes at all.
    #[error("expected a trace, found nothing")]
    Empty,
    /// The first bytes are those of a trace that a design has encoded.
    #[error(
        "expected a trace, found an encoded one, of which `tracewright decode` makes a trace, given the program"
    )]
    Encoded,
    /// The first bytes are those of a working set.
    #[error(
        "expected a trace, found a working set, of which `tracewright wset replay` makes a trace"
    )]
    WorkingSet,
    /// The first bytes are those of a program.
    #[error("expected a trace, found an ELF file, whose execution `tracewright capture` records")]
    Elf,
    /// The first bytes are not those of a trace.
    #[error("expected PET1 (zstd or plain) or text, found a file that begins with {0:02x?}")]
    UnknownFormat(Vec<u8>),
    /// `PET2` or so.
    #[error("expected PET1, found PET{0}, which needs a newer version of tracewright")]
    FutureVersion(char),
    /// More records or lines than were allowed, as a small compressed file can hold.
    #[error("expected at most {0} records or lines, found more")]
    TooLong(u64),
    /// The PET1 header stops in the middle.
    #[error("expected a PET1 header of 16 bytes, found {0}")]
    TruncatedHeader(usize),
    /// A PET1 header byte that holds no known instruction set.
    #[error("expected an instruction set code from 0 to 2, found {0}")]
    UnknownIsa(u8),
    /// A PET1 header flag or reserved byte that this version does not know.
    #[error(
        "expected header byte {byte} to be {known}, found {found:#04x}, which needs a newer version of tracewright"
    )]
    FutureHeader {
        /// The position in the header, 7 to 15.
        byte: usize,
        /// What this version knows.
        known: &'static str,
        /// The value there.
        found: u8,
    },
    /// The stream stops inside a record.
    #[error("expected the rest of a record, found the end of the trace after {0} of its bytes")]
    TruncatedRecord(usize),
    /// A varint with more bits than its field.
    #[error("expected a varint of at most 64 bits for the {0}, found a longer one")]
    LongVarint(&'static str),
    /// A state record has a kind byte of its own.
    #[error("expected 0x06 or 0x0e as the kind byte of a state, and thread 0, found {0:#04x}")]
    StateKindByte(u8),
    /// A record of cycles has a kind byte of its own.
    #[error("expected 0x07 as the kind byte of cycles, and thread 0, found {0:#04x}")]
    CyclesKindByte(u8),
    /// A kind code that stands for nothing in this trace.
    #[error("expected a kind code from 0 to {most}, found {found}")]
    UnknownKind {
        /// The highest there is: 5, a data record, only in a trace that has them.
        most: u8,
        /// The code.
        found: u8,
    },
    /// A data record whose kind byte says more than a data record can.
    #[error("expected bits 4 and 5 of a data record's kind byte to be 0, found {0:#04x}")]
    DataKindByte(u8),
    /// A difference that leads out of the address space even when it wraps.
    #[error(
        "expected a {field} that differs by less than 2^{address_bits}, found {sign}{size:#x}",
        sign = if *.difference < 0 { '-' } else { '+' },
        size = .difference.unsigned_abs()
    )]
    LongDifference {
        /// Which address.
        field: &'static str,
        /// The width of an address.
        address_bits: u8,
        /// The difference as stored.
        difference: i64,
    },
    /// A line that is longer than any event.
    #[error("expected a line of at most 4096 bytes, found a longer one")]
    LongLine,
    /// A word of the text form that is not what its position asks for.
    #[error("expected {expected}, found {found}")]
    Word {
        /// What the position asks for.
        expected: &'static str,
        /// The word there, quoted, or a phrase for its absence.
        found: String,
    },
    /// A word of the text form twice in one line.
    #[error("expected {0} once, found it twice")]
    Repeated(&'static str),
    /// A `length=` under a header without `lengths`.
    #[error(
        "expected no length, because the machine line does not end with `lengths`, found length={0}"
    )]
    UnannouncedLength(u8),
    /// A `load` or `store` under a header without `data`.
    #[error("expected no data access, because the machine line does not end with `data`")]
    UnannouncedAccess,
    /// A record that breaks a rule of the trace as a whole.
    #[error(transparent)]
    Invalid(#[from] Violation),
}
