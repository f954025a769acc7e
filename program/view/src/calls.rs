//! The calls of an execution: a stack of open calls for every thread, derived from calls, returns and exceptions.
//!
//! Programs do not always return to their callers. The stack is then resynchronised by the return address,
//! which may be several frames up (a caught exception, `longjmp`), or else by the function that continues.

use rustc_hash::FxHashSet;
use tracewright_sim::event::Kind;

mod contexts;
mod matching;
mod observer;
mod open;

pub use matching::Matching;
pub use observer::{Entry, Observer, Way};
pub use open::OpenCall;

use crate::blocks::{BlockIndex, Blocks};
use crate::names::{FunctionIndex, Names, Part, Parts};
use crate::walker::Step;

/// The most frames of a thread; a deeper stack is dropped, so that memory is bounded.
const MOST_FRAMES: usize = 1 << 20;

/// The stacks of all threads.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    threads: Vec<Thread>,
    matching: Matching,
    /// The time of the thread that is furthest.
    clock: u64,
    /// The instructions of each function itself.
    own: Vec<u64>,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    frames: Vec<Frame>,
    /// Indices of the frames of exception handlers.
    handlers: usize,
    /// The thread's time: its instructions, plus the time of the furthest thread when it began.
    clock: u64,
    /// The address where the thread continues.
    next: Option<BlockIndex>,
    /// The address of the last instruction of the last step.
    last: u64,
    /// True after a return that no open call made possible.
    is_elsewhere: bool,
    /// True after an exception.
    is_interrupted: bool,
    /// True after an indirect jump that is no call and no return to an open call, as is the end of a handler.
    has_jumped: bool,
    /// Where the last exception, or the one that led to another context, has interrupted it.
    resumes: Option<u64>,
    /// Functions that have jumped to the return address of another function's call: they switch stacks.
    switches: FxHashSet<FunctionIndex>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    function: FunctionIndex,
    /// The return address.
    back: u64,
    is_handler: bool,
}

impl Calls {
    /// How calls and returns match so far.
    pub fn matching(&self) -> Matching {
        self.matching
    }

    /// The instructions of each function itself, by its index; 0 for those beyond the end.
    pub fn own(&self) -> &[u64] {
        &self.own
    }

    /// Takes a step of a thread, or of a context that has a stack as threads have.
    #[inline]
    pub fn step(
        &mut self,
        blocks: &Blocks,
        names: &mut Names,
        (number, step): (usize, &Step),
        observer: &mut impl Observer,
    ) {
        if number >= self.threads.len() {
            self.threads.resize(number + 1, Thread::default());
        }
        if step.is_first {
            self.threads[number].clock = self.clock;
        }
        let thread = &mut self.threads[number];
        let mut stack = Stack { number, thread, own: &mut self.own, observer };
        let mut branch = None;
        if let Some(index) = step.block {
            let block = blocks.get(index);
            let instructions = step.event.instructions;
            stack.run_block(blocks, names, index, instructions);
            if instructions == block.instructions {
                branch = block.branch;
            }
        }
        self.clock = self.clock.max(stack.thread.clock);
        (stack.thread.is_interrupted, stack.thread.has_jumped) = (false, false);
        if step.event.taken {
            if step.event.kind == Kind::Exception {
                if !step.is_first {
                    stack.thread.resumes = stack.exception(blocks, names, step);
                    stack.thread.is_interrupted = true;
                }
            } else if let (Some(index), Some(branch)) = (step.block, branch) {
                let target = step.event.target;
                let is_handled = stack.thread.handlers > 0
                    && branch.kind.is_indirect()
                    && !branch.call
                    && stack.leave_handler(target);
                stack.thread.has_jumped = branch.kind.is_indirect() && !branch.call && !is_handled;
                if branch.is_return {
                    let closed = if is_handled { Some(1) } else { stack.go_back(target) };
                    self.matching.count_return(closed);
                    stack.thread.is_elsewhere = closed.is_none();
                    stack.thread.has_jumped = closed.is_none();
                }
                if branch.call {
                    self.matching.calls += 1;
                    let function = stack.entered(blocks, names, step.next, target);
                    let back = blocks.get(index).next;
                    let way = Way::Call(step.event.program_counter);
                    stack.push(names, Frame { function, back, is_handler: false }, way);
                    let depth = stack.thread.frames.len() as u64;
                    self.matching.deepest = self.matching.deepest.max(depth);
                }
            }
        }
        stack.thread.next = Some(step.next);
        stack.thread.last = step.event.program_counter;
    }

