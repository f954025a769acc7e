//! Following the program from one address of the trace to the next.

use super::{At, Decoder, Report};
use crate::decode::error::DecodeError;
use crate::event::{Event, Kind};
use crate::program::{Block, Place};

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
        let inferred = self.inferred(block);
        let taken = match block.kind {
            Kind::IndirectJump if inferred.is_none() => return Ok(false),
            Kind::IndirectConditional if self.is_taken => return Ok(false),
            Kind::DirectJump | Kind::IndirectJump if self.passes == self.most_passes => {
                let what = "more direct jumps than an encoder leaves out";
                return Err(self.impossible(what).into());
            }
            Kind::DirectJump | Kind::IndirectJump => true,
            Kind::Exception => false,
            Kind::DirectConditional | Kind::IndirectConditional => {
                let address = block.program_counter >> self.alignment;
                let Some(taken) = self.outcomes.take(address) else {
                    let at = block.program_counter;
                    let what = format!("the outcome of the branch at {at:#x} was not sent");
                    return Err(self.replay.impossible(what).into());
                };
                taken
            }
        };
        match block.kind {
            Kind::DirectJump | Kind::IndirectJump => self.passes += 1,
            Kind::Exception => {
                self.fall_through(emit)?;
                self.at = At::Later;
                return Ok(true);
            }
            _ => self.passes = 0,
        }
        if taken && block.kind == Kind::IndirectConditional {
            self.is_taken = true;
            return Ok(false);
        }
        self.at = At::Later;
        let target = inferred.unwrap_or(block.target);
        self.end_block(taken, if taken { target } else { 0 }, inferred.is_some(), emit)?;
        Ok(true)
    }

    /// Where a return goes, if that is inferred.
    fn inferred(&self, block: &Block) -> Option<u64> {
        let is_return = block.kind == Kind::IndirectJump && block.is_return && !block.call;
        self.stack.top().filter(|_| is_return)
    }

    /// Ends the block at hand, and follows its call or return on the stack.
    fn end_block<E: From<DecodeError>>(
        &mut self,
        taken: bool,
        target: u64,
        returns: bool,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let event = self.replay.end_block(taken, target, emit)?;
        if event.kind != Kind::Exception {
            self.straight_blocks = 0;
        }
        if returns {
            self.stack.pop();
        }
        if event.call && taken {
            self.stack.push(event.program_counter.wrapping_add(event.length.into()));
        }
        Ok(())
    }

    /// Ends a block that has neither a jump nor a branch. Jumps and outcomes come to an end, so only a ring of such blocks has
    /// none, in which a damaged trace may lead.
    fn fall_through<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.straight_blocks += 1;
        if self.straight_blocks > self.replay.program().most_blocks() {
            return Err(self.impossible("no jump is ever reached").into());
        }
        self.end_block(false, 0, false, emit)
    }

    /// Follows the program until all outcomes have been used, to a jump if the last one is its.
    pub(super) fn decide<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        while !self.outcomes.is_empty() {
            let left = self.outcomes.count();
            if !self.step(emit)? && self.outcomes.count() == left {
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
        if report.depth.is_some() {
            self.go_to_failed_return(report, emit)?;
        } else if report.passes > 0 {
            return Err(self
                .impossible("direct jumps are counted before one of another kind")
                .into());
        }
        while report.depth.is_none() && self.step(emit)? {}
        self.lead_to(report.address, emit)?;
        (self.at, self.passes) = (At::Address, 0);
        Ok(())
    }

    /// Follows the program to the return that was not inferred.
    fn go_to_failed_return<E: From<DecodeError>>(
        &mut self,
        report: Report,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        // The last outcome may be that of the branch at the target.
        let target = self.replay.program().block_at(Place::At(report.address));
        let is_branch = target.is_some_and(|target| {
            let block = self.replay.program().block(target);
            block.is_complete && block.kind.is_conditional() && block.instructions == 1
        });
        let left = u64::from(is_branch && !report.updiscon);
        let early = "a jump comes before a return that was not inferred";
        while self.outcomes.count() > left || self.passes < report.passes {
            if !self.step(emit)? {
                return Err(self.impossible(early).into());
            }
        }
        loop {
            let block = self.replay.known_block()?;
            if self.inferred(block).is_some() && report.depth == Some(self.stack.depth()) {
                return Ok(());
            }
            if !block.is_complete || block.kind != Kind::Exception {
                return Err(self.impossible("no return is where one was not inferred").into());
            }
            self.fall_through(emit)?;
        }
    }

    /// The jump at hand leads to an address.
    pub(super) fn lead_to<E: From<DecodeError>>(
        &mut self,
        address: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.is_taken = false;
        self.end_block(true, address, false, emit)
    }

    /// Follows the program to the last instruction before an exception or the end of the trace; to a jump that was not inferred if
    /// the trace says so, else it may be one that was followed already.
    pub(super) fn last<E: From<DecodeError>>(
        &mut self,
        report: Report,
        is_jump: bool,
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
        if is_jump || !is_branch || self.is_taken {
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
            self.fall_through(emit)?;
        }
        if self.replay.is_at_end() && self.replay.known_block()?.kind.is_indirect() {
            self.at = At::Jump;
        }
        Ok(())
    }

    /// One instruction has retired at the address at hand; it may be a return that was not inferred.
    pub(super) fn retire_one<E: From<DecodeError>>(
        &mut self,
        is_failed: bool,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.at = At::Later;
        let block = self.replay.known_block()?;
        self.replay.consume(1);
        let is_jump = self.replay.is_at_end() && block.kind != Kind::Exception;
        if is_jump && (is_failed || !self.step(emit)?) {
            self.at = At::Jump;
        }
        Ok(())
    }

    /// An exception leads to an address.
    pub(super) fn except<E: From<DecodeError>>(
        &mut self,
        address: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.straight_blocks = 0;
        self.replay.exception(address, emit)
    }

    /// An exception leads to an address, where an instruction retires.
    pub(super) fn start_at<E: From<DecodeError>>(
        &mut self,
        address: u64,
        taken: bool,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.except(address, emit)?;
        Ok(self.stand_at(taken)?)
    }

    /// An instruction has retired at the beginning of the block at hand; it is a branch that is taken, if that is said.
    pub(super) fn stand_at(&mut self, taken: bool) -> Result<(), DecodeError> {
        (self.at, self.passes) = (At::Address, 0);
        let is_branch = self
            .replay
            .block()
            .is_some_and(|block| block.kind.is_conditional() && block.instructions == 1);
        match (is_branch, taken) {
            (true, _) => self.outcomes.add_one(taken),
            (false, false) => {}
            (false, true) => return Err(self.impossible("no branch is where one is taken")),
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
            (true, _) => self.outcomes.add_one(taken),
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
        while self.passes < self.most_passes {
            if !self.step(emit)? {
                return Err(self
                    .impossible("a jump comes before an address that is reported")
                    .into());
            }
        }
        self.reach(self.address, emit)?;
        let block = self.replay.known_block()?;
        let inferred = self.inferred(block);
        if !self.replay.is_at_end() || block.kind != Kind::DirectJump && inferred.is_none() {
            return Err(self.impossible("no direct jump is where one is reported").into());
        }
        // A return that is reached is inferred here.
        (self.at, self.passes) = (At::Later, 0);
        self.end_block(true, inferred.unwrap_or(block.target), inferred.is_some(), emit)
    }
}
