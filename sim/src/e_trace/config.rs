//! E-Trace's parameters, their constraints, and what they make the module store.

use super::payload::{PRIVILEGE_BITS, most_rest_bits};
use crate::bound::MostBits;
use crate::config::{Payloads, Processor, Protocol, STATED_WHEN_CHANGED, TracePort, mask, require};
use crate::configuration::{Configuration, shared_parameters};
use crate::event::ExecutionState;
use crate::parameter::ParameterError;
use crate::parameters;

/// The widest context without packets, so that the longest payload, a trap, has as many bytes as its header can say.
const MOST_CONTEXT_BITS: u32 = 16;

/// Bits of a source: a whole byte, which the length of a payload does not count.
const SOURCE_WIDTHS: [u32; 1] = [8];

parameters! {
    /// An E-Trace configuration.
    pub struct Config {
        groups {
            /// The processor that is traced.
            processor: Processor,
            /// The way out.
            port: TracePort,
            /// Packets.
            protocol: Protocol,
        }
        /// Bits of a trap's cause (ecause_width_p of a decoder), which is 0 without cause_bits and enable_pin.
        trap_cause_bits: u32 = 6, in 1 ..= 16;
        /// Entries of the stack of return addresses (implicit return; return_stack_size_p of a decoder is its binary logarithm); 0
        /// leaves it out. A power of two from 2 on.
        return_stack_entries: u32 = 0, in 0 ..= 256;
        /// Entries of the jump target cache (cache_size_p of a decoder is its binary logarithm); 0 leaves it out. A power of two
        /// from 2 on.
        jump_target_cache_entries: u32 = 0, in 0 ..= 1024;
        /// Entries of the branch predictor (bpred_size_p of a decoder is their binary logarithm); 0 leaves it out. A power of two
        /// from 2 on.
        branch_predictor_entries: u32 = 0, in 0 ..= 1024;
        /// Width of the counter of predicted branches; a full one is sent with the address of the branch.
        branch_count_bits: u32 = 16, in 2 ..= 24;
        /// A start is asked for after every 2 to the power of this jumps and branches, without packets and with enable_pin; 0: by
        /// the pin alone.
        resync_max: u32 = 0, in 0 ..= 20;
    }
}

/// What is stated only where it is not the default.
const OWN_STATED_WHEN_CHANGED: &[&str] = &[
    "return_stack_entries",
    "jump_target_cache_entries",
    "branch_predictor_entries",
    "branch_count_bits",
    "resync_max",
];

impl Config {
    /// Bits of an address in the trace: those above the alignment.
    pub fn address_bits(&self) -> u32 {
        self.processor.instruction_address_bits()
    }

    /// True where starts and traps say in which privilege level and context the execution goes on.
    pub fn tells_state(&self) -> bool {
        self.protocol.told_state_bits() > 0
    }

    /// True where a part of the trace ends before the trace does: blocks are lost, or do not pass a filter.
    pub fn has_parts(&self) -> bool {
        self.protocol.has_gaps_alone()
    }

    /// True where traps say their cause.
    pub fn tells_cause(&self) -> bool {
        self.protocol.switches_alone() && self.protocol.cause_bits > 0
    }

    /// Bits of the context in the trace.
    pub fn context_bits(&self) -> u32 {
        if self.tells_state() { self.protocol.context_bits } else { 0 }
    }

    /// True where starts and traps say the time.
    pub fn tells_time(&self) -> bool {
        self.time_bits() > 0
    }

    /// True where traps of exceptions say a value.
    pub fn tells_trap_values(&self) -> bool {
        self.trap_value_bits() > 0
    }

    /// Bits of that value, as many as an address has in a core (iaddress_width_p of a decoder).
    pub fn trap_value_bits(&self) -> u32 {
        if self.protocol.trap_values { self.processor.address_width } else { 0 }
    }