    /// Closes the calls that are still open, at the end of what is known of the execution.
    pub fn close(&mut self, observer: &mut impl Observer) {
        for (number, thread) in self.threads.iter_mut().enumerate() {
            (thread.next, thread.resumes) = (None, None);
            (thread.is_elsewhere, thread.is_interrupted, thread.has_jumped) = (false, false, false);
            Stack { number, thread, own: &mut self.own, observer }.unwind(0);
        }
    }
}

/// A thread's frames, and the receiver of their calls.
struct Stack<'a, O> {
    number: usize,
    thread: &'a mut Thread,
    own: &'a mut Vec<u64>,
    observer: &'a mut O,
}

impl<O: Observer> Stack<'_, O> {
    /// Retires the first instructions of a block.
    #[inline]
    fn run_block(
        &mut self,
        blocks: &Blocks,
        names: &mut Names,
        index: BlockIndex,
        instructions: u64,
    ) {
        match names.of_block(blocks, index) {
            Parts::One(function) => {
                let address = blocks.get(index).start;
                let part = Part { address, instructions, function, inlined: None };
                self.run(blocks, names, index, &part, instructions);
            }
            Parts::Several(parts) => {
                let mut left = instructions;
                for part in parts.iter() {
                    let count = part.instructions.min(left);
                    left -= count;
                    if count == 0 {
                        return;
                    }
                    self.run(blocks, names, index, part, count);
                }
            }
        }
    }

    /// Retires the first instructions of a part of a block.
    #[inline]
    fn run(
        &mut self,
        blocks: &Blocks,
        names: &mut Names,
        index: BlockIndex,
        part: &Part,
        instructions: u64,
    ) {
        if self.thread.frames.last().map(|frame| Some(frame.function)) != Some(part.function) {
            self.arrive(blocks, names, index, part.address, part.function);
        }
        if let Some(top) = self.thread.frames.last() {
            let place = top.function.place();
            if place >= self.own.len() {
                self.own.resize(place + 1, 0);
            }
            self.own[place] += instructions;
        }
        let inlined = part.inlined.as_deref().unwrap_or_default();
        self.observer.run(self.number, instructions, inlined);
        self.thread.clock += instructions;
    }

    /// The function that begins at an address, with which a block begins.
    fn entered(
        &self,
        blocks: &Blocks,
        names: &mut Names,
        index: BlockIndex,
        address: u64,
    ) -> FunctionIndex {
        match names.of_block(blocks, index).first() {
            Some(function) => function,
            None => {
                let origin = names.origin_of(blocks, index);
                names.entered(origin, address)
            }
        }
    }

    fn push(&mut self, names: &Names, frame: Frame, way: Way) {
        if self.thread.frames.len() >= MOST_FRAMES {
            self.unwind(0);
        }
        self.thread.frames.push(frame);
        self.thread.handlers += usize::from(frame.is_handler);
        self.observer.enter(names, self.entry(frame.function, way));
    }

    /// Begins a stack with a function.
    fn begin(&mut self, names: &Names, function: FunctionIndex) {
        self.push(names, Frame { function, back: 0, is_handler: false }, Way::Beginning);
    }

    fn entry(&self, function: FunctionIndex, way: Way) -> Entry {
        Entry { thread: self.number, function, clock: self.thread.clock, way }
    }

    /// Closes frames until `depth` remain.
    fn unwind(&mut self, depth: usize) {
        while self.thread.frames.len() > depth
            && let Some(frame) = self.thread.frames.pop()
        {
            self.thread.handlers -= usize::from(frame.is_handler);
            self.observer.leave(self.number, self.thread.clock);
        }
    }

    /// Returns to an address: closes the last frame with this return address, and those above it. Gives the number of
    /// closed frames, or `None` if there is no such frame.
    fn go_back(&mut self, target: u64) -> Option<usize> {
        let place = self.thread.frames.iter().rposition(|frame| frame.back == target)?;
        let left = self.thread.frames.len() - place;
        self.unwind(place);
        Some(left)
    }

    /// Closes the last exception handler that has interrupted the execution at `target`, and what is open above it: a
    /// handler that begins while the one before it returns leads back to where that one began.
    fn leave_handler(&mut self, target: u64) -> bool {
        let place =
            self.thread.frames.iter().rposition(|frame| frame.is_handler && frame.back == target);
        if let Some(place) = place {
            self.unwind(place);
        }
        place.is_some()
    }

    /// Takes an exception, or the system call that ends a handler. Gives where a handler has interrupted the execution.
    #[cold]
    fn exception(&mut self, blocks: &Blocks, names: &mut Names, step: &Step) -> Option<u64> {
        let target = step.event.target;
        if self.thread.handlers > 0 && self.leave_handler(target) {
            return None;
        }
        let back = match step.block {
            Some(index) => blocks.behind(index, step.event.instructions),
            None => self.thread.next.map_or(0, |next| blocks.get(next).start),
        };
        let function = self.entered(blocks, names, step.next, target);
        // Without an instruction of its own, the exception came after the last one of the step before.
        let last = step.block.map_or(self.thread.last, |_| step.event.program_counter);
        let frame = Frame { function, back, is_handler: true };
        self.push(names, frame, Way::Exception(last));
        Some(back)
    }

    /// Continues in a function that was not called.
    #[cold]
    fn arrive(
        &mut self,
        blocks: &Blocks,
        names: &mut Names,
        index: BlockIndex,
        address: u64,
        function: Option<FunctionIndex>,
    ) {
        let is_elsewhere = std::mem::take(&mut self.thread.is_elsewhere);
        let origin = names.origin_of(blocks, index);
        let Some(top) = self.thread.frames.last().copied() else {
            let function = function.unwrap_or_else(|| names.entered(origin, address));
            return self.begin(names, function);
        };
        let last = self.last_before(blocks, index, address);
        let Some(function) = function else {
            // Code without symbols counts as one function until it is called.
            if names.get(top.function).is_known {
                let function = names.entered(origin, address);
                self.replace(names, Frame { function, ..top }, last);
            }
            return;
        };
        if names.get(function).address == names.byte_address(function, address) {
            if self.thread.switches.contains(&top.function) {
                // A coroutine begins on a stack of its own.
                self.unwind(0);
                return self.begin(names, function);
            }
            // It is entered by a jump instead of a call.
            return self.replace(names, Frame { function, ..top }, last);
        }
        // A jump to where an open call returns is a return: a coroutine continues, or an exception was caught.
        let is_return = |frame: &Frame| frame.back == address && !frame.is_handler;
        if let Some(place) = self.thread.frames.iter().rposition(is_return) {
            if !is_elsewhere {
                self.thread.switches.insert(top.function);
            }
            self.unwind(place);
        }
        match self.thread.frames.iter().rposition(|frame| frame.function == function) {
            // The function is still open and continues: longjmp, or a caught exception.
            Some(place) => self.unwind(place + 1),
            None => {
                let Thread { switches, frames, .. } = &*self.thread;
                if switches.contains(&top.function) || is_elsewhere && !switches.is_empty() {
                    // Another stack, of which only this function is known.
                    self.unwind(0);
                    return self.begin(names, function);
                }
                // The function that returned is done, and another takes the place of the one below it.
                if is_elsewhere && frames.len() > 1 {
                    self.unwind(frames.len() - 1);
                }
                let frame = self.thread.frames.last().copied().unwrap_or(top);
                self.replace(names, Frame { function, ..frame }, last);
            }
        }
    }

    /// The address of the instruction that retired before the one at an address in a block.
    fn last_before(&self, blocks: &Blocks, index: BlockIndex, address: u64) -> u64 {
        let before = blocks.program_counters(index, u64::MAX).take_while(|one| *one != address);
        before.last().unwrap_or(self.thread.last)
    }

    /// A function takes the place of the last one, after the instruction at an address.
    fn replace(&mut self, names: &Names, frame: Frame, last: u64) {
        let entry = self.entry(frame.function, Way::Jump(last));
        match self.thread.frames.last_mut() {
            Some(top) => {
                *top = frame;
                self.observer.replace(names, entry);
            }
            None => self.push(names, frame, Way::Jump(last)),
        }
    }
}
