//! T-raptor's named configurations (paper C, section 5.1).

use super::config::Config;
use crate::config::MemoryStyle;
use crate::room::Preset;

/// T-raptor's 15 configurations by name, gshare entries (S, M, B) and target structures (0 to 4).
const PRESETS: [(Preset, u32, u32); 15] = {
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

/// M4 for clock rates and memories of FPGAs; its trace is M4's bit for bit.
const FPGA: Preset =
    Preset { name: "traptor-m4-fpga", source: "traptor-m4, for FPGAs", paper_gates: None };

/// The scheme in fewer gates than M4 and, over the programs measured, in fewer bits (docs/traptor.md).
const LEAN: Preset =
    Preset { name: "traptor-lean", source: "traptor-m4, smaller tables", paper_gates: None };

/// Every preset with its configuration.
pub fn presets() -> Vec<(Preset, Config)> {
    let mut presets: Vec<_> = PRESETS
        .iter()
        .map(|(preset, gshare, targets)| (*preset, config(*gshare, *targets)))
        .collect();
    let mut fpga = Config { memory_style: MemoryStyle::Synchronous, ..config(512, 4) };
    fpga.port.encoder_registers = true;
    presets.push((FPGA, fpga));
    presets.push((LEAN, lean()));
    presets
}

/// Half of M4's target buffer with shorter entries, and predictors that use one address bit more.
///
/// The chunk sizes are fitted to all programs measured, checked on programs left out.
fn lean() -> Config {
    Config {
        pc_shift: 3,
        indirect_branch_target_buffer_entries: 32,
        indirect_branch_target_buffer_tag_bits: 4,
        elided_upper_bits: Some(13),
        branch_count_first_chunk: Some(3),
        branch_count_next_chunk: Some(1),
        target_first_chunk: Some(3),
        target_next_chunk: Some(3),
        ..Config::default()
    }
}

/// Paper C, section 5.1: (0) no target predictor, (1) an 8-entry return address stack, (2) to (4)
/// also an indirect branch target buffer of 16, 32 or 64 entries.
///
/// The chunk sizes are those with which the independent measurement's figures come out; Table 4 of
/// the paper is not readable. A configuration without target predictor needs a buffer of up to 384
/// bits (section 5.4).
fn config(gshare_entries: u32, targets: u32) -> Config {
    let mut config = Config {
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
