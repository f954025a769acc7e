//! Who called whom: a stack of calls for every thread, kept from calls, returns and exceptions.
//!
//! Programs do not always return where they were called from. The stack finds its place again by the return address,
//! several frames up if it has to be (an exception that is caught, `longjmp`), then by the function that goes on.

use serde::Serialize;
use tracewright_sim::event::Kind;

use crate::blocks::{BlockIndex, Blocks};
use crate::names::{FunctionIndex, Names};
use crate::walker::Step;

/// Frames of a thread; a deeper stack is given up, so that memory is bounded.
const MOST_FRAMES: usize = 1 << 20;

/// What follows the calls of an execution.
pub trait Observer {
    /// A function is entered. `clock` is that of the thread.
    fn enter(&mut self, names: &Names, thread: u8, function: FunctionIndex, clock: u64);
    /// The function that was entered last is left.
    fn leave(&mut self, thread: u8, clock: u64);
    /// The function that was entered last retires instructions.
    fn run(&mut self, thread: u8, instructions: u64) {
        let _ = (thread, instructions);
    }
}

/// How calls and returns match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Matching {
    /// Calls.
    pub calls: u64,
    /// Returns.
    pub returns: u64,
    /// Returns behind the call that was last.
    pub matched: u64,
    /// Returns behind an earlier call.
    pub unwound: u64,
    /// Returns to where nothing was called.
    pub unmatched: u64,
    /// The most calls that were open at once.
    pub deepest: u64,
}

/// The stacks of all threads.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    threads: Vec<Thread>,
    matching: Matching,
    /// Of the thread that is furthest.
    clock: u64,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    frames: Vec<Frame>,
    /// Frames of exception handlers among them.
    handlers: usize,
    /// Instructions of this thread, and where the others were when it began.
    clock: u64,
    /// Where the thread goes on.
    next: Option<BlockIndex>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    function: FunctionIndex,
    /// Where it goes back to.
    back: u64,
    is_handler: bool,
}

impl Calls {
    /// How calls and returns match so far.
    pub fn matching(&self) -> Matching {
        self.matching
    }

    /// Takes a step.
    #[inline]
    pub fn step(
        &mut self,
        blocks: &Blocks,
        names: &mut Names,
        step: &Step,
        observer: &mut impl Observer,
    ) {
        let number = step.event.thread;
        let place = usize::from(number);
        if place >= self.threads.len() {
            self.threads.resize(place + 1, Thread::default());
        }
        if step.is_first {
            self.threads[place].clock = self.clock;
        }
        let thread = &mut self.threads[place];
        let mut stack = Stack { number, thread, observer };
        let mut branch = None;
        if let Some(index) = step.block {
            let block = blocks.get(index);
            let function = names.of_block(blocks, index);
            if stack.thread.frames.last().map(|frame| Some(frame.function)) != Some(function) {
                stack.arrive(names, block.start, function);
            }
            stack.observer.run(number, step.event.instructions);
            stack.thread.clock += step.event.instructions;
            if step.event.instructions == block.instructions {
                branch = block.branch;
            }
        }
        self.clock = self.clock.max(stack.thread.clock);
        if step.event.taken {
            if step.event.kind == Kind::Exception {
                if !step.is_first {
                    stack.exception(blocks, names, step);
                }
            } else if let (Some(index), Some(branch)) = (step.block, branch) {
                let target = step.event.target;
                let is_handled = stack.thread.handlers > 0
                    && branch.kind.is_indirect()
                    && !branch.call
                    && stack.leave_handler(target);
                if branch.is_return {
                    self.matching.returns += 1;
                    let left = if is_handled { Some(1) } else { stack.go_back(target) };
                    match left {
                        Some(1) => self.matching.matched += 1,
                        Some(_) => self.matching.unwound += 1,
                        None => self.matching.unmatched += 1,
                    }
                }
                if branch.call {
                    self.matching.calls += 1;
                    let function =
                        names.of_block(blocks, step.next).unwrap_or_else(|| names.entered(target));
                    stack.push(names, function, blocks.get(index).next, false);
                    let depth = stack.thread.frames.len() as u64;
                    self.matching.deepest = self.matching.deepest.max(depth);
                }
            }
        }
        stack.thread.next = Some(step.next);
    }

