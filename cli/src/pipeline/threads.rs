//! The events and accesses of several threads, for a comparison thread by thread: a trace of several cores keeps the
//! order within each thread, but not between threads.

use std::collections::VecDeque;

use tracewright_sim::event::Item;
use tracewright_testbench::cosim::AnyError;

use super::source::Items;

/// The expected items, available by thread.
pub struct ByThread {
    items: Items,
    /// Items that came before a requested item of another thread.
    waiting: Vec<VecDeque<Item>>,
}

impl ByThread {
    /// Takes the expected items.
    pub fn new(items: Items) -> Self {
        Self { items, waiting: Vec::new() }
    }

    /// The next item of a thread.
    ///
    /// # Errors
    /// When the items cannot be read.
    pub fn next(&mut self, thread: u8) -> Result<Option<Item>, AnyError> {
        let thread = usize::from(thread);
        if let Some(item) = self.waiting.get_mut(thread).and_then(VecDeque::pop_front) {
            return Ok(Some(item));
        }
        loop {
            let Some(item) = self.items.next().transpose()? else { return Ok(None) };
            let of = usize::from(item.thread());
            if of == thread {
                return Ok(Some(item));
            }
            if self.waiting.len() <= of {
                self.waiting.resize_with(of + 1, VecDeque::new);
            }
            self.waiting[of].push_back(item);
        }
    }

    /// True if every item has been taken.
    ///
    /// # Errors
    /// When the items cannot be read.
    pub fn is_empty(&mut self) -> Result<bool, AnyError> {
        let more = self.items.next().transpose()?;
        Ok(more.is_none() && self.waiting.iter().all(VecDeque::is_empty))
    }
}
