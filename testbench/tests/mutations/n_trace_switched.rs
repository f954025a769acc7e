//! Faults in what N-Trace without packets has besides: requests, losses, ownership; and in exact lengths.

use tracewright_sim::event::{Event, Item};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::states::States;

use super::bench::{Bench, runs};
use super::e_trace::{MACHINE, events};
use super::n_trace::hard;

/// A core that does not wait, with histories that are soon full and come again.
pub fn history() -> Bench<'static> {
    bench(
        "ntrace-switched",
        "ntrace-htm",
        &[("history_bits", "3"), ("return_stack_entries", "2"), ("context_bits", "2")],
    )
    .only(&["record_former"])
}

/// The same with a message for each taken branch, which may come again.
pub fn branches() -> Bench<'static> {
    bench("ntrace-switched-branches", "ntrace-btm", &[("repeat_bits", "2")])
        .only(&["record_former"])
}

fn bench(name: &'static str, preset: &str, changes: &[(&str, &str)]) -> Bench<'static> {
    let mut design = Design::preset(preset).unwrap().for_machine(MACHINE).unwrap();
    let always = [
        ("enable_pin", "true"),
        ("when_full", "drop"),
        ("fifo_bits", "256"),
        ("trace_port_width", "32"),
        ("retire_count_bits", "3"),
        ("count_bits", "8"),
        ("privilege_bits", "2"),
        ("exact_lengths", "true"),
    ];
    for (name, value) in always.iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    let programs = [(41, 1 << 21), (42, 0xffc0_0000)].map(|(seed, code_span)| {
        let events = [hard(), events(seed, code_span), hard()].concat();
        let mut states = States::new(seed, design.protocol()).unwrap();
        let item = |event| {
            let state = states.after(&event);
            std::iter::once(Item::Event(event)).chain(state.map(Item::State))
        };
        events.into_iter().enumerate().map(with_length).flat_map(item).collect::<Vec<_>>()
    });
    let mut runs = runs(&programs);
    for (stimulus, _) in &mut runs {
        (stimulus.instruction_bytes, stimulus.every_length) = (2, true);
    }
    Bench::of_design(name, design, runs)
}

/// The event with a length of its instruction, which events that are written down have of calls alone.
fn with_length((number, event): (usize, Event)) -> Event {
    let length = if event.length == 0 { 2 + 2 * (number as u8 & 1) } else { event.length };
    Event { length, ..event }
}
