//! N-tuple's named configuration (paper B, section 3.1).

use super::config::{Config, TupleUpdate};
use crate::preset::Preset;
use crate::stream_cache::config::StreamCacheShape;

/// Stream cache of 32 sets of 4 ways, with N-tuples.
const PRESET: Preset =
    Preset { name: "ntuple-32x4", source: "paper B, section 3.1", paper_gates: None };

/// 128 entries of 4 ways, the set from address bit 6 on, 255 tuples of 8.
pub fn presets() -> Vec<(Preset, Config)> {
    let config = Config {
        cache: StreamCacheShape { hash_shift: 6, ..Default::default() },
        tuple_update: TupleUpdate::Every,
        ..Default::default()
    };
    vec![(PRESET, config)]
}
