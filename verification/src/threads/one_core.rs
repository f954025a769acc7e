//! The threads of a trace as one core runs them: one after the other for a quantum each, with an exception and another
//! context between them.

use std::collections::VecDeque;

use tracewright_sim::event::{Event, ExecutionState, Item, Kind};

use super::alone;

/// Threads of a trace.
const THREADS: usize = 8;

/// Turns the items of several threads into those of one core.
///
/// A thread runs until it has retired a quantum of instructions and takes a branch, or until the trace has a quantum of
/// another thread before its next event: then it is taken to wait. The next thread by number that has something to run
/// comes after it. Between the two are an exception of no instructions, whose target is the instruction where the next
/// thread goes on, and a state: the number of the thread is the context.
///
/// Where a thread goes on after a branch that was not taken, and where one begins without an exception, the trace does
/// not say. It begins there with the instruction of its next event; [`left_out`](Self::left_out) counts the instructions
/// before it.
#[derive(Debug)]
pub struct OneCore {
    quantum: u64,
    threads: [Thread; THREADS],
    running: Option<usize>,
    /// A straight run that was not emitted yet: a switch right after it is one exception with it.
    straight_run: Option<Event>,
    /// Instructions that the running thread has retired since it was switched to.
    used: u64,
    switches: u64,
    left_out: u64,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    /// What it has not run yet.
    waiting: VecDeque<Item>,
    /// Events among them.
    events: u64,
    /// Instructions of these.
    instructions: u64,
    /// The last event that it ran.
    last: Option<Event>,
}

impl Thread {
    fn push(&mut self, item: Item) {
        if let Item::Event(event) = &item {
            self.events += 1;
            self.instructions = self.instructions.saturating_add(event.instructions);
        }
        self.waiting.push_back(alone(item));
    }

    fn pop(&mut self) -> Option<Item> {
        let item = self.waiting.pop_front()?;
        if let Item::Event(event) = &item {
            self.events -= 1;
            self.instructions = self.instructions.saturating_sub(event.instructions);
            self.last = Some(*event);
        }
        Some(item)
    }

    /// The address where it goes on, if the trace says it.
    fn goes_on_at(&self) -> Option<u64> {
        self.last.filter(|event| event.taken).map(|event| event.target)
    }

    /// Where it goes on by an exception of no instructions, as a captured thread begins: the switch leads there instead.
    fn enter(&mut self) -> Option<(u64, u64)> {
        let Some(Item::Event(event)) = self.waiting.front().copied() else { return None };
        let enters = event.kind == Kind::Exception && event.taken && event.instructions == 0;
        enters.then(|| {
            self.pop();
            (event.target, 0)
        })
    }

    /// Lets it begin with the instruction of its next event: the address of that, and the instructions left out.
    fn cut(&mut self) -> Option<(u64, u64)> {
        let next = self.waiting.iter().find_map(|item| match item {
            Item::Event(event) => Some(*event),
            _ => None,
        })?;
        let before = next.instructions.saturating_sub(1);
        // Accesses of the instructions before it are left out; those of its own instruction stay.
        while let Some(Item::Access(access)) = self.waiting.front_mut() {
            if access.site.instructions == next.instructions {
                break;
            }
            self.waiting.pop_front();
        }
        for item in &mut self.waiting {
            match item {
                Item::Access(access) => access.site.instructions = 1,
                Item::Event(event) => {
                    event.instructions -= before;
                    break;
                }
                Item::State(_) | Item::Cycles(_) => {}
            }
        }
        self.instructions -= before;
        Some((next.program_counter, before))
    }
}

impl OneCore {
    /// A core whose threads have so many instructions each before the next one runs.
    pub fn new(quantum: u64) -> Self {
        Self {
            quantum: quantum.max(1),
            threads: Default::default(),
            running: None,
            straight_run: None,
            used: 0,
            switches: 0,
            left_out: 0,
        }
    }

    /// Takes an item of the trace, and gives what the core does then.
    pub fn item(&mut self, item: Item, mut emit: impl FnMut(Item)) {
        let thread = usize::from(item.thread()).min(THREADS - 1);
        if self.running.is_none() {
            self.running = Some(thread);
        }
        self.threads[thread].push(item);
        self.run(&mut emit);
        // The running thread has nothing to run, and another one a quantum: it waits.
        if self.threads[thread].instructions >= self.quantum && self.threads[thread].events > 0 {
            self.switch(thread, &mut emit);
            self.run(&mut emit);
        }
    }

    /// Runs what is left when the trace has ended.
    pub fn finish(&mut self, mut emit: impl FnMut(Item)) {
        while let Some(next) = self.next_thread() {
            self.switch(next, &mut emit);
            self.run(&mut emit);
        }
        self.emit_straight_run(&mut emit);
    }

    /// Instructions that the trace of one core does not have.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// How often another thread was switched to.
    pub fn switches(&self) -> u64 {
        self.switches
    }

    /// Runs threads as long as the running one has something to run.
    fn run(&mut self, emit: &mut impl FnMut(Item)) {
        while let Some(running) = self.running {
            let thread = &mut self.threads[running];
            // Accesses alone are no run yet.
            if thread.events == 0 {
                return;
            }
            let Some(item) = thread.pop() else { return };
            let ends_run = matches!(&item, Item::Event(event) if event.taken);
            if let Item::Event(event) = &item {
                self.used = self.used.saturating_add(event.instructions);
            }
            self.emit_straight_run(emit);
            match item {
                Item::Event(event) if event.kind == Kind::Exception && !event.taken => {
                    self.straight_run = Some(event);
                }
                item => emit(item),
            }
            if self.used >= self.quantum
                && ends_run
                && let Some(next) = self.next_thread()
            {
                self.switch(next, emit);
            }
        }
    }

    /// The next thread by number that has something to run.
    fn next_thread(&self) -> Option<usize> {
        let running = self.running.unwrap_or(THREADS - 1);
        let mut others = (1..THREADS).map(|step| (running + step) % THREADS);
        others.find(|thread| self.threads[*thread].events > 0)
    }

    fn emit_straight_run(&mut self, emit: &mut impl FnMut(Item)) {
        if let Some(event) = self.straight_run.take() {
            emit(Item::Event(event));
        }
    }

    fn switch(&mut self, next: usize, emit: &mut impl FnMut(Item)) {
        let thread = &mut self.threads[next];
        let (place, left_out) = match thread.goes_on_at() {
            Some(place) => (place, 0),
            None => thread.enter().or_else(|| thread.cut()).unwrap_or_default(),
        };
        self.left_out += left_out;
        let from = self.running.and_then(|running| self.threads[running].last);
        if let Some(from) = from {
            let before = self.straight_run.take().map_or(0, |event| event.instructions);
            emit(Item::Event(Event::exception(before, from.program_counter, place)));
        }
        let context = next as u64;
        emit(Item::State(ExecutionState { context, ..ExecutionState::default() }));
        self.switches += 1;
        (self.running, self.used) = (Some(next), 0);
    }
}
