//! The named configurations of N-Trace.

use super::config::Config;
use crate::room::Preset;

/// Every preset with its configuration.
pub fn presets() -> Vec<(Preset, Config)> {
    let preset = |name| Preset { name, source: "RISC-V N-Trace 1.0", paper_gates: None };
    vec![
        (preset("ntrace-htm"), history()),
        (preset("ntrace-htm-fpga"), fpga()),
        (preset("ntrace-btm"), branches()),
    ]
}

/// History trace messaging without optional extensions, for RISC-V with compressed instructions.
fn history() -> Config {
    let mut config = Config::default();
    config.processor.alignment = 1;
    config
}

/// The same with registers between the steps of messages.
fn fpga() -> Config {
    let mut config = history();
    config.port.encoder_registers = true;
    config
}

/// Branch trace messaging.
fn branches() -> Config {
    Config { branch_history: false, ..history() }
}
