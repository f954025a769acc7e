//! Whole modules with adapters whose pin `enable` is switched at random times while the core retires: what retired while it was high is
//! in the trace, and all else is counted.

mod bench;
mod compare;
mod dead_sink;
mod faults;

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::Generated;
use tracewright_hdl::unit::with_ingress;
use tracewright_sim::ingress::Queue;
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Ingress;
use tracewright_sim::{blocks, tip};
use tracewright_testbench::{BuildOptions, Library, design::source};

use crate::by_lane::by_lane;
use crate::common::{chosen, for_each, is_long};
use crate::control::designs::switched;
use crate::control::traced::Decoded;
use crate::execution::MACHINE;
use bench::{Bench, Shown};

/// A port, and how a core uses it.
#[derive(Clone, Copy, Debug)]
struct Case {
    preset: &'static str,
    changes: &'static [(&'static str, &'static str)],
    ingress: Ingress,
    /// Probability in percent that a lane retires something in a cycle; without interrupts if it is 100.
    rate: u32,
    /// Cycles after switching off in which the adapter still takes what retires.
    drain: usize,
}

const DROP: (&str, &str) = ("when_full", "drop");
const PORT: (&str, &str) = ("trace_port_width", "16");
const WIDE: (&str, &str) = ("trace_port_width", "32");

impl Case {
    /// The core waits.
    fn waits(&self) -> bool {
        !self.changes.contains(&DROP)
    }

    fn queue(&self) -> Queue {
        match self.ingress {
            Ingress::Rvfi(config) => config.queue,
            Ingress::Tip(config) => config.queue,
            Ingress::Blocks(config) => queue(config.lanes, config.depth),
        }
    }

    /// The design, with the pins that its adapter needs.
    fn design(&self) -> Design {
        let design = switched(self.preset, self.changes);
        let design = design.for_machine(MACHINE).expect("a machine");
        self.ingress.fit(design).expect("it can have the pins")
    }

    fn whole(&self, design: &Design) -> Generated {
        let generated = tracewright_hdl::generate(design).expect("a good design");
        with_ingress(design, generated, self.ingress).expect("an adapter")
    }
}

const fn queue(lanes: u32, depth: u32) -> Queue {
    Queue { lanes, depth, slack: 0 }
}

const fn rvfi(queue: Queue) -> Ingress {
    Ingress::Rvfi(crate::execution::of_queue(queue))
}

fn tip(queue: Queue) -> Ingress {
    Ingress::Tip(tip::Config { queue, ..tip::Config::default() })
}

/// Cycles in which a queue of `depth` words, each of which takes so many, loses or shows what came before a flush.
const fn shed(cycles: usize, depth: usize) -> usize {
    cycles * depth + 4
}

fn cases() -> Vec<Case> {
    let case =
        |preset, changes, ingress, rate, drain| Case { preset, changes, ingress, rate, drain };
    let blocks = |lanes| Ingress::Blocks(blocks::Config::new(lanes));
    vec![
        case("traptor-m4", &[PORT], rvfi(queue(1, 8)), 75, 0),
        case("nexs", &[PORT, ("reset", "asynchronous")], rvfi(queue(2, 16)), 60, 0),
        case("talon-s", &[PORT, ("sync_keeps_tables", "true")], tip(queue(1, 8)), 75, 0),
        case("traptor-m4", &[PORT, ("clock_enable", "true")], tip(queue(3, 24)), 40, 0),
        case("stream-rbase-32", &[PORT], blocks(2), 60, 1),
        case("nexs", &[PORT, ("filter_ranges", "1")], rvfi(queue(1, 8)), 75, 0),
        // These do not wait.
        case("nexs", &[DROP, WIDE], tip(queue(1, 8)), 60, 400),
        never_pauses(),
        case("traptor-m4", &[PORT, DROP], rvfi(queue(2, 16)), 20, shed(3, 16)),
        case("talon-s", &[PORT, DROP], tip(queue(2, 16)), 20, shed(2, 16)),
        case("nexs", &[PORT, DROP], blocks(2), 20, shed(2, 16)),
    ]
}

/// A core that retires in every cycle, and its trace: the adapter never drains.
fn never_pauses() -> Case {
    let changes = &[DROP, WIDE, ("record_queue_depth", "16")];
    Case { preset: "nexs", changes, ingress: rvfi(queue(1, 8)), rate: 100, drain: 1_030 }
}

