//! Faults in the RVFI adapter, which is shown a core of its own and not a trace module's blocks.

use tracewright_sim::rvfi::{Compressed, Config, Pins, Trapped, Xlen};

use super::bench::Bench;
use crate::adapters::{LOSES, Show, design, queue};

const SHOW: Show = Show { clocks: 20_000, ..Show::CALM };

/// Runs that end soon after reset.
const STARTS: usize = 120;

/// What code with compressed instructions needs.
const COMPRESSED: (&str, &str) = ("alignment", "1");

/// Every fault of the adapter of traptor-m4 for compressed code with one channel.
pub fn bench() -> Bench<'static> {
    of_config("rvfi", Config::new(Xlen::Rv32, 1))
}

/// Every fault of one with three channels.
pub fn bench_of_channels() -> Bench<'static> {
    of_config("rvfi-channels", Config::new(Xlen::Rv32, 3))
}

/// Every fault of one for words that are expanded, whose traps may have retired.
pub fn bench_of_expanded() -> Bench<'static> {
    let config = Config {
        compressed: Compressed::Expanded,
        trap: Trapped::Checked,
        ..Config::new(Xlen::Rv32, 1)
    };
    of_design("rvfi-expanded", &[COMPRESSED, ("expanded_words", "true")], config)
}

/// Every fault of one for a port without next addresses, whose lanes are numbered.
pub fn bench_of_retired() -> Bench<'static> {
    let pins = Pins { trap: true, number: true, ..Pins::default() };
    let config = Config { pins, compressed: Compressed::Pin, ..Config::retired(Xlen::Rv32, 2) };
    of_design("retired", &[COMPRESSED, ("exact_lengths", "true")], config)
}

fn of_config(name: &'static str, config: Config) -> Bench<'static> {
    of_design(name, &[COMPRESSED], config)
}

fn of_design(name: &'static str, changes: &[(&str, &str)], config: Config) -> Bench<'static> {
    let shows = [
        SHOW,
        Show { seed: 2, bubbles: 30, stalls: 40, diversions: 50, flushes: 10, ..SHOW },
        Show { seed: 3, bubbles: 5, stalls: 80, diversions: 10, flushes: 10, ..SHOW },
        Show { seed: 4, bubbles: 60, stalls: 50, diversions: 20, flushes: 100, ..SHOW },
        Show { seed: 7, clocks: 2_000, bubbles: 90, ..SHOW },
    ];
    // A flush often finds one that traps, and the queue full.
    let traps = [
        Show { seed: 8, clocks: 100_000, bubbles: 60, stalls: 50, diversions: 200, flushes: 100 },
        Show { seed: 9, clocks: 60_000, stalls: 90, diversions: 700, flushes: 50, ..SHOW },
    ];
    // The first instruction after reset, in any lane, and flushes before it.
    let starts = (0..STARTS).map(|start| {
        let (bubbles, flushes) = ([50, 90][start % 2], [0, 100][start / 2 % 2]);
        let seed = 100 + start as u64;
        Show { seed, clocks: 220, bubbles, flushes, ..SHOW }
    });
    let shows = shows.into_iter().chain(traps).chain(starts).collect();
    Bench::of_adapter(name, design("traptor-m4", changes), config, shows)
}

/// Every fault of an adapter in front of a module that loses blocks.
pub fn bench_of_losses() -> Bench<'static> {
    let shows = [
        Show { diversions: 500, ..SHOW },
        Show { seed: 2, bubbles: 40, diversions: 900, flushes: 10, ..SHOW },
        Show { seed: 3, bubbles: 20, diversions: 100, flushes: 10, ..SHOW },
        Show { seed: 4, bubbles: 85, diversions: 20, flushes: 30, ..SHOW },
        // A core that goes on slowly during a flush.
        Show { seed: 5, bubbles: 97, diversions: 20, flushes: 30, ..SHOW },
    ];
    let design = design("traptor-m4", &[&[COMPRESSED][..], &LOSES].concat());
    let config = Config::of_queue(Xlen::Rv32, queue(3, 12, 0));
    Bench::of_adapter("rvfi-losses", design, config, shows.into())
}
