//! E-Trace's parameters, their constraints, and what they make the module store.

use crate::config::{Processor, Protocol, TracePort};
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
    }
}

impl Config {
    /// Bits of an address in the trace: those above the alignment.
    pub fn address_bits(&self) -> u32 {
        self.processor.instruction_address_bits()
    }

    /// Clocks until every table is clear: there is none.
    pub fn clear_clocks(&self) -> u32 {
        1
    }
}

impl Configuration for Config {
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
        self.protocol.validate(&self.processor)
    }

    fn resolved(&self) -> Self {
        Config { port: self.port.resolved(), protocol: self.protocol.resolved(), ..self.clone() }
    }

    /// There is no table: the buffer alone.
    fn estimated_storage(&self) -> Vec<(&'static str, u32)> {
        vec![("output_fifo", self.port.fifo_bits)]
    }
}
