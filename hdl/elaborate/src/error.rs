//! What can be wrong with a design.

/// A design that has no Verilog, and the signal or block to look at.
///
/// Signals are named by their path from the top, as in `top.child.lanes[2].d`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Two operands differ in width.
    #[error(
        "{signal}: `{left}` has {left_width} bits and `{right}` has {right_width}, but the operands of `{operator}` must have equal widths"
    )]
    WidthMismatch {
        /// The signal being computed.
        signal: String,
        /// The operator.
        operator: &'static str,
        /// The left operand.
        left: String,
        /// Its number of bits.
        left_width: usize,
        /// The right operand.
        right: String,
        /// Its number of bits.
        right_width: usize,
    },
    /// A signal is given a value of another width.
    #[error("{signal} has {width} bits and cannot take `{value}`, which has {value_width}")]
    AssignedWidth {
        /// The signal.
        signal: String,
        /// Its number of bits.
        width: usize,
        /// The value.
        value: String,
        /// The value's number of bits.
        value_width: usize,
    },
    /// An integer needs more bits than there are.
    #[error("{signal}: the number {value} does not fit in {width} bits")]
    NumberTooWide {
        /// The signal being computed.
        signal: String,
        /// The number, in hexadecimal.
        value: String,
        /// The bits there are.
        width: usize,
    },
    /// Neither operand, or no target, says how wide a number or a cast to fit is.
    #[error("{signal}: nothing says how many bits `{value}` has; give it a width with `bits_to`")]
    NoWidth {
        /// The signal being computed.
        signal: String,
        /// The value.
        value: String,
    },
    /// A condition has more or fewer bits than one.
    #[error(
        "{signal}: the condition `{condition}` has {width} bits, not one; say `.any()` or compare it"
    )]
    ConditionWidth {
        /// The signal or block concerned.
        signal: String,
        /// The condition.
        condition: String,
        /// Its number of bits.
        width: usize,
    },
    /// A constant bit index points beyond the word.
    #[error("{signal}: bit {index} of `{value}` does not exist, it has {width} bits")]
    BitOutOfRange {
        /// The signal being computed.
        signal: String,
        /// The word.
        value: String,
        /// The index.
        index: usize,
        /// The word's number of bits.
        width: usize,
    },
    /// A signal keeps its old value on some path through the kernel.
    #[error(
        "{signal} is a latch: some path through the kernel does not write it; write a default first"
    )]
    Latch {
        /// The signal.
        signal: String,
    },
    /// A local or an output is read where some path has not written it yet.
    #[error("{signal} is read before it is written")]
    ReadBeforeWrite {
        /// The signal.
        signal: String,
    },
    /// Nothing drives a signal.
    #[error("{signal} is not driven")]
    Undriven {
        /// The signal.
        signal: String,
    },
    /// A kernel writes what something else drives.
    #[error("{signal} is driven from elsewhere and by the kernel too")]
    MultiplyDriven {
        /// The signal.
        signal: String,
    },
    /// A kernel writes a packed word, or one of its fields, in a way that the word does not allow.
    #[error("{signal} {fault}")]
    PackedWord {
        /// The word or the field.
        signal: String,
        /// What is wrong.
        fault: &'static str,
    },
    /// A kernel reads what only a sub-block, register or memory may read.
    #[error("{signal} cannot be read here: it is an input; read the local that drives it")]
    Unreadable {
        /// The signal.
        signal: String,
    },
    /// A name of the kernel is not declared in the block.
    #[error(
        "{block}: `{name}` is not declared in this block; a constant must be a `param` to appear in an expression"
    )]
    UnknownName {
        /// The block.
        block: String,
        /// The name.
        name: String,
    },
    /// An index into a vector of signals is not made of integers and the indexes of loops.
    #[error("{block}: the index of `{name}` must be made of integers and loop indexes")]
    VectorIndex {
        /// The block.
        block: String,
        /// The name with its index.
        name: String,
    },
    /// A name that Verilog, SystemVerilog or Verilator's C++ does not allow.
    #[error("{signal}: `{name}` is not a legal name in Verilog: {reason}")]
    IllegalName {
        /// The signal or block.
        signal: String,
        /// The name.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Two things of a block, or two modules of the design, get one name.
    #[error("{block}: {first} and {second} both become `{name}`")]
    NameClash {
        /// The block, or the top.
        block: String,
        /// The name.
        name: String,
        /// What has the name.
        first: String,
        /// What gets it too.
        second: String,
    },
    /// A signal depends on itself within a cycle.
    #[error("combinational loop: {}", .signals.join(" -> "))]
    CombinationalLoop {
        /// The signals around the loop, the first one repeated at the end.
        signals: Vec<String>,
    },
    /// A block has no [`Kind`](crate::prelude::Kind), or two.
    #[error("{block} must have exactly one field of type `Kind`")]
    Kind {
        /// The block.
        block: String,
    },
    /// Two different modules have the same kind and parameters.
    #[error(
        "two blocks of kind `{kind}` differ but state the same parameters ({parameters}): state what sets them apart"
    )]
    AmbiguousKind {
        /// The kind.
        kind: String,
        /// The parameters.
        parameters: String,
    },
    /// A memory without entries or without read ports.
    #[error("{signal} is a memory without {missing}")]
    EmptyMemory {
        /// The memory.
        signal: String,
        /// What it lacks.
        missing: &'static str,
    },
    /// A field of a type that this crate does not write.
    #[error("{signal} is a signal of RustHDL's own; use `Wire`")]
    ForeignSignal {
        /// The signal.
        signal: String,
    },
    /// A kernel without `#[hdl_gen]`, or a construct this crate does not write.
    #[error("{block}: {construct} cannot be written as Verilog")]
    Unsupported {
        /// The block.
        block: String,
        /// The construct.
        construct: String,
    },
}
