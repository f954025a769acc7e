//! Adapters in Verilator, each between a core that does anything and a trace module that is not always ready, beside a
//! model that says what has to come out.

mod blocks;
mod outputs;
mod rvfi;
mod tip;
mod waiting;

use std::fmt::Debug;
use std::sync::Arc;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::{Generated, Part};
use tracewright_sim::ingress::Queue;
use tracewright_sim::scheme::Design;
use tracewright_testbench::design::source;
use tracewright_testbench::lint::lint;
use tracewright_testbench::{BuildOptions, Library, Model};

use crate::common::{is_long, sample};

/// What makes a trace module lose blocks and count their instructions, instead of letting the core wait.
pub const LOSES: [(&str, &str); 3] =
    [("framing", "packets"), ("when_full", "drop"), ("loss_pins", "true")];

/// What is shown to an adapter.
#[derive(Clone, Copy, Debug)]
pub struct Show {
    pub seed: u64,
    pub clocks: u64,
    /// Clocks in which a lane of the core shows nothing, in percent.
    pub bubbles: u32,
    /// Clocks in which the trace module takes nothing, in percent.
    pub stalls: u32,
    /// Instructions or blocks in a thousand after which the flow is changed by what they do not say.
    pub diversions: u32,
    /// Clocks in a thousand in which a flush begins.
    pub flushes: u32,
}

impl Show {
    /// Something per cycle, and nothing that disturbs it.
    pub const CALM: Show =
        Show { seed: 1, clocks: 60_000, bubbles: 0, stalls: 0, diversions: 0, flushes: 0 };

    /// One after the other, every kind of traffic, the last but one with so many diversions.
    pub const fn every(diversions: u32) -> [Show; 6] {
        [
            Show::CALM,
            Show { seed: 2, diversions: 100, ..Show::CALM },
            Show { seed: 3, bubbles: 30, stalls: 40, diversions: 30, flushes: 4, ..Show::CALM },
            Show { seed: 4, stalls: 85, diversions: 5, flushes: 20, ..Show::CALM },
            Show { seed: 5, bubbles: 60, diversions, flushes: 10, ..Show::CALM },
            // Flushes that find the trace module busy and the core at work.
            Show { seed: 6, bubbles: 60, stalls: 50, diversions: 20, flushes: 100, ..Show::CALM },
        ]
    }

    /// Every kind of traffic with losses.
    pub const WITH_LOSSES: [Show; 4] = [
        Show { diversions: 500, ..Show::CALM },
        Show { seed: 2, bubbles: 40, diversions: 900, flushes: 10, ..Show::CALM },
        Show { seed: 3, bubbles: 20, diversions: 300, flushes: 20, ..Show::CALM },
        Show { seed: 4, bubbles: 60, diversions: 20, flushes: 30, ..Show::CALM },
    ];

    fn is_calm(&self) -> bool {
        self.stalls + self.diversions + self.flushes == 0
    }
}

/// The parameters of an adapter, which say everything of it but the design after it.
pub trait Adapter: Copy + Debug + Sync {
    /// The adapter as a part of the hardware.
    fn part<'a>(&'a self, design: &'a Design) -> Part<'a>;

    /// Its Verilog.
    fn generate(&self, design: &Design) -> Result<Generated, tracewright_hdl::Error>;

    /// The adapter in front of a design that loses blocks or does not, what is shown to it, and its model.
    fn bench<'a>(
        &'a self,
        library: &Arc<Library>,
        design: &Design,
        show: Show,
    ) -> tracewright_testbench::Result<Box<dyn Bench + 'a>>;
}

/// An adapter in simulation.
pub trait Bench {
    /// Simulates a clock, in which the core shows nothing if the run is `ending`; the `last` clocks are a flush. The first
    /// thing that is wrong is an error.
    fn clock(&mut self, ending: bool, last: bool) -> Result<(), String>;

    /// Checks that everything has come out; of how many instructions how many were lost.
    fn finish(&self) -> Result<Losses, String>;

    /// Clocks at the end of a run in which the core shows nothing, and those of a last flush.
    fn tail(&self) -> [u64; 2] {
        [200, 200]
    }
}

/// Instructions that an adapter did not show to the trace module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    pub lost: u64,
    /// Instructions that the core retired.
    pub of: u64,
}

/// The queue of an adapter.
pub const fn queue(lanes: u32, depth: u32, slack: u32) -> Queue {
    Queue { lanes, depth, slack }
}

/// A preset with some parameters set.
pub fn design(preset: &str, changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset(preset).unwrap();
    changes.iter().for_each(|(name, value)| design.set(name, value).unwrap());
    design
}

/// The name of a pin of an adapter's lane; the only lane has no number.
fn lane_pin(name: &str, lane: u32, lanes: u32) -> String {
    if lanes == 1 { name.into() } else { format!("{name}_lane{lane}") }
}

