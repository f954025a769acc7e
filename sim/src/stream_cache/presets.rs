//! The stream cache's named configurations (paper A, section III).

use super::config::{Config, LastValueStartAddress, StreamCacheShape};
use crate::room::Preset;

/// Stream cache and last stream predictor by name, enhancement, and entries of the stream cache.
///
/// Paper A counts bytes of storage, not gates: 771 for BASE, 775 for eBASE and 582 for rBASE with 128
/// entries (section III.D).
const PRESETS: [(Preset, LastValueStartAddress, u32); 18] = {
    const fn entry(
        name: &'static str,
        source: &'static str,
        enhancement: LastValueStartAddress,
        entries: u32,
    ) -> (Preset, LastValueStartAddress, u32) {
        (Preset { name, source, paper_gates: None }, enhancement, entries)
    }
    const fn base(name: &'static str, entries: u32) -> (Preset, LastValueStartAddress, u32) {
        entry(name, "paper A, section III.A", LastValueStartAddress::None, entries)
    }
    const fn ebase(name: &'static str, entries: u32) -> (Preset, LastValueStartAddress, u32) {
        entry(name, "paper A, section III.B", LastValueStartAddress::Misses, entries)
    }
    const fn rbase(name: &'static str, entries: u32) -> (Preset, LastValueStartAddress, u32) {
        entry(name, "paper A, section III.C", LastValueStartAddress::Every, entries)
    }
    [
        base("stream-base-32", 32),
        base("stream-base-64", 64),
        base("stream-base-128", 128),
        base("stream-base-256", 256),
        base("stream-base-512", 512),
        base("stream-base-1024", 1024),
        ebase("stream-ebase-32", 32),
        ebase("stream-ebase-64", 64),
        ebase("stream-ebase-128", 128),
        ebase("stream-ebase-256", 256),
        ebase("stream-ebase-512", 512),
        ebase("stream-ebase-1024", 1024),
        rbase("stream-rbase-32", 32),
        rbase("stream-rbase-64", 64),
        rbase("stream-rbase-128", 128),
        rbase("stream-rbase-256", 256),
        rbase("stream-rbase-512", 512),
        rbase("stream-rbase-1024", 1024),
    ]
};

/// Every preset with its configuration.
pub fn presets() -> Vec<(Preset, Config)> {
    let made = |(preset, enhancement, entries)| (preset, config(enhancement, entries));
    PRESETS.into_iter().map(made).collect()
}

/// Paper A, section III: 4 ways, BASE without and eBASE and rBASE with both the last value of the start
/// address, of 14 or 12 upper bits, and the one length counter; an output buffer of 80 bits (III.D).
fn config(enhancement: LastValueStartAddress, entries: u32) -> Config {
    let mut config = Config {
        cache: StreamCacheShape { stream_cache_entries: entries, ..Default::default() },
        last_value_start_address: enhancement,
        one_length_counter: enhancement != LastValueStartAddress::None,
        ..Default::default()
    };
    config.port.fifo_bits = 80;
    config
}
