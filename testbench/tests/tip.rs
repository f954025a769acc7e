//! The adapter for the trace ingress port in Verilator against its model, with parameters at their extremes, and its lint.

use crate::common::{is_long, sample};
use crate::tip_hart::{Show, run, run_losses};
use tracewright_sim::ingress::Queue;
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{Config, Retirement};
use tracewright_testbench::lint::lint;
use tracewright_testbench::{BuildOptions, design::source};

const CLOCKS: u64 = 60_000;

/// One after the other, every kind of traffic.
fn shows() -> Vec<Show> {
    let show = Show { seed: 1, clocks: CLOCKS, bubbles: 0, stalls: 0, diversions: 0, flushes: 0 };
    vec![
        show,
        Show { seed: 2, diversions: 100, ..show },
        Show { seed: 3, bubbles: 30, stalls: 40, diversions: 30, flushes: 4, ..show },
        Show { seed: 4, stalls: 85, diversions: 5, flushes: 20, ..show },
        // Exceptions and interrupts back to back.
        Show { seed: 5, bubbles: 60, diversions: 700, flushes: 10, ..show },
        // Flushes that find the trace module busy and the hart at work.
        Show { seed: 6, bubbles: 60, stalls: 50, diversions: 20, flushes: 100, ..show },
    ]
}

type Case = (&'static str, &'static [(&'static str, &'static str)], Config);

const SINGLE: Config =
    Config { itype_bits: 4, retirement: Retirement::Single, queue: queue(1, 8, 4) };
const BLOCK: Config = Config { retirement: Retirement::Block, ..SINGLE };

const fn queue(lanes: u32, depth: u32, slack: u32) -> Queue {
    Queue { lanes, depth, slack }
}

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

fn design(preset: &str, changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset(preset).unwrap();
    for (name, value) in changes {
        design.set(name, value).unwrap();
    }
    design
}

#[test]
fn the_adapter_does_what_its_model_does() {
    for (preset, changes, config) in sample(3, CASES) {
        let design = design(preset, changes);
        let generated = tracewright_hdl::generate_tip_adapter(&design, &config).unwrap();
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
    let design = design("traptor-m4", &[("alignment", "1")]);
    let config = Config { queue: Queue::new(2), ..SINGLE };
    let generated = tracewright_hdl::generate_tip_adapter(&design, &config).unwrap();
    let library = source(&generated).build(&BuildOptions::default()).unwrap();
    let clocks = if is_long() { 1_000_000 } else { 100_000 };
    let show = Show { seed: 7, clocks, bubbles: 40, stalls: 20, diversions: 50, flushes: 1 };
    assert_eq!(run(&library, &design, &config, show), Ok(()));
}

const LOSES: &[(&str, &str)] =
    &[("framing", "packets"), ("when_full", "drop"), ("loss_pins", "true")];

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

fn cases_with_losses() -> impl Iterator<Item = (Design, Config)> {
    let case =
        |(preset, changes, config): Case| (design(preset, &[LOSES, changes].concat()), config);
    CASES_WITH_LOSSES.into_iter().map(case)
}

/// The hart does not wait. Every instruction is shown or lost, in its order, and the rest is what the model says.
#[test]
fn what_a_hart_loses_that_does_not_wait_is_counted() {
    let show = Show { seed: 1, clocks: CLOCKS, bubbles: 0, stalls: 0, diversions: 0, flushes: 0 };
    let shows = [
        Show { diversions: 500, ..show },
        Show { seed: 2, bubbles: 40, diversions: 900, flushes: 10, ..show },
        Show { seed: 3, bubbles: 20, diversions: 300, flushes: 20, ..show },
        Show { seed: 4, bubbles: 60, diversions: 20, flushes: 30, ..show },
    ];
    for (design, config) in sample(2, cases_with_losses()) {
        let generated = tracewright_hdl::generate_tip_adapter(&design, &config).unwrap();
        let library = source(&generated).build(&BuildOptions::default()).unwrap();
        for show in shows {
            match run_losses(&library, &design, &config, show) {
                Err(what) => panic!("{}, {config:?}, {show:?}: {what}", design.name),
                Ok((lost, of)) if show.seed == 1 => {
                    assert!(lost > of / 50, "{config:?}: {lost} of {of}");
                }
                Ok(_) => {}
            }
        }
    }
}

#[test]
fn three_tools_are_silent_about_it() {
    for (design, config) in sample(2, cases_with_losses()) {
        let generated = tracewright_hdl::generate_tip_adapter(&design, &config).unwrap();
        let findings = lint(&source(&generated).files, &generated.top).unwrap();
        assert!(findings.is_empty(), "{}, {config:?}: {}", design.name, findings[0]);
    }
    for (preset, changes, config) in sample(3, CASES) {
        let design = design(preset, changes);
        let generated = tracewright_hdl::generate_tip_adapter(&design, &config).unwrap();
        let findings = lint(&source(&generated).files, &generated.top).unwrap();
        assert!(findings.is_empty(), "{preset}, {changes:?}: {}", findings[0]);
    }
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

/// A hart that does not stop for `stall` is told that the trace is of no use.
#[test]
fn what_is_lost_is_told() {
    let generated =
        tracewright_hdl::generate_tip_adapter(&design("traptor-m4", &[]), &SINGLE).unwrap();
    let library = source(&generated).build(&BuildOptions::default()).unwrap();
    let mut model = tracewright_testbench::Model::new(&library, 1).unwrap();
    model.reset(2).unwrap();
    let lost = library.output("lost", 1).unwrap();
    let retires = library.input("tip_iretire", 1).unwrap();
    model.set(library.input("retire_stall", 1).unwrap(), 1);
    model.set(retires, 1);
    for _ in 0..9 {
        model.cycle().unwrap();
        assert_eq!(model.get(lost), 0);
    }
    for _ in 0..3 {
        model.cycle().unwrap();
        assert_eq!(model.get(lost), 1);
        model.set(retires, 0);
    }
}
