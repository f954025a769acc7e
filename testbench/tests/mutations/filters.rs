//! Faults in the filter, and in what leaves out what does not pass it.

use std::convert::Infallible;

use tracewright_hdl::Generated;
use tracewright_sim::event::{Event, Item};
use tracewright_sim::filter::{Mode, Range, Settings, Window};
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::synthetic::states::States;
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_testbench::cosim;
use tracewright_testbench::design::source;
use tracewright_testbench::stimulus::{Pace, Ready, Stimulus};
use tracewright_testbench::{BuildOptions, Cache};

use super::texts::{Fault, fault};

fn design() -> Design {
    let mut design = Design::preset("traptor-m4").unwrap();
    for (name, value) in [
        ("framing", "packets"),
        ("sync_interval", "1024"),
        ("background_clearing", "true"),
        ("enable_pin", "true"),
        ("context_bits", "3"),
        ("privilege_bits", "2"),
        ("filter_ranges", "2"),
        ("filter_privilege", "true"),
        ("filter_context", "true"),
        ("filter_window", "true"),
    ] {
        design.set(name, value).unwrap();
    }
    design
}

/// A program with exceptions and states, and where its runs begin.
fn program(design: &Design) -> (Vec<Item>, Vec<Event>) {
    let arm =
        |options: &Options| (options.machine.alignment, options.machine.address_bits) == (2, 32);
    let options = (1..).map(Options::from_seed).find(arm).unwrap();
    let options = Options { events: 6_000, exceptions: true, ..options };
    let mut states = States::new(1, design.protocol()).unwrap();
    let mut events = Vec::new();
    let item = |event: Event| {
        events.push(event);
        let state = states.after(&event);
        std::iter::once(Item::Event(event)).chain(state.map(Item::State))
    };
    let items = Synthetic::new(options).unwrap().flat_map(item).collect();
    events.retain(|event| event.taken);
    (items, events)
}

/// Settings with which each part of the filter decides something.
fn settings(events: &[Event]) -> [Settings; 4] {
    let mut targets: Vec<u64> = events.iter().map(|event| event.target).collect();
    targets.sort_unstable();
    let [quarter, middle, most] = [1, 2, 3].map(|part| targets[targets.len() * part / 4]);
    let range = |low, high, mode| Range { low, high, mode };
    let of_ranges = |ranges: [Range; 2]| Settings { ranges: ranges.into(), ..Settings::default() };
    let (start, stop) = (events[200].target, events[300].program_counter);
    [
        of_ranges([range(quarter, most, Mode::Include), range(middle, middle, Mode::Exclude)]),
        of_ranges([range(middle, middle, Mode::Include), range(most, most, Mode::Include)]),
        Settings { privileges: Some(0b1011), context: Some(0), ..Settings::default() },
        Settings { window: Some(Window { start, stop }), ..Settings::default() },
    ]
}

pub fn find_every_fault() {
    let design = design();
    let (items, events) = program(&design);
    let settings = settings(&events);
    let check = |generated: &Generated, cache: &Cache| {
        let options = BuildOptions { cache: Some(cache.clone()), ..BuildOptions::default() };
        let library = source(generated).build(&options).unwrap();
        let run = |(seed, filter): (u64, &Settings)| {
            let stimulus = Stimulus {
                seed,
                filter: filter.clone(),
                ready: if seed % 2 == 0 { Ready::Random } else { Ready::Always },
                pace: if seed == 1 { Pace::OneInstructionPerCycle } else { Pace::Dense },
                bubble_percent: 20,
                flush_interval: (seed == 2).then_some(300),
                sync_requests: true,
                ..Stimulus::default()
            };
            let options =
                cosim::Options { stimulus, watchdog_cycles: 20_000, ..cosim::Options::default() };
            let items = items.iter().copied().map(Ok::<_, Infallible>);
            cosim::run(&library, Encoder::new(&design).unwrap(), items, &options).unwrap()
        };
        let mut reports = (0..).zip(&settings).map(run);
        reports.find_map(|report| {
            assert!(report.failure.is_some() || report.filtered_instructions > 1_000, "{report:?}");
            report.failure.map(|failure| failure.to_string())
        })
    };
    let generated = tracewright_hdl::generate(&design).unwrap();
    super::texts::find_each("filters", &generated, FAULTS, 20, check);
}

const FILTER: &str = "_filter";
const SYNCHRONISER: &str = "_synchroniser";
const TOP: &str = ".v";

const FAULTS: &[Fault] = &[
    fault("a range has no first address", FILTER, "(begins_at >= first_place_0) & ", ""),
    fault("a range has no last address", FILTER, " & (begins_at <= last_place_0)", ""),
    fault("the first address is not in a range", FILTER, ">= first_place_0", "> first_place_0"),
    fault("the last address is not in a range", FILTER, "<= last_place_1", "< last_place_1"),
    fault("no range is left out", FILTER, " & !(|(hits & pins_excludes))", ""),
    fault("without ranges nothing passes", FILTER, " | !(|pins_includes)", ""),
    fault(
        "privilege levels are turned round",
        FILTER,
        "= !passes_state_part",
        "= passes_state_part",
    ),
    fault("a context is compared that is not set", FILTER, "pins_has_context && (", "1'b1 && ("),
    fault("no context is compared", FILTER, "pins_has_context && (", "1'b0 && ("),
    fault(
        "the window never opens",
        FILTER,
        "passes_window = 1'b1",
        "passes_window = window_is_open",
    ),
    fault(
        "the window never closes",
        FILTER,
        "passes_window = 1'b0",
        "passes_window = window_is_open",
    ),
    fault("a window is there always", FILTER, " | !pins_has_window", ""),
    fault("there is a decision in every cycle", FILTER, "if (ends_run)", "if (1'b1)"),
    fault("nothing passes before a decision", FILTER, "traces <= 1'b1;", "traces <= 1'b0;"),
    fault(
        "the window is open after reset",
        FILTER,
        "window_is_open <= 1'b0",
        "window_is_open <= 1'b1",
    ),
    fault(
        "a run ends with a straight block",
        SYNCHRONISER,
        "is_shown & may_change_flow",
        "is_shown",
    ),
    fault(
        "a lost block decides nothing",
        SYNCHRONISER,
        "ends_run = is_shown",
        "ends_run = retire_valid",
    ),
    fault("what does not pass is taken", SYNCHRONISER, "& !is_losing & passes;", "& !is_losing;"),
    fault("a core waits for what does not pass", SYNCHRONISER, "skips = !passes | ", "skips = "),
    fault("a run that passes is lost", SYNCHRONISER, "(is_losing & !resumes)", "is_losing"),
    fault("the cause is another one", SYNCHRONISER, "if (!passes) begin", "if (1'b0) begin"),
    fault(
        "the trace goes on where nothing passes",
        SYNCHRONISER,
        "!is_off & next_passes",
        "!is_off",
    ),
    fault(
        "a core does not wait for the trace",
        SYNCHRONISER,
        "resumes <= ends_loss",
        "resumes <= 1'b0",
    ),
    fault("a range has the address of another", TOP, "(filter_low_0)", "(filter_low_1)"),
];
