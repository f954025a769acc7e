//! What is wrong with the messages of a dump.

/// What is wrong with a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Control bits (MSEO) come where they cannot.
    #[error("control bits (MSEO) {found:02b} {place}")]
    Control {
        /// The bits.
        found: u8,
        /// Where they are.
        place: &'static str,
    },
    /// The dump ends in the middle of a message.
    #[error("the dump ends in a message, after {0} bytes")]
    Cut(usize),
    /// A message has another number of fields than its kind.
    #[error(
        "a message of kind (TCODE) {code} has {found} fields of variable length, expected {expected}, or one more for a time stamp"
    )]
    Fields {
        /// The kind.
        code: u8,
        /// Fields of variable length of that kind.
        expected: usize,
        /// Those that it has.
        found: usize,
    },
    /// A message ends before its last field.
    #[error("a message of kind (TCODE) {0} ends before its last field")]
    Short(u8),
    /// The standard does not have a kind of message.
    #[error(
        "a message of kind (TCODE) {0}, which is not known: expected passed_over of the encoder to name it if it is of no execution"
    )]
    Unknown(u8),
    /// More code than may wait comes without the branches that are left.
    #[error("too much code comes before {0:#x} without the branches that are left")]
    Straight(u64),
    /// A message stands for more branches than it may.
    #[error("a message stands for more than {0} branches (payload_branches of the encoder)")]
    Branches(u64),
    /// A field has a value that the standard does not have.
    #[error("{name} is {value}, which the standard does not have")]
    Field {
        /// The field.
        name: &'static str,
        /// Its value.
        value: u64,
    },
    /// A count ends in the middle of an instruction.
    #[error("the count of code ends inside the instruction at {0:#x}")]
    HalfInstruction(u64),
    /// Histories have passed more code than was counted.
    #[error("{0} half-words more than were counted have retired")]
    CountTooSmall(u64),
    /// The last instruction that is counted is no branch that is taken.
    #[error("a branch is taken at the end of the code that was counted, but none is before {0:#x}")]
    NoBranch(u64),
    /// No branch comes before a message that repeats one.
    #[error("no branch comes before a message that repeats it")]
    NothingToRepeat,
}

/// A message that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct Unreadable {
    /// Which encoder it is of, if that is known.
    pub of: Option<u32>,
    /// What is wrong with it.
    pub problem: Problem,
}
