//! Following the program over the code that a message counts.

use super::Decoder;
use crate::decode::error::DecodeError;
use crate::event::{Event, Kind};
use crate::program::Block;

/// What comes after the code that a message counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// A direct branch that is taken.
    Taken,
    /// An indirect branch to an address.
    Jump(u64),
    /// A branch or jump of any kind to an address.
    At(u64),
    /// An exception, or the end of the trace.
    Anything,
}

/// An instruction of a straight run, by an address in units.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reach {
    /// The one at this address.
    At(u64),
    /// The one that ends before this address.
    Before(u64),
}

impl Decoder<'_> {
    /// Units that the instruction counts which ends a block.
    fn units(&self, block: &Block) -> Result<u64, DecodeError> {
        let length = match (self.reads_lengths, block.call) {
            (true, _) => block.last_length,
            (false, true) => block.length,
            (false, false) => return Ok(self.least_units),
        };
        if self.reads_lengths && length == 0 {
            let at = block.program_counter;
            let what = format!(
                "the length of the instruction at {at:#x} is not known, which exact_lengths = true needs; expected the \
                 program's ELF file"
            );
            return Err(self.replay.impossible(what));
        }
        Ok(u64::from(length) >> self.unit_shift)
    }

    /// Code up to the end of a block.
    fn code_of(&self, block: &Block) -> Result<i128, DecodeError> {
        let run = (block.program_counter >> self.unit_shift).wrapping_sub(self.from);
        Ok(i128::from(run & self.address_mask) + i128::from(self.units(block)?))
    }

    fn add_history(&mut self, history: u64) {
        let branches = history.checked_ilog2().unwrap_or(0);
        self.outcomes.extend((0..branches).rev().map(|place| history >> place & 1 == 1));
    }

    /// Ends a block that has neither a jump nor a branch. A damaged trace may lead to a ring of such blocks.
    fn fall_through<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.straight_blocks += 1;
        if self.straight_blocks > self.replay.program().most_blocks() {
            return Err(self.impossible("no jump is ever reached").into());
        }
        self.replay.end_block(false, 0, emit)?;
        Ok(())
    }

    /// Ends the block at hand, which goes to `target` if that is `Some`.
    fn end_block<E: From<DecodeError>>(
        &mut self,
        target: Option<u64>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let block = self.replay.known_block()?;
        let Some(steps) = self.most_steps.checked_sub(1) else {
            return Err(self.impossible("more code than was counted").into());
        };
        (self.most_steps, self.straight_blocks, self.reached) = (steps, 0, None);
        self.ahead -= self.code_of(block)?;
        let units = self.units(block)?;
        let after = (block.program_counter >> self.unit_shift).wrapping_add(units);
        let event = self.replay.end_block(target.is_some(), target.unwrap_or(0), emit)?;
        let next = target.map_or(after, |target| target >> self.unit_shift);
        self.from = next & self.address_mask;
        match (event.call && event.taken, event.is_return && event.taken) {
            (true, true) => self.stack.clear(),
            (true, false) => self.stack.push((after & self.address_mask) << self.unit_shift),
            (false, true) if self.stack.depth() > 0 => self.stack.pop(),
            (false, _) => {}
        }
        Ok(())
    }

    /// Ends the block at hand as the program, the outcomes and the stack say.
    fn step<E: From<DecodeError>>(
        &mut self,
        is_last: bool,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let block = self.replay.known_block()?;
        let at = block.program_counter;
        if !block.is_complete {
            let what = format!("no code is known after {}", self.replay.place());
            return Err(self.replay.impossible(what).into());
        }
        let is_return = block.is_return && !block.call;
        let target = match block.kind {
            Kind::Exception => return self.fall_through(emit),
            Kind::DirectJump => Some(block.target),
            Kind::IndirectJump => match self.stack.top().filter(|_| is_return) {
                Some(target) => Some(target),
                None => {
                    let what = format!("the target of the jump at {at:#x} was not sent");
                    return Err(self.replay.impossible(what).into());
                }
            },
            Kind::DirectConditional | Kind::IndirectConditional => {
                let taken = match self.has_history {
                    true => self.outcomes.pop_front(),
                    false => Some(is_last),
                };
                match (taken, block.kind) {
                    (Some(true), Kind::DirectConditional) => Some(block.target),
                    (Some(false), _) => None,
                    _ => {
                        let what = format!("nothing says where the branch at {at:#x} goes");
                        return Err(self.replay.impossible(what).into());
                    }
                }
            }
        };
        self.end_block(target, emit)
    }

    /// Where the block at hand leads, if it is the one that a message tells, once all code before it is followed.
    fn goal_of(&mut self, block: &Block, code: i128, goal: Goal) -> Option<u64> {
        let (Goal::Jump(target) | Goal::At(target)) = goal else { return None };
        // Without histories the branch is taken because it has a target.
        let is_taken = match block.kind.is_conditional() {
            true => !self.has_history || self.outcomes.len() == 1 && self.outcomes[0],
            false => self.outcomes.is_empty(),
        };
        let is_possible = match block.kind {
            Kind::IndirectJump | Kind::IndirectConditional => true,
            Kind::DirectJump | Kind::DirectConditional => {
                goal == Goal::At(target) && block.target == target
            }
            Kind::Exception => false,
        };
        (is_taken && is_possible && self.ahead == code).then_some(target)
    }

    /// Follows the program over so much code, with these outcomes.
    pub(super) fn follow<E: From<DecodeError>>(
        &mut self,
        (count, history): (u64, u64),
        goal: Goal,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.ahead += i128::from(count);
        self.add_history(history);
        while self.ahead != 0 {
            let block = self.replay.known_block()?;
            if !block.is_complete {
                self.stop(goal, emit)?;
                break;
            }
            let code = self.code_of(block)?;
            if let Some(target) = self.goal_of(block, code, goal) {
                self.outcomes.clear();
                self.end_block(Some(target), emit)?;
                break;
            }
            let ends = block.kind == Kind::Exception && self.ahead == code;
            if self.ahead < code || ends && goal == Goal::Anything {
                self.stop(goal, emit)?;
                break;
            }
            let is_last = goal == Goal::Taken && self.ahead == code;
            if is_last && block.kind != Kind::DirectConditional {
                return Err(self.impossible("no branch is where one is taken").into());
            }
            self.step(is_last, emit)?;
            if self.ahead == 0 && matches!(goal, Goal::Jump(_) | Goal::At(_)) {
                return Err(self.impossible("no branch leads where one has led").into());
            }
        }
        if self.ahead != 0 || !self.outcomes.is_empty() {
            return Err(self.impossible("more branches were sent than have retired").into());
        }
        self.most_steps = 1 << self.count_bits;
        Ok(())
    }

    /// Stops in the middle of a block, after the code that is left.
    fn stop<E: From<DecodeError>>(
        &mut self,
        goal: Goal,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let last = self.ahead - i128::from(self.least_units);
        if goal != Goal::Anything || last < 0 {
            return Err(self.impossible("the code ends in the middle of a block").into());
        }
        let address = self.from.wrapping_add(last as u64) & self.address_mask;
        match (self.reads_lengths, self.reached) {
            // The trace began at the last instruction, so its length is all that was counted.
            (true, Some(_)) => {}
            (true, None) => {
                let end = self.from.wrapping_add(self.ahead as u64) & self.address_mask;
                self.reach(Reach::Before(end), emit)?;
            }
            (false, Some(reached)) if reached == address => {}
            (false, _) => self.reach(Reach::At(address), emit)?,
        }
        self.ahead = 0;
        Ok(())
    }

    /// Follows a straight run to an instruction.
    pub(super) fn reach<E: From<DecodeError>>(
        &mut self,
        place: Reach,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let (Reach::At(address) | Reach::Before(address)) = place;
        let at = address << self.unit_shift;
        let is_before = matches!(place, Reach::Before(_));
        while !(if is_before { self.replay.reach_end(at) } else { self.replay.reach(at) }) {
            let block = self.replay.known_block()?;
            if block.kind != Kind::Exception || !block.is_complete {
                let what = format!("{at:#x} is not reached from {}", self.replay.place());
                return Err(self.replay.impossible(what).into());
            }
            self.fall_through(emit)?;
        }
        Ok(())
    }

    /// Follows the program up to the last branch of a full history.
    pub(super) fn decide<E: From<DecodeError>>(
        &mut self,
        history: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.add_history(history);
        while !self.outcomes.is_empty() {
            self.step(false, emit)?;
        }
        Ok(())
    }
}
