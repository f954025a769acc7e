//! The events and accesses of several threads, compared thread by thread: a trace of several cores preserves the
//! order within each thread, and its own order between them.

use std::collections::VecDeque;

use tracewright_sim::event::Item;
use tracewright_testbench::cosim::AnyError;

use crate::source::Items;

/// Expected items, taken by thread.
pub(crate) struct ByThread {
    items: Items,
    /// By thread, the items that were read while another thread's was wanted.
    waiting: Vec<VecDeque<Item>>,
}

impl ByThread {
    /// Takes from these items.
    pub(crate) fn new(items: Items) -> Self {
        Self { items, waiting: Vec::new() }
    }

    /// The next item of a thread; an error when the items cannot be read.
    pub(crate) fn next(&mut self, thread: u8) -> Result<Option<Item>, AnyError> {
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

    /// True if every item was taken; an error when the items cannot be read.
    pub(crate) fn is_empty(&mut self) -> Result<bool, AnyError> {
        let more = self.items.next().transpose()?;
        Ok(more.is_none() && self.waiting.iter().all(VecDeque::is_empty))
    }
}
