//! The calls that are open at a place of an execution.

use super::{Calls, Frame};
use crate::names::FunctionIndex;

/// A call that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenCall {
    /// The function that was called.
    pub function: FunctionIndex,
    /// The address where the caller goes on, 0 if it is not known.
    pub back: u64,
    /// True for a handler that an exception has called.
    pub is_handler: bool,
}

impl Calls {
    /// The open calls of a thread, or of a context that has a stack as threads have, the outermost first.
    pub fn open(&self, number: usize) -> impl DoubleEndedIterator<Item = OpenCall> {
        let frames = self.threads.get(number).map_or(&[][..], |thread| &thread.frames);
        frames.iter().map(|frame| OpenCall {
            function: frame.function,
            back: frame.back,
            is_handler: frame.is_handler,
        })
    }

    /// About the bytes that a copy takes.
    pub fn size(&self) -> usize {
        let frames: usize = self.threads.iter().map(|thread| thread.frames.len()).sum();
        frames * size_of::<Frame>() + self.own.len() * size_of::<u64>()
    }
}
