//! The whole E-Trace module, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::e_trace::config::Config;

use super::encoder::Encoder;

crate::trace_module! {
    /// Record former, encoder, buffer and port.
    ETrace, Config, "etrace", begins sync_request: synchronised, leaves leaves, times told_time,
    values trap_value
}
