//! The parameters that every scheme has: the processor that is traced and the trace port.

use crate::event::ExecutionState;
use crate::parameter::{ParameterError, ParameterType};
use crate::{parameters, words};

words! {
    /// How every register is reset.
    pub enum ResetStyle {
        /// A port `reset`, active high, seen at the rising clock edge.
        Synchronous = "synchronous",
        /// A port `reset_n`, active low, seen at once.
        Asynchronous = "asynchronous",
    }
}

words! {
    /// Where the cells of memories are.
    pub enum Memories {
        /// In the modules that use them, from which a synthesis tool infers what it has.
        Inferred = "inferred",
        /// In modules of their own, to put a macro in their place.
        Wrappers = "wrappers",
    }
}

words! {
    /// How a record becomes bits.
    pub enum EncoderStyle {
        /// One field chunk per cycle: small, suits narrow ports.
        Serial = "serial",
        /// One whole record per cycle: never the bottleneck, for wide ports.
        Parallel = "parallel",
        /// Parallel from a 16-bit port on, else serial.
        Auto = "auto",
    }
}

words! {
    /// How tables are read.
    pub enum MemoryStyle {
        /// In the cycle of the address: registers, latches, distributed RAM.
        Asynchronous = "asynchronous",
        /// In the cycle after that of the address: block RAM, SRAM macros.
        Synchronous = "synchronous",
    }
}

words! {
    /// How a reader finds its place in a trace.
    pub enum FramingStyle {
        /// It does not: a trace is read from its first bit.
        None = "none",
        /// By markers between packets, from any bit on.
        Packets = "packets",
    }
}

words! {
    /// What the module does with a block for which there is no room.
    pub enum WhenFull {
        /// It stalls the core.
        Stall = "stall",
        /// It drops blocks, counts their instructions and says so in the trace.
        Drop = "drop",
    }
}

words! {
    /// Where the time in the headers of packets comes from.
    pub enum TimeSource {
        /// A counter of clock cycles in the module, which begins at 0 after reset.
        Counter = "counter",
        /// The pin `timestamp`, a binary number of the same clock domain.
        Binary = "binary",
        /// The pin `timestamp`, a Gray code of any clock domain, which the module synchronises to its own clock.
        Gray = "gray",
    }
}

parameters! {
    /// The processor that is traced.
    pub struct Processor {
        /// Bits of an address, such as 32, 39, 48 or 64.
        address_width: u32 = 32, in 32 ..= 64;
        /// Instructions begin at multiples of 2^alignment bytes: 2 for ARM A32, 1 with compressed instructions, 0 for x86.
        alignment: u32 = 2, in 0 ..= 2;
        /// Width of `retire_count`, the instructions of one block; 1 makes a single-retire port.
        retire_count_bits: u32 = 4, in 1 ..= 16;
    }
}

parameters! {
    /// The output: buffers, trace port, reset.
    pub struct TracePort {
        /// Data pins of the trace port.
        trace_port_width: u32 = 1, in 1 ..= 64;
        /// Capacity of the output FIFO in bits; rounded up to whole trace words.
        fifo_bits: u32 = 79, in 8 ..= 65536;
        /// Records that wait for the encoder.
        record_queue_depth: u32 = 2, in 1 ..= 16;
        /// How a record becomes bits.
        encoder: EncoderStyle = EncoderStyle::Auto;
        /// Registers before and after the encoder: more gates, higher clock rates.
        encoder_registers: bool = false;
        /// How every register is reset.
        reset: ResetStyle = ResetStyle::Synchronous;
        /// A pin `clock_enable`: registers and memories change only in cycles in which it is high.
        clock_enable: bool = false;
        /// Where the cells of memories are: in the modules that use them, or in modules of their own for macros.
        memories: Memories = Memories::Inferred;
    }
}

/// What is stated only where it is not the default.
pub(crate) const STATED_WHEN_CHANGED: [&str; 7] = [
    "clock_enable",
    "memories",
    "loss_pins",
    "filter_ranges",
    "filter_privilege",
    "filter_context",
    "filter_window",
];

