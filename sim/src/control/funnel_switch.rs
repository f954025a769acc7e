//! What the registers do with a funnel: which sources it takes, the flush of what waits when it is switched off, and what the
//! registers are told.

/// What the switch is told in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// `trFunnelActive`.
    pub is_active: bool,
    /// `trFunnelEnable`.
    pub enable: bool,
    /// `trFunnelDisInput`: a bit for each source that is not taken.
    pub disabled: u32,
    /// A bit for each source: it has a byte.
    pub offered: u32,
    /// A bit for each source: the funnel has room for its byte.
    pub room: u32,
    /// What waits has to leave, says the pin from outside.
    pub flush: bool,
    /// All that the funnel took has left, says the funnel.
    pub is_flushed: bool,
}

/// What the switch says in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// A bit for each source: the funnel is offered a byte of it.
    pub shown: u32,
    /// A bit for each source: its byte is taken if it has one.
    pub accepted: u32,
    /// What waits has to leave.
    pub flush: bool,
    /// `trFunnelEmpty`.
    pub is_empty: bool,
}

/// The switch.
#[derive(Clone, Debug)]
pub struct FunnelSwitch {
    sources: u32,
    /// The funnel was on, and not all that it took has left.
    has_begun: bool,
}

impl FunnelSwitch {
    /// A switch as it is after a reset.
    pub fn new(sources: u32) -> Self {
        Self { sources, has_begun: false }
    }

    fn is_on(inputs: &Inputs) -> bool {
        inputs.is_active && inputs.enable
    }

    /// What the switch says.
    pub fn outputs(&self, inputs: &Inputs) -> Outputs {
        let is_on = Self::is_on(inputs);
        let taken = if is_on { !inputs.disabled & ((1 << self.sources) - 1) } else { 0 };
        Outputs {
            shown: inputs.offered & taken,
            accepted: inputs.room & taken,
            flush: inputs.flush || !is_on,
            is_empty: !is_on && !self.has_begun,
        }
    }

    /// The end of the cycle.
    pub fn clock(&mut self, inputs: &Inputs) {
        self.has_begun = Self::is_on(inputs) || self.has_begun && !inputs.is_flushed;
    }
}
