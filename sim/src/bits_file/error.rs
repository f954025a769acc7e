//! What can be wrong with an encoded trace in a file, and where.

use std::io;

use super::{FRAME_BYTES_MAX, HEADER_BYTES_MAX, VERSION};
use crate::scheme::DesignError;

/// An encoded trace that cannot be read or written: the file, the byte, the problem.
#[derive(Debug, thiserror::Error)]
#[error("{file}{}: {problem}", place(.problem, .offset))]
pub struct Error {
    /// The file as the caller calls it.
    pub file: String,
    /// Bytes before the part that is wrong.
    pub offset: u64,
    /// What was expected there and what was found.
    pub problem: Problem,
}

fn place(problem: &Problem, offset: &u64) -> String {
    if matches!(problem, Problem::Open(_)) { String::new() } else { format!(", byte {offset}") }
}

/// What is wrong with an encoded trace.
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
    /// No bytes at all.
    #[error("expected an encoded trace, found nothing")]
    Empty,
    /// The first bytes are not those of an encoded trace.
    #[error(
        "expected an encoded trace, which begins with TWBITS, found a file that begins with {0:02x?}"
    )]
    Magic(Vec<u8>),
    /// A later version of the format.
    #[error(
        "expected version {VERSION} of the format, found {0}, which needs a newer version of tracewright"
    )]
    FutureVersion(u16),
    /// The header would be longer than any.
    #[error("expected a header of at most {HEADER_BYTES_MAX} bytes, found a length of {0}")]
    LongHeader(u32),
    /// A line of the header that this version does not understand.
    #[error("expected {expected} in the header, found {found}")]
    HeaderLine {
        /// The key and what its value may be.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// The header's design cannot be had.
    #[error("the header's design is not one: {0}")]
    Design(DesignError),
    /// A frame would be longer than any.
    #[error("expected a frame of at most {FRAME_BYTES_MAX} bytes, found a length of {0}")]
    LongFrame(u32),
    /// Some part does not have the check that its content asks for.
    #[error("the {part} is damaged: expected check {expected:#010x}, found {found:#010x}")]
    Damaged {
        /// What part of the file.
        part: &'static str,
        /// The check of what is there.
        expected: u32,
        /// The check that is there.
        found: u32,
    },
    /// The file ends too early.
    #[error("expected the rest of the {part}, found the end of the file: it is cut off")]
    Truncated {
        /// What part of the file.
        part: &'static str,
    },
    /// The file does not end with a trailer.
    #[error(
        "expected the trailer in the last 48 bytes, found something else: the file is cut off or damaged"
    )]
    NoTrailer,
    /// The frames hold another number of bits than the trailer says.
    #[error("the trailer is wrong: expected {expected} bytes in the frames, found {found}")]
    Disagreement {
        /// Bytes by the trailer's count of bits.
        expected: u64,
        /// Bytes that were there.
        found: u64,
    },
    /// Something follows the trailer.
    #[error("expected the end of the file after the trailer, found more data")]
    TrailingData,
}
