//! The whole trace module of stream cache and last stream predictor, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::Config;

use super::encoder::Encoder;

crate::trace_module! {
    /// Stream detector, stream buffer, stream cache, predictor, record former, and the way out.
    StreamCache, Config, "stream_cache"
}
