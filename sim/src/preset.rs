//! Named designs, with what the papers say of each.

use crate::ntuple::config::{Config as NtupleConfig, TupleUpdate};
use crate::scheme::Scheme;
use crate::stream_cache::config::{
    Config as StreamCacheConfig, LastValueStartAddress, StreamCacheShape,
};
use crate::traptor;

/// A named design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// The paper and section it comes from.
    pub source: &'static str,
    /// The paper's gate count, where it prints one.
    pub paper_gates: Option<u32>,
}

/// T-raptor's 15 configurations by name, gshare entries (S, M, B) and target structures (0 to 4).
const TRAPTOR: [(Preset, u32, u32); 15] = {
    const fn entry(
        name: &'static str,
        gshare: u32,
        targets: u32,
        paper_gates: Option<u32>,
    ) -> (Preset, u32, u32) {
        (Preset { name, source: "paper C, section 5.1", paper_gates }, gshare, targets)
    }
    [
        entry("traptor-s0", 256, 0, Some(1771)),
        entry("traptor-s1", 256, 1, None),
        entry("traptor-s2", 256, 2, None),
        entry("traptor-s3", 256, 3, None),
        entry("traptor-s4", 256, 4, None),
        entry("traptor-m0", 512, 0, None),
        entry("traptor-m1", 512, 1, None),
        entry("traptor-m2", 512, 2, None),
        entry("traptor-m3", 512, 3, None),
        entry("traptor-m4", 512, 4, Some(4846)),
        entry("traptor-b0", 1024, 0, None),
        entry("traptor-b1", 1024, 1, None),
        entry("traptor-b2", 1024, 2, None),
        entry("traptor-b3", 1024, 3, None),
        entry("traptor-b4", 1024, 4, Some(6382)),
    ]
};

/// Stream cache and last stream predictor by name, enhancement, and entries of the stream cache.
///
/// Paper A counts bytes of storage, not gates: 771 for BASE, 775 for eBASE and 582 for rBASE with 128
/// entries (section III.D).
const STREAM: [(Preset, LastValueStartAddress, u32); 18] = {
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

/// Stream cache of 32 sets of 4 ways, with N-tuples.
const NTUPLE: Preset =
    Preset { name: "ntuple-32x4", source: "paper B, section 3.1", paper_gates: None };

/// Every preset, in the order of the schemes.
pub fn all() -> impl Iterator<Item = Preset> {
    let traptor = TRAPTOR.iter().map(|(preset, ..)| *preset);
    traptor.chain(STREAM.iter().map(|(preset, ..)| *preset)).chain([NTUPLE])
}

/// What the preset of this name is made of.
pub fn find(name: &str) -> Option<Scheme> {
    if let Some((_, gshare_entries, targets)) = TRAPTOR.iter().find(|entry| entry.0.name == name) {
        return Some(Scheme::Traptor(traptor(*gshare_entries, *targets)));
    }
    if let Some((_, enhancement, entries)) = STREAM.iter().find(|entry| entry.0.name == name) {
        return Some(Scheme::StreamCache(stream_cache(*enhancement, *entries)));
    }
    (name == NTUPLE.name).then(|| Scheme::Ntuple(ntuple()))
}

/// Paper C, section 5.1: (0) no target predictor, (1) an 8-entry return address stack, (2) to (4)
/// also an indirect branch target buffer of 16, 32 or 64 entries.
///
/// The chunk sizes are those with which the independent measurement's figures come out; Table 4 of
/// the paper is not readable. A configuration without target predictor needs a buffer of up to 384
/// bits (section 5.4).
fn traptor(gshare_entries: u32, targets: u32) -> traptor::config::Config {
    let mut config = traptor::config::Config {
        gshare_entries,
        return_address_stack_depth: if targets == 0 { 0 } else { 8 },
        indirect_branch_target_buffer_entries: if targets < 2 { 0 } else { 8 << (targets - 1) },
        elided_upper_bits: Some(12),
        ..Default::default()
    };
    if targets == 0 {
        config.port.fifo_bits = 384;
    }
    config
}

/// Paper A, section III: 4 ways, BASE without and eBASE and rBASE with both the last value of the start
/// address, of 14 or 12 upper bits, and the one length counter; an output buffer of 80 bits (III.D).
fn stream_cache(enhancement: LastValueStartAddress, entries: u32) -> StreamCacheConfig {
    let mut config = StreamCacheConfig {
        cache: StreamCacheShape { stream_cache_entries: entries, ..Default::default() },
        last_value_start_address: enhancement,
        one_length_counter: enhancement != LastValueStartAddress::None,
        ..Default::default()
    };
    config.port.fifo_bits = 80;
    config
}

/// Paper B, section 3.1: 128 entries of 4 ways, the set from address bit 6 on, 255 tuples of 8.
fn ntuple() -> NtupleConfig {
    NtupleConfig {
        cache: StreamCacheShape { hash_shift: 6, ..Default::default() },
        tuple_update: TupleUpdate::Every,
        ..Default::default()
    }
}
