//! The parameters of a trace that is made of packets.

use super::{FramingStyle, MemoryStyle, Processor, TimeSource, WhenFull, mask, require};
use crate::event::ExecutionState;
use crate::parameter::{ParameterError, ParameterType};
use crate::parameters;

/// The least value of `sync_bytes` besides 0.
pub const LEAST_SYNC_BYTES: u32 = 16;

/// Width of the number of a packet where nothing is said.
const NUMBER_BITS: u32 = 8;

parameters! {
    /// Packets, synchronisation and overflow, all of them off by default.
    pub struct Protocol {
        /// How a reader finds its place in the trace; packets can be found from any bit on.
        framing: FramingStyle = FramingStyle::None;
        /// Instructions after which a packet begins with the full program counter: a power of two from 1024 on, or 0 for
        /// never; auto: 1048576 with packets, else 0.
        sync_interval: Option<u32> = None, in 0 ..= 16777216;
        /// Bytes of the trace after which a packet begins with the full program counter, too: at least 16, which have left the
        /// module since the last such packet began; 0 for never.
        sync_bytes: u32 = 0, in 0 ..= 16777216;
        /// Synchronisations keep the tables; a decoder then needs every packet since the last restart of the tables.
        sync_keeps_tables: bool = false;
        /// The tables are cleared while blocks are traced, so that a synchronisation does not wait until they are clear. Each
        /// table entry takes a bit more.
        background_clearing: bool = false;
        /// What the module does with a block for which there is no room.
        when_full: WhenFull = WhenFull::Stall;
        /// Pins that say that blocks were lost in front of the module, and of how many instructions; needs when_full = drop.
        loss_pins: bool = false;
        /// Pins that switch tracing off and on and discard what is in the module; the core does not wait while tracing is off.
        enable_pin: bool = false;
        /// Checksum of each packet, in bits: 0 for none, 8 or 16.
        checksum_bits: u32 = 0, in 0 ..= 16;
        /// Width of the number in each header, which tells packets that are missing or twice; 0: packets have no numbers; auto:
        /// 8 with packets, else 0.
        sequence_bits: Option<u32> = None, in 0 ..= 16;
        /// Width of `retire_context`, the process or thread in which the execution goes on; 0: no such pin.
        context_bits: u32 = 0, in 0 ..= 64;
        /// Width of `retire_privilege`, the privilege level in which the execution goes on; 0: no such pin.
        privilege_bits: u32 = 0, in 0 ..= 3;
        /// Width of `retire_cause`, why an exception was taken; 0: no such pin.
        cause_bits: u32 = 0, in 0 ..= 64;
        /// The pin `retire_trap_value`, what an exception says beside its cause (tval), as wide as an address.
        trap_values: bool = false;
        /// Width of the time in the headers of packets, or without packets in payloads that have a place for it; 0: no time is
        /// traced.
        time_bits: u32 = 0, in 0 ..= 64;
        /// Where that time comes from.
        time_source: TimeSource = TimeSource::Counter;
        /// Bits of the source that each payload or message names, for a trace of several encoders, as many as the scheme has
        /// room for; 0: none is named.
        source_bits: u32 = 0, in 0 ..= 12;
        /// The source that they name, which tells the encoders of one trace apart.
        source_id: u32 = 0, in 0 ..= 4095;
        /// Ranges of addresses, with pins that say which are traced, or all but which.
        filter_ranges: u32 = 0, in 0 ..= 8;
        /// Pins that say which privilege levels are traced.
        filter_privilege: bool = false;
        /// Pins that say which context is traced.
        filter_context: bool = false;
        /// Pins with two addresses: tracing begins at the one and ends after the other.
        filter_window: bool = false;
    }
}

/// Parameters that a design without packets may have besides those of its scheme.
pub(crate) const SWITCHED_ALONE: [&str; 14] = [
    "enable_pin",
    "when_full",
    "context_bits",
    "privilege_bits",
    "cause_bits",
    "trap_values",
    "time_bits",
    "time_source",
    "source_bits",
    "source_id",
    "filter_ranges",
    "filter_privilege",
    "filter_context",
    "filter_window",
];

