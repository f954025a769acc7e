//! T-raptor with the faults that the elaborator makes.

use tracewright_sim::event::{Event, Item};
use tracewright_testbench::stimulus::{Pace, Ready, Stimulus};

use super::elaborated::Bench;
use super::subject::Subject;
use super::traptor;

/// The design whose faults stand in texts, too.
pub fn bench() -> Bench {
    let Subject { design, programs: [random, dense], .. } = traptor::subject();
    let shown = |seed| Stimulus { seed, sync_requests: true, ..Stimulus::default() };
    let slow = Stimulus {
        ready: Ready::Random,
        bubble_percent: 20,
        flush_interval: Some(1000),
        ..shown(1)
    };
    let bursts =
        Stimulus { ready: Ready::Bursts, bubble_percent: 60, flush_interval: Some(37), ..shown(3) };
    let single = Stimulus { pace: Pace::OneInstructionPerCycle, ..shown(2) };
    let items = |events: Vec<Event>| events.into_iter().map(Item::Event).collect::<Vec<_>>();
    let runs = vec![
        (slow, items(random.clone())),
        (single, items(dense)),
        (bursts, items(random)),
        (shown(4), items(traptor::events(14))),
    ];
    let modules = &[
        "_sequencer",
        "_retire_decoder",
        "_table_memory_entries512_width2",
        "_predictor_table_entries512_width2",
        "_gshare",
        "_return_address_stack",
        "_recency",
    ];
    Bench { design, modules, runs }
}
