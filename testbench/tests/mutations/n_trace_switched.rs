//! Faults in what N-Trace without packets has besides: requests, losses, ownership, the time; and in exact lengths.

use tracewright_sim::event::{Event, Item, Kind};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::states::States;

use super::bench::{Bench, runs};
use super::e_trace::{MACHINE, events};
use super::n_trace::{beginnings, hard, jumps, returned};

/// A core that does not wait, with histories that are soon full and come again.
pub fn bench() -> Bench<'static> {
    bench_of("ntrace-switched", "ntrace-htm").only(&["record_former", "time_keeper"])
}

/// The same with a message for each taken branch.
pub fn branch_bench() -> Bench<'static> {
    bench_of("ntrace-switched-branches", "ntrace-btm").only(&["record_former"])
}

fn bench_of(name: &'static str, preset: &str) -> Bench<'static> {
    let mut design = Design::preset(preset).unwrap().for_machine(MACHINE).unwrap();
    for (name, value) in [
        ("enable_pin", "true"),
        ("when_full", "drop"),
        ("fifo_bits", "256"),
        ("trace_port_width", "32"),
        ("retire_count_bits", "3"),
        ("count_bits", "8"),
        ("history_bits", "3"),
        ("repeat_bits", "2"),
        ("return_stack_entries", "2"),
        ("privilege_bits", "2"),
        ("context_bits", "2"),
        ("exact_lengths", "true"),
        ("time_bits", "8"),
        ("time_source", "gray"),
    ] {
        design.set(name, value).unwrap();
    }
    let programs = [(41, 1 << 21), (42, 0xffc0_0000)].map(|(seed, code_span)| {
        // A request comes while a branch comes again, and branches differ in nothing but the highest bit of their count.
        let [jump, far] = jumps();
        // And while returns are inferred.
        let again =
            [[jump, far, far, jump].repeat(8), vec![jump; 600], returned().repeat(900)].concat();
        let events = [again, hard(), events(seed, code_span), hard(), beginnings()].concat();
        let mut states = States::new(seed, design.protocol()).unwrap();
        let item = |event| {
            let state = states.after(&event);
            std::iter::once(Item::Event(event)).chain(state.map(Item::State))
        };
        events.into_iter().map(with_length).flat_map(item).collect::<Vec<_>>()
    });
    let mut runs = runs(&programs);
    for (stimulus, _) in &mut runs {
        (stimulus.instruction_bytes, stimulus.every_length) = (2, true);
        // Else what comes right after a flush is lost.
        stimulus.pauses = stimulus.flush_interval.is_some_and(|events| events < 10);
    }
    Bench::of_design(name, design, runs)
}

/// The event with a length of its instruction, which events that are written down have of calls alone: the longest one at the
/// end of a straight run.
fn with_length(event: Event) -> Event {
    let is_straight = event.kind == Kind::Exception && !event.taken;
    let length = match event.length {
        0 if is_straight => 14,
        0 => 4,
        length => length,
    };
    Event { length, ..event }
}
