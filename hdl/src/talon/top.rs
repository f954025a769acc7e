//! The whole Talon trace module, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::talon::config::Config;

use super::encoder::Encoder;

crate::trace_module! {
    /// Predictors, range coder, encoder, buffer and port.
    Talon, Config, "talon", counts sweeps_by_instruction_count: swept, cycles times_events: is_held
}
