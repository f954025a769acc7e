//! What finds faults in the adapter for the trace ingress port, which is shown a hart of its own and not a trace module's
//! blocks.

use tracewright_sim::ingress::Queue;
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{Config, Retirement};

use super::bench::Bench;
use crate::adapters::{LOSES, Show, design, queue};

const SHOW: Show = Show { clocks: 20_000, ..Show::CALM };

/// What code with compressed instructions needs.
const COMPRESSED: (&str, &str) = ("alignment", "1");

/// Packets with everything that the port says of a hart.
const STATE: [(&str, &str); 5] = [
    COMPRESSED,
    ("framing", "packets"),
    ("context_bits", "8"),
    ("privilege_bits", "2"),
    ("cause_bits", "6"),
];

/// An adapter for single instructions with the state of the hart.
pub fn bench() -> Bench<'static> {
    of_config("tip", design("traptor-m4", &STATE), Config::default())
}

/// One for two instructions in a cycle.
pub fn bench_of_lanes() -> Bench<'static> {
    let config = Config { queue: Queue::new(2), ..Config::default() };
    of_config("tip-lanes", design("traptor-m4", &STATE), config)
}

/// One for blocks with an `itype` of 3 bits.
pub fn bench_of_blocks() -> Bench<'static> {
    let config = Config { itype_bits: 3, retirement: Retirement::Block, ..Config::default() };
    of_config("tip-blocks", design("nexs", &[COMPRESSED]), config)
}

fn of_config(name: &'static str, design: Design, config: Config) -> Bench<'static> {
    let shows = [
        SHOW,
        Show { seed: 2, bubbles: 30, stalls: 40, diversions: 50, flushes: 10, ..SHOW },
        Show { seed: 3, bubbles: 5, stalls: 80, diversions: 10, flushes: 10, ..SHOW },
        Show { seed: 4, bubbles: 60, diversions: 700, flushes: 10, ..SHOW },
        Show { seed: 5, bubbles: 60, stalls: 50, diversions: 20, flushes: 100, ..SHOW },
    ];
    Bench::of_adapter(name, design, config, shows.into())
}

/// Every fault of one in front of a module that loses blocks.
pub fn bench_of_losses() -> Bench<'static> {
    let design = design("traptor-m4", &[&[COMPRESSED, ("cause_bits", "5")][..], &LOSES].concat());
    let queue = queue(3, 12, 0);
    let config = Config { retirement: Retirement::Block, queue, ..Config::default() };
    let shows = [
        Show { diversions: 500, ..SHOW },
        Show { seed: 2, bubbles: 40, diversions: 900, flushes: 10, ..SHOW },
        Show { seed: 3, bubbles: 60, diversions: 100, flushes: 20, ..SHOW },
    ];
    Bench::of_adapter("tip-losses", design, config, shows.into())
}
