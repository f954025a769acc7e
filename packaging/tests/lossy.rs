//! Whole modules with RVFI or a trace ingress port of several lanes, for a core that does not wait: every instruction is traced
//! or counted in a gap.

use std::collections::VecDeque;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::Generated;
use tracewright_hdl::unit::with_ingress;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::Event;
use tracewright_sim::ingress::Queue;
use tracewright_sim::packet::part::Reason;
use tracewright_sim::scheme::Design;
use tracewright_sim::tip;
use tracewright_sim::unit::Ingress;
use tracewright_testbench::{BuildOptions, InputPort, Model, design::source};

use crate::by_lane::by_lane;
use crate::common::chosen;
use crate::control::traced::{Decoded, Work};
use crate::execution::{self, MACHINE};

/// Cycles in which the core retires as much as it can, and those from one such burst to the next.
const BURST: u32 = 30;
const BURST_INTERVAL: u32 = 2_000;

/// Events of a program.
const EVENTS: u64 = 12_000;

type Case = (&'static str, &'static [(&'static str, &'static str)], Queue);

const CASES: [Case; 3] = [
    ("traptor-m4", &[("trace_port_width", "16")], queue(2, 6)),
    ("nexs", &[("trace_port_width", "16"), ("sync_keeps_tables", "true")], queue(3, 24)),
    ("talon-s", &[("trace_port_width", "8")], queue(4, 64)),
];

const fn queue(lanes: u32, depth: u32) -> Queue {
    Queue { lanes, depth, slack: 0 }
}

#[test]
fn what_rvfi_loses_is_counted() {
    for (number, case) in chosen((1..).zip(CASES), &[2]) {
        let retired = execution::retirements(number, EVENTS);
        let config = execution::of_queue(case.2);
        let shown = retired.iter().map(execution::on_rvfi).collect();
        let events = execution::events_of_rvfi(&retired);
        check(case, Ingress::Rvfi(config), &execution::RVFI_PINS, shown, events, number);
    }
}

#[test]
fn what_a_trace_ingress_port_loses_is_counted() {
    for (number, case) in chosen((1..).zip(CASES), &[1]) {
        let cycles = execution::cycles(&execution::retirements(number, EVENTS));
        let config = tip::Config { queue: case.2, ..tip::Config::default() };
        let design = design(&case, Ingress::Tip(config));
        let events = execution::events_of_tip(&cycles, config, &design);
        let shown = cycles.iter().map(execution::on_tip).collect();
        check(case, Ingress::Tip(config), &execution::TIP_PINS, shown, events, number);
    }
}

/// The design of a case, with the pins that its adapter needs.
fn design(case: &Case, ingress: Ingress) -> Design {
    let mut design = Design::preset(case.0).expect("a preset");
    design = design.for_machine(MACHINE).expect("a machine");
    let packets = [("framing", "packets"), ("when_full", "drop"), ("record_queue_depth", "8")];
    for (name, value) in packets.iter().chain(case.1) {
        design.set(name, value).expect("a good value");
    }
    ingress.fit(design).expect("it can have the pins")
}

/// Shows what a core says of its instructions on the pins of these names, and checks the trace.
fn check(
    case: Case,
    ingress: Ingress,
    names: &[&str],
    shown: VecDeque<Vec<u64>>,
    events: Vec<Event>,
    seed: u64,
) {
    let design = design(&case, ingress);
    let generated = tracewright_hdl::generate(&design).expect("a good design");
    let whole = with_ingress(&design, generated, ingress).expect("an adapter");
    assert!(whole.ports.iter().all(|port| port.name != "stall" && port.name != "lost"));
    let all: u64 = events.iter().map(|event| event.instructions).sum();
    let work = Work::of(events, MACHINE);
    let trace = run(by_lane(whole, case.2.lanes as usize, names), &case, names, shown, seed);
    let decoded = Decoded::new(&design, &work.program, &trace);
    assert_eq!(decoded.check_parts(&work), Ok(()), "{case:?}");
    let other = decoded.gaps.iter().find(|(_, gap)| !matches!(gap.reason, Reason::Lost(_)));
    assert_eq!(other, None, "{case:?}");
    let (traced, lost) = (decoded.recovered.instructions, decoded.recovered.lost_instructions);
    assert_eq!(traced + lost, all, "{case:?}");
    assert!(lost > 0 && traced > all / 20, "{case:?}: {lost} of {all} are lost");
}

/// Runs a core that retires little, and much now and then; the trace.
fn run(
    whole: Generated,
    case: &Case,
    names: &[&str],
    mut shown: VecDeque<Vec<u64>>,
    seed: u64,
) -> Vec<u8> {
    let library = source(&whole).build(&BuildOptions::default()).expect("a model");
    let lanes = case.2.lanes;
    let pin = |name: &str, lane| {
        library.input_of_any_width(&format!("{name}_lane{lane}")).expect("a pin").0
    };
    let pins: Vec<Vec<InputPort>> =
        (0..lanes).map(|lane| names.iter().map(|name| pin(name, lane)).collect()).collect();
    let output = |name| library.output_of_any_width(name).expect("an output");
    let ((valid, _), (data, width), (flushed, _)) =
        (output("trace_valid"), output("trace_data"), output("flushed"));
    let flush = library.input("flush", 1).expect("an input");
    let mut model = Model::new(&library, seed).expect("a model");
    model.reset(2).expect("a reset");
    model.set(library.input("trace_ready", 1).expect("an input"), 1);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut received = BitPacker::new();
    for cycle in 0..2_000_000 {
        let is_burst = cycle % BURST_INTERVAL < BURST;
        model.set(flush, shown.is_empty().into());
        for pins in &pins {
            let retires = is_burst || random.random_range(0..4 * lanes) == 0;
            let values = retires.then(|| shown.pop_front()).flatten();
            let values = values.unwrap_or_else(|| vec![0; names.len()]);
            pins.iter().zip(values).for_each(|(pin, value)| model.set(*pin, value));
        }
        model.cycle().expect("no failure");
        if model.get(valid) != 0 {
            received.push(model.get(data), width);
        }
        if shown.is_empty() && model.get(flushed) != 0 {
            return received.finish();
        }
    }
    panic!("the flush does not end");
}
