//! Triggers from outside: what they do where they rise.

use super::trigger::{NOTIFIES, STARTS, STOPS};

/// What triggers are told in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// A bit for each trigger, which may belong to another clock.
    pub triggers: u32,
    /// Triggers may start and stop tracing: `trTeInstTrigEnable`.
    pub may_switch: bool,
    /// Tracing is on.
    pub is_tracing: bool,
    /// The module does not stand still in this cycle.
    pub runs: bool,
}

/// What triggers say in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Tracing starts.
    pub starts: bool,
    /// Tracing stops.
    pub stops: bool,
    /// A packet is asked for.
    pub notifies: bool,
}

/// Triggers from outside.
#[derive(Clone, Debug, Default)]
pub struct TriggerInputs {
    /// There are cycles in which the module stands still.
    is_gated: bool,
    /// The triggers at the last three edges of the clock, the latest one first.
    seen: [u32; 3],
    /// A packet was asked for in a cycle in which the module stood still.
    waits: bool,
}

impl TriggerInputs {
    /// Triggers as they are after a reset.
    pub fn new(is_gated: bool) -> Self {
        Self { is_gated, ..Self::default() }
    }

    /// True if a trigger with this action has risen, as far as two registers against metastability have let it through.
    fn has_risen(&self, actions: &[u32], wanted: u32) -> bool {
        let [_, level, before] = self.seen;
        let rising = level & !before;
        actions.iter().enumerate().any(|(at, action)| rising >> at & 1 == 1 && *action == wanted)
    }

    fn asks(&self, actions: &[u32], inputs: &Inputs) -> bool {
        inputs.is_tracing && self.has_risen(actions, NOTIFIES)
    }

    /// What triggers with these actions say.
    pub fn outputs(&self, actions: &[u32], inputs: &Inputs) -> Outputs {
        Outputs {
            starts: inputs.may_switch && self.has_risen(actions, STARTS),
            stops: inputs.may_switch && self.has_risen(actions, STOPS),
            notifies: self.asks(actions, inputs) || self.waits,
        }
    }

    /// The end of the cycle.
    pub fn clock(&mut self, actions: &[u32], inputs: &Inputs) {
        let asks = self.asks(actions, inputs) || self.waits;
        self.waits = self.is_gated && asks && inputs.is_tracing && !inputs.runs;
        self.seen = [inputs.triggers, self.seen[0], self.seen[1]];
    }
}
