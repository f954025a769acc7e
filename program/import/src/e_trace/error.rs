//! What is wrong with a dump, or with what is said of it.

use tracewright_sim::trace_io;

/// What is wrong with a part of a dump.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A parameter of the encoder is out of its range.
    #[error("{name} is {value}, expected {least} to {most}")]
    Parameter {
        /// Its name.
        name: &'static str,
        /// The lowest value.
        least: u32,
        /// The highest value.
        most: u32,
        /// The value.
        value: u32,
    },
    /// The dump is empty.
    #[error("expected a dump, found nothing")]
    Empty,
    /// A line of text is no payload.
    #[error("line {line}: expected the bytes of a payload in hexadecimal, found {found}")]
    NotHexadecimal {
        /// The line, counted from 1.
        line: usize,
        /// What is there.
        found: String,
    },
    /// The dump ends in the middle of a payload.
    #[error(
        "expected {expected} bytes after the header, found {found}: the dump ends in a payload"
    )]
    Cut {
        /// The byte of the dump at which the header is.
        offset: u64,
        /// Bytes after the header.
        expected: usize,
        /// Bytes that there are.
        found: usize,
    },
    /// A payload is longer than its fields.
    #[error("{bytes} bytes are left after the fields of a payload ({name})")]
    Long {
        /// The kind of payload.
        name: &'static str,
        /// Bytes that are left.
        bytes: usize,
    },
    /// A field has a value that it cannot have.
    #[error("{name} is {value}, which the standard does not have")]
    Field {
        /// The field.
        name: &'static str,
        /// Its value.
        value: u64,
    },
    /// The encoder leaves out what this decoder does not know.
    #[error(
        "the encoder leaves out addresses of handlers (implicit exception), which are not known"
    )]
    ImplicitException,
    /// A support payload says that an option is on whose table the encoder's parameters do not have.
    #[error(
        "a support payload says that {option} is on, and {parameter} is 0: expected the encoder's parameters, the order of ioptions among them"
    )]
    Option {
        /// The option.
        option: &'static str,
        /// The parameter.
        parameter: &'static str,
    },
    /// An address is in no file of the program.
    #[error("no file of the program has an instruction at {0:#x}")]
    NoInstruction(u64),
    /// A branch has no outcome.
    #[error("the branch at {0:#x} has no outcome")]
    NoOutcome(u64),
    /// The execution arrives with outcomes of branches that did not come.
    #[error("at {address:#x} {left} outcomes of branches are left")]
    OutcomesLeft {
        /// The address.
        address: u64,
        /// The outcomes.
        left: u64,
    },
    /// A jump whose target only an address can tell comes before the last branch of a map.
    #[error("the jump at {0:#x} has no target, because only branches are reported")]
    NoTarget(u64),
    /// A payload stands for more branches than it may.
    #[error("a payload stands for more than {0} branches (payload_branches of the encoder)")]
    Branches(u64),
    /// The execution does not come to the address.
    #[error("the execution does not come from {from:#x} to {to:#x}")]
    NoWay {
        /// The last address.
        from: u64,
        /// The address that is reported.
        to: u64,
    },
    /// A message of N-Trace.
    #[error(transparent)]
    Message(#[from] crate::n_trace::Problem),
    /// The jump target cache has nothing at a place.
    #[error("the jump target cache has no target at {0}")]
    NoCached(u64),
}

/// An error that ends the reading of a dump.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The dump as a whole, or the encoder's parameters.
    #[error(transparent)]
    Dump(#[from] Problem),
    /// A dump has more sources than a trace has threads.
    #[error(
        "byte {offset}: expected sources 0 to {most}, found source {found}; --hart N takes one"
    )]
    Source {
        /// The byte of the dump.
        offset: u64,
        /// The highest that the trace can have.
        most: u8,
        /// The source.
        found: u32,
    },
    /// The dump has no payload of the source that was asked for.
    #[error("expected payloads of source {wanted}, found {found}")]
    NoSource {
        /// The number that was asked for.
        wanted: u32,
        /// The sources that the dump has.
        found: String,
    },
    /// Nothing of the dump can be decoded.
    #[error("byte {offset}: {reason}; nothing of the dump is decoded")]
    Nothing {
        /// The byte of the dump.
        offset: u64,
        /// Why.
        reason: String,
    },
    /// A hart of several has a gap, and a trace of several harts has none.
    #[error(
        "byte {offset}: {reason}; a trace of several harts has no gaps: --hart {hart} takes this one alone"
    )]
    GapOfOne {
        /// The byte of the dump.
        offset: u64,
        /// The hart.
        hart: u32,
        /// Why there is a gap.
        reason: String,
    },
    /// There are more events than may be.
    #[error("byte {offset}: expected at most {most} events, found more")]
    TooMany {
        /// The byte of the dump.
        offset: u64,
        /// The events.
        most: u64,
    },
    /// What was decoded makes no valid trace, or the trace cannot be written.
    #[error(transparent)]
    Trace(#[from] trace_io::Error),
}
