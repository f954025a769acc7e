//! Hardware with every fault that the elaborator makes, and what it is shown to find them.
//!
//! The hardware is compiled once, and an input switches one fault on. What no run finds stands in `survivors.txt`, with
//! a reason. Without `ALL_FAULTS` in the environment a sample is tried, which is the same in every run.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tracewright_hdl::{Fault, Generated, Part, generate_with_faults};
use tracewright_sim::event::Item;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_testbench::cosim;
use tracewright_testbench::design::source;
use tracewright_testbench::stimulus::{Pace, Ready, Stimulus};
use tracewright_testbench::{BuildOptions, Library, ModelSource};

use super::survivors::Survivors;
use crate::adapters::{self, Adapter, Show};

/// One fault in this many of those that something finds is tried in a sample.
const SAMPLE: usize = 150;

/// Clocks in which nothing moves after which a fault counts as found: more than any table takes to clear.
const WATCHDOG: u64 = 3_000;

/// What the first run finds that finds anything.
type Check<'a> = Box<dyn Fn(&Arc<Library>) -> Option<String> + Sync + 'a>;

/// Hardware with faults, and what finds them.
pub struct Bench<'a> {
    /// Its name in `survivors.txt`.
    pub name: &'static str,
    /// The beginnings of the names of the modules whose faults are tried, after that of the top, which is `top`. None are
    /// all modules.
    pub modules: &'static [&'static str],
    /// The ends of the names of the signals whose faults are tried. None are all signals.
    pub signals: &'static [&'static str],
    generated: Generated,
    source: ModelSource,
    check: Check<'a>,
}

impl<'a> Bench<'a> {
    /// A part of the hardware, and what shows it to a test.
    pub fn new(name: &'static str, part: Part<'_>, check: Check<'a>) -> Bench<'a> {
        let generated = generate_with_faults(part).unwrap();
        let source = source(&generated);
        Bench { name, modules: &[], signals: &[], generated, source, check }
    }

    /// An adapter, and what is shown to it one after the other.
    pub fn of_adapter(
        name: &'static str,
        design: Design,
        adapter: impl Adapter + 'a,
        shows: Vec<Show>,
    ) -> Bench<'a> {
        let part = design.clone();
        let check = move |library: &_| {
            shows.iter().find_map(|show| adapters::run(library, &design, &adapter, *show).err())
        };
        Bench::new(name, adapter.part(&part), Box::new(check))
    }

    /// A trace module, and the pins and programs of its runs.
    pub fn of_design(
        name: &'static str,
        design: Design,
        runs: Vec<(Stimulus, Vec<Item>)>,
    ) -> Bench<'static> {
        let part = design.clone();
        Bench::new(
            name,
            Part::Design(&part),
            Box::new(move |library| difference(library, &design, &runs)),
        )
    }

    /// The same with only these modules tried.
    #[must_use]
    pub fn only(self, modules: &'static [&'static str]) -> Bench<'a> {
        Bench { modules, ..self }
    }

    /// The same with only these signals tried.
    #[must_use]
    pub fn only_signals(self, signals: &'static [&'static str]) -> Bench<'a> {
        Bench { signals, ..self }
    }

    /// The same with one of its modules alone.
    #[must_use]
    pub fn alone(self, change: impl FnOnce(&Generated) -> ModelSource) -> Bench<'a> {
        let source = change(&self.generated);
        Bench { source, ..self }
    }

    /// The name of a fault's module without that of the top.
    fn module<'b>(&self, fault: &'b Fault) -> &'b str {
        let rest = fault.module.strip_prefix(&self.generated.top).unwrap_or(&fault.module);
        rest.strip_prefix('_').unwrap_or("top")
    }

    /// A fault as `survivors.txt` names it.
    fn named(&self, number: usize) -> String {
        let fault = &self.generated.faults[number - 1];
        let Fault { signal, kind, ordinal, .. } = fault;
        format!("{} {} {signal} {kind} {ordinal}", self.name, self.module(fault))
    }

    /// The numbers of all faults of the modules that are tried.
    fn numbers(&self) -> Vec<usize> {
        let is_tried = |number: &usize| {
            let fault = &self.generated.faults[number - 1];
            let (module, signal) = (self.module(fault), &fault.signal);
            let is_in = self.modules.iter().any(|start| module.starts_with(start));
            let is_of = self.signals.iter().any(|end| signal.ends_with(end));
            (self.modules.is_empty() || is_in) && (self.signals.is_empty() || is_of)
        };
        (1..=self.generated.faults.len()).filter(is_tried).collect()
    }

    /// Which of these faults nothing finds.
    fn survivors(&self, library: &Library, tried: &[usize]) -> BTreeSet<usize> {
        let next = AtomicUsize::new(0);
        let survivors = Mutex::new(BTreeSet::new());
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some(number) = tried.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let faulty = library.holding("fault_select", *number as u64).unwrap();
                        if (self.check)(&faulty).is_none() {
                            println!("not found: {}", self.named(*number));
                            survivors.lock().unwrap().insert(*number);
                        }
                    }
                });
            }
        });
        survivors.into_inner().unwrap()
    }

    /// Tries every fault, or a sample; what is not found has to be what is listed.
    pub fn find_every_fault(&self, at_least: usize) {
        let library = self.source.build(&BuildOptions::default()).unwrap();
        assert_eq!((self.check)(&library), None, "{} without a fault", self.name);

        let all = self.numbers();
        let listed = Survivors::of(self.name);
        let is_listed = |number: &usize| listed.has(&self.named(*number));
        let tried: Vec<usize> = match std::env::var_os("ALL_FAULTS") {
            Some(_) => all.clone(),
            // Those that nothing finds take the longest.
            None => all.iter().copied().filter(|fault| !is_listed(fault)).step_by(SAMPLE).collect(),
        };
        let survivors = self.survivors(&library, &tried);
        self.print_table(&tried, &survivors);

        let names = |numbers: &mut dyn Iterator<Item = &usize>| -> String {
            numbers.map(|number| format!("\n{}", self.named(*number))).collect()
        };
        let unknown = names(&mut survivors.iter().filter(|number| !is_listed(number)));
        let found = |number: &&usize| is_listed(number) && !survivors.contains(number);
        let found = names(&mut tried.iter().filter(found));
        let gone = listed.without_any(all.iter().map(|number| self.named(*number)));
        assert!(unknown.is_empty(), "not found and not in survivors.txt:{unknown}");
        assert!(found.is_empty(), "found, and still in survivors.txt:{found}");
        assert!(gone.is_empty(), "in survivors.txt, and not a fault any more: {gone:#?}");
        assert!(all.len() >= at_least, "{} has {} faults", self.name, all.len());
    }

    /// Prints how many faults were found, by module and by kind.
    fn print_table(&self, tried: &[usize], survivors: &BTreeSet<usize>) {
        let mut rows: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for number in tried {
            let fault = &self.generated.faults[number - 1];
            for row in [self.module(fault).into(), fault.kind.to_string(), "in all".into()] {
                let (count, missed) = rows.entry(row).or_default();
                *count += 1;
                *missed += usize::from(survivors.contains(number));
            }
        }
        println!("{}: {} of {} faults tried", self.name, tried.len(), self.numbers().len());
        for (row, (count, missed)) in rows {
            println!("{row:60} {:6} found, {missed:4} not", count - missed);
        }
    }
}

