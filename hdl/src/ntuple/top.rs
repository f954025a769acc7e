//! The whole trace module of N-tuple compression, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::ntuple::config::Config;

use super::encoder::Encoder;

crate::trace_module! {
    /// Stream detector and buffer, stream cache, trace output controller, encoder, buffer and port.
    Ntuple, Config, "ntuple_module"
}
