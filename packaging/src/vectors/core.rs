//! A core of the testbench: its events, as blocks.

use std::collections::VecDeque;

use tracewright_sim::event::{Event, ExecutionState};
use tracewright_testbench::stimulus::Blocks;

use crate::shown::Retired;

/// One core's events, and the blocks of the one that is being shown.
#[derive(Clone)]
pub(super) struct Core {
    pub(super) blocks: Blocks,
    /// Each event, and the state after it if that is another one.
    pub(super) queue: VecDeque<(Event, Option<ExecutionState>)>,
    pub(super) state: ExecutionState,
}

impl Core {
    /// The next block, and the part of an event that it is; `None` when there are no more.
    pub(super) fn next(&mut self) -> Result<Option<(Event, Retired)>, String> {
        while let Some((event, state)) = self.queue.front() {
            if self.blocks.is_empty() {
                self.blocks.load(event)?;
            }
            let block = self.blocks.take().map(|block| (block.part_of(event), block));
            self.state.cause = None;
            if self.blocks.is_empty() {
                self.state = state.unwrap_or(self.state);
                self.queue.pop_front();
            }
            if let Some((part, block)) = block {
                return Ok(Some((part, (block, self.state))));
            }
        }
        Ok(None)
    }
}
