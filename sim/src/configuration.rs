//! The interface of every configuration of a trace module.

use std::fmt::Debug;

use crate::bound::MostBits;
use crate::config::{Payloads, Processor, Protocol, STATED_WHEN_CHANGED, TracePort};
use crate::estimate;
use crate::parameter::{ParameterError, Parameters};

/// The configuration of a trace module; `Parameters` gives its values by name.
pub trait Configuration: Parameters + Clone + Debug + Default {
    /// Checks every constraint between values.
    ///
    /// # Errors
    /// The first constraint that is broken, by name.
    fn validate(&self) -> Result<(), ParameterError>;
    /// The processor that is traced.
    fn processor(&self) -> &Processor;
    /// The processor that is traced, to be changed.
    fn processor_mut(&mut self) -> &mut Processor;
    /// The output: buffers, trace port, reset.
    fn port(&self) -> &TracePort;
    /// Packets, synchronisation and overflow.
    fn protocol(&self) -> &Protocol;
    /// The most bits of the trace that the encoder of records sends in one cycle.
    fn piece_most_bits(&self) -> u32;
    /// The same configuration with every `auto` replaced by the value that it stands for.
    fn resolved(&self) -> Self;
    /// Storage by structure, in bits, as the scheme's paper counts it for its estimate.
    fn estimated_storage(&self) -> Vec<(&'static str, u32)>;
    /// The papers' gate estimate, from their storage alone.
    fn estimated_gates(&self) -> u32 {
        estimate::gates(&self.estimated_storage(), self.cores())
    }
    /// Processor cores that are traced.
    fn cores(&self) -> u32 {
        1
    }
    /// True if the pins of every core have its number, also those of an only core.
    fn numbers_cores(&self) -> bool {
        false
    }
    /// Blocks in the pipeline before the record queue: the queue has an extra entry for each.
    fn blocks_in_flight(&self) -> u32 {
        0
    }
    /// True if records wait in a queue of the back end; false if the compressor has a queue of its own.
    fn queues_records(&self) -> bool {
        true
    }
    /// True if registers are between the steps that make words of the trace of records, even without packets.
    fn sends_in_steps(&self) -> bool {
        false
    }
    /// Cycles in a row in which the hardware may work on what it has taken and send nothing, besides those of any encoder:
    /// of a search in memories.
    fn silent_cycles(&self) -> u32 {
        0
    }
    /// Parameters that came after the others, and are stated only where they are not the default.
    fn stated_when_changed(&self) -> Vec<&'static str> {
        STATED_WHEN_CHANGED.to_vec()
    }
    /// The most bits of an event, whatever the program; `None` where nothing is proven.
    fn most_bits_of_event(&self) -> Option<MostBits> {
        None
    }
    /// What payloads say without packets: nothing, unless the scheme has a place for it.
    fn payloads(&self) -> Payloads {
        Payloads::default()
    }
    /// True if memory accesses are traced instead of control flow.
    fn traces_data(&self) -> bool {
        false
    }
    /// Upper bits of targets that the predictors' tables leave out, as long as they do not change; `None` where there are
    /// no such tables.
    fn elided_bits(&self) -> Option<u32> {
        None
    }
    /// Sets the number of these bits, where there are such tables.
    fn set_elided_bits(&mut self, _bits: u32) {}
    /// True if the trace has the time of events, which then have to come to the module as they retire.
    fn has_event_times(&self) -> bool {
        false
    }
    /// True if the length of the last instruction of every block is read, and not of calls alone.
    fn reads_lengths(&self) -> bool {
        false
    }
    /// True if return addresses are predicted, so that a decoder must know calls and returns as the module did.
    fn predicts_returns(&self) -> bool {
        false
    }
}

/// What every scheme's [`Configuration`] answers alike, from the groups of parameters that all of them have, `processor`,
/// `port` and `protocol`, and from its `format`.
macro_rules! shared_parameters {
    () => {
        fn processor(&self) -> &$crate::config::Processor {
            &self.processor
        }

        fn processor_mut(&mut self) -> &mut $crate::config::Processor {
            &mut self.processor
        }

        fn port(&self) -> &$crate::config::TracePort {
            &self.port
        }

        fn protocol(&self) -> &$crate::config::Protocol {
            &self.protocol
        }

        fn piece_most_bits(&self) -> u32 {
            self.format().piece_most_bits(self.port.is_parallel())
        }
    };
}

pub(crate) use shared_parameters;
