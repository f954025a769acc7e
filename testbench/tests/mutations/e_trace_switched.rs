//! Faults in what E-Trace without packets has besides: ends of parts, losses, where the trace goes on, and the time.

use tracewright_sim::event::Item;
use tracewright_sim::filter::{Mode, Range, Settings};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::states::States;

use super::bench::{Bench, runs};
use super::e_trace::{MACHINE, events};

/// Modules whose other faults the benches of designs with packets find.
const MODULES: &[&str] = &["loss", "qualifier", "resync", "time_keeper"];

/// A core that does not wait, and a filter that lets about every second run pass.
pub fn bench() -> Bench<'static> {
    let mut design = Design::preset("etrace-base").unwrap().for_machine(MACHINE).unwrap();
    for (name, value) in [
        ("enable_pin", "true"),
        ("when_full", "drop"),
        ("fifo_bits", "256"),
        ("trace_port_width", "32"),
        ("retire_count_bits", "3"),
        ("privilege_bits", "2"),
        ("cause_bits", "4"),
        ("filter_ranges", "1"),
        ("resync_max", "3"),
        ("time_bits", "9"),
        ("time_source", "gray"),
    ] {
        design.set(name, value).unwrap();
    }
    let programs = [41, 42].map(|seed| {
        let mut states = States::new(seed, design.protocol()).unwrap();
        let item = |event| {
            let state = states.after(&event);
            std::iter::once(Item::Event(event)).chain(state.map(Item::State))
        };
        events(seed, 1 << 21).into_iter().flat_map(item).collect::<Vec<_>>()
    });
    let low = 0x000f_0000;
    let range = Range { low, high: low + (1 << 19), mode: Mode::Include };
    let filter = Settings { ranges: vec![range], ..Settings::default() };
    let mut runs = runs(&programs);
    for (stimulus, _) in runs.iter_mut().step_by(2) {
        stimulus.filter = filter.clone();
    }
    for (stimulus, _) in &mut runs {
        stimulus.instruction_bytes = 2;
    }
    Bench::of_design("etrace-switched", design, runs).only(MODULES)
}
