//! Work on one item after another in a thread of its own, so that a second core writes what the first one decodes.

use std::panic;
use std::sync::mpsc::{self, SyncSender};
use std::thread::{self, JoinHandle};

/// Items that are passed on together.
const ITEMS: usize = 1 << 12;

/// The most blocks of items that wait.
const WAITING: usize = 8;

/// Items on their way to a worker, which ends with the first error.
pub struct Aside<T, W, E> {
    block: Vec<T>,
    blocks: SyncSender<Vec<T>>,
    thread: JoinHandle<(W, Result<(), E>)>,
}

/// An item before could not be worked on: [`Aside::finish`] tells why.
#[derive(Clone, Copy, Debug)]
pub struct Ended;

impl<T: Send + 'static, W: Send + 'static, E: Send + 'static> Aside<T, W, E> {
    /// Begins with a worker, which takes blocks of items.
    pub fn new(
        mut worker: W,
        take: impl Fn(&mut W, &[T]) -> Result<(), E> + Send + 'static,
    ) -> Self {
        let (blocks, receiver) = mpsc::sync_channel::<Vec<T>>(WAITING);
        let thread = thread::spawn(move || {
            let result = receiver.into_iter().try_for_each(|block| take(&mut worker, &block));
            (worker, result)
        });
        Self { block: Vec::with_capacity(ITEMS), blocks, thread }
    }

    /// Adds an item.
    ///
    /// # Errors
    /// When an item before could not be worked on.
    #[inline]
    pub fn push(&mut self, item: T) -> Result<(), Ended> {
        self.block.push(item);
        if self.block.len() < ITEMS { Ok(()) } else { self.pass_on() }
    }

    #[cold]
    fn pass_on(&mut self) -> Result<(), Ended> {
        let block = std::mem::replace(&mut self.block, Vec::with_capacity(ITEMS));
        self.blocks.send(block).map_err(|_| Ended)
    }

    /// Waits until all items are worked on, and gives the worker back and the error that ended it.
    pub fn finish(self) -> (W, Result<(), E>) {
        let Self { block, blocks, thread } = self;
        // It fails after an error, which is in the result.
        let _ = blocks.send(block);
        drop(blocks);
        thread.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked))
    }
}
