//! External inputs of a program.

use crate::trap_unit::TIMER_INTERRUPT;

/// An input that the program does not determine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Instructions retired before the input. An interrupt comes before the next instruction; a value or block belongs
    /// to the next instruction.
    pub time: u64,
    /// The kind and the data of the input.
    pub what: What,
}

/// The kinds of inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The result of a load from a device, of pending interrupts, or of a semihosting call.
    Value(u64),
    /// A device writes to memory.
    Block {
        /// The address in memory.
        address: u64,
        /// The bytes written.
        bytes: Vec<u8>,
    },
    /// An interrupt, by its number in `mcause`.
    Interrupt(u64),
}

impl What {
    /// Codes in the file with their names and contents.
    pub const CODES: [(u8, &'static str, &'static str); 4] = [
        (0, "value", "varint: the result of a load from a device, or of `mip`"),
        (1, "block", "varint address, varint length, the bytes: a device writes to memory"),
        (2, "interrupt", "nothing: a timer interrupt before the next instruction"),
        (3, "interrupt", "varint: the number of another interrupt before the next instruction"),
    ];

    /// The code in the file.
    pub fn code(&self) -> u8 {
        match self {
            What::Value(_) => 0,
            What::Block { .. } => 1,
            What::Interrupt(TIMER_INTERRUPT) => 2,
            What::Interrupt(_) => 3,
        }
    }

    /// The name of the kind for messages.
    pub fn name(&self) -> &'static str {
        What::CODES[usize::from(self.code())].1
    }
}
