//! The RVFI adapter in Verilator against its model, with parameters at their extremes, and its lint.

use crate::common::{is_long, sample};
use crate::rvfi_core::{Show, run, run_losses};
use tracewright_sim::ingress::Queue;
use tracewright_sim::rvfi::{Config, Xlen};
use tracewright_sim::scheme::Design;
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
        Show { seed: 5, bubbles: 60, diversions: 300, flushes: 10, ..show },
        // Flushes that find the trace module busy and the core at work.
        Show { seed: 6, bubbles: 60, stalls: 50, diversions: 20, flushes: 100, ..show },
    ]
}

fn design(changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset("traptor-m4").unwrap();
    for (name, value) in changes {
        design.set(name, value).unwrap();
    }
    design
}

type Case = (&'static [(&'static str, &'static str)], Config);

const RV32: Config = Config { xlen: Xlen::Rv32, queue: queue(1, 8, 4) };

const fn queue(lanes: u32, depth: u32, slack: u32) -> Queue {
    Queue { lanes, depth, slack }
}

const CASES: [Case; 12] = [
    (&[("alignment", "1")], RV32),
    (&[("alignment", "2"), ("retire_count_bits", "1")], Config { queue: queue(1, 2, 0), ..RV32 }),
    (
        &[("alignment", "1"), ("retire_count_bits", "10"), ("reset", "asynchronous")],
        Config { queue: queue(1, 64, 63), ..RV32 },
    ),
    (&[("alignment", "0"), ("retire_count_bits", "2")], Config { queue: queue(1, 5, 1), ..RV32 }),
    (
        &[("alignment", "1"), ("address_width", "64")],
        Config { xlen: Xlen::Rv64, queue: queue(1, 3, 1) },
    ),
    (
        &[("alignment", "1"), ("address_width", "39"), ("exact_lengths", "true")],
        Config { xlen: Xlen::Rv64, ..RV32 },
    ),
    (&[("alignment", "1"), ("exact_lengths", "true")], Config { queue: queue(2, 16, 8), ..RV32 }),
    (
        &[("alignment", "1"), ("retire_count_bits", "3"), ("address_width", "64")],
        Config { xlen: Xlen::Rv64, queue: queue(2, 2, 0) },
    ),
    (
        &[("alignment", "2"), ("retire_count_bits", "3"), ("reset", "asynchronous")],
        Config { queue: queue(3, 24, 12), ..RV32 },
    ),
    (&[("alignment", "0"), ("retire_count_bits", "10")], Config { queue: queue(3, 3, 0), ..RV32 }),
    (
        &[("alignment", "1"), ("address_width", "64")],
        Config { xlen: Xlen::Rv64, queue: queue(4, 32, 16) },
    ),
    (&[("alignment", "1")], Config { queue: queue(4, 64, 60), ..RV32 }),
];

#[test]
fn the_adapter_does_what_its_model_does() {
    for (changes, config) in sample(3, CASES) {
        let design = design(changes);
        let generated = tracewright_hdl::generate_rvfi_adapter(&design, &config).unwrap();
        let library = source(&generated).build(&BuildOptions::default()).unwrap();
        for show in shows() {
            if let Err(what) = run(&library, &design, &config, show) {
                panic!("{changes:?}, {config:?}, {show:?}: {what}");
            }
        }
    }
}

#[test]
fn many_cycles_without_a_loss() {
    let (design, config) = (design(&[("alignment", "1")]), Config::new(Xlen::Rv32, 2));
    let generated = tracewright_hdl::generate_rvfi_adapter(&design, &config).unwrap();
    let library = source(&generated).build(&BuildOptions::default()).unwrap();
    let clocks = if is_long() { 1_000_000 } else { 100_000 };
    let show = Show { seed: 7, clocks, bubbles: 30, stalls: 20, diversions: 5, flushes: 1 };
    assert_eq!(run(&library, &design, &config, show), Ok(()));
}

const LOSES: &[(&str, &str)] =
    &[("framing", "packets"), ("when_full", "drop"), ("loss_pins", "true")];

const CASES_WITH_LOSSES: [Case; 6] = [
    (&[("alignment", "1")], Config { queue: queue(1, 3, 0), ..RV32 }),
    (&[("alignment", "1"), ("retire_count_bits", "1")], RV32),
    (&[("alignment", "1"), ("exact_lengths", "true")], Config { queue: queue(2, 16, 8), ..RV32 }),
    (
        &[("alignment", "1"), ("retire_count_bits", "3"), ("address_width", "64")],
        Config { xlen: Xlen::Rv64, queue: queue(2, 6, 0) },
    ),
    (
        &[("alignment", "2"), ("retire_count_bits", "3"), ("reset", "asynchronous")],
        Config { queue: queue(3, 9, 0), ..RV32 },
    ),
    (
        &[("alignment", "1"), ("address_width", "64")],
        Config { xlen: Xlen::Rv64, queue: queue(4, 64, 0) },
    ),
];

fn cases_with_losses() -> impl Iterator<Item = (Design, Config)> {
    CASES_WITH_LOSSES
        .into_iter()
        .map(|(changes, config)| (design(&[LOSES, changes].concat()), config))
}

/// The core does not wait. Every instruction is shown or lost, in its order, and the rest is what the model says.
#[test]
fn what_a_core_loses_that_does_not_wait_is_counted() {
    let show = Show { seed: 1, clocks: CLOCKS, bubbles: 0, stalls: 0, diversions: 0, flushes: 0 };
    let shows = [
        Show { diversions: 500, ..show },
        Show { seed: 2, bubbles: 40, diversions: 900, flushes: 10, ..show },
        Show { seed: 3, bubbles: 20, diversions: 300, flushes: 20, ..show },
        Show { seed: 4, bubbles: 60, diversions: 20, flushes: 30, ..show },
    ];
    for (design, config) in sample(2, cases_with_losses()) {
        let generated = tracewright_hdl::generate_rvfi_adapter(&design, &config).unwrap();
        let library = source(&generated).build(&BuildOptions::default()).unwrap();
        for show in shows {
            match run_losses(&library, &design, &config, show) {
                Err(what) => panic!("{config:?}, {show:?}: {what}"),
                Ok((lost, of)) if show.seed == 1 => {
                    assert!(lost > of / 50, "{config:?}: {lost} of {of}")
                }
                Ok(_) => {}
            }
        }
    }
}

#[test]
fn three_tools_are_silent_about_it() {
    for (design, config) in sample(2, cases_with_losses()) {
        let generated = tracewright_hdl::generate_rvfi_adapter(&design, &config).unwrap();
        let findings = lint(&source(&generated).files, &generated.top).unwrap();
        assert!(findings.is_empty(), "{config:?}: {}", findings[0]);
    }
    for (changes, config) in sample(3, CASES) {
        let generated = tracewright_hdl::generate_rvfi_adapter(&design(changes), &config).unwrap();
        let findings = lint(&source(&generated).files, &generated.top).unwrap();
        assert!(findings.is_empty(), "{changes:?}: {}", findings[0]);
    }
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
    let said = refused(&design(LOSES), &Config { queue: queue(2, 4, 0), ..RV32 });
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

/// A core that does not stop for `stall` is told that the trace is of no use.
#[test]
fn what_is_lost_is_told() {
    let generated = tracewright_hdl::generate_rvfi_adapter(&design(&[]), &RV32).unwrap();
    let library = source(&generated).build(&BuildOptions::default()).unwrap();
    let mut model = tracewright_testbench::Model::new(&library, 1).unwrap();
    model.reset(2).unwrap();
    let lost = library.output("lost", 1).unwrap();
    model.set(library.input("retire_stall", 1).unwrap(), 1);
    model.set(library.input("rvfi_valid", 1).unwrap(), 1);
    for _ in 0..9 {
        model.cycle().unwrap();
        assert_eq!(model.get(lost), 0);
    }
    for _ in 0..3 {
        model.cycle().unwrap();
        assert_eq!(model.get(lost), 1);
        model.set(library.input("rvfi_valid", 1).unwrap(), 0);
        model.set(library.input("retire_stall", 1).unwrap(), 0);
    }
}
