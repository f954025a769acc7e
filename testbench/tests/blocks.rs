//! The adapter for several blocks in a cycle in Verilator, with parameters at their extremes, and its lint.

use crate::blocks_core::{Show, run};
use crate::common::{is_long, sample};
use tracewright_sim::blocks::Config;
use tracewright_sim::scheme::Design;
use tracewright_testbench::lint::lint;
use tracewright_testbench::{BuildOptions, design::source};

const SHOW: Show = Show { seed: 1, clocks: 60_000, bubbles: 0, stalls: 0, flushes: 0 };

/// One after the other, every kind of traffic.
fn shows() -> Vec<Show> {
    vec![
        SHOW,
        Show { seed: 2, bubbles: 40, flushes: 4, ..SHOW },
        Show { seed: 3, bubbles: 70, stalls: 20, flushes: 10, ..SHOW },
        Show { seed: 4, bubbles: 80, stalls: 60, flushes: 50, ..SHOW },
        Show { seed: 5, stalls: 85, flushes: 100, ..SHOW },
    ]
}

type Case = (&'static str, &'static [(&'static str, &'static str)], Config);

/// A module that loses blocks, and says how many instructions they had.
const DROP: &[(&str, &str)] = &[
    ("framing", "packets"),
    ("when_full", "drop"),
    ("loss_pins", "true"),
    ("context_bits", "3"),
    ("cause_bits", "4"),
];

const CASES: [Case; 10] = [
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
    ("traptor-m4", DROP, Config { lanes: 2, depth: 4 }),
    ("talon-s", DROP, Config { lanes: 3, depth: 12 }),
    ("nexs", DROP, Config { lanes: 4, depth: 64 }),
];

fn design(preset: &str, changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset(preset).unwrap();
    for (name, value) in changes {
        design.set(name, value).unwrap();
    }
    design
}

#[test]
fn the_adapter_keeps_the_order_of_blocks() {
    for (preset, changes, config) in sample(3, CASES) {
        let design = design(preset, changes);
        let generated = tracewright_hdl::generate_blocks_adapter(&design, &config).unwrap();
        let library = source(&generated).build(&BuildOptions::default()).unwrap();
        for show in shows() {
            if let Err(what) = run(&library, &design, &config, show) {
                panic!("{preset}, {changes:?}, {config:?}, {show:?}: {what}");
            }
        }
    }
}

#[test]
fn many_cycles_without_a_loss() {
    let (design, config) = (design("traptor-m4", &[]), Config::new(4));
    let generated = tracewright_hdl::generate_blocks_adapter(&design, &config).unwrap();
    let library = source(&generated).build(&BuildOptions::default()).unwrap();
    let show = Show {
        clocks: if is_long() { 1_000_000 } else { 100_000 },
        bubbles: 50,
        stalls: 20,
        flushes: 1,
        ..SHOW
    };
    assert_eq!(run(&library, &design, &config, show), Ok(()));
}

#[test]
fn three_tools_are_silent_about_it() {
    for (preset, changes, config) in sample(3, CASES) {
        let design = design(preset, changes);
        let generated = tracewright_hdl::generate_blocks_adapter(&design, &config).unwrap();
        let findings = lint(&source(&generated).files, &generated.top).unwrap();
        assert!(findings.is_empty(), "{preset}, {changes:?}: {}", findings[0]);
    }
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