parameters! {
    /// Packets, synchronisation and overflow, all of them off by default.
    pub struct Protocol {
        /// How a reader finds its place in the trace; packets can be found from any bit on.
        framing: FramingStyle = FramingStyle::None;
        /// Instructions after which a packet begins with the full program counter: a power of two from 1024 on, or 0 for
        /// never; auto: 1048576 with packets, else 0.
        sync_interval: Option<u32> = None, in 0 ..= 16777216;
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
        /// Width of `retire_context`, the process or thread in which the execution goes on; 0: no such pin.
        context_bits: u32 = 0, in 0 ..= 64;
        /// Width of `retire_privilege`, the privilege level in which the execution goes on; 0: no such pin.
        privilege_bits: u32 = 0, in 0 ..= 3;
        /// Width of `retire_cause`, why an exception was taken; 0: no such pin.
        cause_bits: u32 = 0, in 0 ..= 64;
        /// Width of the time in the headers of packets; 0: no time is traced.
        time_bits: u32 = 0, in 0 ..= 64;
        /// Where that time comes from.
        time_source: TimeSource = TimeSource::Counter;
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

impl Protocol {
    /// True if the trace is made of packets.
    pub fn has_packets(&self) -> bool {
        self.framing == FramingStyle::Packets
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

    /// The same parameters with every `auto` replaced by the value that it stands for.
    pub fn resolved(&self) -> Self {
        Self { sync_interval: Some(self.interval()), ..self.clone() }
    }

    /// Checks the constraints between these parameters and those of the processor.
    ///
    /// # Errors
    /// The first that is broken, by name.
    pub fn validate(&self, processor: &Processor) -> Result<(), ParameterError> {
        let needs_packets = || "it needs framing = packets".into();
        let (interval, checksum) = (self.interval(), self.checksum_bits);
        let packets = self.has_packets();
        require(packets || interval == 0, "sync_interval", interval, needs_packets)?;
        require(packets || !self.sync_keeps_tables, "sync_keeps_tables", true, needs_packets)?;
        require(
            self.restarts_tables() || !self.background_clearing,
            "background_clearing",
            true,
            || "it needs framing = packets, and tables that are cleared between packets".into(),
        )?;
        require(packets || !self.enable_pin, "enable_pin", true, needs_packets)?;
        require(packets || self.when_full == WhenFull::Stall, "when_full", "drop", needs_packets)?;
        require(self.drops_blocks() || !self.loss_pins, "loss_pins", true, || {
            "it needs when_full = drop".into()
        })?;
        require(!(self.loss_pins && self.filter_window), "loss_pins", true, || {
            "it needs filter_window = false: what is lost in front of the module may have an address of the window".into()
        })?;
        for (name, bits) in [
            ("checksum_bits", checksum),
            ("context_bits", self.context_bits),
            ("privilege_bits", self.privilege_bits),
            ("cause_bits", self.cause_bits),
            ("time_bits", self.time_bits),
            ("filter_ranges", self.filter_ranges),
        ] {
            require(packets || bits == 0, name, bits, needs_packets)?;
        }
        require(packets || !self.filter_window, "filter_window", true, needs_packets)?;
        let (privilege, context) = (self.privilege_bits > 0, self.context_bits > 0);
        require(privilege || !self.filter_privilege, "filter_privilege", true, || {
            "it needs privilege_bits of at least 1".into()
        })?;
        require(context || !self.filter_context, "filter_context", true, || {
            "it needs context_bits of at least 1".into()
        })?;
        let (has_time, source) = (self.time_bits > 0, self.time_source);
        require(has_time || source == TimeSource::Counter, "time_source", source.show(), || {
            "it needs time_bits of at least 1".into()
        })?;
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
        require(matches!(checksum, 0 | 8 | 16), "checksum_bits", checksum, || {
            "it is 0, 8 or 16".into()
        })
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

impl Processor {
    /// Width of `retire_lost_count`: as many instructions as four blocks can have.
    pub fn lost_count_bits(&self) -> u32 {
        self.retire_count_bits + 2
    }

    /// Bits of an instruction's address: those above the alignment.
    pub fn instruction_address_bits(&self) -> u32 {
        self.address_width - self.alignment
    }
}

impl TracePort {
    /// Bits of a trace word, the unit of the buffer and of padding: the smallest multiple of the
    /// port's width that has at least 8 bits.
    pub fn word_bits(&self) -> u32 {
        self.trace_port_width * 8u32.div_ceil(self.trace_port_width)
    }

    /// Words the output FIFO holds.
    pub fn fifo_words(&self) -> u32 {
        self.fifo_bits.div_ceil(self.word_bits())
    }

    /// The same parameters with every `auto` replaced by the value that it stands for.
    pub fn resolved(&self) -> Self {
        let parallel = self.is_parallel();
        let encoder = if parallel { EncoderStyle::Parallel } else { EncoderStyle::Serial };
        Self { encoder, ..self.clone() }
    }

    /// True if a whole record is encoded in one cycle.
    pub fn is_parallel(&self) -> bool {
        match self.encoder {
            EncoderStyle::Serial => false,
            EncoderStyle::Parallel => true,
            EncoderStyle::Auto => self.trace_port_width >= 16,
        }
    }
}

/// Fails with the named constraint unless it holds.
pub(crate) fn require(
    holds: bool,
    name: &'static str,
    given: impl ToString,
    constraint: impl FnOnce() -> String,
) -> Result<(), ParameterError> {
    if holds {
        Ok(())
    } else {
        Err(ParameterError::Constraint { name, given: given.to_string(), constraint: constraint() })
    }
}

/// Bits needed to number `count` things: 0 for one thing.
pub fn index_bits(count: u32) -> u32 {
    count.max(1).next_power_of_two().trailing_zeros()
}

/// The lowest `bits` bits set, 0 to 64 of them.
#[inline]
pub fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}
