//! What the rules of the pins make of a trace of packets: where packets begin, and what is lost.

use tracewright_sim::config::Protocol;
use tracewright_sim::event::ExecutionState;
use tracewright_sim::filter::Filter;
use tracewright_sim::packet::header::{LossCause, MOST_LOST, Next};
use tracewright_sim::session::Synchronisation;

use super::patience::Waiting;
use crate::stimulus::Block;

/// What the rules of docs/hardware.md make of the pins so far.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) is_open: bool,
    pub(crate) is_requested: bool,
    /// A packet must begin before the next block is taken.
    pub(crate) is_due: bool,
    /// The synchronisation that is due is one of state only.
    keeps: bool,
    /// An interval begins with it.
    begins_interval: bool,
    instructions: u64,
    /// The count of words that have left the module begins after this cycle.
    pub(crate) restarts_words: bool,
    /// Where the next instruction is.
    last: Option<Next>,
    /// In what the execution goes on after the last block, and what the last header says of that.
    pub(crate) now: ExecutionState,
    pub(crate) told: ExecutionState,
    /// The last block that retired may change the flow.
    is_after_branch: bool,
    /// The trace ends as soon as a packet has begun.
    pub(crate) is_ending: bool,
    pub(crate) loss: Option<Lost>,
    /// What is traced, if the module has pins for it.
    filter: Option<Filter>,
    /// The last block was lost while tracing was on, and what comes after it passes the filter.
    resumes: bool,
}

/// Blocks that were not taken.
#[derive(Debug)]
pub(crate) struct Lost {
    instructions: u64,
    cause: LossCause,
}

impl State {
    pub(crate) fn new(reset: ExecutionState, filter: Option<Filter>) -> Self {
        State {
            is_open: false,
            is_requested: false,
            is_due: false,
            keeps: false,
            begins_interval: false,
            instructions: 0,
            restarts_words: false,
            last: None,
            now: reset,
            told: reset,
            is_after_branch: false,
            is_ending: false,
            loss: None,
            filter,
            resumes: false,
        }
    }

    /// The next block does not pass the filter.
    pub(crate) fn is_filtered(&self) -> bool {
        self.filter.as_ref().is_some_and(|filter| !filter.traces())
    }

    /// What the module needs some time for.
    pub(super) fn waiting(&self) -> Waiting {
        match (&self.loss, self.is_due, self.is_open) {
            (Some(_), ..) => Waiting::ForEnd,
            (None, true, _) => Waiting::ForPacket,
            (None, false, false) => Waiting::ForTables,
            (None, false, true) => Waiting::Nothing,
        }
    }

    /// A block is taken.
    pub(crate) fn takes(
        &mut self,
        (block, state): &(Block, ExecutionState),
        requests: bool,
        words_are_over: bool,
        protocol: &Protocol,
    ) -> Option<&'static str> {
        let mut broken = None;
        if self.loss.is_some() {
            broken = Some("a block is taken after blocks that were lost, and no packet has begun");
        } else if self.is_due {
            broken = Some("a block is taken where a synchronisation is due");
        } else if self.is_filtered() {
            broken = Some("a block is taken that does not pass the filter");
        }
        let mut interval_is_over = false;
        if self.is_open {
            self.is_requested |= requests;
            interval_is_over = words_are_over;
        } else {
            (self.is_open, self.is_requested, self.instructions) = (true, false, 0);
            self.restarts_words = true;
        }
        self.instructions += block.count;
        let interval = u64::from(protocol.interval());
        interval_is_over |= interval > 0 && self.instructions >= interval;
        self.retires(block, state);
        let clears = self.is_requested || interval_is_over;
        let tells = self.now != self.told;
        self.is_due = block.kind != 0 && (clears || tells);
        (self.keeps, self.begins_interval) = (!clears, clears || protocol.sync_keeps_tables);
        broken
    }

    /// A block that is not taken has to wait, if the core can and tracing is on.
    pub(crate) fn must_wait(&self) -> bool {
        let resumes = self.resumes && self.filter.is_some();
        !self.is_filtered() && (self.loss.is_none() || resumes)
    }

    /// A block is not taken, and does not wait. True if a packet ends before it.
    pub(crate) fn loses(&mut self, (block, state): &(Block, ExecutionState), is_off: bool) -> bool {
        let is_in_packet = self.is_open && !self.is_due;
        let cause = match (is_off, self.is_filtered(), is_in_packet) {
            (true, _, _) => LossCause::Off,
            (false, true, _) => LossCause::Filtered,
            (false, false, true) => LossCause::NoRoom,
            (false, false, false) => LossCause::NotReady,
        };
        let ends = is_in_packet && self.loss.is_none();
        self.loss.get_or_insert(Lost { instructions: 0, cause }).instructions += block.count;
        // The next header has the cause of an exception before the loss.
        self.retires(block, &ExecutionState { cause: self.now.cause, ..*state });
        self.resumes = block.kind != 0 && !is_off && !self.is_filtered();
        ends
    }

    /// What is in the module is discarded, and what retires from now on is lost.
    pub(crate) fn discards(&mut self) {
        (self.is_open, self.is_due, self.is_ending, self.resumes) = (false, false, false, false);
        self.loss = Some(Lost { instructions: MOST_LOST, cause: LossCause::Discarded });
        self.last.get_or_insert(Next::At(0));
        self.now.cause = None;
        self.told = self.now;
    }

    fn retires(&mut self, block: &Block, state: &ExecutionState) {
        self.now = *state;
        let next = match block.taken {
            true => Next::At(block.target),
            false => Next::After(block.program_counter),
        };
        self.last = Some(next);
        self.is_after_branch = block.kind != 0;
        if let Some(filter) = self.filter.as_mut().filter(|_| block.kind != 0) {
            filter.decide(block.program_counter, next, state);
        }
    }

    /// A packet begins; `None` if it may not.
    pub(crate) fn begins(&mut self) -> Option<Synchronisation> {
        let goes_on = self.loss.is_none() || !self.is_filtered();
        let may_begin = self.is_ending || self.is_after_branch && goes_on;
        if !may_begin {
            return None;
        }
        let what = match (self.loss.take(), self.last) {
            (Some(Lost { instructions, cause }), Some(next)) => {
                let state = ExecutionState { cause: None, ..self.now };
                Synchronisation::AfterLoss { instructions, cause, next, state }
            }
            _ if self.is_due && self.keeps => Synchronisation::OfState,
            _ if self.is_due => Synchronisation::Periodic,
            _ => return None,
        };
        (self.is_open, self.is_due) = (true, false);
        if what != Synchronisation::OfState || self.begins_interval {
            (self.is_requested, self.instructions) = (false, 0);
            self.restarts_words = true;
        }
        self.now.cause = None;
        self.told = self.now;
        Some(what)
    }
}
