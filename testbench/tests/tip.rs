//! The adapter for the trace ingress port in Verilator against its model, with parameters at their extremes, and its lint.

use tracewright_sim::ingress::Queue;
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{Config, Retirement};

use crate::adapters::{self, LOSES, Show, design, queue};
use crate::common::sample;

type Case = (&'static str, &'static [(&'static str, &'static str)], Config);

const SINGLE: Config =
    Config { itype_bits: 4, retirement: Retirement::Single, queue: queue(1, 8, 4) };
const BLOCK: Config = Config { retirement: Retirement::Block, ..SINGLE };

const CASES: [Case; 12] = [
    ("traptor-m4", &[("alignment", "1")], SINGLE),
    ("nexs", &[("alignment", "1")], Config { itype_bits: 3, ..SINGLE }),
    (
        "stream-rbase-32",
        &[("retire_count_bits", "1"), ("reset", "asynchronous")],
        Config { queue: queue(1, 2, 0), ..SINGLE },
    ),
    ("traptor-m4", &[("alignment", "1")], BLOCK),
    (
        "ntuple-32x4",
        &[("retire_count_bits", "7")],
        Config { itype_bits: 3, queue: queue(1, 64, 63), ..BLOCK },
    ),
    (
        "talon-s",
        &[
            ("alignment", "1"),
            ("address_width", "64"),
            ("framing", "packets"),
            ("context_bits", "16"),
            ("privilege_bits", "2"),
            ("cause_bits", "6"),
        ],
        Config { queue: queue(1, 3, 1), ..SINGLE },
    ),
    (
        "traptor-m4",
        &[("address_width", "39"), ("alignment", "0"), ("framing", "packets"), ("cause_bits", "1")],
        BLOCK,
    ),
    ("traptor-m4", &[("alignment", "1")], Config { queue: queue(2, 16, 8), ..SINGLE }),
    (
        "nexs",
        &[("alignment", "1"), ("framing", "packets"), ("privilege_bits", "2"), ("cause_bits", "4")],
        Config { queue: queue(2, 2, 0), ..BLOCK },
    ),
    ("stream-base-128", &[], Config { itype_bits: 3, queue: queue(3, 24, 12), ..BLOCK }),
    (
        "talon-s",
        &[
            ("alignment", "1"),
            ("address_width", "64"),
            ("framing", "packets"),
            ("context_bits", "16"),
        ],
        Config { queue: queue(4, 32, 16), ..BLOCK },
    ),
    (
        "traptor-m4",
        &[("alignment", "0"), ("reset", "asynchronous")],
        Config { queue: queue(4, 4, 0), ..SINGLE },
    ),
];

const CASES_WITH_LOSSES: [Case; 6] = [
    ("traptor-m4", &[("alignment", "1")], Config { queue: queue(1, 3, 0), ..SINGLE }),
    (
        "nexs",
        &[("alignment", "1"), ("privilege_bits", "2"), ("cause_bits", "4")],
        Config { itype_bits: 3, queue: queue(2, 16, 8), ..BLOCK },
    ),
    ("stream-base-128", &[], Config { queue: queue(2, 6, 0), ..BLOCK }),
    (
        "traptor-m4",
        &[("alignment", "0"), ("reset", "asynchronous")],
        Config { queue: queue(3, 9, 0), ..SINGLE },
    ),
    (
        "talon-s",
        &[("alignment", "1"), ("address_width", "64"), ("context_bits", "16"), ("cause_bits", "6")],
        Config { queue: queue(4, 64, 0), ..BLOCK },
    ),
    ("nexs", &[("retire_count_bits", "1")], Config { queue: queue(4, 12, 0), ..SINGLE }),
];

fn cases() -> impl Iterator<Item = (Design, Config)> {
    CASES.into_iter().map(|(preset, changes, config)| (design(preset, changes), config))
}

fn cases_with_losses() -> impl Iterator<Item = (Design, Config)> {
    let case =
        |(preset, changes, config): Case| (design(preset, &[&LOSES, changes].concat()), config);
    CASES_WITH_LOSSES.into_iter().map(case)
}

#[test]
fn the_adapter_does_what_its_model_does() {
    // Exceptions and interrupts back to back.
    adapters::do_what_their_models_do(cases(), &Show::every(700));
}

#[test]
fn many_cycles_without_a_loss() {
    let config = Config { queue: Queue::new(2), ..SINGLE };
    let show = Show { seed: 7, bubbles: 40, stalls: 20, diversions: 50, flushes: 1, ..Show::CALM };
    adapters::runs_for_long(design("traptor-m4", &[("alignment", "1")]), config, show);
}

#[test]
fn what_a_hart_loses_that_does_not_wait_is_counted() {
    adapters::count_what_they_lose(cases_with_losses(), &Show::WITH_LOSSES);
}

#[test]
fn three_tools_are_silent_about_it() {
    adapters::are_free_of_lint(sample(2, cases_with_losses()));
    adapters::are_free_of_lint(sample(3, cases()));
}

#[test]
fn what_does_not_go_is_refused() {
    let refused = |preset: &str, config: Config| {
        let design = design(preset, &[]);
        tracewright_hdl::generate_tip_adapter(&design, &config).unwrap_err().to_string()
    };
    let said = refused("stride-64", SINGLE);
    assert_eq!(said, "stride-64 traces data addresses: the TIP adapter shows control flow");
    let said = refused("traptor-m4", Config { itype_bits: 5, ..SINGLE });
    assert_eq!(said, "`itype_bits` = 5 does not fit: must be 3 or 4");
    let said = refused("traptor-m4", Config { queue: queue(1, 8, 8), ..SINGLE });
    assert_eq!(
        said,
        "`ingress_slack` = 8 does not fit: must be at most 7: ingress_queue = 8 less the 1 of a cycle"
    );
    for preset in ["traptor-m4", "talon-s", "mctraptor-small-n2"] {
        let said = refused(preset, Config { itype_bits: 3, ..SINGLE });
        assert!(said.contains("predicts return addresses"), "{said}");
    }
}

#[test]
fn what_is_lost_is_told() {
    adapters::tells_what_is_lost(&design("traptor-m4", &[]), &SINGLE, "tip_iretire", 9);
}
