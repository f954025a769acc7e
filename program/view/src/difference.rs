//! How two executions of a program differ: where each thread parts, and what each did more often.

use std::collections::{BTreeMap, VecDeque};

use tracewright_sim::code::Code;
use tracewright_sim::event::Event;

use crate::functions::FunctionCount;
use crate::lines::{Line, Lines};
use crate::names;
use crate::profile::Counts;
use crate::views::{OfContext, Seen};

/// The most events that wait for those of the other execution.
const MOST_WAITING: usize = 1 << 22;

/// An event of one of the executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// The event.
    pub event: Event,
    /// Its number, counted from 0 over all threads.
    pub number: u64,
    /// The number of its first instruction, counted from 0 over all threads.
    pub instruction: u64,
}

/// Where a thread goes another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The thread.
    pub thread: usize,
    /// Events of the thread before, which are equal.
    pub events: u64,
    /// Instructions of the thread before.
    pub instructions: u64,
    /// The last equal event.
    pub last: Option<Event>,
    /// The first event that differs, of each execution; `None` for one that has ended.
    pub runs: [Option<Numbered>; 2],
}

#[derive(Debug, Default)]
struct Thread {
    waiting: [VecDeque<Numbered>; 2],
    events: u64,
    instructions: u64,
    last: Option<Event>,
    parting: Option<Parting>,
}

/// Compares the events of two executions, thread by thread, because threads take turns in another order each time.
#[derive(Debug, Default)]
pub struct Comparison {
    threads: Vec<Thread>,
    /// Events and instructions of each execution.
    counts: [(u64, u64); 2],
    waiting: usize,
}

impl Comparison {
    /// Takes the next event of execution 0 or 1.
    pub fn event(&mut self, run: usize, event: &Event) {
        let (number, instruction) = self.counts[run];
        self.counts[run] = (number + 1, instruction + event.instructions);
        let place = usize::from(event.thread);
        if place >= self.threads.len() {
            self.threads.resize_with(place + 1, Thread::default);
        }
        let thread = &mut self.threads[place];
        if thread.parting.is_some() {
            return;
        }
        let numbered = Numbered { event: *event, number, instruction };
        let Some(other) = thread.waiting[1 - run].pop_front() else {
            if self.waiting < MOST_WAITING {
                self.waiting += 1;
                thread.waiting[run].push_back(numbered);
            }
            return;
        };
        self.waiting -= 1;
        if other.event == *event {
            thread.events += 1;
            thread.instructions += event.instructions;
            thread.last = Some(*event);
            return;
        }
        let runs = if run == 0 { [numbered, other] } else { [other, numbered] };
        self.waiting -= thread.part(place, runs.map(Some));
    }

    /// Where the threads part, by their numbers; none for equal executions.
    pub fn finish(mut self) -> Vec<Parting> {
        for (place, thread) in self.threads.iter_mut().enumerate() {
            let rest = [0, 1].map(|run| thread.waiting[run].pop_front());
            if thread.parting.is_none() && rest.iter().any(Option::is_some) {
                thread.part(place, rest);
            }
        }
        self.threads.into_iter().filter_map(|thread| thread.parting).collect()
    }
}

impl Thread {
    /// Ends the comparison; gives how many events no longer wait.
    fn part(&mut self, thread: usize, runs: [Option<Numbered>; 2]) -> usize {
        let Self { events, instructions, last, .. } = *self;
        self.parting = Some(Parting { thread, events, instructions, last, runs });
        std::mem::take(&mut self.waiting).iter().map(VecDeque::len).sum()
    }
}

/// What both executions did, each count of the first and of the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twice {
    /// A function, `file:line`, or the place of a branch.
    pub what: String,
    /// Instructions of a function itself, runs of the first instruction of a line, or taken runs of a branch.
    pub counts: [u64; 2],
    /// How often a function was entered, or a branch ran; for a line as `counts`.
    pub runs: [u64; 2],
}

impl Twice {
    fn difference(&self) -> u64 {
        let of = |[first, second]: [u64; 2]| first.abs_diff(second);
        of(self.counts).max(of(self.runs))
    }
}

/// What one execution did more often than the other, the largest difference first.
#[derive(Clone, Debug)]
pub struct MoreOften {
    /// Functions.
    pub functions: Vec<Twice>,
    /// Lines of source.
    pub lines: Vec<Twice>,
    /// Branches.
    pub branches: Vec<Twice>,
}

impl MoreOften {
    /// Compares the counts of two executions of the same programs.
    pub fn of<L, T, M, U>(programs: &[OfContext], first: &Seen<L, T>, second: &Seen<M, U>) -> Self {
        let counts = [&first.counts, &second.counts];
        Self {
            functions: functions([&FunctionCount::all(first), &FunctionCount::all(second)]),
            lines: lines(programs, counts),
            branches: branches(programs, counts),
        }
    }
}

/// The counts that differ.
fn different<K: Ord>(counts: BTreeMap<K, [[u64; 2]; 2]>, what: impl Fn(K) -> String) -> Vec<Twice> {
    let twice = counts
        .into_iter()
        .map(|(key, [counts, runs])| Twice { what: what(key), counts, runs })
        .filter(|twice| twice.difference() > 0);
    let mut twice: Vec<Twice> = twice.collect();
    // Equal differences stay in the order of their keys.
    twice.sort_by_key(|twice| std::cmp::Reverse(twice.difference()));
    twice
}

fn functions(both: [&[FunctionCount]; 2]) -> Vec<Twice> {
    let mut counts: BTreeMap<String, [[u64; 2]; 2]> = BTreeMap::new();
    for (run, functions) in both.into_iter().enumerate() {
        for function in functions {
            let entry = counts.entry(function.function.clone()).or_default();
            entry[0][run] += function.instructions;
            entry[1][run] += function.entered;
        }
    }
    different(counts, |name| name)
}

fn lines(programs: &[OfContext], both: [&Vec<Counts>; 2]) -> Vec<Twice> {
    let mut counts: BTreeMap<Line, [[u64; 2]; 2]> = BTreeMap::new();
    for (number, program) in programs.iter().enumerate() {
        let mut lines = Lines::of_image(&program.image);
        for region in program.image.regions() {
            for (address, line) in lines.pieces(region) {
                let of = |run: usize| {
                    let counts = &both[run][number];
                    counts.of(address).max(counts.of(address | 1))
                };
                let entry = counts.entry(line).or_default();
                for run in [0, 1] {
                    // A line in several pieces ran as often as the most frequent one.
                    entry[0][run] = entry[0][run].max(of(run));
                }
                entry[1] = entry[0];
            }
        }
    }
    different(counts, |line| format!("{}:{}", line.file, line.line))
}

fn branches(programs: &[OfContext], both: [&Vec<Counts>; 2]) -> Vec<Twice> {
    let mut counts: BTreeMap<(usize, u64), [[u64; 2]; 2]> = BTreeMap::new();
    for (run, of_programs) in both.into_iter().enumerate() {
        for (number, of_program) in of_programs.iter().enumerate() {
            for site in of_program.sites.iter().filter(|site| site.branch.kind.is_conditional()) {
                let entry = counts.entry((number, site.address)).or_default();
                entry[0][run] += site.taken;
                entry[1][run] += site.executed;
            }
        }
    }
    different(counts, |(program, address)| names::spoken(&programs[program].image, address))
}
