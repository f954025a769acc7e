//! Several blocks in a cycle as an ingress: they are in the trace in the order of their lanes. A sequential block may be
//! a part of the block after it, as it is in every trace.
//!
//! The hardware is the adapter in `hdl/src/blocks.rs`, which stands between a core and a trace module. The core holds the
//! blocks of a cycle until all of them are taken, so the queue needs no room for blocks that come late. In front of a trace
//! module that loses blocks the core does not wait, and the queue loses some before it is full.

use crate::config::{Protocol, mask, require};
use crate::ingress::Queue;
use crate::parameter::ParameterError;

/// The parameters of an adapter beside those of its trace module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Blocks that a core can show in a cycle.
    pub lanes: u32,
    /// Blocks that wait while the trace module is not ready.
    pub depth: u32,
}

impl Config {
    /// The default for so many blocks in a cycle: eight cycles of them.
    pub fn new(lanes: u32) -> Self {
        Self { lanes, depth: 8 * lanes }
    }

    /// The queue of the adapter.
    pub fn queue(&self) -> Queue {
        Queue { lanes: self.lanes, depth: self.depth, slack: 0 }
    }

    /// Where the trace module loses blocks: the number of blocks that wait from which on they are lost. Below it one leaves in
    /// each cycle, from it on as many as may come, and there is always room for those of the next cycle.
    pub fn shed_level(&self) -> u32 {
        (self.depth + 2).saturating_sub(2 * self.lanes)
    }

    /// Checks the constraints that a queue has in front of this module, beside [`validate`](Self::validate).
    ///
    /// # Errors
    /// When the module loses blocks, and has no pins for those that the queue loses, or the queue is too short.
    pub fn validate_for(&self, protocol: &Protocol) -> Result<(), ParameterError> {
        if !protocol.drops_blocks() {
            return Ok(());
        }
        require(protocol.loss_pins, "loss_pins", false, || {
            "blocks_per_cycle with when_full = drop needs loss_pins = true".into()
        })?;
        let least = 2 * self.lanes;
        require(self.depth >= least, "ingress_queue", self.depth, || {
            format!("must be at least {least}, twice blocks_per_cycle, with when_full = drop")
        })
    }

    /// Checks the constraints.
    ///
    /// # Errors
    /// The first constraint that is broken, by name.
    pub fn validate(&self) -> Result<(), ParameterError> {
        require(self.lanes > 1, "blocks_per_cycle", self.lanes, || {
            "must be above 1: a trace module itself takes one block in a cycle".into()
        })?;
        self.queue().validate()
    }
}

/// Instructions of two blocks that wait after each other, if they are shown as one: the first is sequential, and
/// `retire_count` can count them.
pub fn joined(count: u64, kind: u64, next_count: u64, retire_count_bits: u32) -> Option<u64> {
    let sum = count + next_count;
    (kind == 0 && sum <= mask(retire_count_bits)).then_some(sum)
}
