//! What is between the source of a trace bus and the bus, where registers switch it: a bridge that is off offers nothing.
//!
//! A trace module sends something after its reset, before software has said which source it is on the bus. That waits here.

/// What the gate is told in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// `trTeEmpty`: tracing is off, and the trace has left the source, or was discarded.
    pub is_empty: bool,
    /// The source has a beat.
    pub has_beat: bool,
    /// A beat is taken, if there is one: `atready`.
    pub is_ready: bool,
    /// Everything is to leave: `afvalid`.
    pub flushes: bool,
    /// The source says that everything has left.
    pub has_left: bool,
}

/// What the gate says in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// `trAtbBridgeEmpty`: nothing is on offer besides.
    pub is_empty: bool,
    /// There is a beat on the bus: `atvalid`.
    pub offers: bool,
    /// The beat of the source is taken, if it has one.
    pub takes: bool,
    /// `afready`: everything has left, or the bridge is off and sends nothing.
    pub has_left: bool,
}

/// The gate.
#[derive(Clone, Debug, Default)]
pub struct BridgeGate {
    /// A beat was on offer in the cycle before, and was not taken: it stays.
    is_pending: bool,
}

impl BridgeGate {
    /// What the gate says.
    pub fn outputs(&self, inputs: &Inputs) -> Outputs {
        let is_open = !inputs.is_empty || self.is_pending;
        Outputs {
            is_empty: !is_open,
            offers: inputs.has_beat && is_open,
            takes: inputs.is_ready && is_open,
            has_left: inputs.has_left || inputs.flushes && !is_open,
        }
    }

    /// The end of the cycle.
    pub fn clock(&mut self, inputs: &Inputs) {
        self.is_pending = self.outputs(inputs).offers && !inputs.is_ready;
    }
}
