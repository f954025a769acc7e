//! What can go wrong in a capture, in a replay, and in reading their files.

use crate::trap_unit::Cause;

/// Why a run, or the reading of a file, ended early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A file that is no ELF file of a bare-metal RISC-V program.
    #[error("{0}")]
    Program(String),
    /// A part of the program belongs where there is no memory.
    #[error(
        "the program's segment at {address:#x} ({bytes} bytes) is not in memory, which is {memory}",
        memory = crate::board::memory_map()
    )]
    SegmentOutside {
        /// Where the segment begins.
        address: u64,
        /// Its size.
        bytes: u64,
    },
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
    },
    /// An interrupt was enabled with nowhere to go.
    #[error(
        "a timer interrupt at {program_counter:#x} after {instructions} instructions, and the program has no trap handler (mtvec is 0)"
    )]
    NoInterruptHandler {
        /// The address of the next instruction.
        program_counter: u64,
        /// Instructions retired before it.
        instructions: u64,
    },
    /// A handler that traps at its first instruction does so for ever.
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
    },
    /// A replay came to memory that the captured run never touched.
    #[error(
        "the line at {address:#x} is not in the working set; the instruction at {program_counter:#x}, number {number} of the run, needs it"
    )]
    MissingLine {
        /// The address of the line.
        address: u64,
        /// The instruction that needs it.
        program_counter: u64,
        /// Which instruction of the run it is, from 1.
        number: u64,
    },
    /// A replay wants an input that the captured run did not have there.
    #[error(
        "{what} at instruction {number} of the run is not in the working set, whose next input is {recorded}"
    )]
    Input {
        /// What happened in the replay.
        what: &'static str,
        /// The instruction, from 1.
        number: u64,
        /// What the working set has.
        recorded: String,
    },
    /// A replay that ended in another state than the captured run.
    #[error(
        "the replay ends otherwise than the run that was captured: {what} {found:#x}, expected {expected:#x}"
    )]
    OtherEnd {
        /// What differs.
        what: &'static str,
        /// As it is in the replay.
        found: u64,
        /// As it was in the run.
        expected: u64,
    },
    /// Nothing was ever traced: a limit of 0.
    #[error("a run has at least one instruction")]
    NoInstructions,
    /// A file that is no working set, or a damaged one.
    #[error("{what} at byte {offset}: expected {expected}, found {found}")]
    Format {
        /// The part of the file.
        what: &'static str,
        /// Bytes from the beginning, of the decompressed contents if these are meant.
        offset: u64,
        /// What should have been there.
        expected: String,
        /// What was.
        found: String,
    },
    /// A file cannot be read or written.
    #[error("{0}")]
    Io(String),
}