/// The first difference between a module and the model of its encoder that a run shows.
pub fn difference(
    library: &Arc<Library>,
    design: &Design,
    runs: &[(Stimulus, Vec<Item>)],
) -> Option<String> {
    runs.iter().find_map(|(stimulus, items)| {
        let stimulus = stimulus.clone();
        let options =
            cosim::Options { stimulus, watchdog_cycles: WATCHDOG, ..cosim::Options::default() };
        let encoder = Encoder::new(design).unwrap();
        let items = items.iter().copied().map(Ok::<_, Infallible>);
        // Logic that does not settle is an error of the model.
        match cosim::run(library, encoder, items, &options) {
            Ok(report) => report.failure.map(|failure| failure.to_string()),
            Err(error) => Some(error.to_string()),
        }
    })
}

/// Every way in which pins are driven: a sink that is slow or stops for long, pauses and none, one instruction in a block or as
/// many as fit.
fn stimuli() -> Vec<Stimulus> {
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
    let hasty = Stimulus { ready: Ready::Random, flush_interval: Some(5), ..shown(5) };
    vec![slow, single, bursts, shown(4), hasty]
}

/// Events of a run that ends soon, and how many of these runs there are.
const SHORT: usize = 400;
const SHORT_RUNS: usize = 10;

/// Two programs, each shown in two of these ways; and parts of them, which begin in the middle with other contents of what
/// has no reset, and the end of the second with a flush after every fifth event.
pub fn runs<T: Copy + Into<Item>>(programs: &[Vec<T>; 2]) -> Vec<(Stimulus, Vec<Item>)> {
    let whole = |number: usize| programs[number % 2].iter().map(|item| (*item).into()).collect();
    let part = |number: usize| {
        let program = &programs[number % 2];
        let start = program.len() / (SHORT_RUNS + 1) * (1 + number);
        program.iter().skip(start).take(SHORT).map(|item| (*item).into()).collect()
    };
    let seeded =
        |number: usize| Stimulus { seed: 6 + number as u64, ..stimuli().swap_remove(number % 5) };
    let parts = (0..SHORT_RUNS).map(|number| (seeded(number), part(number)));
    let rest = programs[1].len().saturating_sub(SHORT);
    let last = programs[1][rest..].iter().map(|item| (*item).into()).collect();
    stimuli()
        .into_iter()
        .take(4)
        .zip((0..).map(whole))
        .chain(parts)
        .chain([(seeded(14), last)])
        .collect()
}
