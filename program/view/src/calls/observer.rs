//! Who is told of the calls of an execution.

use crate::names::{FunctionIndex, Names};

/// How a function is entered, with the address of the last instruction before where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// By a call.
    Call(u64),
    /// By a jump in place of a call, or by the end of the code before it.
    Jump(u64),
    /// By an exception, an interrupt or a signal.
    Exception(u64),
    /// As the first one of a stack.
    Beginning,
}

/// A function that is entered.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The number of a thread, or of a context that has a stack as threads have.
    pub thread: usize,
    /// The function.
    pub function: FunctionIndex,
    /// The number of instructions that the thread has retired.
    pub clock: u64,
    /// How it is entered.
    pub way: Way,
}

/// A receiver of the calls of an execution.
pub trait Observer {
    /// A function is entered.
    fn enter(&mut self, names: &Names, entry: Entry);
    /// The function that was entered last is left.
    fn leave(&mut self, thread: usize, clock: u64);
    /// A function takes the place of the one that was entered last.
    fn replace(&mut self, names: &Names, entry: Entry) {
        self.leave(entry.thread, entry.clock);
        self.enter(names, entry);
    }
    /// The function that was entered last retires instructions; `inlined` are the functions that the compiler put into
    /// it there, from the outermost.
    fn run(&mut self, thread: usize, instructions: u64, inlined: &[FunctionIndex]) {
        let _ = (thread, instructions, inlined);
    }
}
