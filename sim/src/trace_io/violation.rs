//! The rules that records can break.

use crate::event::Kind;

/// The highest privilege level.
pub(super) const PRIVILEGE_MAX: u8 = 7;

/// The most instructions of one event.
pub(super) const INSTRUCTIONS_MAX: u64 = u32::MAX as u64;

/// A rule that an event, an access or the machine of a trace breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// `alignment` is 0 to 2.
    #[error("expected an alignment from 0 to 2, found {0}")]
    Alignment(u8),
    /// `address_bits` is 32 or 64.
    #[error("expected 32 or 64 address bits, found {0}")]
    AddressBits(u8),
    /// `instructions` is at least 1, but for a taken exception.
    #[error("expected at least 1 instruction before and with {0}, found 0")]
    NoInstructions(Named),
    /// A straight run has at most 2^32 - 1 instructions: no program has a longer one, and an encoder
    /// would make records of it for hours.
    #[error("expected at most {INSTRUCTIONS_MAX} instructions since the event before, found {0}")]
    TooManyInstructions(u64),
    /// Addresses are multiples of 2^`alignment`.
    #[error("expected the {field} to be a multiple of {multiple}, found {address:#x}")]
    Unaligned {
        /// Which address.
        field: &'static str,
        /// 2^`alignment`.
        multiple: u8,
        /// The address.
        address: u64,
    },
    /// Addresses are below 2^`address_bits`.
    #[error("expected the {field} to have at most {address_bits} bits, found {address:#x}")]
    WideAddress {
        /// Which address.
        field: &'static str,
        /// The width of an address.
        address_bits: u8,
        /// The address.
        address: u64,
    },
    /// A direct or indirect jump is always taken.
    #[error("expected {0} to be taken, found it not taken")]
    JumpNotTaken(Named),
    /// `target` is 0 when not taken.
    #[error("expected no target where not taken, found {0:#x}")]
    TargetNotTaken(u64),
    /// An exception is neither a call nor a return.
    #[error("expected an exception to be no call and no return, found {0}")]
    ExceptionLinks(&'static str),
    /// A system call that turns into an exception is one event, the taken exception.
    #[error(
        "expected a system call that traps to be one taken exception, found it split in two at {0:#x}"
    )]
    SplitSystemCall(u64),
    /// `thread` is 0 to 3, or 0 to 7 in a trace with the *threads* extension.
    #[error("expected a thread from 0 to {most}, found {thread}")]
    Thread {
        /// The highest there is.
        most: u8,
        /// The thread.
        thread: u8,
    },
    /// An access belongs to a trace with the *data* extension.
    #[error("expected no data access in a trace without data")]
    UnexpectedAccess,
    /// An access counts its own instruction, and comes after those of earlier instructions.
    #[error("expected an access after at least {least} instructions, found {instructions}")]
    AccessOrder {
        /// The instruction of the thread's access before, or 1.
        least: u64,
        /// The instruction of this one.
        instructions: u64,
    },
    /// An access comes before the event of its run, which counts its instruction.
    #[error(
        "expected at least {accessed} instructions, as many as the access before counts, found {instructions}"
    )]
    AccessAfterEvent {
        /// The instruction of the last access.
        accessed: u64,
        /// Those of the event.
        instructions: u64,
    },
    /// One instruction has one address.
    #[error(
        "expected instruction {instructions} of the run at {expected:#x}, where it made its last access, found it at {found:#x}"
    )]
    AccessProgramCounter {
        /// The instruction, from 1.
        instructions: u64,
        /// Its address according to the access before.
        expected: u64,
        /// Its address according to this record.
        found: u64,
    },
    /// A state belongs to a trace with the *states* extension.
    #[error("expected no state in a trace without states")]
    UnexpectedState,
    /// Cycles belong to a trace with the *cycles* extension.
    #[error("expected no cycles in a trace without cycles")]
    UnexpectedCycles,
    /// A privilege level has three bits.
    #[error("expected a privilege level from 0 to {PRIVILEGE_MAX}, found {0}")]
    Privilege(u8),
    /// `length` is at most 15 and a multiple of 2^`alignment`; in a call it is known if the trace
    /// says that it has lengths.
    #[error("expected an instruction length from {least} to 15 in steps of {step}, found {length}")]
    Length {
        /// 1 step in a call of a trace with lengths, else 0.
        least: u8,
        /// 2^`alignment`.
        step: u8,
        /// The length.
        length: u8,
    },
}

/// A kind with its article, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named(pub Kind);

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let article =
            if matches!(self.0, Kind::DirectJump | Kind::DirectConditional) { "a" } else { "an" };
        write!(f, "{article} {}", self.0)
    }
}
