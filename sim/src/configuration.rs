//! What every configuration of a trace module can tell of itself.

use std::fmt::Debug;

use crate::config::{Processor, TracePort};
use crate::estimate;
use crate::parameter::{ParameterError, Parameters};

/// What a scheme's configuration can tell of itself; its `Parameters` are its values by name.
pub trait Configuration: Parameters + Clone + Debug + Default {
    /// Checks every constraint between values.
    ///
    /// # Errors
    /// The first constraint that is broken, by name.
    fn validate(&self) -> Result<(), ParameterError>;
    /// The processor that is traced.
    fn processor(&self) -> &Processor;
    /// The same, to change it.
    fn processor_mut(&mut self) -> &mut Processor;
    /// The way out.
    fn port(&self) -> &TracePort;
    /// The same configuration with every `auto` replaced by what it comes to.
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
    /// Blocks that are on their way to the record queue while others are taken: its extra places.
    fn blocks_in_flight(&self) -> u32 {
        0
    }
    /// True where memory accesses are traced, and not control flow.
    fn traces_data(&self) -> bool {
        false
    }
}
