//! The named configuration of N-tuple compression (paper B, section 3).

use super::config::{Config, TupleUpdate};
use crate::room::Preset;
use crate::stream_cache::config::StreamCacheShape;

/// Every preset with its configuration: 128 entries of 4 ways, the set from address bit 6 on, 255 tuples
/// of 8, of which the buffer learns every one, as the paper's figure 4 reads.
pub fn presets() -> Vec<(Preset, Config)> {
    let preset = Preset { name: "ntuple-32x4", source: "paper B, section 3.1", paper_gates: None };
    let mut config = Config {
        cache: StreamCacheShape { hash_shift: 6, ..Default::default() },
        tuple_update: TupleUpdate::Every,
        ..Default::default()
    };
    config.port.fifo_bits = 80;
    vec![(preset, config)]
}
