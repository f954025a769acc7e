//! Programs as text, whose runs are events: what a search for bad programs makes, and what tests keep of it.
//!
//! A script is a program of functions, one statement on a line:
//!
//! | line | what it is |
//! |---|---|
//! | `function ADDRESS` ... `end` | a function from this address on, or from the end of the one before it in memory; the first one runs for ever, the others return |
//! | `handler ADDRESS` ... `end` | the same for exceptions: it ends in an exception return |
//! | `interrupt N,... F` | an exception to handler F whenever N instructions outside handlers have retired, each number in turn |
//! | `straight N` | N instructions that do not change the flow |
//! | `loop N` ... `end` | runs N times, with a conditional branch at its end |
//! | `if PATTERN` ... `end` | a conditional branch, which is not taken where the pattern has `1`: the statements then run |
//! | `switch PATTERN` `case` ... `case` ... `end` | an indirect jump to the case whose number the pattern has |
//! | `call F` | a direct call |
//! | `call PATTERN F G ...` | an indirect call of the function whose place the pattern has |
//! | `recurse N` | calls the function that it is in, unless N calls of it are active: a conditional branch and a direct call |
//! | `unwind N` | leaves N calls at once, by an indirect jump to where the last of them returns to |
//! | `resume F` | goes on with coroutine F on a stack of its own: a call of a function that returns there |
//! | `yield` | goes back to where the coroutine was resumed |
//! | `trap F` | an exception to handler F |
//!
//! Functions and handlers have numbers from 0 in their order, and call only those of higher numbers. A pattern is the
//! digits 0 to 9 in turn, from the first again after the last; `?` is a random one. All instructions have four bytes.
//! `#` begins a comment. The events of a run follow from the text alone.
//!
//! ```
//! use tracewright_sim::synthetic::script::Script;
//!
//! let script: Script = "function 0x80000000\n loop 3\n straight 5\n end\n end".parse()?;
//! let events: Vec<_> = script.run()?.take(5).collect();
//! let taken: Vec<bool> = events.iter().map(|event| event.taken).collect();
//! // The reset, the loop, and the jump to the begin.
//! assert_eq!(taken, [true, true, true, false, true]);
//! assert_eq!(events[1].instructions, 6);
//! # Ok::<(), tracewright_sim::synthetic::script::ScriptError>(())
//! ```

mod code;
mod run;
mod text;

pub use run::Run;

use crate::event::{Isa, Machine};

/// The processor of every script: RISC-V with addresses of 32 bits.
pub const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// A program as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Functions and handlers, at least one; the first one is a function.
    pub functions: Vec<Function>,
    /// Interrupts, if there are any.
    pub interrupt: Option<Interrupt>,
}

/// A function or a handler of exceptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Where it begins, if that is free; a multiple of 4.
    pub address: u32,
    /// It ends in an exception return.
    pub is_handler: bool,
    /// What it does.
    pub body: Vec<Statement>,
}

/// Exceptions after numbers of instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// Instructions from one to the next, in turn, at least 1 each.
    pub after: Vec<u32>,
    /// The handler.
    pub handler: usize,
}

/// A choice at each pass: from 0 on, `None` at random; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(pub Vec<Option<u8>>);

/// One statement; functions are named by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Instructions that do not change the flow.
    Straight(u32),
    /// Runs so many times.
    Loop(u32, Vec<Statement>),
    /// Runs where the pattern has 1.
    If(Pattern, Vec<Statement>),
    /// An indirect jump to one of these, at least one.
    Switch(Pattern, Vec<Vec<Statement>>),
    /// A direct call.
    Call(usize),
    /// An indirect call of one of these, at least one.
    CallOne(Pattern, Vec<usize>),
    /// Calls the function that it is in, up to so many active calls.
    Recurse(u32),
    /// Leaves so many calls.
    Unwind(u32),
    /// Goes on with a coroutine.
    Resume(usize),
    /// Goes back from a coroutine.
    Yield,
    /// An exception.
    Trap(usize),
}

/// Why a text is no script, or a script no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// A line that is none of a script's.
    #[error("line {line}: expected {expected}, found {found:?}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What can be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A statement that does not fit the functions.
    #[error("function {function}: expected {expected}, found {found}")]
    Function {
        /// Its number.
        function: usize,
        /// What can be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
}

impl Script {
    /// The events of a run, without end.
    ///
    /// # Errors
    /// When a statement does not fit the functions, or the code does not fit the address space.
    pub fn run(&self) -> Result<Run, ScriptError> {
        Ok(Run::new(code::assemble(self)?))
    }
}
