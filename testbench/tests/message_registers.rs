//! E-Trace and N-Trace with registers between the steps of their payloads and messages: the hardware sends what it sends
//! without them.

use crate::common::sample;
use tracewright_sim::scheme::Design;

use crate::packets::{cosimulate, program};

/// Values of parameters.
type Changes = &'static [(&'static str, &'static str)];

/// Presets with what their trace may have; each with another encoder and port.
const DESIGNS: [(&str, Changes); 12] = [
    ("etrace-base", &[]),
    ("etrace-full", &[("trace_port_width", "64")]),
    ("etrace-returns", &[("trace_port_width", "8"), ("fifo_bits", "16")]),
    ("etrace-full", &[("framing", "packets"), ("when_full", "drop"), ("checksum_bits", "8")]),
    (
        "etrace-base",
        &[
            ("enable_pin", "true"),
            ("when_full", "drop"),
            ("privilege_bits", "2"),
            ("cause_bits", "7"),
            ("trap_values", "true"),
            ("resync_max", "3"),
            ("trace_port_width", "32"),
        ],
    ),
    (
        "etrace-base",
        &[("trace_port_width", "16"), ("reset", "asynchronous"), ("clock_enable", "true")],
    ),
    (
        "etrace-base",
        &[
            ("enable_pin", "true"),
            ("privilege_bits", "2"),
            ("context_bits", "16"),
            ("time_bits", "64"),
            ("source_bits", "8"),
            ("source_id", "77"),
            ("record_queue_depth", "1"),
        ],
    ),
    ("etrace-full", &[("return_stack_entries", "0"), ("branch_predictor_entries", "0")]),
    ("etrace-full", &[("jump_target_cache_entries", "0"), ("branch_count_bits", "2")]),
    (
        "etrace-returns",
        &[("framing", "packets"), ("enable_pin", "true"), ("sync_interval", "1024")],
    ),
    ("etrace-base", &[("framing", "packets"), ("trace_port_width", "64"), ("when_full", "drop")]),
    ("etrace-full", &[("clock_enable", "true"), ("trace_port_width", "8")]),
];

/// The same of N-Trace.
const MESSAGES: [(&str, Changes); 10] = [
    ("ntrace-htm", &[]),
    ("ntrace-btm", &[("trace_port_width", "8"), ("fifo_bits", "16")]),
    ("ntrace-htm", &[("return_stack_entries", "8"), ("exact_lengths", "true")]),
    (
        "ntrace-htm",
        &[
            ("enable_pin", "true"),
            ("when_full", "drop"),
            ("privilege_bits", "2"),
            ("context_bits", "16"),
            ("time_bits", "40"),
            ("return_stack_entries", "16"),
        ],
    ),
    (
        "ntrace-btm",
        &[
            ("enable_pin", "true"),
            ("time_bits", "20"),
            ("repeat_bits", "6"),
            ("record_queue_depth", "1"),
        ],
    ),
    ("ntrace-htm", &[("repeat_bits", "9"), ("trace_port_width", "64"), ("count_bits", "8")]),
    (
        "ntrace-htm",
        &[
            ("enable_pin", "true"),
            ("source_bits", "6"),
            ("source_id", "33"),
            ("clock_enable", "true"),
        ],
    ),
    ("ntrace-btm", &[("enable_pin", "true"), ("privilege_bits", "2"), ("exact_lengths", "true")]),
    ("ntrace-htm", &[("framing", "packets"), ("when_full", "drop"), ("checksum_bits", "8")]),
    (
        "ntrace-btm",
        &[
            ("framing", "packets"),
            ("enable_pin", "true"),
            ("reset", "asynchronous"),
            ("count_bits", "20"),
        ],
    ),
];

#[test]
fn n_trace_through_registers() {
    for (seed, (preset, changes)) in sample(2, (0..).zip(MESSAGES)) {
        through_registers(seed, preset, changes);
    }
}

#[test]
fn e_trace_through_registers() {
    for (seed, (preset, changes)) in sample(2, (0..).zip(DESIGNS)) {
        through_registers(seed, preset, changes);
    }
}

/// With registers nothing but the time of a bit is another one.
#[track_caller]
fn through_registers(seed: u64, preset: &str, changes: Changes) {
    let (machine, events) = program(seed, 3_000);
    let mut design = Design::preset(preset).unwrap();
    design.set("address_width", &machine.address_bits.to_string()).unwrap();
    design.set("encoder_registers", "true").unwrap();
    changes.iter().for_each(|(name, value)| design.set(name, value).unwrap());
    let design = design.for_machine(machine).unwrap();
    let reports = cosimulate(&design, seed, &events);
    // The third one has a flush after every third event, at which most of them are lost if the core does not wait.
    for report in &reports[..2] {
        assert!(report.blocks > 200, "{preset}, {changes:?}: {report:?}");
    }
}
