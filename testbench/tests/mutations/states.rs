//! Faults in what tells contexts, privilege levels, causes and times.

use tracewright_sim::event::{Event, ExecutionState, Item, Kind};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::states::States;

use super::bench::Bench;
use super::packets::{EVENTS, design, programs, varied_runs};

/// Synchronisations that clear the tables, and those of states, which keep them.
pub fn bench() -> Bench<'static> {
    let design = design(&[
        ("context_bits", "8"),
        ("privilege_bits", "2"),
        ("cause_bits", "4"),
        ("time_bits", "16"),
        ("time_source", "gray"),
    ]);
    let programs = programs(EVENTS).map(|events| with_states(events, &design));
    Bench::of_design("states", design, varied_runs(&programs))
}

/// The same program, whose context changes with the first event after each flush, and elsewhere.
pub fn with_states(events: Vec<Event>, design: &Design) -> Vec<Item> {
    let mut states = States::new(events.len() as u64, design.protocol()).unwrap();
    let mut context = 0;
    let item = |(number, event): (usize, Event)| {
        let mut state = states.after(&event);
        if number % 1000 == 0 && event.kind != Kind::Exception {
            context = (context + 1) % 8;
            state = Some(ExecutionState { context, privilege: 3, cause: None });
        }
        std::iter::once(Item::Event(event)).chain(state.map(Item::State))
    };
    events.into_iter().enumerate().flat_map(item).collect()
}
