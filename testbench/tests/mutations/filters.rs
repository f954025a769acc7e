//! Faults in the filter, and in what leaves out what does not pass it.

use tracewright_sim::event::Event;
use tracewright_sim::filter::{Mode, Range, Settings, Window};

use super::bench::Bench;
use super::packets::{EVENTS, design, programs, varied_runs};
use super::states::with_states;

/// A filter of ranges, privilege levels, contexts and a window, each in runs in which it decides.
pub fn bench() -> Bench<'static> {
    let design = design(&[
        ("background_clearing", "true"),
        ("enable_pin", "true"),
        ("context_bits", "3"),
        ("privilege_bits", "2"),
        ("filter_ranges", "2"),
        ("filter_privilege", "true"),
        ("filter_context", "true"),
        ("filter_window", "true"),
    ]);
    let programs = programs(EVENTS);
    let settings = programs.each_ref().map(|events| settings(events));
    let mut runs = varied_runs(&programs.map(|events| with_states(events, &design)));
    for (number, (stimulus, _)) in runs.iter_mut().enumerate() {
        stimulus.filter = settings[number % 2][number % 5].clone();
    }
    Bench::of_design("filters", design, runs)
}

/// Settings with which each part of the filter decides something.
fn settings(events: &[Event]) -> [Settings; 5] {
    let taken: Vec<&Event> = events.iter().filter(|event| event.taken).collect();
    let mut targets: Vec<u64> = taken.iter().map(|event| event.target).collect();
    targets.sort_unstable();
    let [quarter, middle, most] = [1, 2, 3].map(|part| targets[targets.len() * part / 4]);
    let range = |low, high, mode| Range { low, high, mode };
    let of_ranges = |ranges: [Range; 2]| Settings { ranges: ranges.into(), ..Settings::default() };
    let (start, stop) = (taken[200].target, taken[300].program_counter);
    [
        of_ranges([range(quarter, most, Mode::Include), range(middle, middle, Mode::Exclude)]),
        of_ranges([range(middle, middle, Mode::Include), range(most, most, Mode::Include)]),
        Settings { window: Some(Window { start, stop }), ..Settings::default() },
        Settings { privileges: Some(0b1011), context: Some(0), ..Settings::default() },
        // Each ends right before a place where runs begin.
        of_ranges([range(0, middle - 4, Mode::Include), range(0, quarter - 4, Mode::Exclude)]),
    ]
}