    /// True where the time is between privilege level and context.
    pub fn splits_state(&self) -> bool {
        self.tells_time() && self.context_bits() > 0
    }

    /// Bits of the time in the trace.
    pub fn time_bits(&self) -> u32 {
        self.protocol.told_time_bits()
    }

    /// Bits of time and context, which follow the privilege level.
    pub fn told_bits(&self) -> u32 {
        self.time_bits() + self.context_bits()
    }

    /// Bits of privilege level and context.
    pub fn state_bits(&self) -> u32 {
        PRIVILEGE_BITS + self.context_bits()
    }

    /// What the trace says of a state, the privilege level lowest.
    pub fn state(&self, state: &ExecutionState) -> u64 {
        let Protocol { privilege_bits, context_bits, .. } = self.protocol;
        let privilege = u64::from(state.privilege) & mask(privilege_bits);
        privilege | (state.context & mask(context_bits)) << PRIVILEGE_BITS
    }

    /// What the trace says of a cause: `retire_cause` has the bit of an interrupt above the code.
    pub fn cause(&self, cause: u64) -> u64 {
        let Some(code_bits) = self.protocol.cause_bits.checked_sub(1) else { return 0 };
        cause & mask(code_bits) | (cause >> code_bits & 1) << self.trap_cause_bits
    }

    /// The state before the first block, as [`state`](Self::state) has it.
    pub fn reset_state(&self) -> u64 {
        if self.tells_state() { self.state(&self.protocol.reset_state()) } else { 0 }
    }

    /// Checks that payloads have room for what pins say.
    fn validate_state(&self, switches: bool) -> Result<(), ParameterError> {
        let Protocol { privilege_bits, context_bits, cause_bits, .. } = self.protocol;
        let privilege = matches!(privilege_bits, 0 | PRIVILEGE_BITS);
        require(!switches || privilege, "privilege_bits", privilege_bits, || {
            "it is 0 or 2 without packets".into()
        })?;
        require(
            !switches || context_bits <= MOST_CONTEXT_BITS,
            "context_bits",
            context_bits,
            || format!("it is at most {MOST_CONTEXT_BITS} without packets"),
        )?;
        let has_level = context_bits == 0 || privilege_bits > 0;
        require(!switches || has_level, "context_bits", context_bits, || {
            "it needs privilege_bits = 2 without packets".into()
        })?;
        let most = self.trap_cause_bits + 1;
        let fits = cause_bits == 0 || (2..=most).contains(&cause_bits);
        require(!switches || fits, "cause_bits", cause_bits, || {
            format!(
                "it is 0 or from 2 to {most}, the bit of an interrupt and trap_cause_bits = {}",
                most - 1
            )
        })
    }

    /// True where a start comes after some jumps and branches without being asked for.
    pub fn resynchronises(&self) -> bool {
        self.resync_max > 0
    }

    /// True where returns are inferred.
    pub fn infers_returns(&self) -> bool {
        self.return_stack_entries > 0
    }

    /// True where jumps to a target that is in the trace already are sent as its index.
    pub fn caches_targets(&self) -> bool {
        self.jump_target_cache_entries > 0
    }

    /// Bits of an index of the jump target cache.
    pub fn index_bits(&self) -> u32 {
        if self.caches_targets() { self.jump_target_cache_entries.ilog2() } else { 0 }
    }

    /// Bits of the subformat of a payload of format 0, which has one if there are two.
    pub fn subformat_bits(&self) -> u32 {
        u32::from(self.caches_targets() && self.predicts_branches())
    }

    /// True where there are payloads of format 0.
    pub fn has_extensions(&self) -> bool {
        self.caches_targets() || self.predicts_branches()
    }

    /// True where branches are predicted.
    pub fn predicts_branches(&self) -> bool {
        self.branch_predictor_entries > 0
    }

    /// The most branches that are counted after a full map of predicted ones.
    pub fn most_count(&self) -> u64 {
        mask(self.branch_count_bits)
    }

