//! Errors of this crate.

use std::io;

use tracewright_sim::decode::error::DecodeError as SimDecodeError;
use tracewright_sim::decode::field_reader::FieldError;
use tracewright_sim::event::Isa;
use tracewright_sim::scheme::{DesignError, EncodeError as SchemeError};

/// An execution that a comparator cannot encode.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// An address has too many bits.
    #[error(
        "event {event}: address {address:#x} has more than {width} bits; set --address-width 64"
    )]
    Address {
        /// The event, counted from 0.
        event: u64,
        /// The address.
        address: u64,
        /// The width of addresses.
        width: u32,
    },
    /// The trace has several threads.
    #[error("event {event} is of thread {thread}, and this format is for one core")]
    Thread {
        /// The event, counted from 0.
        event: u64,
        /// Its thread.
        thread: u8,
    },
    /// The format has no exceptions.
    #[error("event {event} is an exception, which this format does not have")]
    Exception {
        /// The event, counted from 0.
        event: u64,
    },
    /// RISC-V has no indirect branch that is taken or not.
    #[error("event {event} is an indirect conditional branch, which RISC-V does not have")]
    IndirectConditional {
        /// The event, counted from 0.
        event: u64,
    },
    /// The format is for another instruction set.
    #[error("this format is for RISC-V, and the trace is of {isa}")]
    Machine {
        /// The instruction set of the trace.
        isa: Isa,
    },
    /// A run of instructions is longer than the format can say.
    #[error("event {event} comes after 2^63 instructions or more")]
    TooLong {
        /// The event, counted from 0.
        event: u64,
    },
    /// A predictor without hardware failed, or keeps what its tables do not hold.
    #[error("{0}")]
    Predictor(String),
    /// A scheme of this project refuses the event.
    #[error(transparent)]
    Scheme(#[from] SchemeError),
    /// A scheme of this project cannot be made for the core.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// A compressor failed.
    #[error("the compressor failed: {0}")]
    Compressor(#[from] io::Error),
}

/// Bits that are not the trace of a program.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The program cannot do what the trace says, or the bits ended.
    #[error(transparent)]
    Replay(#[from] SimDecodeError),
    /// A field could not be read.
    #[error("bit {position}: {source}")]
    Field {
        /// Where the record begins.
        position: u64,
        /// What is wrong.
        source: FieldError,
    },
    /// A match copies what was never sent.
    #[error("bit {position}: a match begins {distance} symbols ago, where none was sent")]
    Window {
        /// Where the match ends.
        position: u64,
        /// How far back it begins.
        distance: usize,
    },
    /// The compressed bytes are damaged, or end early.
    #[error("byte {position} of the decompressed trace: {source}")]
    Compressed {
        /// The byte, counted from 0.
        position: u64,
        /// The error of the decompressor.
        source: io::Error,
    },
    /// A packet is damaged, or ends early.
    #[error("the packet at byte {position}: {source}")]
    Packet {
        /// Where it begins.
        position: u64,
        /// What is wrong.
        source: io::Error,
    },
    /// The code of a predictor without hardware ends early, or cannot be read.
    #[error("byte {position} of the code: {source}")]
    Code {
        /// The byte, counted from 0.
        position: u64,
        /// What is wrong.
        source: io::Error,
    },
    /// A predictor without hardware failed.
    #[error("{0}")]
    Predictor(String),
    /// A scheme of this project cannot be made for the core.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// Nothing decodes this format here.
    #[error("{name} is a model of the number of bits, which has no decoder")]
    NoDecoder {
        /// The comparator.
        name: &'static str,
    },
}

/// There is no comparator of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no comparator is called `{name}`; there is {known}")]
pub struct Unknown {
    /// The name given.
    pub name: String,
    /// The comparators there are.
    pub known: String,
}
