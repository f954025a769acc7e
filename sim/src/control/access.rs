//! What the front end of a bus and the registers say to each other in a cycle.

use super::table::ADDRESS_BITS;

/// Width of an address in words of 32 bits.
pub const WORD_ADDRESS_BITS: u32 = ADDRESS_BITS - 2;

/// An access of the registers in a cycle, as the front end of the bus makes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// There is one; otherwise nothing is written, and no read has an effect.
    pub is_valid: bool,
    /// It is a write.
    pub is_write: bool,
    /// The register's address in words of 32 bits.
    pub address: u32,
    /// What is written.
    pub data: u32,
    /// A bit for each byte of it that is written.
    pub strobes: u32,
}

/// What the registers answer to an access in the same cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The access ends; otherwise it goes on in the next cycle.
    pub is_ready: bool,
    /// What is read.
    pub data: u32,
    /// There is no page of registers at the address.
    pub is_outside: bool,
}

impl Access {
    /// Ones in the bits of the bytes that are written.
    pub fn mask(&self) -> u32 {
        let written = (0..4).filter(|byte| self.strobes >> byte & 1 == 1);
        written.fold(0, |mask, byte| mask | 0xff << (8 * byte))
    }
}
