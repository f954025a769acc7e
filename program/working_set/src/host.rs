//! Calls of semihosting that the host answers.

/// A call, with what of memory it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// Opens a file.
    Open {
        /// Its name.
        name: Vec<u8>,
        /// The place of its mode in "r", "rb", "r+", "r+b", "w", "wb", "w+", "w+b", "a", "ab", "a+", "a+b".
        mode: u64,
    },
    /// Closes a file.
    Close(u64),
    /// Writes to a file; the result is how many bytes were not written.
    Write {
        /// The file.
        handle: u64,
        /// What is written.
        bytes: Vec<u8>,
    },
    /// Reads from a file into memory; the result is how many bytes came.
    Read {
        /// The file.
        handle: u64,
        /// The address in memory.
        address: u64,
        /// The most bytes.
        length: u64,
    },
    /// The next byte of the input, all ones of 32 bits at its end.
    ReadCharacter,
    /// True for the console.
    IsTerminal(u64),
    /// Goes to a place in a file.
    Seek {
        /// The file.
        handle: u64,
        /// The byte.
        place: u64,
    },
    /// The length of a file.
    Length(u64),
    /// Removes a file.
    Remove(Vec<u8>),
    /// Gives a file another name.
    Rename {
        /// The name that it has.
        from: Vec<u8>,
        /// The name that it gets.
        to: Vec<u8>,
    },
    /// Hundredths of a second since the beginning.
    Clock,
    /// Seconds since 1970.
    Time,
    /// The number of the last error.
    ErrorNumber,
    /// Writes the command line and the length of it.
    CommandLine {
        /// The address of the block of two words.
        block: u64,
        /// The address for the text, which the first word has.
        address: u64,
        /// The room there, which the second word has.
        room: u64,
    },
    /// Writes where heap and stack are.
    Heap {
        /// The address of the four words.
        address: u64,
    },
    /// Writes the ticks since the beginning, in 64 bits.
    Elapsed {
        /// Their address.
        address: u64,
    },
}

/// The answer of the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The result of the call.
    pub value: u64,
    /// What is written to memory, and where.
    pub blocks: Vec<(u64, Vec<u8>)>,
    /// What is printed.
    pub printed: Vec<u8>,
}

/// The result of a call that fails.
pub const FAILED: u64 = u64::MAX;

/// Ticks of the clock per second; one instruction is one tick.
pub const TICKS_PER_SECOND: u64 = 100_000_000;

impl From<u64> for Answer {
    fn from(value: u64) -> Answer {
        Answer { value, ..Answer::default() }
    }
}
