//! What came from outside while a program ran.

/// Something that the program does not determine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Instructions retired before it: an interrupt comes in front of the next instruction, what a
    /// device gives belongs to it.
    pub time: u64,
    /// What it is.
    pub what: What,
}

/// The kinds of inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A load from a device, or of pending interrupts, gives this.
    Value(u32),
    /// A device writes to memory.
    Block {
        /// Where.
        address: u64,
        /// What.
        bytes: Vec<u8>,
    },
    /// A timer interrupt.
    Interrupt,
}

impl What {
    /// Codes in the file with their names and contents.
    pub const CODES: [(u8, &'static str, &'static str); 3] = [
        (0, "value", "varint: what a load from a device, or of `mip`, gives"),
        (1, "block", "varint address, varint length, the bytes: a device writes to memory"),
        (2, "interrupt", "nothing: a timer interrupt in front of the next instruction"),
    ];

    /// The code in the file.
    pub fn code(&self) -> u8 {
        match self {
            What::Value(_) => 0,
            What::Block { .. } => 1,
            What::Interrupt => 2,
        }
    }

    /// What messages call it.
    pub fn name(&self) -> &'static str {
        What::CODES[usize::from(self.code())].1
    }
}
