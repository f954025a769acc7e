//! The whole T-raptor trace module, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::traptor::config::Config;

use super::encoder::Encoder;

crate::trace_module! {
    /// Predictors, record former, encoder, buffer and port.
    Traptor, Config, "traptor", counts sweeps_by_instruction_count: swept
}
