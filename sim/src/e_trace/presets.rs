//! The named configurations of E-Trace.

use super::config::Config;
use crate::room::Preset;

/// Faster in an FPGA, of more flip-flops.
const FPGA: Preset =
    Preset { name: "etrace-base-fpga", source: "etrace-base, for FPGAs", paper_gates: None };

/// Every preset with its configuration.
pub fn presets() -> Vec<(Preset, Config)> {
    let preset = |name| Preset { name, source: "RISC-V E-Trace 2.0", paper_gates: None };
    vec![
        (preset("etrace-base"), base()),
        (FPGA, fpga()),
        (preset("etrace-returns"), returns()),
        (preset("etrace-full"), full()),
    ]
}

/// Delta addresses and branch maps without optional extensions, for RISC-V with compressed instructions.
fn base() -> Config {
    let mut config = Config::default();
    config.processor.alignment = 1;
    config
}

/// The same with registers between the steps of payloads.
fn fpga() -> Config {
    let mut config = base();
    config.port.encoder_registers = true;
    config
}

/// The base with implicit return: a stack of eight return addresses.
fn returns() -> Config {
    Config { return_stack_entries: 8, ..base() }
}

/// The same with branch prediction and a jump target cache, of 64 entries each.
fn full() -> Config {
    Config { jump_target_cache_entries: 64, branch_predictor_entries: 64, ..returns() }
}