    /// Leaves what is still open.
    pub fn finish(&mut self, observer: &mut impl Observer) {
        for (number, thread) in self.threads.iter_mut().enumerate() {
            Stack { number: number as u8, thread, observer }.unwind(0);
        }
    }
}

/// A thread's frames, and who follows them.
struct Stack<'a, O> {
    number: u8,
    thread: &'a mut Thread,
    observer: &'a mut O,
}

impl<O: Observer> Stack<'_, O> {
    fn push(&mut self, names: &Names, function: FunctionIndex, back: u64, is_handler: bool) {
        if self.thread.frames.len() >= MOST_FRAMES {
            self.unwind(0);
        }
        self.thread.frames.push(Frame { function, back, is_handler });
        self.thread.handlers += usize::from(is_handler);
        self.observer.enter(names, self.number, function, self.thread.clock);
    }

    /// Leaves frames until `depth` are left.
    fn unwind(&mut self, depth: usize) {
        while self.thread.frames.len() > depth
            && let Some(frame) = self.thread.frames.pop()
        {
            self.thread.handlers -= usize::from(frame.is_handler);
            self.observer.leave(self.number, self.thread.clock);
        }
    }

    /// Returns to an address: leaves the last frame that goes back there, and those above; how many, if there is one.
    fn go_back(&mut self, target: u64) -> Option<usize> {
        let place = self.thread.frames.iter().rposition(|frame| frame.back == target)?;
        let left = self.thread.frames.len() - place;
        self.unwind(place);
        Some(left)
    }

    /// Leaves the last exception handler if its end goes on at `target`.
    fn leave_handler(&mut self, target: u64) -> bool {
        let place = self.thread.frames.iter().rposition(|frame| frame.is_handler);
        match place {
            Some(place) if self.thread.frames[place].back == target => {
                self.unwind(place);
                true
            }
            _ => false,
        }
    }

    /// An exception comes, or the system call that ends a handler.
    #[cold]
    fn exception(&mut self, blocks: &Blocks, names: &mut Names, step: &Step) {
        let target = step.event.target;
        if self.thread.handlers > 0 && self.leave_handler(target) {
            return;
        }
        let back = match step.block {
            Some(_) => blocks.behind(step.event.program_counter),
            None => self.thread.next.map_or(0, |next| blocks.get(next).start),
        };
        let function = names.entered(target);
        self.push(names, function, back, true);
    }

    /// Goes on in a function without having been called.
    #[cold]
    fn arrive(&mut self, names: &mut Names, address: u64, function: Option<FunctionIndex>) {
        let Some(top) = self.thread.frames.last().copied() else {
            let function = function.unwrap_or_else(|| names.entered(address));
            return self.push(names, function, 0, false);
        };
        let Some(function) = function else {
            // Code without symbols is taken for one function until something is called.
            if names.get(top.function).is_known {
                let function = names.entered(address);
                self.replace(names, Frame { function, ..top });
            }
            return;
        };
        let is_beginning = names.get(function).address == names.byte_address(address);
        let below = self.thread.frames.iter().rposition(|frame| frame.function == function);
        match below {
            // A function that goes on was not left for good: longjmp, or an exception that was caught.
            Some(place) if !is_beginning => self.unwind(place + 1),
            // Else it is entered by a jump instead of a call.
            _ => self.replace(names, Frame { function, ..top }),
        }
    }

    fn replace(&mut self, names: &Names, frame: Frame) {
        let depth = self.thread.frames.len();
        let handlers = self.thread.handlers;
        self.unwind(depth.saturating_sub(1));
        self.thread.frames.push(frame);
        self.thread.handlers = handlers;
        self.observer.enter(names, self.number, frame.function, self.thread.clock);
    }
}
