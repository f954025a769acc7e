//! Triggers to outside: high for a cycle when what they are for happens.

/// What triggers are told in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// `trTeInstTracing`.
    pub traces: bool,
    /// A packet begins after a synchronisation or a loss.
    pub synchronised: bool,
    /// The core waits, or loses blocks.
    pub lacks_room: bool,
    /// The module does not stand still in this cycle.
    pub runs: bool,
}

/// Triggers to outside.
#[derive(Clone, Debug, Default)]
pub struct TriggerOutputs {
    /// There are cycles in which the module stands still.
    is_gated: bool,
    traced: bool,
    lacked_room: bool,
    fired: u32,
}

impl TriggerOutputs {
    /// Triggers as they are after a reset.
    pub fn new(is_gated: bool) -> Self {
        Self { is_gated, ..Self::default() }
    }

    /// A bit for each trigger.
    pub fn fired(&self) -> u32 {
        self.fired
    }

    /// The end of a cycle; `events` has what fires each trigger, a bit for each event: tracing starts, it stops, a packet
    /// begins, the core begins to wait or to lose blocks.
    pub fn clock(&mut self, events: &[u32], inputs: &Inputs) {
        let runs = inputs.runs || !self.is_gated;
        let happens = [
            inputs.traces && !self.traced,
            self.traced && !inputs.traces,
            inputs.synchronised && runs,
            inputs.lacks_room && !self.lacked_room,
        ];
        let fires = |events: u32| (0..).zip(happens).any(|(at, is)| is && events >> at & 1 == 1);
        let fired = events.iter().enumerate().filter(|(_, events)| fires(**events));
        self.fired = fired.fold(0, |all, (at, _)| all | 1 << at);
        self.traced = inputs.traces;
        if runs {
            self.lacked_room = inputs.lacks_room;
        }
    }
}
