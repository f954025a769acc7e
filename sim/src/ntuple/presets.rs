//! The named configuration of N-tuple compression (paper B, section 3).

use super::config::{Config, TupleSearch, TupleUpdate};
use crate::room::Preset;
use crate::stream_cache::config::StreamCacheShape;

/// Every preset with its configuration: 128 entries of 4 ways, the set from address bit 6 on, 255 tuples
/// of 8, of which the buffer learns every one, as the paper's figure 4 reads.
///
/// The second keeps the tuples in memories: four of them, and a stream buffer of eight, because the core then hardly waits
/// for the search on the traces of `workloads/` (docs/ntuple.md).
pub fn presets() -> Vec<(Preset, Config)> {
    let preset = |name, source| Preset { name, source, paper_gates: None };
    let mut config = Config {
        cache: StreamCacheShape { hash_shift: 6, ..Default::default() },
        tuple_update: TupleUpdate::Every,
        ..Default::default()
    };
    config.port.fifo_bits = 80;
    let mut memory = Config { tuple_search: TupleSearch::Sequential, ..config.clone() };
    memory.cache.stream_buffer_depth = 8;
    vec![
        (preset("ntuple-32x4", "paper B, section 3.1"), config),
        (preset("ntuple-32x4-memory", "the same, with the tuples in memories"), memory),
    ]
}
