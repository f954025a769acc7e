//! RISC-V N-Trace, by its fields: branch history messages with call stack and repeat.
//!
//! A message has bytes of two control bits and six data bits; a field of variable length ends with its byte. An indirect
//! branch sends the length of the code since the last message, the exclusive or of its target with the last one sent,
//! and the outcomes of the branches in between. A return to the address that a stack of 8 return addresses predicts
//! sends nothing. A message that repeats the one before is counted, and so is a history of branches.
//!
//! The length of code is counted in units of 2 bytes. Traces do not have the lengths of all instructions, so those
//! of branches that are no calls count as 2 bytes. This model has no traps, no time stamps and no periodic
//! synchronization: an exception that is not the reset at the start of a trace is refused.

mod decoder;
mod encoder;
mod message;
mod path;

pub use decoder::decode;
pub use encoder::encoder;

/// Entries of the stack of return addresses.
const STACK_DEPTH: usize = 8;

/// Outcomes of a full history.
const FULL_HISTORY: u32 = 31;

/// Codes of messages (TCODE).
mod codes {
    pub const SYNC: u64 = 9;
    pub const RESOURCE_FULL: u64 = 27;
    pub const INDIRECT_BRANCH_HISTORY: u64 = 28;
    pub const REPEAT_BRANCH: u64 = 30;
    pub const CORRELATION: u64 = 33;
}

/// What is full: a history, or the same history several times.
const HISTORY_FULL: u64 = 1;
const HISTORY_REPEATED: u64 = 2;

/// The fields of messages.
mod fields {
    use tracewright_sim::field::Field;

    pub const CONTROL: Field = Field { name: "mseo", doc: "end of a field or message" };
    pub const CODE: Field = Field { name: "tcode", doc: "the kind of message" };
    pub const REASON: Field = Field { name: "sync", doc: "why the message is sent" };
    pub const BRANCH_TYPE: Field = Field { name: "b_type", doc: "the kind of indirect branch" };
    pub const COUNT: Field =
        Field { name: "i_cnt", doc: "code since the last message, in 2 bytes" };
    pub const ADDRESS: Field =
        Field { name: "address", doc: "an address, or its exclusive or with the last" };
    pub const HISTORY: Field = Field { name: "hist", doc: "1, then an outcome for each branch" };
    pub const REPEAT: Field =
        Field { name: "repeat", doc: "how often the message or history came again" };
    pub const PADDING: Field = Field { name: "padding", doc: "up to the end of the byte" };
}