    /// What the end of the trace says of options (`ioptions`), from the lowest bit on: implicit return, two that are always
    /// off, the jump target cache, and branch prediction.
    pub fn options(&self) -> u64 {
        u64::from(self.infers_returns())
            | u64::from(self.caches_targets()) << 3
            | u64::from(self.predicts_branches()) << 4
    }

    /// Bits of the depth of the stack of return addresses, in the trace too.
    pub fn depth_bits(&self) -> u32 {
        if self.infers_returns() { self.return_stack_entries.ilog2() + 1 } else { 0 }
    }

    /// Most direct jumps and inferred returns between the last branch or address in the trace and an address that is
    /// reported at the end of a run.
    pub fn most_passes(&self) -> u64 {
        if self.infers_returns() { 7 } else { 3 }
    }

    /// True where registers are between the steps in which a payload is cut.
    pub fn cuts_in_steps(&self) -> bool {
        self.port.encoder_registers
    }

    /// The most bits after the last field's own.
    pub fn most_rest_bits(&self) -> u32 {
        most_rest_bits(self.depth_bits())
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
        Payloads { tell_state: true, end_parts: true, source_widths: &SOURCE_WIDTHS }
    }

    fn validate(&self) -> Result<(), ParameterError> {
        self.protocol.validate(&self.processor, self.payloads())?;
        let switches = self.protocol.switches_alone();
        self.validate_state(switches)?;
        require(
            !self.processor.expanded_words || self.return_stack_entries == 0,
            "return_stack_entries",
            self.return_stack_entries,
            || {
                "decoders of the standard take every call, and of words that are expanded not every return address is known: it is 0 with expanded_words".into()
            },
        )?;
        require(switches || !self.resynchronises(), "resync_max", self.resync_max, || {
            "it needs enable_pin = true and framing = none".into()
        })?;
        for (name, entries) in [
            ("return_stack_entries", self.return_stack_entries),
            ("jump_target_cache_entries", self.jump_target_cache_entries),
            ("branch_predictor_entries", self.branch_predictor_entries),
        ] {
            let is_legal = entries == 0 || entries > 1 && entries.is_power_of_two();
            require(is_legal, name, entries, || "it is 0 or a power of two from 2 on".into())?;
            require(!switches || entries == 0, name, entries, || {
                "it needs framing = packets or enable_pin = false".into()
            })?;
        }
        Ok(())
    }

    fn most_bits_of_event(&self) -> Option<MostBits> {
        self.most_bits()
    }

    fn resolved(&self) -> Self {
        Config { port: self.port.resolved(), protocol: self.protocol.resolved(), ..self.clone() }
    }

    fn predicts_returns(&self) -> bool {
        self.infers_returns()
    }

    /// Where payloads are cut in steps, records wait before that.
    fn queues_records(&self) -> bool {
        !self.cuts_in_steps()
    }

    fn sends_in_steps(&self) -> bool {
        self.cuts_in_steps()
    }

    /// The tables of the options, and the buffer.
    fn estimated_storage(&self) -> Vec<(&'static str, u32)> {
        let mut storage = Vec::new();
        if self.infers_returns() {
            let bits = self.return_stack_entries * self.address_bits() + 2 * self.depth_bits() - 1;
            storage.push(("return_stack", bits));
        }
        if self.caches_targets() {
            // The index is no part of an entry, which has a bit that says whether it is there.
            let bits = self.address_bits() - self.index_bits() + 1;
            storage.push(("jump_target_cache", self.jump_target_cache_entries * bits));
        }
        if self.predicts_branches() {
            // The same bit.
            storage.push(("branch_predictor", self.branch_predictor_entries * (2 + 1)));
            storage.push(("branch_count", self.branch_count_bits + 1));
        }
        if self.resynchronises() {
            storage.push(("resync", self.resync_max));
        }
        storage.push(("output_fifo", self.port.fifo_bits));
        storage
    }
}
