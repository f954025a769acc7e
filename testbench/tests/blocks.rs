//! The adapter for several blocks in a cycle in Verilator, with parameters at their extremes, and its lint.

use tracewright_sim::blocks::Config;
use tracewright_sim::scheme::Design;

use crate::adapters::{self, Show, design};
use crate::common::sample;

/// One after the other, every kind of traffic.
const SHOWS: [Show; 5] = [
    Show::CALM,
    Show { seed: 2, bubbles: 40, flushes: 4, ..Show::CALM },
    Show { seed: 3, bubbles: 70, stalls: 20, flushes: 10, ..Show::CALM },
    Show { seed: 4, bubbles: 80, stalls: 60, flushes: 50, ..Show::CALM },
    Show { seed: 5, stalls: 85, flushes: 100, ..Show::CALM },
];

type Case = (&'static str, &'static [(&'static str, &'static str)], Config);

/// A module that loses blocks, and says how many instructions they had.
const DROP: &[(&str, &str)] = &[
    ("framing", "packets"),
    ("when_full", "drop"),
    ("loss_pins", "true"),
    ("context_bits", "3"),
    ("cause_bits", "4"),
];

const CASES: [Case; 7] = [
    ("traptor-m4", &[("alignment", "1")], Config { lanes: 2, depth: 16 }),
    ("stream-rbase-32", &[("retire_count_bits", "1")], Config { lanes: 2, depth: 2 }),
    ("ntuple-32x4", &[("reset", "asynchronous")], Config { lanes: 3, depth: 3 }),
    (
        "talon-s",
        &[
            ("framing", "packets"),
            ("context_bits", "16"),
            ("privilege_bits", "2"),
            ("cause_bits", "6"),
        ],
        Config { lanes: 3, depth: 63 },
    ),
    ("nexs", &[("address_width", "64"), ("alignment", "0")], Config { lanes: 4, depth: 4 }),
    ("traptor-m4", &[("retire_count_bits", "16")], Config { lanes: 4, depth: 12 }),
    ("mctraptor-small-n2", &[], Config { lanes: 4, depth: 64 }),
];

const CASES_WITH_LOSSES: [Case; 3] = [
    ("traptor-m4", DROP, Config { lanes: 2, depth: 4 }),
    ("talon-s", DROP, Config { lanes: 3, depth: 12 }),
    ("nexs", DROP, Config { lanes: 4, depth: 64 }),
];

fn made<const N: usize>(cases: [Case; N]) -> impl Iterator<Item = (Design, Config)> {
    cases.into_iter().map(|(preset, changes, config)| (design(preset, changes), config))
}

#[test]
fn the_adapter_keeps_the_order_of_blocks() {
    adapters::do_what_their_models_do(made(CASES), &SHOWS);
}

#[test]
fn what_the_adapter_loses_is_counted() {
    adapters::count_what_they_lose(made(CASES_WITH_LOSSES), &SHOWS);
}

#[test]
fn many_cycles_without_a_loss() {
    let show = Show { bubbles: 50, stalls: 20, flushes: 1, ..Show::CALM };
    adapters::runs_for_long(design("traptor-m4", &[]), Config::new(4), show);
}

#[test]
fn three_tools_are_silent_about_it() {
    adapters::are_free_of_lint(sample(2, made(CASES_WITH_LOSSES)));
    adapters::are_free_of_lint(sample(3, made(CASES)));
}

#[test]
fn what_does_not_go_is_refused() {
    let refused = |preset: &str, changes: &[(&str, &str)], config: Config| {
        let design = design(preset, changes);
        tracewright_hdl::generate_blocks_adapter(&design, &config).unwrap_err().to_string()
    };
    let said = refused("stride-64", &[], Config::new(2));
    assert_eq!(said, "stride-64 traces data addresses: the blocks adapter shows control flow");
    let said = refused("traptor-m4", &[], Config::new(1));
    assert!(said.starts_with("`blocks_per_cycle` = 1 does not fit: must be above 1"), "{said}");
    let said = refused("traptor-m4", &[], Config { lanes: 5, depth: 10 });
    assert_eq!(said, "`ingress_lanes` = 5 does not fit: must be 1 to 4");
    let drop = [("framing", "packets"), ("when_full", "drop")];
    let said = refused("traptor-m4", &drop, Config::new(2));
    assert!(said.ends_with("needs loss_pins = true"), "{said}");
    let said = refused("traptor-m4", DROP, Config { lanes: 3, depth: 3 });
    assert!(said.contains("must be at least 6, twice blocks_per_cycle"), "{said}");
}
