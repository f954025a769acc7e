//! Faults in the adapter for several blocks in a cycle.

use tracewright_hdl::Part;
use tracewright_sim::blocks::Config;
use tracewright_sim::scheme::Design;

use super::bench::Bench;
use crate::blocks_core::{Show, run};

/// Every fault of the adapter of traptor-m4 for three blocks in a cycle.
pub fn bench() -> Bench<'static> {
    of_design("blocks", &[("alignment", "1")])
}

/// Every fault of one that loses blocks.
pub fn bench_of_losses() -> Bench<'static> {
    let drop = [("framing", "packets"), ("when_full", "drop"), ("loss_pins", "true")];
    of_design("blocks-losses", &drop)
}

fn of_design(name: &'static str, changes: &[(&str, &str)]) -> Bench<'static> {
    let mut design = Design::preset("traptor-m4").unwrap();
    for (parameter, value) in changes {
        design.set(parameter, value).unwrap();
    }
    let config = Config { lanes: 3, depth: 12 };
    let show = Show { seed: 1, clocks: 10_000, bubbles: 0, stalls: 0, flushes: 0 };
    let shows = [
        show,
        Show { seed: 2, bubbles: 40, stalls: 30, flushes: 20, ..show },
        Show { seed: 3, bubbles: 80, stalls: 20, flushes: 50, ..show },
    ];
    let part = (design.clone(), config);
    let check = move |library: &_| {
        shows.iter().find_map(|show| run(library, &design, &config, *show).err())
    };
    Bench::new(name, Part::Blocks(&part.0, &part.1), Box::new(check))
}
