//! What encoder and decoder have in common: the code's constants, and the targets of direct branches so far.

use rustc_hash::FxHashMap;
use tracewright_sim::event::Kind;

use super::Branch;
use crate::Core;

/// The confidence that no exception comes before the next branch, and that the trace goes on.
pub const NOTHING_WRONG: u32 = 15;

/// The confidence that an exception goes where the last one went.
pub const SAME_HANDLER: u32 = 4;

/// Bits that say how many bits the number of instructions before an exception has.
pub const WIDTH_BITS: u32 = 6;

/// The most bits of that number.
pub const MOST_COUNT_BITS: u32 = 63;

/// After a symbol that is wrong: an exception, or the end of the trace.
pub const EXCEPTION: u64 = 0;
/// See [`EXCEPTION`].
pub const END: u64 = 1;

/// Bits of the last exception's target, which encoder and decoder keep.
pub const HANDLER_BITS: u64 = 64;

/// How addresses are sent: without the bits that are always 0.
#[derive(Clone, Copy, Debug)]
pub struct TargetBits {
    /// Bits that are sent.
    pub count: u32,
    /// Bits below them.
    pub shift: u32,
}

impl TargetBits {
    /// Those of a core.
    pub fn of(core: &Core) -> Self {
        let shift = core.machine.alignment.into();
        Self { count: core.address_width - shift, shift }
    }
}

/// True if a branch does what the program says, so that nothing is predicted.
pub fn is_silent(kind: Kind) -> bool {
    matches!(kind, Kind::DirectJump | Kind::Exception)
}

/// Where direct branches went when they were last taken.
#[derive(Clone, Debug, Default)]
pub struct DirectTargets(FxHashMap<u64, u64>);

impl DirectTargets {
    /// Adds to a branch what is known of its target.
    pub fn complete(&self, branch: Branch) -> Branch {
        let target = match branch.kind.is_indirect() {
            true => None,
            false => self.0.get(&branch.program_counter).copied(),
        };
        Branch { target, ..branch }
    }

    /// Learns what a branch did.
    pub fn learn(&mut self, branch: &Branch, taken: bool, target: u64) {
        if taken && !branch.kind.is_indirect() && branch.target != Some(target) {
            self.0.insert(branch.program_counter, target);
        }
    }
}
