//! Faults in what E-Trace without packets has besides: ends of parts, losses, where the trace goes on, the time, and the
//! value at the end of a trap.

use tracewright_sim::event::{Event, Kind};
use tracewright_sim::filter::{Mode, Range, Settings};
use tracewright_sim::scheme::Design;

use super::bench::{Bench, runs};
use super::e_trace::{MACHINE, events, taken};
use crate::packets::with_states;

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
    let programs = [41, 42].map(|seed| with_states(&design, seed, &events(seed, 1 << 21)));
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

/// The signals that tell the value of a trap.
const VALUES: &[&str] = &[
    "trap_value",
    "trap_value_size",
    "trap_value_sign",
    "trap_value_magnitude",
    "trap_value_found",
    "trap_value_sent",
    "trap_value_cut",
];

/// A core that waits, with exceptions whose traps end in a value.
pub fn values() -> Bench<'static> {
    let mut design = Design::preset("etrace-base").unwrap().for_machine(MACHINE).unwrap();
    for (name, value) in [
        ("enable_pin", "true"),
        ("trace_port_width", "32"),
        ("cause_bits", "3"),
        ("trap_values", "true"),
    ] {
        design.set(name, value).unwrap();
    }
    let programs = [43, 44].map(|seed| with_states(&design, seed, &exceptions().repeat(1_500)));
    Bench::of_design("etrace-values", design, runs(&programs))
        .only(&["payload_cut", "record_former"])
        .only_signals(VALUES)
}

/// An exception after a branch, and another at the target of a jump.
fn exceptions() -> [Event; 5] {
    [
        taken(Kind::DirectConditional, 2),
        taken(Kind::Exception, 3),
        taken(Kind::IndirectJump, 1),
        taken(Kind::Exception, 0),
        taken(Kind::DirectJump, 1),
    ]
}
