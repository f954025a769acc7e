//! The events of several threads, compared thread by thread: a trace of several cores keeps the order
//! of each, and has one of its own between them.

use std::collections::VecDeque;

use tracewright_sim::event::Event;
use tracewright_testbench::cosim::AnyError;

use super::source::Events;

/// Expected events, given out by thread.
pub struct ByThread {
    events: Events,
    /// What came before another thread's event that was asked for.
    waiting: Vec<VecDeque<Event>>,
}

impl ByThread {
    /// These events.
    pub fn new(events: Events) -> Self {
        Self { events, waiting: Vec::new() }
    }

    /// The next event of a thread.
    ///
    /// # Errors
    /// When the events cannot be read.
    pub fn next(&mut self, thread: u8) -> Result<Option<Event>, AnyError> {
        let thread = usize::from(thread);
        if let Some(event) = self.waiting.get_mut(thread).and_then(VecDeque::pop_front) {
            return Ok(Some(event));
        }
        loop {
            let Some(event) = self.events.next().transpose()? else { return Ok(None) };
            let of = usize::from(event.thread);
            if of == thread {
                return Ok(Some(event));
            }
            if self.waiting.len() <= of {
                self.waiting.resize_with(of + 1, VecDeque::new);
            }
            self.waiting[of].push_back(event);
        }
    }

    /// True if every event was given out.
    ///
    /// # Errors
    /// When the events cannot be read.
    pub fn is_empty(&mut self) -> Result<bool, AnyError> {
        let more = self.events.next().transpose()?;
        Ok(more.is_none() && self.waiting.iter().all(VecDeque::is_empty))
    }
}