/// Runs the adapter of a design; the first thing that is wrong is an error.
pub fn run(
    library: &Arc<Library>,
    design: &Design,
    adapter: &impl Adapter,
    show: Show,
) -> Result<Losses, String> {
    let mut bench = adapter.bench(library, design, show).map_err(|error| error.to_string())?;
    let [ending, last] = bench.tail();
    for clock in 0..show.clocks {
        bench
            .clock(clock + ending > show.clocks, clock + last > show.clocks)
            .map_err(|what| format!("cycle {clock}: {what}"))?;
    }
    bench.finish()
}

/// Runs every adapter through all that is shown, and gives what each has lost to `check`.
fn run_all<A: Adapter>(
    cases: impl IntoIterator<Item = (Design, A)>,
    shows: &[Show],
    check: impl Fn(&Show, Losses) -> bool,
) {
    for (design, adapter) in cases {
        let generated = adapter.generate(&design).unwrap();
        let library = source(&generated).build(&BuildOptions::default()).unwrap();
        for show in shows {
            let what = match run(&library, &design, &adapter, *show) {
                Ok(losses) if check(show, losses) => continue,
                Ok(losses) => format!("{losses:?}"),
                Err(what) => what,
            };
            panic!("{}, {adapter:?}, {show:?}: {what}", design.name);
        }
    }
}

/// An adapter does what its model does, for a third of the cases or all of them, and loses nothing.
pub fn do_what_their_models_do<A: Adapter>(
    cases: impl IntoIterator<Item = (Design, A)>,
    shows: &[Show],
) {
    run_all(sample(3, cases), shows, |_, losses| losses.lost == 0);
}

/// An adapter in front of a core that does not wait: every instruction is shown or lost, in its order, and the rest is
/// what the model says. What is shown first has more than the trace module takes.
pub fn count_what_they_lose<A: Adapter>(
    cases: impl IntoIterator<Item = (Design, A)>,
    shows: &[Show],
) {
    let loses = |show: &Show, Losses { lost, of }| show.seed > 1 || lost > of / 50;
    run_all(sample(2, cases), shows, loses);
}

/// An adapter for many clocks.
pub fn runs_for_long(design: Design, adapter: impl Adapter, show: Show) {
    let clocks = if is_long() { 1_000_000 } else { 100_000 };
    run_all([(design, adapter)], &[Show { clocks, ..show }], |_, losses| losses.lost == 0);
}

/// Three tools have nothing to say about the Verilog.
pub fn are_free_of_lint<A: Adapter>(cases: impl IntoIterator<Item = (Design, A)>) {
    for (design, adapter) in cases {
        let generated = adapter.generate(&design).unwrap();
        let findings = lint(&source(&generated).files, &generated.top).unwrap();
        assert!(findings.is_empty(), "{}, {adapter:?}: {}", design.name, findings[0]);
    }
}

/// A core that goes on to say with the pin `retires` that it retires, though it is told to wait, is told that the trace
/// is of no use, when more has come than the adapter `holds`.
pub fn tells_what_is_lost(design: &Design, adapter: &impl Adapter, retires: &str, holds: u32) {
    let generated = adapter.generate(design).unwrap();
    let library = source(&generated).build(&BuildOptions::default()).unwrap();
    let mut model = Model::new(&library, 1).unwrap();
    model.reset(2).unwrap();
    let lost = library.output("lost", 1).unwrap();
    let retires = library.input(retires, 1).unwrap();
    let retire_stall = library.input("retire_stall", 1).unwrap();
    model.set(retire_stall, 1);
    model.set(retires, 1);
    for _ in 0..holds {
        model.cycle().unwrap();
        assert_eq!(model.get(lost), 0);
    }
    for _ in 0..3 {
        model.cycle().unwrap();
        assert_eq!(model.get(lost), 1);
        model.set(retires, 0);
        model.set(retire_stall, 0);
    }
}

/// The flush of an adapter, which ends some time after everything was shown.
#[derive(Default)]
struct Flush {
    is_on: bool,
    /// `drained` has come.
    was_drained: bool,
    /// Clocks since it began.
    clocks: u32,
}

impl Flush {
    /// Goes on to the next clock. True if a flush begins.
    fn step(&mut self, random: &mut ChaCha8Rng, show: &Show, ending: bool, last: bool) -> bool {
        let begins =
            !self.is_on && (last || !ending && random.random_range(0..1000) < show.flushes);
        if begins {
            *self = Flush { is_on: true, ..Flush::default() };
        } else if self.is_on && self.was_drained && !last && random.random() {
            self.is_on = false;
        }
        begins
    }

    /// Checks `drained` where it comes after so many clocks, whatever the core does. Then the clock ends.
    fn ends_after(&mut self, clocks: u32, drained: bool) -> Result<(), String> {
        if drained != (self.is_on && self.clocks >= clocks) {
            return Err(format!("`drained` is {drained} after {} cycles", self.clocks));
        }
        self.was_drained = drained;
        self.clocks = if self.is_on { self.clocks + 1 } else { 0 };
        Ok(())
    }

    /// Checks at the end of a run that it is over.
    fn has_ended(&self) -> Result<(), String> {
        if self.was_drained { Ok(()) } else { Err("`drained` never came".into()) }
    }
}
