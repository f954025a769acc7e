//! Questions about an execution: when a place ran, how long it takes from one place to another, what led to a moment.

mod moments;
mod places;

use std::cmp::Reverse;
use std::rc::Rc;

use crate::blocks::{BlockIndex, Blocks};
use crate::calls::{Entry, Observer, Way};
use crate::names::{FunctionIndex, Names};
use crate::walker::Step;

pub use moments::{Jump, Moment, StackFrame};
pub use places::{Place, PlaceError};

/// The most frames of a moment; those further out are counted only.
const MOST_FRAMES: usize = 200;

/// A moment that is asked for by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// The instruction with this number, counted from 0 over all threads.
    Instruction(u64),
    /// The last instruction of the event with this number, counted from 0.
    Event(u64),
}

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Places whose moments are wanted.
    pub places: Vec<Place>,
    /// Pairs of places, by their numbers in `places`: how many instructions of a thread are from the first to the second.
    pub spans: Vec<(usize, usize)>,
    /// A moment whose calls and last branches are wanted.
    pub at: Option<At>,
    /// The most moments of a place, spans of a pair and branches of a moment that are kept.
    pub most: usize,
}

/// The moments of a place.
#[derive(Clone, Debug, Default)]
pub struct Moments {
    /// How often it was reached.
    pub count: u64,
    /// The first times.
    pub first: Vec<Moment>,
    /// The last time.
    pub last: Option<Moment>,
}

/// A part of the execution of a thread from one place to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Instructions of the thread, from the first place on and without that of the second one.
    pub instructions: u64,
    /// The number of the first instruction, counted from 0 over all threads.
    pub from: u64,
    /// The number of the second place's instruction.
    pub to: u64,
    /// The thread, or the number of the context.
    pub thread: usize,
}

/// The answers at the end of an execution.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// The moments of each place.
    pub places: Vec<Moments>,
    /// The spans of each pair, in the order in which they end.
    pub spans: Vec<Vec<Span>>,
    /// The contexts by number, if the trace has contexts.
    pub contexts: Vec<u64>,
    /// The moment asked for, and the taken branches of its thread before it, the oldest first; `None` if the execution
    /// ends before it.
    pub at: Option<(Moment, Vec<Jump>)>,
}

/// Where an instruction of a block is at a place.
#[derive(Clone, Copy, Debug)]
struct Hit {
    place: usize,
    /// The number of the instruction in the block.
    offset: u64,
    address: u64,
    /// False for the first instruction of a block that is of the same line as what may have come before.
    is_sure: bool,
}

/// What a block has of the places.
#[derive(Debug)]
struct OfBlock {
    hits: Vec<Hit>,
    /// For each line asked for, its place and the instructions of the block that are of it.
    of_lines: Vec<(usize, Vec<bool>)>,
}

/// Answers questions during the pass over an execution.
#[derive(Debug)]
pub struct Questions {
    asked: Asked,
    answers: Answers,
    of_blocks: Vec<Option<Rc<OfBlock>>>,
    threads: Vec<moments::Thread>,
    /// What the current step reaches, in its order, and what of it comes next.
    reached: Vec<Hit>,
    next: usize,
    current: moments::Current,
}

impl Questions {
    /// Begins an execution.
    pub fn new(asked: Asked) -> Self {
        let answers = Answers {
            places: vec![Moments::default(); asked.places.len()],
            spans: vec![Vec::new(); asked.spans.len()],
            ..Answers::default()
        };
        Self {
            asked,
            answers,
            of_blocks: Vec::new(),
            threads: Vec::new(),
            reached: Vec::new(),
            next: 0,
            current: moments::Current::default(),
        }
    }

    /// Begins another context.
    pub(crate) fn add_context(&mut self, context: u64) {
        self.answers.contexts.push(context);
    }

    /// Takes in which instructions a step retires, before the calls of the step are observed. `number` is that of the
    /// thread, or of a context that has a stack as threads have.
    pub(crate) fn begin(&mut self, blocks: &Blocks, names: &Names, number: usize, step: &Step) {
        if number >= self.threads.len() {
            let pairs = self.asked.spans.len();
            self.threads.resize_with(number + 1, || moments::Thread::new(pairs));
        }
        self.current.begin(step);
        self.reached.clear();
        self.next = 0;
        let Some(index) = step.block else { return };
        let instructions = step.event.instructions;
        let of_block = self.of_block(blocks, names, index);
        let thread = &mut self.threads[number];
        for hit in &of_block.hits {
            if hit.offset < instructions && (hit.is_sure || !thread.is_in(hit.place)) {
                self.reached.push(*hit);
            }
        }
        for (place, is_of) in &of_block.of_lines {
            let last = instructions.checked_sub(1).and_then(|last| is_of.get(last as usize));
            thread.set_in(*place, last == Some(&true));
        }
        let offset = match self.asked.at {
            Some(At::Instruction(number)) => number.checked_sub(self.current.instructions()),
            Some(At::Event(event)) if event == step.index => instructions.checked_sub(1),
            _ => None,
        };
        if let Some(offset) = offset.filter(|offset| *offset < instructions) {
            let address = blocks.point(index, offset + 1).unwrap_or(blocks.get(index).start);
            let place = self.asked.places.len();
            self.reached.push(Hit { place, offset, address, is_sure: true });
        }
        // A span ends before another begins at the same instruction; its second place has the higher number.
        self.reached.sort_by_key(|hit| (hit.offset, Reverse(hit.place)));
    }

