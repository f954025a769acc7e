//! Named designs, with what the papers say of each.

use crate::scheme::Scheme;
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

/// Every preset, in the order of the papers.
pub fn all() -> impl Iterator<Item = Preset> {
    TRAPTOR.iter().map(|(preset, ..)| *preset)
}

/// What the preset of this name is made of.
pub fn find(name: &str) -> Option<Scheme> {
    let (_, gshare_entries, targets) = TRAPTOR.iter().find(|(preset, ..)| preset.name == name)?;
    Some(Scheme::Traptor(traptor(*gshare_entries, *targets)))
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
