//! What becomes of a block at the pins.

use tracewright_sim::event::{ExecutionState, Item};
use tracewright_sim::session::{Detail, Session, Turn};

use super::super::Bench;
use super::Packets;
use crate::cosim::AnyError;
use crate::error::Result;
use crate::report::Report;
use crate::stimulus::Block;

/// What happened to the block of a cycle.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) takes: bool,
    /// It is lost in the module and passes the filter.
    pub(super) loses: bool,
    /// It is lost and may change the flow, and what comes after it passes the filter.
    pub(super) may_go_on: bool,
    /// It does not pass the filter.
    pub(super) filters: bool,
    /// The rule that is broken, if one is.
    pub(super) broken: Option<&'static str>,
}

impl Packets {
    /// A block is neither taken nor does it wait.
    pub(super) fn lose<G, I>(
        &mut self,
        bench: &mut Bench<'_, G, I>,
        block: &(Block, ExecutionState),
        outcome: &mut Outcome,
    ) -> Result<()>
    where
        G: Session<Error: Into<AnyError>>,
        I: Iterator<Item = Result<Item>>,
    {
        self.held = None;
        self.state.is_requested |= self.requests;
        let is_off = bench.model.get(self.pins.flushed) != 0 && self.loses_when_off();
        let is_filtered = self.state.is_filtered() && !is_off;
        outcome.filters = is_filtered;
        let Report { filtered_instructions, lost_instructions, .. } = &mut bench.report;
        *(if is_filtered { filtered_instructions } else { lost_instructions }) += block.0.count;
        if self.pins.has_stall && !is_off && self.state.must_wait() {
            outcome.broken = Some("a block is lost that passes the filter, and the core can wait");
        }
        // The core in front of the module loses a block if it likes.
        outcome.loses = !self.state.is_filtered() && !self.is_lost;
        if self.state.loses(block, is_off) {
            bench.turn(Turn::End);
        }
        outcome.may_go_on = block.0.kind != 0 && !self.state.is_filtered();
        bench.detail(Detail::Time(self.time.now()))
    }

    /// A block is taken.
    pub(super) fn accept<G, I>(
        &mut self,
        bench: &mut Bench<'_, G, I>,
        block: &(Block, ExecutionState),
        outcome: &mut Outcome,
    ) -> Result<()>
    where
        G: Session<Error: Into<AnyError>>,
        I: Iterator<Item = Result<Item>>,
    {
        self.held = None;
        outcome.takes = true;
        bench.report.blocks += 1;
        let words_are_over = self.words_are_over(bench);
        let rule = self.state.takes(block, self.requests, words_are_over, &self.protocol);
        outcome.broken = rule.or(outcome.broken);
        let sent = bench.comparison.expected.pushed();
        bench.encode(self.index, &block.0.part_of(&self.event))?;
        if block.0.kind != 0 {
            self.pauses.follow(bench.comparison.expected.pushed() - sent, self.noise);
        }
        if self.pins.state.are_there() {
            bench.detail(Detail::State(block.1))?;
        }
        if self.state.is_due {
            bench.turn(Turn::End);
        }
        bench.detail(Detail::Time(self.time.now()))
    }
}
