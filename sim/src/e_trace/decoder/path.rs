//! Following the program from one address of the trace to the next.

use super::{At, Decoder, Report};
use crate::decode::error::DecodeError;
use crate::e_trace::payload::{FULL_MAP, MOST_PASSES};
use crate::event::{Event, Kind};

impl Decoder<'_> {
    /// Ends the block at hand as the outcomes say; false, and nothing is done, at a jump whose target is not known.
    pub(super) fn step<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        let block = self.replay.known_block()?;
        if !block.is_complete {
            let what = format!("no code is known after {}", self.replay.place());
            return Err(self.replay.impossible(what).into());
        }
        let taken = match block.kind {
            Kind::IndirectJump => return Ok(false),
            Kind::IndirectConditional if self.is_taken => return Ok(false),
            Kind::DirectJump if self.passes == MOST_PASSES => {
                let what = "more direct jumps than an encoder leaves out";
                return Err(self.impossible(what).into());
            }
            Kind::DirectJump => true,
            Kind::Exception => false,
            Kind::DirectConditional | Kind::IndirectConditional => {
                let Some(taken) = self.outcomes.pop_front() else {
                    let at = block.program_counter;
                    let what = format!("the outcome of the branch at {at:#x} was not sent");
                    return Err(self.replay.impossible(what).into());
                };
                taken
            }
        };
        match block.kind {
            Kind::DirectJump => self.passes += 1,
            Kind::Exception => {}
            _ => self.passes = 0,
        }
        if taken && block.kind == Kind::IndirectConditional {
            self.is_taken = true;
            return Ok(false);
        }
        self.at = At::Later;
        self.replay.end_block(taken, if taken { block.target } else { 0 }, emit)?;
        Ok(true)
    }

    /// Follows the program until all outcomes have been used, to a jump if the last one is its.
    pub(super) fn decide<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        while !self.outcomes.is_empty() {
            let left = self.outcomes.len();
            if !self.step(emit)? && self.outcomes.len() == left {
                return Err(self.impossible("the target of a jump was not sent").into());
            }
        }
        Ok(())
    }

    /// Follows the program to the next jump, which leads to the address.
    pub(super) fn jump<E: From<DecodeError>>(
        &mut self,
        report: Report,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        if report.passes > 0 {
            return Err(self
                .impossible("direct jumps are counted before one of another kind")
                .into());
        }
        let mut blocks = 0;
        while self.step(emit)? {
            blocks += 1;
            if blocks > self.replay.program().most_blocks() + FULL_MAP as usize {
                return Err(self.impossible("no jump is ever reached").into());
            }
        }
        self.lead_to(report.address, emit)?;
        (self.at, self.passes) = (At::Address, 0);
        Ok(())
    }

    /// The jump at hand leads to an address.
    pub(super) fn lead_to<E: From<DecodeError>>(
        &mut self,
        address: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.is_taken = false;
        self.replay.end_block(true, address, emit)?;
        Ok(())
    }

    /// Follows the program to the last instruction before an exception or the end of the trace.
    pub(super) fn last<E: From<DecodeError>>(
        &mut self,
        report: Report,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.decide(emit)?;
        while self.passes < report.passes {
            if !self.step(emit)? {
                return Err(self
                    .impossible("a jump comes before an address that is reported")
                    .into());
            }
        }
        let is_branch = self.at == At::Later
            && self.replay.consumed() == 0
            && self.replay.last_program_counter() == Some(report.address);
        if !is_branch || self.is_taken {
            self.reach(report.address, emit)?;
        }
        self.passes = 0;
        Ok(())
    }

    /// Follows a straight run to an instruction.
    pub(super) fn reach<E: From<DecodeError>>(
        &mut self,
        address: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.at = At::Later;
        while !self.replay.reach(address) {
            let block = self.replay.known_block()?;
            if block.kind != Kind::Exception || !block.is_complete {
                let what = format!("{address:#x} is not reached from {}", self.replay.place());
                return Err(self.replay.impossible(what).into());
            }
            self.replay.end_block(false, 0, emit)?;
        }
        if self.replay.is_at_end() && self.replay.known_block()?.kind.is_indirect() {
            self.at = At::Jump;
        }
        Ok(())
    }

    /// One instruction has retired at the address at hand.
    pub(super) fn retire_one<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.at = At::Later;
        let block = self.replay.known_block()?;
        self.replay.consume(1);
        if self.replay.is_at_end() && block.kind != Kind::Exception && !self.step(emit)? {
            self.at = At::Jump;
        }
        Ok(())
    }

    /// An exception leads to an address, where an instruction retires.
    pub(super) fn start_at<E: From<DecodeError>>(
        &mut self,
        address: u64,
        taken: bool,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.replay.exception(address, emit)?;
        (self.at, self.passes) = (At::Address, 0);
        let is_branch = self
            .replay
            .block()
            .is_some_and(|block| block.kind.is_conditional() && block.instructions == 1);
        match (is_branch, taken) {
            (true, _) => self.outcomes.push_back(taken),
            (false, false) => {}
            (false, true) => return Err(self.impossible("no branch is where one is taken").into()),
        }
        Ok(())
    }

    /// The trace begins, or goes on, in the middle of a run that ends at an address.
    pub(super) fn start_after<E: From<DecodeError>>(
        &mut self,
        address: u64,
        taken: bool,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.reach(address, emit)?;
        self.passes = 0;
        let block = self.replay.known_block()?;
        let ends = self.replay.is_at_end() && block.kind != Kind::Exception;
        match (ends && block.kind.is_conditional(), taken) {
            (true, _) => self.outcomes.push_back(taken),
            (false, false) => {}
            (false, true) => return Err(self.impossible("no branch is where one is taken").into()),
        }
        if ends && !self.step(emit)? {
            self.at = At::Jump;
        }
        Ok(())
    }

    /// The direct jump at the address is one more than are left out.
    pub(super) fn notified<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.decide(emit)?;
        while self.passes < MOST_PASSES {
            if !self.step(emit)? {
                return Err(self
                    .impossible("a jump comes before an address that is reported")
                    .into());
            }
        }
        self.reach(self.address, emit)?;
        let block = self.replay.known_block()?;
        if !self.replay.is_at_end() || block.kind != Kind::DirectJump {
            return Err(self.impossible("no direct jump is where one is reported").into());
        }
        self.passes = 0;
        self.replay.end_block(true, block.target, emit)?;
        Ok(())
    }
}
