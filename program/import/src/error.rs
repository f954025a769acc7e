//! What can be wrong with a log, and where.

use std::fmt;
use std::io;

use tracewright_image::InstructionSet;
use tracewright_sim::trace_io;

use crate::Format;

/// Characters of unexpected text that a message repeats.
const QUOTE_CHARACTERS: usize = 40;

/// Why a log cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something is wrong with the log.
    #[error("{file}{place}: {problem}")]
    Log {
        /// The name of the log as it was given.
        file: String,
        /// Where in the log.
        place: Place,
        /// What is wrong there.
        problem: Box<Problem>,
    },
    /// The trace cannot be written.
    #[error(transparent)]
    Write(trace_io::Error),
}

impl Error {
    /// A problem at a place of a log.
    #[cold]
    pub(crate) fn new(file: &str, place: Place, problem: Problem) -> Error {
        match problem {
            Problem::Trace(error) if !matches!(error.problem(), trace_io::Problem::Invalid(_)) => {
                Error::Write(error)
            }
            problem => Error::Log { file: file.to_owned(), place, problem: Box::new(problem) },
        }
    }
}

/// A place in a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line, counted from 1.
    Line(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Line(line) => write!(f, ", line {line}"),
        }
    }
}

/// What is wrong with a log.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The log cannot be read.
    #[error("cannot read: {0}")]
    Read(#[from] io::Error),
    /// There are no bytes.
    #[error("expected a log, found nothing")]
    Empty,
    /// The first bytes are those of another kind of file.
    #[error("expected a log, found {0}")]
    OtherFile(&'static str),
    /// No format is recognised.
    #[error(
        "expected a log of a known format, which --format NAME can name, found one that begins with {0}"
    )]
    UnknownFormat(String),
    /// The log has nothing of the format that was asked for.
    #[error("expected {0}, found no line of one")]
    NothingOfFormat(Format),
    /// The log is of another format than the one that was asked for.
    #[error("expected {expected}, found {found}")]
    OtherFormat {
        /// What was asked for.
        expected: Format,
        /// What the log is.
        found: Format,
    },
    /// A line has bytes that no text has.
    #[error("expected text, found the byte {0:#04x}")]
    NotText(u8),
    /// A line is longer than any that the formats have.
    #[error(
        "expected a line of at most {} bytes, found a longer one",
        crate::lines::LINE_BYTES_MAX
    )]
    LongLine,
    /// A part of a line is not what its place asks for.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What the place asks for.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A table lacks a column.
    #[error("expected a column {0}, found none of this name")]
    NoColumn(&'static str),
    /// Two columns of a table have one name.
    #[error("expected one column {0}, found two of this name")]
    TwoColumns(String),
    /// A line of a table is not what the others are.
    #[error("{0}")]
    Table(String),
    /// The log does not say which processor it is of.
    #[error("the log does not say which processor it is of: expected --program FILE or --isa NAME")]
    NoMachine,
    /// The format is of RISC-V, and the program is not.
    #[error("{format} is of RISC-V code, found a program of {found}")]
    OtherProcessor {
        /// The format.
        format: Format,
        /// The instruction set of the program.
        found: InstructionSet,
    },
    /// The options contradict each other.
    #[error("expected a program of {expected}, found one of {found}")]
    OtherSet {
        /// What was asked for.
        expected: InstructionSet,
        /// The instruction set of the program.
        found: InstructionSet,
    },
    /// The code of a log is not of the instruction set that was named.
    #[error("expected code of {expected}, found {found}")]
    OtherCode {
        /// What was asked for, or the instruction set of the program.
        expected: InstructionSet,
        /// What the line has.
        found: String,
    },
    /// The log has no instruction of the hart that was asked for.
    #[error("expected instructions of hart {wanted}, found {found}")]
    NoHart {
        /// The number that was asked for.
        wanted: u32,
        /// The harts that the log has.
        found: String,
    },
    /// A trace has fewer threads than the log has harts.
    #[error("expected harts 0 to {most}, found hart {found}; --hart N takes one")]
    Hart {
        /// The highest that the trace can have.
        most: u8,
        /// The hart.
        found: u32,
    },
    /// The log does not say what an instruction is.
    #[error(
        "the log does not have the instruction at {0:#x}: expected the program, --program FILE"
    )]
    NoInstruction(u64),
    /// A log of blocks does not say what is in one.
    #[error(
        "the log does not have the instructions of the block at {0:#x}: expected a log with -d in_asm, or the program, --program FILE"
    )]
    NoBlock(u64),
    /// A log lists code, and no block that ran.
    #[error(
        "the log lists code, and no block that ran: expected a log with -d exec,nochain,in_asm"
    )]
    NoExecution,
    /// QEMU chained blocks, so that the log lacks some.
    #[error(
        "QEMU has linked blocks here, and does not log those that it reaches by a link: expected a log with -d exec,nochain"
    )]
    Chained,
    /// Blocks have one instruction each, and the log does not say so.
    #[error(
        "the blocks begin within those before them, as with -singlestep or -one-insn-per-tb, and the log does not say where they end: expected a log with -d exec,nochain,in_asm"
    )]
    SingleSteps,
    /// An address is in no file of the program.
    #[error(
        "no file of the program has code at {0:#x}: expected the program of this log, or --image FILE@ADDRESS for its libraries and boot code"
    )]
    OutsideProgram(u64),
    /// The log and the program have different instructions at an address.
    #[error(
        "at {address:#x} the log has the instruction {log} and the program has {program}: expected the program that ran, or no --program where code changes as it runs"
    )]
    OtherInstruction {
        /// The address.
        address: u64,
        /// The code in the log, in hexadecimal.
        log: String,
        /// The code in the program.
        program: String,
    },
    /// The simulation was ended before it could write the names of the signals.
    #[error(
        "the simulation was ended before it had written the signals into the waveform: expected the file with .hier after \
         its name beside it"
    )]
    UnfinishedWaveform,
    /// A form of lines is none.
    #[error("--pattern: {0}")]
    Pattern(String),
    /// An event does not follow from the one before: a row may be missing.
    #[error("{0}: a row before it is missing, or wrong")]
    Misfit(crate::Misfit),
    /// An address is wider than those of the processor.
    #[error(
        "expected an address of {bits} bits, found {address:#x}; --isa says which processor the log is of"
    )]
    WideAddress {
        /// The address.
        address: u64,
        /// The bits of the processor's addresses.
        bits: u8,
    },
    /// An instruction is followed by one to which it does not lead, in a log that says where there are exceptions.
    #[error(
        "the instruction at {from:#x} does not lead to {to:#x}, and the log has no exception there: a line before it is \
         missing, or wrong, or the code has extensions that --extensions names"
    )]
    Unexplained {
        /// The last instruction before.
        from: u64,
        /// Where the execution goes on.
        to: u64,
    },
    /// The log has more events than were allowed.
    #[error("expected at most {0} events, found more; --max-events sets the limit")]
    ManyEvents(u64),
    /// A word of four bytes is followed by what comes after two.
    #[error(
        "expected the instruction of four bytes at {program_counter:#x} to be followed by the one after it, found the one two \
         bytes after it: compressed instructions are expanded to 32 bits; --compressed expanded reads them"
    )]
    ExpandedWord {
        /// Its address.
        program_counter: u64,
    },
    /// Instructions are missing.
    #[error("expected rvfi_order {expected}, found {found}: instructions are missing")]
    Order {
        /// The number after that of the row before.
        expected: u64,
        /// The number that is there.
        found: u64,
    },
    /// A waveform does not say which of its signals are a core's.
    #[error("a waveform does not say which signals are a core's: expected --core CORE.toml")]
    NoCore,
    /// A log does not say the pins of a core's port.
    #[error(
        "expected a table of the RISC-V formal interface or of the port retired, a table of program counters, or a waveform, found {0}"
    )]
    NoPort(Format),
    /// Names of signals are for waveforms alone.
    #[error("--core CORE.toml names the signals of a waveform, found {0}")]
    NoWaveform(Format),
    /// No instruction retires in a waveform.
    #[error(
        "valid is 1 at no edge of the clock, so that no instruction retires: expected other signals in --core CORE.toml"
    )]
    NoRetirement,
    /// A waveform in FST is not what it should be.
    #[error("not a waveform in FST: {0}")]
    Waveform(String),
    /// A waveform in FST is damaged.
    #[error("the waveform is damaged, or was not written to its end")]
    DamagedWaveform,
    /// A word of a waveform is longer than any.
    #[error("expected a word of at most {0} bytes, found a longer one")]
    LongWord(usize),
    /// A waveform lacks a signal.
    #[error("the waveform has no signal {path}: {found}")]
    NoSignal {
        /// The name with all scopes.
        path: String,
        /// What there is instead.
        found: String,
    },
    /// A signal lacks bits.
    #[error("{path} has bits {} to {}, expected {} to {}", declared.0, declared.1, asked.0, asked.1)]
    NoBits {
        /// The name with all scopes.
        path: String,
        /// The highest and the lowest bit in the waveform.
        declared: (u32, u32),
        /// Those that were asked for.
        asked: (u32, u32),
    },
    /// A signal is too wide for a number.
    #[error("expected at most 64 bits of {path}, found {width}")]
    WideSignal {
        /// The name with all scopes.
        path: String,
        /// Its bits.
        width: u32,
    },
    /// A signal that is 0 or 1 has several bits.
    #[error("expected one bit of {path}, found {width}: a name such as valid[0] takes one")]
    ManyBits {
        /// The name with all scopes.
        path: String,
        /// Its bits.
        width: u32,
    },
    /// A signal has no value in a cycle in which an instruction retires.
    #[error("{0} has unknown bits in a cycle in which an instruction retires")]
    UnknownBits(String),
    /// What the log says makes no valid trace, or the trace cannot be written.
    #[error("{}", .0.problem())]
    Trace(#[from] trace_io::Error),
}

impl Problem {
    /// The file ends where something has to be.
    #[cold]
    pub(crate) fn expected_in_file(expected: &'static str) -> Problem {
        Problem::Expected { expected, found: "the end of the file".to_owned() }
    }

    /// A part of a line that is not what its place asks for; an empty one is the end of the line.
    #[cold]
    pub(crate) fn expected(expected: &'static str, found: &[u8]) -> Problem {
        let found = if found.is_empty() { "the end of the line".into() } else { quoted(found) };
        Problem::Expected { expected, found }
    }
}

/// The beginning of a text, in quotes.
pub(crate) fn quoted(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    match text.chars().nth(QUOTE_CHARACTERS) {
        None => format!("{text:?}"),
        Some(_) => {
            format!("{:?} and more", text.chars().take(QUOTE_CHARACTERS).collect::<String>())
        }
    }
}
