//! Faults in the adapter for several blocks in a cycle.

use tracewright_sim::blocks::Config;

use super::bench::Bench;
use crate::adapters::{LOSES, Show, design};

/// Every fault of the adapter of traptor-m4 for three blocks in a cycle.
pub fn bench() -> Bench<'static> {
    of_design("blocks", &[("alignment", "1")])
}

/// Every fault of one that loses blocks.
pub fn bench_of_losses() -> Bench<'static> {
    of_design("blocks-losses", &LOSES)
}

fn of_design(name: &'static str, changes: &[(&str, &str)]) -> Bench<'static> {
    let show = Show { clocks: 10_000, ..Show::CALM };
    let shows = [
        show,
        Show { seed: 2, bubbles: 40, stalls: 30, flushes: 20, ..show },
        Show { seed: 3, bubbles: 80, stalls: 20, flushes: 50, ..show },
    ];
    let config = Config { lanes: 3, depth: 12 };
    Bench::of_adapter(name, design("traptor-m4", changes), config, shows.into())
}
