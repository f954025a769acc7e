//! The call graph: which function enters which other one from where, how often, and how many instructions that takes.

use rustc_hash::FxHashMap;

use crate::calls::{Entry, Observer, Way};
use crate::names::{FunctionIndex, Names};

/// The most different edges; entries beyond them are not counted.
const MOST_EDGES: usize = 1 << 22;

/// An edge of the call graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The function that enters the other one; `None` where a stack begins.
    pub caller: Option<FunctionIndex>,
    /// The function that is entered.
    pub callee: FunctionIndex,
    /// How it is entered, and from where.
    pub way: Way,
    /// How often.
    pub count: u64,
    /// Instructions from entering it to leaving it, with those of what it called. A function that is open already adds
    /// nothing, so that recursion counts once.
    pub instructions: u64,
}

/// The edges of an execution.
///
/// A jump to another function counts as a call by the function that jumps, which stays open until the function that it
/// jumped to returns.
#[derive(Clone, Debug, Default)]
pub struct CallGraph {
    edges: Vec<Edge>,
    numbers: FxHashMap<(Option<FunctionIndex>, FunctionIndex, Way), u32>,
    threads: Vec<Thread>,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    open: Vec<Open>,
    /// How often each function is open.
    depths: Vec<u32>,
}

/// A function that is open.
#[derive(Clone, Copy, Debug)]
struct Open {
    function: FunctionIndex,
    /// The number of the edge by which it was entered, if it has one.
    edge: Option<u32>,
    begin: u64,
    /// True if it was entered by a jump, and is left together with the function before it.
    is_jump: bool,
}

impl CallGraph {
    /// Every edge, in the order in which they occurred first.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The number of an edge, which is counted.
    fn count(&mut self, caller: Option<FunctionIndex>, entry: &Entry) -> Option<u32> {
        let (callee, way) = (entry.function, entry.way);
        let number = match self.numbers.get(&(caller, callee, way)) {
            Some(number) => *number,
            None if self.edges.len() >= MOST_EDGES => return None,
            None => {
                let number = self.edges.len() as u32;
                self.numbers.insert((caller, callee, way), number);
                self.edges.push(Edge { caller, callee, way, count: 0, instructions: 0 });
                number
            }
        };
        self.edges[number as usize].count += 1;
        Some(number)
    }

    fn thread(&mut self, number: usize) -> &mut Thread {
        if number >= self.threads.len() {
            self.threads.resize(number + 1, Thread::default());
        }
        &mut self.threads[number]
    }

    /// Opens a function; gives nothing to its edge later if it is open already.
    fn open(&mut self, entry: &Entry, edge: Option<u32>, is_jump: bool) {
        let Entry { thread, function, clock: begin, .. } = *entry;
        let thread = self.thread(thread);
        if function.place() >= thread.depths.len() {
            thread.depths.resize(function.place() + 1, 0);
        }
        let depth = &mut thread.depths[function.place()];
        let edge = edge.filter(|_| *depth == 0);
        *depth += 1;
        thread.open.push(Open { function, edge, begin, is_jump });
    }

    /// Closes the function that was opened last; gives whether it was entered by a jump.
    fn close(&mut self, number: usize, clock: u64) -> bool {
        let thread = self.thread(number);
        let Some(Open { function, edge, begin, is_jump }) = thread.open.pop() else { return false };
        thread.depths[function.place()] -= 1;
        if let Some(edge) = edge {
            self.edges[edge as usize].instructions += clock.saturating_sub(begin);
        }
        is_jump
    }
}

impl Observer for CallGraph {
    fn enter(&mut self, _: &Names, entry: Entry) {
        let caller = match entry.way {
            Way::Beginning => None,
            _ => self.thread(entry.thread).open.last().map(|open| open.function),
        };
        let edge = self.count(caller, &entry);
        self.open(&entry, edge, false);
    }

    fn leave(&mut self, thread: usize, clock: u64) {
        while self.close(thread, clock) {}
    }

    fn replace(&mut self, _: &Names, entry: Entry) {
        let open = &self.thread(entry.thread).open;
        let caller = open.last().map(|open| open.function);
        // Functions that jump to each other in a circle stay open once.
        let base = open.iter().rposition(|open| !open.is_jump).unwrap_or(0);
        let depth = open.len();
        let chain = &open[base.min(depth)..];
        let same = chain.iter().rposition(|open| open.function == entry.function);
        let edge = self.count(caller, &entry);
        match same {
            Some(place) => {
                for _ in base + place + 1..depth {
                    self.close(entry.thread, entry.clock);
                }
            }
            None => self.open(&entry, edge, true),
        }
    }
}
