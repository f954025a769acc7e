//! What a core shows at the pins of a module whose trace is made of packets.

use tracewright_sim::event::{ExecutionState, Item, Kind};
use tracewright_sim::session::Session;

use super::super::Bench;
use super::Packets;
use crate::cosim::AnyError;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::stimulus::Block;

/// The most blocks that are lost together in front of the module.
const MOST_LOST_BLOCKS: u64 = 4;

/// Of so many blocks one begins a loss in front of the module, if the module has pins for it.
const LOSS_INTERVAL: u64 = 64;

impl Packets {
    /// Puts the next block, if there is one before the next flush, on the pins.
    pub(super) fn show_next<G, I>(
        &mut self,
        bench: &mut Bench<'_, G, I>,
        noise: u64,
    ) -> Result<bool>
    where
        G: Session<Error: Into<AnyError>>,
        I: Iterator<Item = Result<Item>>,
    {
        while self.held.is_none() || self.more_lost > 0 {
            if let Some(block) = self.blocks.take() {
                self.hold(block, self.state_at(&block, noise), noise);
                continue;
            }
            let Some((index, event)) = bench.next_event()? else {
                self.more_lost = 0;
                if self.held.is_some() {
                    break;
                }
                self.show_none(&mut bench.model, noise);
                return Ok(false);
            };
            (self.index, self.event) = (index, event);
            self.blocks.load(&event).map_err(|reason| Error::Unpresentable { index, reason })?;
            self.states[0] = self.states[1];
            if let Some(state) = bench.next_state()? {
                self.states[1] = self.pins.state.traced(state);
            } else {
                self.states[1].cause = None;
            }
        }
        self.has_retired = true;
        if let Some((block, state)) = &self.held {
            let shown = if self.is_lost { Block { count: noise >> 13, ..*block } } else { *block };
            self.retire.show(&mut bench.model, &shown, noise);
            self.pins.state.show(&mut bench.model, state, noise);
            if let Some((lost, count)) = self.pins.loss {
                bench.model.set(lost, self.is_lost.into());
                bench.model.set(count, if self.is_lost { block.count } else { noise >> 21 });
            }
        }
        Ok(true)
    }

    /// The block after the one that is held, and with it if both are lost; otherwise the block alone. Some blocks
    /// begin a loss in front of the module, if it has pins for that.
    fn hold(&mut self, block: Block, state: ExecutionState, noise: u64) {
        let count = match &self.held {
            Some((before, _)) => {
                self.more_lost -= 1;
                before.count + block.count
            }
            None => {
                let begins =
                    self.pins.loss.is_some() && (noise >> 41).is_multiple_of(LOSS_INTERVAL);
                self.is_lost = begins;
                self.more_lost = if begins { (noise >> 50) % MOST_LOST_BLOCKS } else { 0 };
                block.count
            }
        };
        self.held = Some((Block { count, ..block }, state));
    }

    /// The state after a block. It may change before the last block of an event, which the trace does not show.
    fn state_at(&self, block: &Block, noise: u64) -> ExecutionState {
        let is_last = self.blocks.is_empty();
        let [before, after] = self.states;
        let state = if is_last || (noise >> 20).is_multiple_of(4) { after } else { before };
        let has_cause = block.kind == Kind::Exception.pin_code() && self.protocol.cause_bits > 0;
        ExecutionState { cause: has_cause.then(|| state.cause.unwrap_or(0)), ..state }
    }

    pub(super) fn show_none(&self, model: &mut Model, noise: u64) {
        self.retire.show_none(model, noise);
        self.pins.state.show_none(model, noise);
        if let Some((lost, count)) = self.pins.loss {
            model.set(lost, noise >> 9);
            model.set(count, noise >> 21);
        }
    }
}