/// The Verilog of a case with the pins of each lane by themselves.
fn of_lanes(case: &Case, generated: Generated, design: &Design) -> Generated {
    by_lane(generated, case.queue().lanes as usize, &Shown::new(case, design, 1).names)
}

/// The model of a case.
fn model(case: &Case, design: &Design) -> Result<Arc<Library>, String> {
    let whole = of_lanes(case, case.whole(design), design);
    source(&whole).build(&BuildOptions::default()).map_err(|error| error.to_string())
}

/// Runs a case on its model, which may have a fault.
fn check(
    case: &Case,
    (library, design): (&Arc<Library>, &Design),
    seed: u64,
) -> Result<(), String> {
    let shown = Shown::new(case, design, seed);
    let mut bench = Bench::new(case, library, &shown, seed)?;
    bench.run(seed % 2 == 1)?;
    let decoded = Decoded::new(design, &shown.program, &bench.received.clone().finish());
    let parts = compare::parts(&decoded, &shown.events)?;
    compare::compare(case, &bench.log, &parts)?;
    if bench.lost() { Err("something was lost in the adapter".into()) } else { Ok(()) }
}

#[test]
fn what_retires_while_it_is_on_is_traced() {
    // Each port, waiting and not, with one lane and with several.
    let cases = chosen((1..).zip(cases()), &[1, 3, 4, 6, 7, 10]);
    for_each(&cases, |(seed, case)| {
        let design = case.design();
        let found = check(case, (&model(case, &design)?, &design), *seed);
        found.map_err(|what| format!("{case:?}: {what}"))
    });
}

/// A port, lanes, a scheme, a style and a loss mode at random.
fn drawn(random: &mut ChaCha8Rng) -> Case {
    let preset = ["traptor-m4", "nexs", "talon-s", "stream-rbase-32"][random.random_range(0..4)];
    let (kind, drops) = (random.random_range(0..3), random.random());
    // Several in a cycle where that is what the port is for, or where the queue loses what it counts.
    let least = if drops || kind == 2 { 2 } else { 1 };
    let lanes = random.random_range(least..=4);
    let depth = 8 * lanes;
    let ingress = match kind {
        0 => rvfi(queue(lanes, depth)),
        1 => tip(queue(lanes, depth)),
        _ => Ingress::Blocks(blocks::Config::new(lanes)),
    };
    let word = |random: &mut ChaCha8Rng, words: [&'static str; 2]| words[random.random_range(0..2)];
    let mut changes = vec![
        ("trace_port_width", word(random, ["16", "32"])),
        ("reset", word(random, ["synchronous", "asynchronous"])),
        ("clock_enable", word(random, ["false", "true"])),
        ("memories", word(random, ["inferred", "wrappers"])),
    ];
    changes.extend(drops.then_some(DROP));
    let (rate, drain) = match (drops, lanes) {
        // A diversion before each jump takes one cycle to be found and one to be shown.
        (true, _) => (40 / lanes, shed(if kind == 0 { 3 } else { 2 }, depth as usize)),
        (false, 1) => (75, 0),
        (false, _) => (120 / lanes, usize::from(kind == 2)),
    };
    Case { preset, changes: Vec::leak(changes), ingress, rate, drain }
}

/// `DRAWS` in the environment says how many; `make regress` tries 60.
#[test]
fn what_is_drawn_is_traced() {
    let count = std::env::var("DRAWS")
        .map_or(if is_long() { 2 } else { 1 }, |text| text.parse().expect("a number"));
    let seeds: Vec<u64> = (0..count).collect();
    for_each(&seeds, |seed| {
        let case = drawn(&mut ChaCha8Rng::seed_from_u64(*seed));
        let design = case.design();
        let found = check(&case, (&model(&case, &design)?, &design), *seed);
        found.map_err(|what| format!("{seed}: {case:?}: {what}"))
    });
}

#[test]
fn a_core_does_not_wait_for_a_dead_sink() {
    for case in &chosen(cases().into_iter().take(5), &[1, 3, 4]) {
        let design = case.design();
        let library = model(case, &design).expect("it compiles");
        let found = dead_sink::check(case, (&library, &design));
        assert_eq!(found, Ok(()), "{case:?}");
    }
    let case = &cases()[1];
    let design = case.design();
    let library = model(case, &design).expect("it compiles");
    let found = dead_sink::slow(case, (&library, &design));
    assert_eq!(found, Ok(()), "{case:?}");
}
