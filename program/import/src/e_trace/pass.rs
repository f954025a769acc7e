//! What becomes of the instructions of a payload.

use super::code::Known;

/// Takes instructions that have retired.
pub(crate) trait Retired {
    /// Why one cannot be taken.
    type Error;
    /// Takes an instruction.
    fn retire(&mut self, address: u64, known: &Known) -> Result<(), Self::Error>;
}

/// What becomes of instructions that are followed.
pub(crate) enum Pass<'r, R> {
    /// They wait for the end of their payload, all of them.
    Wait,
    /// They are left out: whether the payload leads somewhere is asked.
    Try,
    /// They have retired.
    Give(&'r mut R),
}
