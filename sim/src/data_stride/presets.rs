//! The named data address stride caches (paper B, section 3.2).

use super::config::Config;
use crate::room::Preset;

/// By name, entries and ways; more ways than one have tags.
///
/// Paper B counts bytes of storage, not gates: 5,120 for 1024 entries (Table 5).
const PRESETS: [(Preset, u32, u32); 7] = {
    const fn entry(name: &'static str, entries: u32, ways: u32) -> (Preset, u32, u32) {
        let source = "paper B, sections 2.2 and 3.2";
        (Preset { name, source, paper_gates: None }, entries, ways)
    }
    [
        entry("stride-32", 32, 1),
        entry("stride-64", 64, 1),
        entry("stride-128", 128, 1),
        entry("stride-256", 256, 1),
        entry("stride-512", 512, 1),
        entry("stride-1024", 1024, 1),
        entry("stride-256x4", 1024, 4),
    ]
};

/// Every preset with its configuration.
pub fn presets() -> Vec<(Preset, Config)> {
    let made = |(preset, entries, ways)| {
        let config = Config {
            stride_cache_entries: entries,
            stride_cache_ways: ways,
            stride_cache_tagged: ways > 1,
            ..Config::default()
        };
        (preset, config)
    };
    PRESETS.into_iter().map(made).collect()
}
