//! The whole N-Trace module, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::n_trace::config::Config;

use super::encoder::Encoder;

crate::trace_module! {
    /// Record former, encoder, buffer and port.
    NTrace, Config, "ntrace", begins sync_request: synchronised, times told_time
}