    /// Takes in how a step has ended, after its calls were observed.
    pub(crate) fn end(&mut self, number: usize, step: &Step) {
        if self.asked.at.is_some() && self.answers.at.is_none() {
            self.threads[number].jumped(step, self.current.instructions(), self.asked.most);
        }
        self.threads[number].instructions += step.event.instructions;
        self.current.end(step);
    }

    /// Forgets what is open, where a part of the execution is not known.
    pub(crate) fn gap(&mut self) {
        for thread in &mut self.threads {
            *thread = moments::Thread::new(self.asked.spans.len());
        }
    }

    /// The answers.
    pub(crate) fn finish(self) -> Answers {
        self.answers
    }

    fn of_block(&mut self, blocks: &Blocks, names: &Names, index: BlockIndex) -> Rc<OfBlock> {
        if let Some(Some(known)) = self.of_blocks.get(index.place()) {
            return Rc::clone(known);
        }
        let program = blocks.get(index).program;
        let mut found = OfBlock { hits: Vec::new(), of_lines: Vec::new() };
        for (place, asked) in self.asked.places.iter().enumerate() {
            let mut is_of = Vec::new();
            for (offset, address) in blocks.program_counters(index, u64::MAX).enumerate() {
                let byte_address = names.byte_address_in(program, address);
                let is_here = asked.has(program, byte_address);
                let was_here = asked.is_line() && is_of.last() == Some(&true);
                if is_here && !was_here {
                    let is_sure = !asked.is_line() || offset > 0;
                    found.hits.push(Hit { place, offset: offset as u64, address, is_sure });
                }
                is_of.push(is_here);
            }
            if asked.is_line() {
                found.of_lines.push((place, is_of));
            }
        }
        let found = Rc::new(found);
        self.of_blocks.resize(blocks.len().max(index.place() + 1), None);
        self.of_blocks[index.place()] = Some(Rc::clone(&found));
        found
    }

    /// Answers what the instructions up to `end` of the current step reach.
    fn reach(&mut self, number: usize, end: u64, inlined: &[FunctionIndex]) {
        while let Some(hit) = self.reached.get(self.next).copied().filter(|hit| hit.offset < end) {
            self.next += 1;
            let thread = &mut self.threads[number];
            let moment = || self.current.moment(number, thread, &hit, inlined);
            let Some(place) = self.answers.places.get_mut(hit.place) else {
                self.answers.at = Some((moment(), thread.jumps()));
                continue;
            };
            place.count += 1;
            if place.first.len() < self.asked.most {
                place.first.push(moment());
            }
            place.last = Some(moment());
            for (pair, (from, to)) in self.asked.spans.iter().enumerate() {
                let at = self.current.place_in(thread.instructions, &hit);
                if *to == hit.place
                    && let Some(span) = thread.close(pair, number, at)
                {
                    self.answers.spans[pair].push(span);
                }
                if *from == hit.place {
                    thread.open(pair, at);
                }
            }
        }
    }
}

impl Observer for Questions {
    fn enter(&mut self, _: &Names, entry: Entry) {
        let Entry { thread, function, way, .. } = entry;
        if thread >= self.threads.len() {
            let pairs = self.asked.spans.len();
            self.threads.resize_with(thread + 1, || moments::Thread::new(pairs));
        }
        let site = match way {
            Way::Call(at) | Way::Jump(at) | Way::Exception(at) => Some(at),
            Way::Beginning => None,
        };
        self.threads[thread].frames.push(StackFrame { function, site });
    }

    fn leave(&mut self, thread: usize, _: u64) {
        if let Some(thread) = self.threads.get_mut(thread) {
            thread.frames.pop();
        }
    }

    /// The function returns to where the one was called that it takes the place of.
    fn replace(&mut self, names: &Names, entry: Entry) {
        match self.threads.get_mut(entry.thread).and_then(|thread| thread.frames.last_mut()) {
            Some(call) => call.function = entry.function,
            None => self.enter(names, entry),
        }
    }

    fn run(&mut self, thread: usize, instructions: u64, inlined: &[FunctionIndex]) {
        let end = self.current.run(instructions);
        if self.next < self.reached.len() {
            self.reach(thread, end, inlined);
        }
    }
}
