//! Errors of captures, of replays and of their files.

use crate::trap_unit::Cause;

/// The reason why a run, or the reading of a file, ended early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A file that is not an ELF file of a bare-metal RISC-V program.
    #[error("{0}")]
    Program(String),
    /// A segment of the program is not in memory.
    #[error(
        "the program's segment at {address:#x} ({bytes} bytes) is not in the memory of board {board}, which is {memory}"
    )]
    SegmentOutside {
        /// The first address of the segment.
        address: u64,
        /// The size of the segment.
        bytes: u64,
        /// The name of the board.
        board: String,
        /// The address ranges of its memory.
        memory: String,
    },
    /// A description of a board that is not one.
    #[error("{0}")]
    Board(String),
    /// An exception that the program has no handler for.
    #[error(
        "{cause:?} (mtval {value:#x}) at {program_counter:#x} after {instructions} instructions, and the program has no trap handler (mtvec is 0)"
    )]
    NoHandler {
        /// The exception.
        cause: Cause,
        /// The address of the instruction.
        program_counter: u64,
        /// The address or instruction it is about.
        value: u64,
        /// Instructions retired before it.
        instructions: u64,
        /// Those of them until the last event.
        until_event: u64,
    },
    /// An interrupt that the program has no handler for.
    #[error(
        "an interrupt at {program_counter:#x} after {instructions} instructions, and the program has no trap handler (mtvec is 0)"
    )]
    NoInterruptHandler {
        /// The address of the next instruction.
        program_counter: u64,
        /// Instructions retired before it.
        instructions: u64,
        /// Those of them until the last event.
        until_event: u64,
    },
    /// A handler that traps at its first instruction, which would repeat without end.
    #[error(
        "the trap handler at {program_counter:#x} traps at its first instruction ({cause:?}), after {instructions} instructions"
    )]
    HandlerTraps {
        /// The exception.
        cause: Cause,
        /// The address of the handler.
        program_counter: u64,
        /// Instructions retired before it.
        instructions: u64,
        /// Those of them until the last event.
        until_event: u64,
    },
    /// A jump to half a word by a machine without compressed instructions.
    #[error(
        "the instruction at {program_counter:#x} jumps to {target:#x}, after {instructions} instructions: expected a multiple of 4, because the machine has no compressed instructions"
    )]
    Misaligned {
        /// The address of the jump.
        program_counter: u64,
        /// Where it leads.
        target: u64,
        /// Instructions retired with it.
        instructions: u64,
        /// Those of them until the last event.
        until_event: u64,
    },
    /// A replay that touched memory that the captured run did not touch.
    #[error(
        "the line at {address:#x} is not in the working set; the instruction at {program_counter:#x}, number {number} of the run, needs it"
    )]
    MissingLine {
        /// The address of the line.
        address: u64,
        /// The instruction that needs it.
        program_counter: u64,
        /// The number of the instruction in the run, from 1.
        number: u64,
    },
    /// A replay that needs an input that the captured run did not have there.
    #[error(
        "{what} at instruction {number} of the run is not in the working set, whose next input is {recorded}"
    )]
    Input {
        /// What happened in the replay.
        what: &'static str,
        /// The instruction, from 1.
        number: u64,
        /// The next input of the working set.
        recorded: String,
    },
    /// A replay that ended in another state than the captured run.
    #[error(
        "the replay ends in another state than the captured run: {what} {found:#x}, expected {expected:#x}"
    )]
    OtherEnd {
        /// What differs.
        what: &'static str,
        /// The value in the replay.
        found: u64,
        /// The value in the captured run.
        expected: u64,
    },
    /// A call of semihosting that is not supported.
    #[error(
        "the program makes the semihosting call {operation:#x}, which is not supported; expected one of open, close, write, read, \
         istty, seek, flen, clock, time, errno, get_cmdline, heapinfo, exit and tickfreq"
    )]
    Semihosting {
        /// The operation, in `a0`.
        operation: u64,
    },
    /// A loop that waits for what does not come.
    #[error(
        "no progress after {instructions} instructions: the loop at {program_counter:#x}{in_function} polls {address:#x} {what}, which nothing will change",
        in_function = function.as_ref().map(|function| format!(" in {function}")).unwrap_or_default()
    )]
    Polls {
        /// The lowest address of its instructions.
        program_counter: u64,
        /// The function that it is in, if the program has symbols.
        function: Option<String>,
        /// The address that it loads from.
        address: u64,
        /// What is there.
        what: &'static str,
        /// Instructions retired before it was found.
        instructions: u64,
    },
    /// A run without an instruction: the limit was 0.
    #[error("a run has at least one instruction")]
    NoInstructions,
    /// A file that is not a working set, or is damaged.
    #[error("{what} at byte {offset}: expected {expected}, found {found}")]
    Format {
        /// The part of the file.
        what: &'static str,
        /// The offset in the file, or in the decompressed contents.
        offset: u64,
        /// The expected contents.
        expected: String,
        /// The contents found.
        found: String,
    },
    /// A file cannot be read or written.
    #[error("{0}")]
    Io(String),
}

impl Error {
    /// The limit with which a run ends before the program does what the machine cannot, if it is that and there is one.
    pub fn limit_before(&self) -> Option<u64> {
        match self {
            Error::NoHandler { until_event, .. }
            | Error::NoInterruptHandler { until_event, .. }
            | Error::HandlerTraps { until_event, .. }
            | Error::Misaligned { until_event, .. } => {
                Some(*until_event).filter(|limit| *limit > 0)
            }
            Error::Polls { instructions, .. } => Some(*instructions),
            _ => None,
        }
    }

    /// The address at which there is neither memory nor a device, if that has ended the run.
    pub fn address_of_nothing(&self) -> Option<u64> {
        match self {
            Error::NoHandler { cause: Cause::LoadFault | Cause::StoreFault, value, .. } => {
                Some(*value)
            }
            _ => None,
        }
    }
}
