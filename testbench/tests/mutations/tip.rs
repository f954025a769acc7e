//! What finds faults in the adapter for the trace ingress port, which is shown a hart of its own and not a trace module's
//! blocks.

use tracewright_hdl::Part;
use tracewright_sim::ingress::Queue;
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{Config, Retirement};

use super::bench::Bench;
use crate::tip_hart::{Show, run, run_losses};

const SHOW: Show =
    Show { seed: 1, clocks: 20_000, bubbles: 0, stalls: 0, diversions: 0, flushes: 0 };

const STATE: &[(&str, &str)] =
    &[("framing", "packets"), ("context_bits", "8"), ("privilege_bits", "2"), ("cause_bits", "6")];

fn design(preset: &str, changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset(preset).unwrap();
    for (name, value) in [("alignment", "1")].iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    design
}

/// An adapter for single instructions with the state of the hart.
pub fn bench() -> Bench<'static> {
    of_config("tip", design("traptor-m4", STATE), Config::default())
}

/// One for two instructions in a cycle.
pub fn bench_of_lanes() -> Bench<'static> {
    let config = Config { queue: Queue::new(2), ..Config::default() };
    of_config("tip-lanes", design("traptor-m4", STATE), config)
}

/// One for blocks with an `itype` of 3 bits.
pub fn bench_of_blocks() -> Bench<'static> {
    let config = Config { itype_bits: 3, retirement: Retirement::Block, ..Config::default() };
    of_config("tip-blocks", design("nexs", &[]), config)
}

fn of_config(name: &'static str, design: Design, config: Config) -> Bench<'static> {
    let shows = [
        SHOW,
        Show { seed: 2, bubbles: 30, stalls: 40, diversions: 50, flushes: 10, ..SHOW },
        Show { seed: 3, bubbles: 5, stalls: 80, diversions: 10, flushes: 10, ..SHOW },
        Show { seed: 4, bubbles: 60, diversions: 700, flushes: 10, ..SHOW },
        Show { seed: 5, bubbles: 60, stalls: 50, diversions: 20, flushes: 100, ..SHOW },
    ];
    let part = (design.clone(), config);
    let check = move |library: &_| {
        shows.iter().find_map(|show| run(library, &design, &config, *show).err())
    };
    Bench::new(name, Part::Tip(&part.0, &part.1), Box::new(check))
}

/// Every fault of one in front of a module that loses blocks.
pub fn bench_of_losses() -> Bench<'static> {
    let loses =
        [("cause_bits", "5"), ("framing", "packets"), ("when_full", "drop"), ("loss_pins", "true")];
    let design = design("traptor-m4", &loses);
    let queue = Queue { lanes: 3, depth: 12, slack: 0 };
    let config = Config { retirement: Retirement::Block, queue, ..Config::default() };
    let shows = [
        Show { diversions: 500, ..SHOW },
        Show { seed: 2, bubbles: 40, diversions: 900, flushes: 10, ..SHOW },
        Show { seed: 3, bubbles: 60, diversions: 100, flushes: 20, ..SHOW },
    ];
    let part = (design.clone(), config);
    let check = move |library: &_| {
        shows.iter().find_map(|show| run_losses(library, &design, &config, *show).err())
    };
    Bench::new("tip-losses", Part::Tip(&part.0, &part.1), Box::new(check))
}
