//! Talon's named configurations.

use super::config::Config;
use crate::config::MemoryStyle;
use crate::parameter::List;
use crate::room::Preset;

const fn preset(name: &'static str, source: &'static str) -> Preset {
    Preset { name, source, paper_gates: None }
}

/// Every preset with its configuration.
pub fn presets() -> Vec<(Preset, Config)> {
    let source = "docs/talon.md";
    let mut fpga = Config { memory_style: MemoryStyle::Synchronous, ..medium() };
    fpga.port.encoder_registers = true;
    fpga.port.record_queue_depth = 8;
    vec![
        (preset("talon-s", source), Config::default()),
        (preset("talon-m", source), medium()),
        (preset("talon-n", source), medium_plus()),
        (preset("talon-l", source), large()),
        (preset("talon-xl", source), extra_large()),
        (preset("talon-m-fpga", "talon-m, for FPGAs"), fpga),
    ]
}

fn medium() -> Config {
    Config {
        bimodal_entries: 256,
        gshare_entries: 256,
        gshare_history_bits: 10,
        return_address_stack_depth: 8,
        return_addresses_compared: 2,
        target_buffer_tag_bits: 5,
        bimodal_scores: List([-13, -6, -3, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 5, 8, 13]),
        gshare_scores: List([-3, -1, -2, -2, -1, 0, 1, 5, 4]),
        match_against_scores: List([-1, -1, -1, -1, 0, 0, 0, 0]),
        match_for_scores: List([-1, -1, 0, 0, 0, 1, 3, 16]),
        confidence_scores: List([-2, -1, 0, 0, 1, 1, 2, 3]),
        recent_target_confidences: List([1, 1, 1, 1]),
        choice_confidences: List([1, 1, 1, 4]),
        ..Config::default()
    }
}

fn medium_plus() -> Config {
    Config {
        match_history_entries: 512,
        match_pointers: 32,
        confidence_entries: 128,
        range_bits: 12,
        guard_bits: 6,
        most_confidence: 10,
        bimodal_scores: List([-6, -2, 0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 5, 8, 14]),
        gshare_scores: List([-3, -1, -2, -2, 0, 0, 1, 5, 3]),
        match_for_scores: List([-1, -1, 0, 0, 0, 1, 2, 9]),
        confidence_scores: List([-3, -1, -1, 0, 1, 2, 3, 6]),
        return_confidence: 9,
        single_target_confidences: List([2, 3, 8, 9]),
        choice_confidences: List([1, 1, 1, 10]),
        ..medium()
    }
}

fn large() -> Config {
    Config {
        gshare_entries: 512,
        bimodal_scores: List([-4, -2, 0, 1, 3, 4, 4, 4, 5, 5, 6, 6, 6, 5, 8, 14]),
        gshare_scores: List([-4, -1, -2, -2, -1, 0, 1, 6, 3]),
        match_against_scores: List([-1, -1, -1, -2, 0, 0, 0, 0]),
        match_for_scores: List([-1, -1, -1, -1, 0, 1, 2, 8]),
        confidence_scores: List([-4, -1, 0, 0, 1, 2, 3, 6]),
        ..medium_plus()
    }
}

fn extra_large() -> Config {
    Config {
        bimodal_entries: 512,
        match_history_entries: 1024,
        match_pointers: 64,
        loop_entries: 8,
        return_address_stack_depth: 7,
        bimodal_scores: List([-4, -1, -1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 4, 7, 15]),
        match_against_scores: List([-1, -1, -1, -1, -3, -5, -20, -20]),
        match_for_scores: List([0, -1, 0, 0, 1, 2, 4, 8]),
        confidence_scores: List([-5, -1, -1, 0, 0, 1, 2, 5]),
        ..large()
    }
}
