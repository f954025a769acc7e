//! What a payload asks for, and what becomes of its instructions.

use super::code::Known;
use super::payload::Depth;
use super::straight::Straight;

/// What a payload asks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Report {
    /// To go on to the last branch.
    Branches,
    /// To go on to an address.
    Address { notify: bool, updiscon: bool, depth: Option<Depth> },
    /// To go on to an address at which all begins anew.
    Start,
}

impl Report {
    pub(super) fn depth(&self) -> Option<Depth> {
        if let Report::Address { depth, .. } = self { *depth } else { None }
    }
}

/// Takes instructions that have retired.
pub(crate) trait Retired {
    /// Why one cannot be taken.
    type Error;
    /// Takes an instruction.
    fn retire(&mut self, address: u64, known: &Known) -> Result<(), Self::Error>;
    /// Takes a run of instructions, of which there is one at least.
    fn retire_run(&mut self, run: &Straight) -> Result<(), Self::Error>;
}

/// What waits to retire.
#[derive(Clone, Copy)]
pub(crate) enum Waiting {
    /// An instruction.
    One(u64, Known),
    /// A run of them.
    Run(Straight),
}

impl Waiting {
    /// It has retired.
    pub(crate) fn release<R: Retired>(&self, retired: &mut R) -> Result<(), R::Error> {
        match self {
            Waiting::One(address, known) => retired.retire(*address, known),
            Waiting::Run(run) => retired.retire_run(run),
        }
    }
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
