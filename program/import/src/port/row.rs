//! What a core says of an instruction at its port, and which pins the port has.

use crate::error::Problem;
use crate::flow::DataAccess;

/// An instruction at the retirement port of a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Where the log has it: the line of a table from 1, or the time of a waveform.
    pub place: u64,
    /// The hart that retired it.
    pub hart: u32,
    /// The cycle in which it retired, if the log tells cycles apart.
    pub cycle: Option<u64>,
    /// Its lane among the instructions of the cycle.
    pub lane: u32,
    /// Its address.
    pub program_counter: u64,
    /// Its word; `None` if the log lacks it or has unknown bits there.
    pub word: Option<u32>,
    /// The address of the next instruction as the port says it.
    pub next: Option<u64>,
    /// The record of its trap, whose bit 0 says that there is one.
    pub trap: u64,
    /// The record of an interrupt, whose bit 0 says that the instruction is the first of a handler.
    pub interrupt: u64,
    /// It is compressed, if the port says so.
    pub compressed: Option<bool>,
    /// Its number in the order of retirement.
    pub number: Option<u64>,
    /// The core is asked to stop in this cycle.
    pub stalled: bool,
}

impl Row {
    /// True if the port says that it trapped.
    pub fn traps(&self) -> bool {
        self.trap & 1 == 1
    }

    /// True if the port says that it is the first instruction of a handler.
    pub fn is_handler(&self) -> bool {
        self.interrupt & 1 == 1
    }
}

/// The kind of a port, by the names of its pins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// The RISC-V formal interface: `rvfi_valid`, `rvfi_insn`, and so on.
    #[default]
    Rvfi,
    /// The port `retired`: `retired_valid`, `retired_pc`, `retired_word`, and so on.
    Retired,
}

/// The pins of a port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Port {
    /// The kind.
    pub kind: Kind,
    /// Instructions that can retire in a cycle.
    pub lanes: u32,
    /// It says the words of instructions.
    pub word: bool,
    /// It says the address of the next instruction.
    pub next: bool,
    /// It says what trapped.
    pub trap: bool,
    /// It says where handlers begin.
    pub interrupt: bool,
    /// It says what is compressed.
    pub compressed: bool,
    /// It numbers instructions.
    pub number: bool,
    /// The log has the request to stop.
    pub stall: bool,
}

/// Takes the rows of a log, in its order.
pub(crate) trait TakeRows {
    /// The log is of this port. Comes before all rows.
    fn port(&mut self, port: &Port) -> Result<(), Problem>;

    /// Takes an instruction.
    fn row(&mut self, row: &Row, accesses: &[DataAccess]) -> Result<(), Problem>;

    /// In a cycle in which nothing retires, the core is asked to stop or not.
    fn idle(&mut self, stalled: bool);

    /// The word or the next address of an instruction that retires has unknown bits, which is this problem.
    fn unknown(&mut self, problem: Problem) -> Result<(), Problem>;

    /// A waveform is cut at the end of this line.
    fn cut(&mut self, line: u64);
}