/// What payloads of a scheme say without packets, once `enable_pin` is true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Payloads {
    /// Where the trace begins, losses, privilege level, context, cause and time.
    pub tell_state: bool,
    /// Where a part of the trace ends, which filters need, and the values of exceptions.
    pub end_parts: bool,
    /// The source, in one of these numbers of bits.
    pub source_widths: &'static [u32],
}

/// What a parameter needs that packets make possible, and `enable_pin` too where payloads say it `alone`.
fn needed(alone: bool) -> String {
    let switched = "it needs enable_pin = true, or framing = packets";
    if alone { switched } else { "it needs framing = packets" }.into()
}

/// The same of what only payloads have a place for.
fn needed_place(has_place: bool, needed: &str) -> String {
    if has_place { needed } else { "the scheme has no place for it in its trace" }.into()
}

impl Protocol {
    /// True if the trace is made of packets.
    pub fn has_packets(&self) -> bool {
        self.framing == FramingStyle::Packets
    }

    /// True if the trace is switched off and on without packets, because payloads of the scheme say where it begins.
    pub fn switches_alone(&self) -> bool {
        self.enable_pin && !self.has_packets()
    }

    /// True if blocks are lost in a trace without packets, because payloads of the scheme say so.
    pub fn drops_alone(&self) -> bool {
        self.switches_alone() && self.drops_blocks()
    }

    /// Bits in which payloads say privilege level and context without packets; 0 if they do not.
    pub fn told_state_bits(&self) -> u32 {
        let tells = self.switches_alone() && self.privilege_bits + self.context_bits > 0;
        if tells { self.privilege_bits + self.context_bits } else { 0 }
    }

    /// Bits in which payloads say the time without packets; 0 if they do not.
    pub fn told_time_bits(&self) -> u32 {
        if self.switches_alone() { self.time_bits } else { 0 }
    }

    /// True if the module begins anew with a full address on request.
    pub fn synchronises(&self) -> bool {
        self.has_packets() || self.switches_alone()
    }

    /// True if blocks for which there is no room are dropped, and the module has no pin to stall the core.
    pub fn drops_blocks(&self) -> bool {
        self.when_full == WhenFull::Drop
    }

    /// True if blocks can be lost, or filtered; their instructions are then counted.
    pub fn counts_losses(&self) -> bool {
        self.drops_blocks() || self.enable_pin || self.filters()
    }

    /// True if only what passes a filter is traced.
    pub fn filters(&self) -> bool {
        self.filter_ranges > 0 || self.filter_privilege || self.filter_context || self.filter_window
    }

    /// True if parts of the execution are traced without packets, because payloads of the scheme say where each begins.
    pub fn filters_alone(&self) -> bool {
        self.switches_alone() && self.filters()
    }

    /// True if parts of the execution may be missing in a trace without packets.
    pub fn has_gaps_alone(&self) -> bool {
        self.drops_alone() || self.filters_alone()
    }

    /// True if the tables are cleared where a packet begins, at some of them at least.
    pub fn restarts_tables(&self) -> bool {
        self.has_packets() && (self.counts_losses() || !self.sync_keeps_tables)
    }

    /// True if the trace says in which context or privilege level instructions ran, or why exceptions were taken.
    pub fn traces_state(&self) -> bool {
        self.context_bits > 0 || self.privilege_bits > 0 || self.cause_bits > 0
    }

    /// True if some synchronisations clear the tables and others do not, so that each says which.
    pub fn says_if_tables_are_kept(&self) -> bool {
        self.traces_state() && !self.sync_keeps_tables
    }

    /// The privilege level at reset, all ones.
    pub fn reset_level(&self) -> u64 {
        mask(self.privilege_bits)
    }

    /// The state that a decoder takes for that of reset: context 0 and the highest privilege level.
    pub fn reset_state(&self) -> ExecutionState {
        ExecutionState { privilege: mask(self.privilege_bits) as u8, ..ExecutionState::default() }
    }

