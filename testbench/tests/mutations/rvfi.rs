//! Faults in the RVFI adapter, which is shown a core of its own and not a trace module's blocks.

use tracewright_hdl::Part;
use tracewright_sim::ingress::Queue;
use tracewright_sim::rvfi::{Config, Xlen};
use tracewright_sim::scheme::Design;

use super::bench::Bench;
use crate::rvfi_core::{Show, run, run_losses};

const SHOW: Show =
    Show { seed: 1, clocks: 20_000, bubbles: 0, stalls: 0, diversions: 0, flushes: 0 };

fn design(changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset("traptor-m4").unwrap();
    for (name, value) in [("alignment", "1")].iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    design
}

/// Every fault of the adapter of traptor-m4 for compressed code with one channel.
pub fn bench() -> Bench<'static> {
    of_config("rvfi", Config::new(Xlen::Rv32, 1))
}

/// Every fault of one with three channels.
pub fn bench_of_channels() -> Bench<'static> {
    of_config("rvfi-channels", Config::new(Xlen::Rv32, 3))
}

fn of_config(name: &'static str, config: Config) -> Bench<'static> {
    let design = design(&[]);
    let shows = [
        SHOW,
        Show { seed: 2, bubbles: 30, stalls: 40, diversions: 50, flushes: 10, ..SHOW },
        Show { seed: 3, bubbles: 5, stalls: 80, diversions: 10, flushes: 10, ..SHOW },
        Show { seed: 4, bubbles: 60, stalls: 50, diversions: 20, flushes: 100, ..SHOW },
        Show { seed: 7, clocks: 2_000, bubbles: 90, ..SHOW },
    ];
    let part = (design.clone(), config);
    let check = move |library: &_| {
        shows.iter().find_map(|show| run(library, &design, &config, *show).err())
    };
    Bench::new(name, Part::Rvfi(&part.0, &part.1), Box::new(check))
}

/// Every fault of an adapter in front of a module that loses blocks.
pub fn bench_of_losses() -> Bench<'static> {
    let design = design(&[("framing", "packets"), ("when_full", "drop"), ("loss_pins", "true")]);
    let config = Config { xlen: Xlen::Rv32, queue: Queue { lanes: 3, depth: 12, slack: 0 } };
    let shows = [
        Show { diversions: 500, ..SHOW },
        Show { seed: 2, bubbles: 40, diversions: 900, flushes: 10, ..SHOW },
        Show { seed: 3, bubbles: 20, diversions: 100, flushes: 10, ..SHOW },
    ];
    let part = (design.clone(), config);
    let check = move |library: &_| {
        shows.iter().find_map(|show| run_losses(library, &design, &config, *show).err())
    };
    Bench::new("rvfi-losses", Part::Rvfi(&part.0, &part.1), Box::new(check))
}
