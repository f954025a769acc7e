//! E-Trace's parameters, their constraints, and what they make the module store.

use super::payload::most_rest_bits;
use crate::config::{Processor, Protocol, STATED_WHEN_CHANGED, TracePort, require};
use crate::configuration::Configuration;
use crate::parameter::ParameterError;
use crate::parameters;

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
        /// Bits of a trap's cause (ecause_width_p of a decoder); the cause is always 0, as no pin says it.
        trap_cause_bits: u32 = 6, in 1 ..= 16;
        /// Entries of the stack of return addresses (implicit return; return_stack_size_p of a decoder is its binary logarithm); 0
        /// leaves it out. A power of two from 2 on.
        return_stack_entries: u32 = 0, in 0 ..= 256;
    }
}

impl Config {
    /// Bits of an address in the trace: those above the alignment.
    pub fn address_bits(&self) -> u32 {
        self.processor.instruction_address_bits()
    }

    /// True where returns are inferred.
    pub fn infers_returns(&self) -> bool {
        self.return_stack_entries > 0
    }

    /// What the end of the trace says of options (`ioptions`): the lowest bit is implicit return.
    pub fn options(&self) -> u64 {
        self.infers_returns().into()
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
        [&STATED_WHEN_CHANGED[..], &["return_stack_entries"]].concat()
    }

    fn processor(&self) -> &Processor {
        &self.processor
    }

    fn processor_mut(&mut self) -> &mut Processor {
        &mut self.processor
    }

    fn port(&self) -> &TracePort {
        &self.port
    }

    fn protocol(&self) -> &Protocol {
        &self.protocol
    }

    fn piece_most_bits(&self) -> u32 {
        self.format().piece_most_bits(self.port.is_parallel())
    }

    fn validate(&self) -> Result<(), ParameterError> {
        self.protocol.validate(&self.processor)?;
        let entries = self.return_stack_entries;
        let is_legal = entries == 0 || entries > 1 && entries.is_power_of_two();
        require(is_legal, "return_stack_entries", entries, || {
            "it is 0 or a power of two from 2 on".into()
        })
    }

    fn resolved(&self) -> Self {
        Config { port: self.port.resolved(), protocol: self.protocol.resolved(), ..self.clone() }
    }

    fn predicts_returns(&self) -> bool {
        self.infers_returns()
    }

    /// The tables of the options, and the buffer.
    fn estimated_storage(&self) -> Vec<(&'static str, u32)> {
        let mut storage = Vec::new();
        if self.infers_returns() {
            let bits = self.return_stack_entries * self.address_bits() + 2 * self.depth_bits() - 1;
            storage.push(("return_stack", bits));
        }
        storage.push(("output_fifo", self.port.fifo_bits));
        storage
    }
}