    /// True if tables are cleared while blocks are traced.
    pub fn clears_in_background(&self) -> bool {
        self.restarts_tables() && self.background_clearing
    }

    /// Width of the pin `timestamp`; 0 if the time is that of a counter in the module, or is not traced.
    pub fn timestamp_bits(&self) -> u32 {
        if self.time_source == TimeSource::Counter { 0 } else { self.time_bits }
    }

    /// Instructions after which a synchronisation is due; 0 for never.
    pub fn interval(&self) -> u32 {
        self.sync_interval.unwrap_or(if self.has_packets() { 1 << 20 } else { 0 })
    }

    /// Width of the number of a packet; 0 if packets have none.
    pub fn number_bits(&self) -> u32 {
        self.sequence_bits.unwrap_or(if self.has_packets() { NUMBER_BITS } else { 0 })
    }

    /// The same parameters with every `auto` replaced by the value that it stands for.
    pub fn resolved(&self) -> Self {
        let (interval, number) = (self.interval(), self.number_bits());
        Self { sync_interval: Some(interval), sequence_bits: Some(number), ..self.clone() }
    }

    /// Checks the constraints between these parameters, those of the processor, and what payloads of the scheme say.
    ///
    /// # Errors
    /// The first that is broken, by name.
    pub fn validate(&self, processor: &Processor, alone: Payloads) -> Result<(), ParameterError> {
        let goes_on = self.has_packets() || alone.tell_state;
        require(goes_on || !self.enable_pin, "enable_pin", true, || needed(false))?;
        let needs_packets = || "it needs framing = packets".into();
        let tells_state = alone.tell_state && self.switches_alone();
        let (interval, checksum) = (self.interval(), self.checksum_bits);
        let packets = self.has_packets();
        require(packets || interval == 0, "sync_interval", interval, needs_packets)?;
        require(packets || !self.sync_keeps_tables, "sync_keeps_tables", true, needs_packets)?;
        self.validate_clearing()?;
        let tells_losses = packets || tells_state;
        let stalls = self.when_full == WhenFull::Stall;
        require(tells_losses || stalls, "when_full", "drop", || needed(alone.tell_state))?;
        require(packets || !self.loss_pins, "loss_pins", true, || {
            "it needs framing = packets; with when_full = drop, ports of several instructions or blocks per cycle set it".into()
        })?;
        require(self.drops_blocks() || !self.loss_pins, "loss_pins", true, || {
            "it needs when_full = drop".into()
        })?;
        require(!(self.loss_pins && self.filter_window), "loss_pins", true, || {
            "it needs filter_window = false: what is lost in front of the module may have an address of the window".into()
        })?;
        for (name, bits) in [
            ("context_bits", self.context_bits),
            ("privilege_bits", self.privilege_bits),
            ("cause_bits", self.cause_bits),
            ("time_bits", self.time_bits),
        ] {
            require(packets || tells_state || bits == 0, name, bits, || needed(alone.tell_state))?;
        }
        for (name, bits) in [
            ("checksum_bits", checksum),
            ("sync_bytes", self.sync_bytes),
            ("sequence_bits", self.number_bits()),
        ] {
            require(packets || bits == 0, name, bits, needs_packets)?;
        }
        self.validate_trap_values(alone)?;
        self.validate_source(tells_state, alone.source_widths)?;
        self.validate_filters(alone)?;
        let (has_time, source) = (self.time_bits > 0, self.time_source);
        require(has_time || source == TimeSource::Counter, "time_source", source.show(), || {
            "it needs time_bits of at least 1".into()
        })?;
        self.validate_intervals(processor)?;
        require(matches!(checksum, 0 | 8 | 16), "checksum_bits", checksum, || {
            "it is 0, 8 or 16".into()
        })
    }

    /// Checks that traps have a place for what exceptions say, and that a cause tells them from interrupts, which say nothing.
    fn validate_trap_values(&self, alone: Payloads) -> Result<(), ParameterError> {
        let has_place = alone.end_parts && self.switches_alone() && self.cause_bits > 0;
        require(has_place || !self.trap_values, "trap_values", true, || {
            let needed = "it needs enable_pin = true, framing = none and cause_bits of at least 2";
            needed_place(alone.end_parts, needed)
        })
    }

