//! N-Trace's parameters, their constraints, and what they make the module store.

use crate::bound::MostBits;
use crate::config::{Payloads, Processor, Protocol, STATED_WHEN_CHANGED, TracePort, mask, require};
use crate::configuration::{Configuration, shared_parameters};
use crate::event::ExecutionState;
use crate::parameter::ParameterError;
use crate::parameters;

parameters! {
    /// An N-Trace configuration.
    pub struct Config {
        groups {
            /// The processor that is traced.
            processor: Processor,
            /// The way out.
            port: TracePort,
            /// Packets.
            protocol: Protocol,
        }
        /// The outcomes of branches are collected (history trace messaging); else each taken branch sends a message
        /// (branch trace messaging).
        branch_history: bool = true;
        /// Outcomes of a full history.
        history_bits: u32 = 31, in 2 ..= 31;
        /// Width of the counter of code in 2 bytes (I-CNT): 8, 14 or 20. More code than that sends a message.
        count_bits: u32 = 20, in 8 ..= 20;
        /// Entries of the stack of return addresses (implicit return); 0 leaves it out. A power of two from 2 on.
        return_stack_entries: u32 = 0, in 0 ..= 32;
        /// Width of the counter of messages and full histories that come again (repeated history); 0 leaves it out.
        repeat_bits: u32 = 0, in 0 ..= 16;
    }
}

/// What is stated only where it is not the default.
const OWN_STATED_WHEN_CHANGED: &[&str] = &["return_stack_entries", "repeat_bits"];

/// Bits of the code of a full resource.
pub const RESOURCE_BITS: u32 = 4;
/// Bits of the kind of an indirect branch.
pub const BRANCH_TYPE_BITS: u32 = 2;
/// Bits of the reason of a synchronisation.
pub const SYNC_BITS: u32 = 4;
/// Bits of one half of it.
pub const SYNC_HALF_BITS: u32 = SYNC_BITS / 2;
/// Bits of a privilege level.
pub const PRIVILEGE_BITS: u32 = 2;
/// Bits of a context at most, as of E-Trace's.
const MOST_CONTEXT_BITS: u32 = 16;
/// Bits of what PROCESS says.
pub const PROCESS_FORMAT_BITS: u32 = 2;
/// Bits of whether the hart is virtual.
pub const VIRTUAL_BITS: u32 = 1;
/// What PROCESS says: the privilege level alone, or a context too.
const LEVEL_ALONE: u64 = 0;
const WITH_CONTEXT: u64 = 2;
/// Data bits of a byte.
pub const DATA_BITS: u32 = 6;
/// Bits of a source: whole bytes, so that what follows stands where it does without one.
const SOURCE_WIDTHS: [u32; 2] = [DATA_BITS, 2 * DATA_BITS];

impl Config {
    /// Lowest bits of an address that are not in the trace; code is counted in units of as many bits.
    pub fn unit_shift(&self) -> u32 {
        self.processor.alignment.min(1)
    }

    /// Bits of an address in the trace.
    pub fn address_bits(&self) -> u32 {
        self.processor.address_width - self.unit_shift()
    }

    /// Units of an instruction whose length the pins do not say: the shortest one.
    pub fn least_units(&self) -> u64 {
        1 << (self.processor.alignment - self.unit_shift())
    }

    /// Bits of the counter's range in a message that it is full.
    pub fn upper_bits(&self) -> u32 {
        self.address_bits().saturating_sub(self.count_bits) + 1
    }

    /// Bits of the code that a block ends.
    pub fn code_bits(&self) -> u32 {
        self.address_bits() + 1
    }

    /// True where a register is between the pins and what counts the code.
    pub fn has_code_stage(&self) -> bool {
        self.port.encoder_registers
    }

    /// Bits of a history with the 1 before its first outcome.
    pub fn history_width(&self) -> u32 {
        if self.branch_history { self.history_bits + 1 } else { 0 }
    }

    /// True where returns are inferred.
    pub fn infers_returns(&self) -> bool {
        self.return_stack_entries > 0
    }

    /// True where the trace is switched off and on, and begins anew on request, without packets.
    pub fn switches(&self) -> bool {
        self.protocol.switches_alone()
    }

    /// True where an error message says that blocks are lost.
    pub fn tells_losses(&self) -> bool {
        self.protocol.drops_alone()
    }

    /// True where messages of ownership say privilege level and context.
    pub fn tells_state(&self) -> bool {
        self.protocol.told_state_bits() > 0
    }

    /// Bits of the time in messages; 0 where they say none.
    pub fn time_bits(&self) -> u32 {
        self.protocol.told_time_bits()
    }

    /// True where messages end with the time.
    pub fn stamps(&self) -> bool {
        self.time_bits() > 0
    }

