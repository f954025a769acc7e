//! Faults in what tells contexts, privilege levels, causes and times.

use tracewright_sim::event::{Event, ExecutionState, Item, Kind};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::states::States;
use tracewright_sim::synthetic::{Options, Synthetic};

use super::subject::Subject;
use super::texts::{Fault, fault};

/// Synchronisations that clear the tables, and those of states, which keep them.
pub fn subject() -> Subject<Item> {
    let mut design = Design::preset("traptor-m4").unwrap();
    for (name, value) in [
        ("framing", "packets"),
        ("sync_interval", "1024"),
        ("context_bits", "8"),
        ("privilege_bits", "2"),
        ("cause_bits", "4"),
        ("time_bits", "16"),
        ("time_source", "gray"),
    ] {
        design.set(name, value).unwrap();
    }
    let programs = [program(&design, 1), program(&design, 2)];
    Subject { design, programs }
}

/// A program whose context changes with the first event after each flush, and elsewhere.
fn program(design: &Design, seed: u64) -> Vec<Item> {
    let seeds = (seed..).step_by(2).map(Options::from_seed);
    let arm =
        |options: &Options| (options.machine.alignment, options.machine.address_bits) == (2, 32);
    let options = seeds.into_iter().find(arm).unwrap();
    let options = Options { events: 30_000, exceptions: true, ..options };
    let mut states = States::new(seed, design.protocol()).unwrap();
    let mut context = 0;
    let item = |(number, event): (usize, Event)| {
        let mut state = states.after(&event);
        if number % 1000 == 0 && event.kind != Kind::Exception {
            context = (context + 1) % 256;
            state = Some(ExecutionState { context, privilege: 3, cause: None });
        }
        std::iter::once(Item::Event(event)).chain(state.map(Item::State))
    };
    Synthetic::new(options).unwrap().enumerate().flat_map(item).collect()
}

const TRACKER: &str = "_state_tracker";
const TIME_KEEPER: &str = "_time_keeper";
const SYNCHRONISER: &str = "_synchroniser";

pub const FAULTS: &[Fault] = &[
    fault("a change of context asks for nothing", TRACKER, "(pins_context != told_context) | ", ""),
    fault(
        "a change of privilege level asks for nothing",
        TRACKER,
        "(pins_privilege != told_privilege)",
        "1'b0",
    ),
    fault("an exception asks for nothing", TRACKER, "| is_exception;", ";"),
    fault(
        "a header has the context of reset",
        TRACKER,
        "retires ? pins_context : last_context",
        "last_context",
    ),
    fault(
        "the header after an end repeats the one before",
        TRACKER,
        "makes_header = begins | ends",
        "makes_header = begins",
    ),
    fault(
        "a cause is told twice",
        TRACKER,
        "told_has_cause <= has_exception;\n                has_exception <= 1'b0;",
        "told_has_cause <= has_exception;",
    ),
    fault("a cause has a wrong bit", TRACKER, "<= pins_cause;", "<= pins_cause ^ 4'd8;"),
    fault("a change of state clears the tables", TRACKER, "keeps = keeps_tables", "keeps = 1'b0"),
    fault("a header says that cleared tables go on", TRACKER, "begins & !is_restarted", "begins"),
    fault(
        "the tables are kept at the end of an interval",
        TRACKER,
        "keeps_tables <= !clears",
        "keeps_tables <= 1'b1",
    ),
    fault(
        "an interval ends with a change of state",
        SYNCHRONISER,
        "if (is_restarted) begin\n                            instructions",
        "if (1'b1) begin\n                            instructions",
    ),
    fault(
        "the first block of a packet asks for nothing",
        SYNCHRONISER,
        "if (tracker_asks)",
        "if (1'b0)",
    ),
    fault(
        "a Gray code goes through one register",
        TIME_KEEPER,
        "second_sample <= first_sample",
        "second_sample <= timestamp",
    ),
    fault(
        "the time of a header goes on until the header is made",
        TIME_KEEPER,
        "retires ? second_sample : last_time",
        "second_sample",
    ),
    fault(
        "the packet after an end has the time of its first block",
        SYNCHRONISER,
        "waiting_time <= time_keeper_last;",
        "waiting_time <= time_keeper_next_last;",
    ),
];