    /// Checks that a trace without packets has a place for the source, and that the source fits into it.
    fn validate_source(&self, tells: bool, widths: &[u32]) -> Result<(), ParameterError> {
        let (bits, id) = (self.source_bits, self.source_id);
        require(tells || bits == 0, "source_bits", bits, || {
            needed_place(!widths.is_empty(), "it needs enable_pin = true and framing = none")
        })?;
        require(u64::from(id) <= mask(bits), "source_id", id, || {
            format!("it is at most {}, because source_bits = {bits}", mask(bits))
        })?;
        require(bits == 0 || widths.contains(&bits), "source_bits", bits, || {
            let widths: Vec<String> = widths.iter().map(u32::to_string).collect();
            format!("it is 0 or {}", widths.join(" or "))
        })
    }

    /// Checks that a trace that leaves parts out says so.
    fn validate_filters(&self, alone: Payloads) -> Result<(), ParameterError> {
        let filters = self.has_packets() || alone.end_parts && self.switches_alone();
        let needed = || needed(alone.end_parts);
        let ranges = self.filter_ranges;
        require(filters || ranges == 0, "filter_ranges", ranges, needed)?;
        require(filters || !self.filter_window, "filter_window", true, needed)?;
        for (name, is_set) in
            [("filter_privilege", self.filter_privilege), ("filter_context", self.filter_context)]
        {
            require(filters || !is_set, name, is_set, needed)?;
        }
        let (privilege, context) = (self.privilege_bits > 0, self.context_bits > 0);
        require(privilege || !self.filter_privilege, "filter_privilege", true, || {
            "it needs privilege_bits of at least 1".into()
        })?;
        require(context || !self.filter_context, "filter_context", true, || {
            "it needs context_bits of at least 1".into()
        })
    }

    /// Checks that there are tables to clear in the background.
    fn validate_clearing(&self) -> Result<(), ParameterError> {
        let needed = match self.has_packets() {
            false => "it needs framing = packets",
            true => {
                "it needs sync_keeps_tables = false, because nothing else clears the tables here"
            }
        };
        let is_possible = self.restarts_tables() || !self.background_clearing;
        require(is_possible, "background_clearing", true, || needed.into())
    }

    /// Checks after how many instructions and bytes synchronisations are due.
    fn validate_intervals(&self, processor: &Processor) -> Result<(), ParameterError> {
        let interval = self.interval();
        require(
            interval == 0 || interval >= 1 << 10 && interval.is_power_of_two(),
            "sync_interval",
            interval,
            || "it is 0 or a power of two from 1024 to 16777216".into(),
        )?;
        // So that the first block after a synchronisation cannot have as many instructions as the interval.
        let block = 1 << processor.retire_count_bits;
        require(interval == 0 || interval >= block, "sync_interval", interval, || {
            format!(
                "it is 0 or at least {block}, because retire_count_bits = {}",
                processor.retire_count_bits
            )
        })?;
        let bytes = self.sync_bytes;
        require(bytes == 0 || bytes >= LEAST_SYNC_BYTES, "sync_bytes", bytes, || {
            format!("it is 0 or from {LEAST_SYNC_BYTES} to 16777216")
        })
    }

    /// Trace words of this width after which a synchronisation is due, the last of which has the last of `sync_bytes`; 0
    /// for never.
    pub fn sync_words(&self, word_bits: u32) -> u32 {
        (8 * self.sync_bytes).div_ceil(word_bits)
    }

    /// Checks the constraints between these parameters and tables that are read in this way.
    ///
    /// # Errors
    /// The first that is broken, by name.
    pub fn validate_tables(&self, style: MemoryStyle) -> Result<(), ParameterError> {
        let is_possible = style == MemoryStyle::Asynchronous || !self.background_clearing;
        require(is_possible, "background_clearing", true, || {
            "it needs memory_style = asynchronous".into()
        })
    }
}
