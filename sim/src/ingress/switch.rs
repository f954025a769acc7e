//! When a trace module after adapters is on.
//!
//! When tracing is switched off, what retired before has to leave the adapters first, so the module goes on until they have
//! drained, or until that has taken too long. A discard lets nobody wait.
//!
//! A module that tells losses without packets has no pin to stall a core, but a block may take its compressor two cycles.
//! The adapter then holds the next block for a cycle, which would be lost else, with all that comes until what was sent has
//! left the module.

use crate::config::Protocol;

/// Cycles that adapters may take to drain, and one: more than three for each entry of the longest queue, after which all that
/// came before has left one that nothing stops.
pub const PATIENCE_CYCLES: u32 = 1 << PATIENCE_BITS;

/// Width of the counter of these cycles.
pub const PATIENCE_BITS: u32 = 10;

/// For how long adapters may keep the module on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Until they have drained, which they do in any case.
    Endless,
    /// So many cycles: a core that does not pause keeps its adapter from draining.
    Cycles,
    /// So many cycles in which a beat waits, one after the other: a core that waits for its adapter must not wait for a sink
    /// that is dead, or full.
    Waiting,
}

impl Patience {
    /// That in front of a module.
    pub fn of(protocol: &Protocol) -> Patience {
        if protocol.loss_pins {
            Patience::Endless
        } else if protocol.drops_blocks() {
            Patience::Cycles
        } else {
            Patience::Waiting
        }
    }
}

/// How a switch works in front of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// For how long adapters may keep the module on.
    pub patience: Patience,
    /// The adapter holds a block in the first cycle in which the module would lose one.
    pub holds: bool,
}

impl Config {
    /// That in front of a module.
    pub fn of(protocol: &Protocol) -> Config {
        Config { patience: Patience::of(protocol), holds: protocol.drops_alone() }
    }
}

/// What the switch is told in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Tracing is to be on.
    pub enable: bool,
    /// What is in the module is to be thrown away, if the trace ends.
    pub discard: bool,
    /// The trace is to end.
    pub flush: bool,
    /// All adapters have drained.
    pub drained: bool,
    /// The trace module has a beat.
    pub has_beat: bool,
    /// It is taken.
    pub takes: bool,
    /// All of the trace has left the module.
    pub is_flushed: bool,
    /// The module loses a block of this cycle.
    pub drops: bool,
    /// The adapter wants the core to stop, because its queue has little room or is to drain.
    pub is_full: bool,
}

/// What the switch says in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// The adapters are to drain.
    pub flushes_adapters: bool,
    /// The module is on.
    pub enables: bool,
    /// The module is to discard what it has.
    pub discards: bool,
    /// The module is to end its trace.
    pub flushes: bool,
    /// The adapter holds its block, and the module is shown none.
    pub holds: bool,
}

/// The switch.
#[derive(Clone, Debug)]
pub struct Switch {
    config: Config,
    /// Tracing was switched off, and what came before that has left the adapters.
    is_off: bool,
    /// A discard came while an adapter held something, until the module has thrown everything away, and until the end of a
    /// flush.
    discards: bool,
    /// Cycles that the adapters have taken.
    waits: u32,
    /// The module would have lost a block in the cycle before.
    has_dropped: bool,
}

impl Switch {
    /// A switch that is off, as it is after a reset.
    pub fn new(config: Config) -> Self {
        Self { config, is_off: true, discards: false, waits: 0, has_dropped: false }
    }

    fn drains(&self, inputs: &Inputs) -> bool {
        !inputs.enable && !self.is_off
    }

    fn stops(&self, inputs: &Inputs) -> bool {
        let is_over =
            self.config.patience != Patience::Endless && self.waits == PATIENCE_CYCLES - 1;
        self.discards || !inputs.enable && (self.is_off || inputs.drained || is_over)
    }

    /// True if the adapter holds its block. A core that does not wait could fill the queue, so one with little room holds
    /// nothing, unless it drains.
    fn holds(&self, inputs: &Inputs) -> bool {
        let has_room = !inputs.is_full || inputs.flush || self.drains(inputs);
        self.config.holds && inputs.drops && !self.has_dropped && has_room
    }

    /// What the switch says.
    pub fn outputs(&self, inputs: &Inputs) -> Outputs {
        Outputs {
            flushes_adapters: inputs.flush || self.drains(inputs),
            enables: !self.stops(inputs),
            discards: inputs.discard || self.discards,
            flushes: inputs.flush && inputs.drained,
            holds: self.holds(inputs),
        }
    }

    /// The end of the cycle.
    pub fn clock(&mut self, inputs: &Inputs) {
        let (stops, drains) = (self.stops(inputs), self.drains(inputs));
        let counts = match self.config.patience {
            Patience::Endless => None,
            Patience::Cycles => drains.then_some(true),
            Patience::Waiting => {
                (drains && !(inputs.has_beat && inputs.takes)).then_some(inputs.has_beat)
            }
        };
        self.waits = counts.map_or(0, |counts| (self.waits + u32::from(counts)) % PATIENCE_CYCLES);
        let begins = (drains || inputs.flush) && inputs.discard;
        self.discards = (self.discards || begins) && (inputs.flush || !inputs.is_flushed);
        self.is_off = stops;
        self.has_dropped = inputs.drops;
    }
}
