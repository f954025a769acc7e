//! The RVFI adapter in Verilator against its model, with parameters at their extremes, and its lint.

use tracewright_sim::ingress::Queue;
use tracewright_sim::rvfi::{Compressed, Config, Extensions, Pins, Port, Trapped, Xlen};
use tracewright_sim::scheme::Design;

use crate::adapters::{self, LOSES, Show, queue};
use crate::common::sample;

fn design(changes: &[(&str, &str)]) -> Design {
    adapters::design("traptor-m4", changes)
}

/// A port that has no more than it must, and what it may have beside that.
const RETIRED: Config = Config { port: Port::Retired, pins: NONE, ..RV32 };
const NONE: Pins = Pins { trap: false, interrupt: false, next: false, number: false };

/// Designs for words that are expanded.
const EXPANDED: &[(&str, &str)] = &[("alignment", "1"), ("expanded_words", "true")];

type Case = (&'static [(&'static str, &'static str)], Config);

const RV32: Config = Config::of_queue(Xlen::Rv32, queue(1, 8, 4));

const CASES: [Case; 26] = [
    (&[("alignment", "1")], RV32),
    (&[("alignment", "2"), ("retire_count_bits", "1")], Config { queue: queue(1, 2, 0), ..RV32 }),
    (
        &[("alignment", "1"), ("retire_count_bits", "10"), ("reset", "asynchronous")],
        Config { queue: queue(1, 64, 63), ..RV32 },
    ),
    (&[("alignment", "0"), ("retire_count_bits", "2")], Config { queue: queue(1, 5, 1), ..RV32 }),
    (
        &[("alignment", "1"), ("address_width", "64")],
        Config { xlen: Xlen::Rv64, queue: queue(1, 3, 1), ..RV32 },
    ),
    (
        &[("alignment", "1"), ("address_width", "39"), ("exact_lengths", "true")],
        Config { xlen: Xlen::Rv64, ..RV32 },
    ),
    (&[("alignment", "1"), ("exact_lengths", "true")], Config { queue: queue(2, 16, 8), ..RV32 }),
    (
        &[("alignment", "1"), ("retire_count_bits", "3"), ("address_width", "64")],
        Config { xlen: Xlen::Rv64, queue: queue(2, 2, 0), ..RV32 },
    ),
    (
        &[("alignment", "2"), ("retire_count_bits", "3"), ("reset", "asynchronous")],
        Config { queue: queue(3, 24, 12), ..RV32 },
    ),
    (&[("alignment", "0"), ("retire_count_bits", "10")], Config { queue: queue(3, 3, 0), ..RV32 }),
    (
        &[("alignment", "1"), ("address_width", "64")],
        Config { xlen: Xlen::Rv64, queue: queue(4, 32, 16), ..RV32 },
    ),
    (&[("alignment", "1")], Config { queue: queue(4, 64, 60), ..RV32 }),
    (&[("alignment", "1")], Config { extensions: Extensions::ALL, ..RV32 }),
    (
        &[("alignment", "1"), ("exact_lengths", "true")],
        Config { extensions: Extensions::ALL, queue: queue(2, 16, 8), ..RV32 },
    ),
    (EXPANDED, Config { compressed: Compressed::Expanded, ..RV32 }),
    (
        &[("alignment", "1"), ("expanded_words", "true"), ("address_width", "64")],
        Config {
            compressed: Compressed::Expanded,
            xlen: Xlen::Rv64,
            trap: Trapped::Checked,
            queue: queue(2, 16, 8),
            ..RV32
        },
    ),
    (
        &[("alignment", "1"), ("exact_lengths", "true")],
        Config { compressed: Compressed::Pin, trap: Trapped::Checked, ..RV32 },
    ),
    (&[("alignment", "1")], Config { trap: Trapped::Checked, queue: queue(3, 24, 12), ..RV32 }),
    (&[("alignment", "1")], RETIRED),
    (&[("alignment", "2"), ("reset", "asynchronous")], Config { queue: queue(2, 8, 2), ..RETIRED }),
    (
        EXPANDED,
        Config {
            compressed: Compressed::Expanded,
            pins: Pins { interrupt: true, ..NONE },
            ..RETIRED
        },
    ),
    (
        &[("alignment", "1"), ("exact_lengths", "true")],
        Config {
            compressed: Compressed::Pin,
            pins: Pins { trap: true, number: true, ..NONE },
            queue: queue(4, 32, 16),
            ..RETIRED
        },
    ),
    (
        &[("alignment", "1"), ("address_width", "64")],
        Config {
            xlen: Xlen::Rv64,
            pins: Pins { next: true, number: true, ..NONE },
            queue: queue(2, 16, 8),
            ..RETIRED
        },
    ),
    (
        &[("alignment", "0")],
        Config { pins: Pins { number: true, ..Pins::RVFI }, queue: queue(3, 24, 12), ..RETIRED },
    ),
    (
        &[("alignment", "1")],
        Config { pins: Pins { trap: true, interrupt: true, ..NONE }, ..RETIRED },
    ),
    (
        EXPANDED,
        Config {
            compressed: Compressed::Expanded,
            trap: Trapped::Checked,
            pins: Pins::RVFI,
            ..RETIRED
        },
    ),
];

const CASES_WITH_LOSSES: [Case; 9] = [
    (&[("alignment", "1")], Config { queue: queue(1, 3, 0), ..RV32 }),
    (&[("alignment", "1"), ("retire_count_bits", "1")], RV32),
    (&[("alignment", "1"), ("exact_lengths", "true")], Config { queue: queue(2, 16, 8), ..RV32 }),
    (
        &[("alignment", "1"), ("retire_count_bits", "3"), ("address_width", "64")],
        Config { xlen: Xlen::Rv64, queue: queue(2, 6, 0), ..RV32 },
    ),
    (
        &[("alignment", "2"), ("retire_count_bits", "3"), ("reset", "asynchronous")],
        Config { queue: queue(3, 9, 0), ..RV32 },
    ),
    (
        &[("alignment", "1"), ("address_width", "64")],
        Config { xlen: Xlen::Rv64, queue: queue(4, 64, 0), ..RV32 },
    ),
    (&[("alignment", "1")], Config { queue: queue(2, 16, 8), ..RETIRED }),
    (
        &[("alignment", "1")],
        Config { pins: Pins { number: true, ..Pins::RVFI }, queue: queue(3, 24, 0), ..RETIRED },
    ),
    (
        EXPANDED,
        Config { compressed: Compressed::Expanded, pins: Pins { trap: true, ..NONE }, ..RETIRED },
    ),
];

fn cases() -> impl Iterator<Item = (Design, Config)> {
    CASES.into_iter().map(|(changes, config)| (design(changes), config))
}

fn cases_with_losses() -> impl Iterator<Item = (Design, Config)> {
    let case = |(changes, config): Case| (design(&[&LOSES, changes].concat()), config);
    CASES_WITH_LOSSES.into_iter().map(case)
}

#[test]
fn the_adapter_does_what_its_model_does() {
    adapters::do_what_their_models_do(cases(), &Show::every(300));
}

#[test]
fn many_cycles_without_a_loss() {
    let show = Show { seed: 7, bubbles: 30, stalls: 20, diversions: 5, flushes: 1, ..Show::CALM };
    adapters::runs_for_long(design(&[("alignment", "1")]), Config::new(Xlen::Rv32, 2), show);
}

#[test]
fn what_a_core_loses_that_does_not_wait_is_counted() {
    adapters::count_what_they_lose(cases_with_losses(), &Show::WITH_LOSSES);
}

#[test]
fn three_tools_are_silent_about_it() {
    adapters::are_free_of_lint(sample(2, cases_with_losses()));
    adapters::are_free_of_lint(sample(3, cases()));
}

#[test]
fn what_does_not_go_is_refused() {
    let stride = Design::preset("stride-64").unwrap();
    let refused = |design: &Design, config: &Config| {
        tracewright_hdl::generate_rvfi_adapter(design, config).unwrap_err().to_string()
    };
    let said = refused(&stride, &RV32);
    assert_eq!(said, "stride-64 traces data addresses: the RVFI adapter shows control flow");
    let said = refused(&design(&[]), &Config { queue: queue(1, 8, 8), ..RV32 });
    assert_eq!(
        said,
        "`ingress_slack` = 8 does not fit: must be at most 7: ingress_queue = 8 less the 1 of a cycle"
    );
    let said = refused(&design(&[]), &Config { queue: queue(1, 65, 4), ..RV32 });
    assert_eq!(said, "`ingress_queue` = 65 does not fit: must be 2 to 64");
    let said = refused(&design(&[]), &Config { queue: queue(3, 8, 0), ..RV32 });
    assert_eq!(
        said,
        "`ingress_queue` = 8 does not fit: must be a multiple of the 3 entries that can come in a cycle"
    );
    let said = refused(&design(&[]), &Config { queue: queue(5, 10, 0), ..RV32 });
    assert_eq!(said, "`ingress_lanes` = 5 does not fit: must be 1 to 4");
    let said = refused(&design(&LOSES), &Config { queue: queue(2, 4, 0), ..RV32 });
    assert_eq!(
        said,
        "`ingress_queue` = 4 does not fit: must be at least 6, three cycles, with loss_pins = true"
    );
    let short = design(&[("retire_count_bits", "3")]);
    let said = refused(&short, &Config { queue: Queue::new(4), ..RV32 });
    assert_eq!(
        said,
        "`retire_count_bits` = 3 does not fit: must count the 8 instructions that NRET = 4 brings"
    );
}

#[test]
fn what_is_lost_is_told() {
    adapters::tells_what_is_lost(&design(&[]), &RV32, "rvfi_valid", 10);
}
