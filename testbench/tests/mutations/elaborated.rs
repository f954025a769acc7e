//! Faults that the elaborator makes: a design is compiled once with all of them, and an input switches one on.
//!
//! What co-simulation does not find stands in `survivors.txt`, with a reason. Without `ALL_FAULTS` in the environment a
//! sample is tried, which is the same in every run.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tracewright_hdl::{Fault, generate_with_faults};
use tracewright_sim::event::Item;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_testbench::cosim;
use tracewright_testbench::design::source;
use tracewright_testbench::stimulus::Stimulus;
use tracewright_testbench::{BuildOptions, Library};

/// What is not found, and why.
const SURVIVORS: &str = include_str!("survivors.txt");

/// One fault in this many is tried in a sample.
const SAMPLE: usize = 23;

/// Clocks in which nothing moves after which a fault counts as found: more than any table takes to clear.
const WATCHDOG: u64 = 3_000;

/// A design, and what it is shown.
pub struct Bench {
    /// The design.
    pub design: Design,
    /// The modules whose faults are tried, by what follows the name of the design.
    pub modules: &'static [&'static str],
    /// Pins and program of each run; a fault that one run finds is not shown to the next.
    pub runs: Vec<(Stimulus, Vec<Item>)>,
}

impl Bench {
    /// What the first run finds that finds anything.
    fn check(&self, library: &std::sync::Arc<Library>, number: usize) -> Option<String> {
        self.runs.iter().find_map(|(stimulus, items)| {
            let options = cosim::Options {
                stimulus: stimulus.clone(),
                watchdog_cycles: WATCHDOG,
                inputs: vec![("fault_select".into(), number as u64)],
                ..cosim::Options::default()
            };
            let encoder = Encoder::new(&self.design).unwrap();
            let items = items.iter().copied().map(Ok::<_, Infallible>);
            // Logic that does not settle is an error of the model.
            match cosim::run(library, encoder, items, &options) {
                Ok(report) => report.failure.map(|failure| failure.to_string()),
                Err(error) => Some(error.to_string()),
            }
        })
    }

    /// Tries every fault, or a sample; what is not found has to be what is listed.
    pub fn find_every_fault(&self, at_least: usize) {
        let name = &self.design.name;
        let generated = generate_with_faults(&self.design).unwrap();
        let library = source(&generated).build(&BuildOptions::default()).unwrap();
        assert_eq!(self.check(&library, 0), None, "{name} without a fault");

        let step = if std::env::var_os("ALL_FAULTS").is_some() { 1 } else { SAMPLE };
        let is_tried = |fault: &Fault| {
            let module = fault.module.strip_prefix(&generated.top).unwrap_or_default();
            self.modules.contains(&module)
        };
        let all: Vec<usize> = (1..=generated.faults.len())
            .filter(|number| is_tried(&generated.faults[number - 1]))
            .collect();
        let tried: Vec<usize> = all.iter().copied().step_by(step).collect();
        let next = AtomicUsize::new(0);
        let survivors = Mutex::new(BTreeSet::new());
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some(number) = tried.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if self.check(&library, *number).is_none() {
                            println!("not found: {name} {}", generated.faults[number - 1]);
                            survivors.lock().unwrap().insert(*number);
                        }
                    }
                });
            }
        });
        let survivors = survivors.into_inner().unwrap();
        print_table(name, &generated.faults, &tried, &survivors);
        let listed = listed(name);
        let is_listed = |number: &usize| listed.contains(&generated.faults[number - 1].to_string());
        let names = |numbers: &mut dyn Iterator<Item = &usize>| -> String {
            numbers.map(|number| format!("\n{name} {}", generated.faults[number - 1])).collect()
        };
        let unknown = names(&mut survivors.iter().filter(|number| !is_listed(number)));
        let found = |number: &&usize| is_listed(number) && !survivors.contains(number);
        let found = names(&mut tried.iter().filter(found));
        let known = all.iter().map(|number| generated.faults[number - 1].to_string());
        let gone: Vec<_> = listed.difference(&known.collect()).cloned().collect();
        assert!(unknown.is_empty(), "not found and not in survivors.txt:{unknown}");
        assert!(found.is_empty(), "found, and still in survivors.txt:{found}");
        assert!(gone.is_empty(), "in survivors.txt, and not a fault of {name} any more: {gone:#?}");
        assert!(all.len() >= at_least, "{name} has {} faults", all.len());
    }
}

/// The faults of a design in `survivors.txt`.
fn listed(design: &str) -> BTreeSet<String> {
    let lines = SURVIVORS.lines().filter_map(|line| line.split_once(' '));
    lines.filter(|(name, _)| *name == design).map(|(_, fault)| fault.to_owned()).collect()
}

/// Prints how many faults were found, by module and by kind.
fn print_table(name: &str, faults: &[Fault], tried: &[usize], survivors: &BTreeSet<usize>) {
    let mut rows: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for number in tried {
        let fault = &faults[number - 1];
        for row in [fault.module.clone(), fault.kind.to_string(), "in all".into()] {
            let (count, missed) = rows.entry(row).or_default();
            *count += 1;
            *missed += usize::from(survivors.contains(number));
        }
    }
    println!("{name}: {} of {} faults tried", tried.len(), faults.len());
    for (row, (count, missed)) in rows {
        println!("{row:60} {:6} found, {missed:4} not", count - missed);
    }
}

/// Every fault in the list stands below a reason.
#[test]
fn every_survivor_has_a_reason() {
    let mut reason = false;
    for line in SURVIVORS.lines() {
        reason = line.starts_with("# ") || reason && !line.is_empty();
        assert!(line.is_empty() || reason, "no reason for {line}");
    }
}

#[test]
fn every_elaborated_fault_of_traptor_is_found() {
    super::elaborated_traptor::bench().find_every_fault(200);
}

#[test]
fn every_elaborated_fault_of_talon_data_is_found() {
    super::elaborated_talon_data::bench().find_every_fault(200);
}
