//! What the registers do with a trace module: tracing on and off, the end of a trace, packets that are due, and what the
//! registers are told.

/// Width of the counter of cycles between packets.
pub const CYCLES_BITS: u32 = 20;

/// The number of cycles is 2 to the power of `trTeInstSyncMax` and this.
pub const LEAST_SYNC: u32 = 4;

/// What is around the switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Config {
    /// Pins that say that the module has no room for what a core shows.
    pub answers: u32,
    /// The trace goes into a sink with registers of its own, which switch it on.
    pub has_sink: bool,
    /// A core waits for its adapter when tracing is switched off, which is no lack of room.
    pub has_adapter: bool,
    /// Ranges of addresses that filters let through.
    pub filter_ranges: u32,
    /// A block that a filter does not let through is said to be filtered.
    pub filters: bool,
    /// There are cycles in which the module stands still.
    pub is_gated: bool,
}

/// What the switch is told in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// `trTeActive`.
    pub is_active: bool,
    /// `trTeEnable`.
    pub enable: bool,
    /// `trTeInstTracing`.
    pub traces: bool,
    /// `trTeInstMode`.
    pub mode: u32,
    /// `trRamEnable`, or `trAtbBridgeEnable`.
    pub sink_enable: bool,
    /// `trTeInstSyncMode`.
    pub sync_mode: u32,
    /// `trTeInstSyncMax`.
    pub sync_max: u32,
    /// `trTeInstFilters`.
    pub filters: u32,
    /// A bit for each filter: it is enabled.
    pub filter_enables: u32,
    /// All of the trace has left the module.
    pub is_flushed: bool,
    /// A bit for each pin that says that the module has no room.
    pub answers: u32,
    /// The block at the pins is not traced.
    pub is_filtered: bool,
    /// A packet begins after a synchronisation or a loss.
    pub synchronised: bool,
    /// The module does not stand still in this cycle.
    pub runs: bool,
}

/// What the switch says in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Tracing is on.
    pub enables: bool,
    /// What is in the module is thrown away.
    pub discards: bool,
    /// A packet is due.
    pub is_due: bool,
    /// A bit for each range that is traced.
    pub includes: u32,
    /// `trTeEmpty`.
    pub is_empty: bool,
    /// `twTakesBlocks`.
    pub takes_blocks: bool,
    /// `trTeInstStallOrOverflow` is set.
    pub lacks_room: bool,
}

/// The switch.
#[derive(Clone, Debug)]
pub struct TraceSwitch {
    config: Config,
    /// A trace has begun, and not all of it has left the module.
    has_begun: bool,
    /// The module took blocks, or could have, since tracing was switched on.
    is_in_trace: bool,
    /// Cycles since a packet began, as long as they are counted.
    cycles: u32,
}

impl TraceSwitch {
    /// A switch as it is after a reset.
    pub fn new(config: Config) -> Self {
        Self { config, has_begun: false, is_in_trace: false, cycles: 0 }
    }

    fn enables(&self, inputs: &Inputs) -> bool {
        let has_sink = !self.config.has_sink || inputs.sink_enable;
        inputs.is_active && inputs.enable && inputs.traces && inputs.mode != 0 && has_sink
    }

    fn is_due(&self, inputs: &Inputs) -> bool {
        self.cycles >> (inputs.sync_max + LEAST_SYNC) & 1 == 1
    }

    /// What the switch says.
    pub fn outputs(&self, inputs: &Inputs) -> Outputs {
        let Config { has_adapter, filters, is_gated, .. } = self.config;
        let enables = self.enables(inputs);
        let is_of_adapter = has_adapter && !enables;
        let is_lost = self.is_in_trace && inputs.answers != 0 && !is_of_adapter;
        Outputs {
            enables,
            discards: !inputs.is_active && self.has_begun && !inputs.is_flushed,
            is_due: self.is_due(inputs),
            includes: inputs.filters & inputs.filter_enables,
            is_empty: !enables && !self.has_begun,
            takes_blocks: self.is_in_trace,
            lacks_room: is_lost && !(filters && inputs.is_filtered) && (!is_gated || inputs.runs),
        }
    }

    /// The end of the cycle.
    pub fn clock(&mut self, inputs: &Inputs) {
        if self.config.is_gated && !inputs.runs {
            return;
        }
        let enables = self.enables(inputs);
        let is_due = self.is_due(inputs);
        self.has_begun = enables || self.has_begun && !inputs.is_flushed;
        self.is_in_trace = enables && (self.is_in_trace || inputs.answers == 0);
        if !enables || inputs.synchronised || inputs.sync_mode == 0 {
            self.cycles = 0;
        } else if !is_due {
            self.cycles = (self.cycles + 1) % (1 << CYCLES_BITS);
        }
    }
}