    /// Bits of a message's PROCESS.
    pub fn process_bits(&self) -> u32 {
        let context = self.protocol.context_bits;
        let virtual_bits = if context > 0 { VIRTUAL_BITS } else { 0 };
        PROCESS_FORMAT_BITS + PRIVILEGE_BITS + virtual_bits + context
    }

    /// What PROCESS says.
    pub fn process_format(&self) -> u64 {
        if self.protocol.context_bits > 0 { WITH_CONTEXT } else { LEVEL_ALONE }
    }

    /// PROCESS of a state: its format, the privilege level, 0 because the hart is not virtual, and the context.
    pub fn process(&self, state: &ExecutionState) -> u64 {
        let Protocol { privilege_bits, context_bits, .. } = self.protocol;
        let level = u64::from(state.privilege) & mask(privilege_bits);
        let context = state.context & mask(context_bits);
        self.process_format()
            | level << PROCESS_FORMAT_BITS
            | context << (PROCESS_FORMAT_BITS + PRIVILEGE_BITS + VIRTUAL_BITS)
    }

    /// Checks that messages have room for what pins say.
    fn validate_state(&self) -> Result<(), ParameterError> {
        let Protocol { privilege_bits, context_bits, cause_bits, .. } = self.protocol;
        let alone = self.switches();
        let has_level = matches!(privilege_bits, 0 | PRIVILEGE_BITS);
        require(!alone || has_level, "privilege_bits", privilege_bits, || {
            "it is 0 or 2 without packets".into()
        })?;
        let fits = context_bits == 0 || privilege_bits > 0 && context_bits <= MOST_CONTEXT_BITS;
        require(!alone || fits, "context_bits", context_bits, || {
            format!(
                "without packets it is at most {MOST_CONTEXT_BITS}, and needs privilege_bits = 2"
            )
        })?;
        require(!alone || cause_bits == 0, "cause_bits", cause_bits, || {
            "it needs framing = packets: messages of N-Trace have no cause".into()
        })
    }

    /// Bits of the bytes of the source (SRC) in a message, with their control bits; 0 where messages name none.
    pub fn source_bytes_bits(&self) -> u32 {
        self.protocol.source_bits / DATA_BITS * 8
    }

    /// These bytes.
    pub fn source_bytes(&self) -> u64 {
        let id = u64::from(self.protocol.source_id);
        (id & mask(DATA_BITS)) << 2 | (id >> DATA_BITS) << (8 + 2)
    }

    /// True where messages that come again are counted.
    pub fn counts_repeats(&self) -> bool {
        self.repeat_bits > 0
    }

    /// Clocks until every table is clear: there is none.
    pub fn clear_clocks(&self) -> u32 {
        1
    }
}

impl Configuration for Config {
    fn stated_when_changed(&self) -> Vec<&'static str> {
        [&STATED_WHEN_CHANGED[..], OWN_STATED_WHEN_CHANGED].concat()
    }

    shared_parameters!();

    fn payloads(&self) -> Payloads {
        Payloads { tell_state: true, end_parts: false, source_widths: &SOURCE_WIDTHS }
    }

    fn validate(&self) -> Result<(), ParameterError> {
        self.protocol.validate(&self.processor, self.payloads())?;
        self.validate_state()?;
        require(!self.processor.expanded_words, "expanded_words", true, || {
            "messages of N-Trace count half-words, and words that are expanded do not say how long an instruction is".into()
        })?;
        // The data bits of a byte, and two that the code of a full resource leaves.
        let is_whole = (self.count_bits + RESOURCE_BITS).is_multiple_of(DATA_BITS);
        require(is_whole, "count_bits", self.count_bits, || "it is 8, 14 or 20".into())?;
        let entries = self.return_stack_entries;
        let is_legal = entries == 0 || entries > 1 && entries.is_power_of_two();
        require(is_legal, "return_stack_entries", entries, || {
            "it is 0 or a power of two from 2 on".into()
        })
    }

    fn most_bits_of_event(&self) -> Option<MostBits> {
        self.most_bits()
    }

    fn resolved(&self) -> Self {
        Config { port: self.port.resolved(), protocol: self.protocol.resolved(), ..self.clone() }
    }

    fn sends_in_steps(&self) -> bool {
        self.has_code_stage()
    }

    fn reads_lengths(&self) -> bool {
        self.processor.tells_lengths()
    }

    fn predicts_returns(&self) -> bool {
        self.infers_returns()
    }

    /// The tables, and the buffer.
    fn estimated_storage(&self) -> Vec<(&'static str, u32)> {
        let mut storage = Vec::new();
        if self.infers_returns() {
            let pointers = 2 * self.return_stack_entries.ilog2() + 1;
            let bits = self.return_stack_entries * self.address_bits() + pointers;
            storage.push(("return_stack", bits));
        }
        storage.push(("output_fifo", self.port.fifo_bits));
        storage
    }
}
