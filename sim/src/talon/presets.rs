//! Talon's named configurations.

use super::additive_parameters::Additive;
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
        (preset("talon-s", source), small()),
        (preset("talon-m", source), medium()),
        (preset("talon-n", source), medium_plus()),
        (preset("talon-l", source), large()),
        (preset("talon-xl", source), extra_large()),
        (preset("talon-g", source), additive()),
        (preset("talon-a", source), application()),
        (preset("talon-m-fpga", "talon-m, for FPGAs"), fpga),
    ]
}

/// Sized by the worst program: nine return addresses for a deep recursion, tags of three bits and an aging target buffer
/// for interpreters, paid for by a coder of 9 bits.
fn small() -> Config {
    Config {
        match_random_pointers: true,
        confidence_entries: 8,
        return_address_stack_depth: 9,
        target_buffer_tag_bits: 3,
        target_buffer_ages: true,
        range_bits: 9,
        most_confidence: 7,
        escape_ones: 1,
        address_first_chunk: 7,
        bimodal_scores: List([-12, -7, -3, 1, 2, 3, 4, 4, 5, 5, 6, 7, 8, 5, 7, 15]),
        match_for_scores: List([-1, -1, -1, -1, 0, 3, 3, 15]),
        return_confidence: 7,
        choice_confidences: List([1, 1, 7, 7]),
        ..Config::default()
    }
}

fn medium() -> Config {
    Config {
        bimodal_counters_per_magnitude: 2,
        gshare_entries: 512,
        gshare_address_rotation: 6,
        match_random_pointers: true,
        confidence_entries: 64,
        return_address_stack_depth: 9,
        return_addresses_compared: 2,
        target_buffer_ages: true,
        target_buffer_random_victim: true,
        guard_bits: 7,
        address_first_chunk: 7,
        instruction_count_bits: 10,
        bimodal_scores: List([-2, 4, 4, 3, 4, 5, 6, 6, 7, 7, 7, 8, 8, 11, 15, 21]),
        gshare_scores: List([-3, -2, -3, -3, -2, -1, 0, 4, -2]),
        match_against_scores: List([-2, -2, -2, -2, 0, 0, 0, 0]),
        match_for_scores: List([-2, -2, -2, -2, -1, 1, 3, 11]),
        confidence_scores: List([-2, 0, 0, 1, 1, 2, 2, 4]),
        recent_target_confidences: List([1, 1, 1, 2]),
        choice_confidences: List([1, 1, 8, 7]),
        ..Config::default()
    }
}

/// Its weights and sizes were fitted to the fifteen programs of docs/talon.md and to bare-metal ones.
fn additive() -> Config {
    Config {
        match_history_entries: 512,
        confidence_entries: 32,
        return_address_stack_depth: 9,
        return_addresses_compared: 2,
        target_buffer_sets: 16,
        target_buffer_ages: true,
        target_buffer_random_victim: true,
        target_buffer_skewed: true,
        target_history_bits: 5,
        range_bits: 11,
        guard_bits: 5,
        most_confidence: 9,
        escape_ones: 1,
        address_first_chunk: 6,
        instruction_count_bits: 11,
        return_confidence: 9,
        single_target_confidences: List([1, 1, 1, 8]),
        recent_target_confidences: List([1, 1, 1, 2]),
        choice_confidences: List([1, 1, 8, 9]),
        additive: Additive {
            additive: true,
            short_history_weights: List([1, 2, 5, 8, 12, 16, 21, 26]),
            ..Additive::default()
        },
        ..Config::default()
    }
}

/// For hosted programs, most of whose bits are targets: four times talon-m's target buffer, more return addresses, and a
/// coder whose escapes are short.
fn application() -> Config {
    Config {
        bimodal_counters_per_magnitude: 2,
        match_history_entries: 256,
        return_address_stack_depth: 12,
        return_addresses_compared: 1,
        target_buffer_sets: 32,
        target_buffer_tag_bits: 6,
        target_history_bits: 7,
        range_bits: 10,
        guard_bits: 5,
        most_confidence: 8,
        address_first_chunk: 7,
        instruction_count_bits: 10,
        return_confidence: 8,
        single_target_confidences: List([1, 1, 1, 6]),
        recent_target_confidences: List([1, 1, 1, 1]),
        choice_confidences: List([1, 1, 8, 8]),
        ..additive()
    }
}

fn medium_plus() -> Config {
    Config {
        bimodal_counters_per_magnitude: 1,
        gshare_entries: 256,
        gshare_counters_per_magnitude: 1,
        gshare_address_rotation: 5,
        match_history_entries: 512,
        match_pointers: 32,
        confidence_entries: 128,
        range_bits: 12,
        guard_bits: 6,
        most_confidence: 10,
        instruction_count_bits: 14,
        bimodal_scores: List([-2, 2, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 11, 19]),
        gshare_scores: List([-2, -2, -3, -3, -2, -1, 0, 4, 0]),
        match_for_scores: List([-1, -1, -1, -1, 0, 1, 3, 8]),
        confidence_scores: List([-3, -1, -1, 0, 0, 1, 2, 5]),
        return_confidence: 9,
        choice_confidences: List([1, 1, 10, 10]),
        ..medium()
    }
}

fn large() -> Config {
    Config {
        gshare_entries: 512,
        gshare_address_rotation: 6,
        bimodal_scores: List([-6, -2, -2, 4, 5, 5, 6, 5, 7, 7, 7, 7, 8, 5, 7, 15]),
        gshare_scores: List([-5, -4, -4, -4, -3, -2, -1, 4, 3]),
        match_against_scores: List([-1, -2, -2, -2, 0, 0, 0, 0]),
        match_for_scores: List([-1, -1, -1, -1, 0, 1, 3, 9]),
        confidence_scores: List([-3, 0, 1, 1, 1, 2, 3, 6]),
        ..medium_plus()
    }
}

fn extra_large() -> Config {
    Config {
        bimodal_entries: 512,
        match_history_entries: 1024,
        match_pointers: 64,
        loop_entries: 8,
        loop_relearns_direction: true,
        bimodal_scores: List([-5, -3, -1, 3, 4, 4, 5, 4, 6, 6, 6, 6, 7, 5, 6, 15]),
        gshare_scores: List([-5, -2, -3, -3, -2, -1, 0, 5, 3]),
        match_against_scores: List([-1, -1, -1, -2, -3, -9, -24, -24]),
        match_for_scores: List([0, 0, 0, 0, 1, 3, 4, 8]),
        confidence_scores: List([-3, -1, 0, 0, 0, 1, 2, 6]),
        loop_scores: List([0, 1, -2, 0, -2, 1, 0]),
        choice_confidences: List([1, 4, 10, 10]),
        ..large()
    }
}
