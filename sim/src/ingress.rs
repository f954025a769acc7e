//! What the adapters between a core's own port and a trace module have in common.

pub mod switch;

use std::ops::RangeInclusive;

use crate::config::require;
use crate::parameter::ParameterError;

/// The queue of an adapter: what the core says waits in it while the trace module is not ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Queue {
    /// Entries that may come in a cycle.
    pub lanes: u32,
    /// Entries that it holds.
    pub depth: u32,
    /// Entries among them that may still come after `stall` has risen.
    pub slack: u32,
}

impl Queue {
    /// Numbers of entries that may come in a cycle.
    pub const LANES: RangeInclusive<u32> = 1..=4;

    /// Cycles of a core that may come after `stall` has risen, by default: enough for every core of docs/cores.md.
    pub const SLACK_CYCLES: u32 = 8;

    /// Twelve cycles of so many lanes, of which [`SLACK_CYCLES`](Self::SLACK_CYCLES) may come after `stall` has risen.
    pub fn new(lanes: u32) -> Self {
        Self { lanes, depth: 12 * lanes, slack: Self::SLACK_CYCLES * lanes }
    }

    /// The queue with room for what registers between the pins and it hold.
    pub fn with_registers(&self, cycles: u32) -> Self {
        let more = cycles * self.lanes;
        Self { depth: self.depth + more, slack: self.slack + more, ..*self }
    }

    /// Checks the constraints.
    ///
    /// # Errors
    /// The first constraint that is broken, by name.
    pub fn validate(&self) -> Result<(), ParameterError> {
        let Self { lanes, depth, slack } = *self;
        require(Self::LANES.contains(&lanes), "ingress_lanes", lanes, || {
            format!("must be {} to {}", Self::LANES.start(), Self::LANES.end())
        })?;
        require((2..=64).contains(&depth), "ingress_queue", depth, || "must be 2 to 64".into())?;
        require(depth.is_multiple_of(lanes), "ingress_queue", depth, || {
            format!("must be a multiple of the {lanes} entries that can come in a cycle")
        })?;
        require(slack <= depth - lanes, "ingress_slack", slack, || {
            format!(
                "must be at most {}: ingress_queue = {depth} less the {lanes} of a cycle",
                depth - lanes
            )
        })
    }

    /// Where the trace module loses blocks and counts them: the number of words that wait from which on they are lost. Below it a
    /// word may stay for a cycle, from it on as many leave in each cycle as may come, and there is always room for the words of
    /// the next cycle.
    pub fn shed_level(&self) -> u32 {
        (self.depth + 1).saturating_sub(2 * self.lanes)
    }

    /// Checks the constraint of a queue that loses words before it is full, beside [`validate`](Self::validate).
    ///
    /// # Errors
    /// When the queue is too short.
    pub fn validate_shedding(&self) -> Result<(), ParameterError> {
        let least = 3 * self.lanes;
        require(self.depth >= least, "ingress_queue", self.depth, || {
            format!("must be at least {least}, three cycles, with loss_pins = true")
        })
    }

    /// The core has to stop from this number of entries on: one cycle less than the slack still fits below it.
    pub fn stall_level(&self) -> u32 {
        self.depth + 1 - self.slack - self.lanes
    }
}
