//! The named compressors of data addresses with coded confidence.

use super::config::Config;
use crate::room::Preset;

/// Every preset with its configuration.
pub fn presets() -> Vec<(Preset, Config)> {
    let preset = |name| Preset { name, source: "docs/talon_data.md", paper_gates: None };
    vec![
        (preset("talon-d"), Config::default()),
        (preset("talon-d256"), Config { stride_entries: 256, ..Config::default() }),
    ]
}
