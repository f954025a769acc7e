//! What the next instruction of a hart does: where it leads, and how much code it counts.

use tracewright_sim::code::Branch;
use tracewright_sim::event::Kind;

use super::error::Problem as Wrong;
use super::follower::{Follower, Goal};
use crate::e_trace::{Code, Known, Problem, Waiting};

/// Calls that are remembered. An encoder remembers 32 at most, or counts more.
const CALLS_MAX: usize = 1 << 12;

/// What an instruction does.
pub(super) struct Step {
    /// Where it leads, if the program tells it.
    pub(super) next: Option<u64>,
    /// Half-words that it counts.
    pub(super) units: i64,
    pub(super) is_taken_branch: bool,
}

impl<C: Code> Follower<'_, C> {
    /// Retires the next instruction, of which so much code is `left` if that is known.
    pub(super) fn step(&mut self, left: Option<i64>, goal: Goal) -> Result<Step, Problem> {
        let this = self.known_next()?;
        let known = self.known(this)?;
        let step = self.does(this, &known, left, goal)?;
        if known.instruction.branch.is_some() {
            let left = self.at.allowed.checked_sub(1);
            self.at.allowed = left.ok_or(Wrong::Branches(self.most_branches))?;
        }
        let after = this.wrapping_add(known.instruction.length.into()) & self.address_mask;
        if known.instruction.branch.is_some_and(|branch| branch.call) {
            if self.at.calls.len() == CALLS_MAX {
                self.at.calls.pop_front();
            }
            self.at.calls.push_back(after);
        }
        self.at.constant = known.constant;
        (self.at.place, self.at.next) = (this, step.next.map(|next| next & self.address_mask));
        self.at.units = step.units;
        self.waiting.push(Waiting::One(this, known));
        Ok(step)
    }

    /// Retires the run of instructions without a branch that comes next, if all of it is in the code that is `left`, and
    /// gives how many half-words it counts.
    pub(super) fn pass_straight(&mut self, left: i64) -> Result<i64, Problem> {
        let at = |address| self.known(address).ok();
        let run = self.straights.after(self.at.place, self.address_mask, at);
        let units = (run.next.wrapping_sub(run.first) / 2) as i64;
        if run.count == 0 || self.at.next != Some(run.first) || units > left {
            return Ok(0);
        }
        let last = self.known(run.last)?;
        self.at.constant = last.constant;
        (self.at.place, self.at.next) = (run.last, Some(run.next & self.address_mask));
        self.at.units = i64::from(last.instruction.length / 2);
        self.waiting.push(Waiting::Run(run));
        Ok(units)
    }

    fn does(
        &mut self,
        this: u64,
        known: &Known,
        left: Option<i64>,
        goal: Goal,
    ) -> Result<Step, Problem> {
        let length = known.instruction.length;
        let whole = i64::from(length / 2);
        let after = Step {
            next: Some(this.wrapping_add(length.into())),
            units: whole,
            is_taken_branch: false,
        };
        let Some(Branch { kind, call, is_return, target }) = known.instruction.branch else {
            return Ok(after);
        };
        let units = if self.taken_units == 0 || call { whole } else { self.taken_units };
        let is_last = left == Some(units);
        let is_direct = kind == Kind::DirectJump;
        let jump = |next| Step { next, units, is_taken_branch: is_direct };
        match kind {
            // A system call that has retired without a trap goes on.
            Kind::Exception => Ok(after),
            Kind::DirectJump => Ok(jump(Some(target))),
            Kind::DirectConditional => {
                let is_taken = match (self.at.outcomes.pop_front(), goal) {
                    (Some(outcome), _) => outcome,
                    (None, Goal::Taken) => is_last,
                    (None, Goal::At(address)) => is_last && address == target,
                    (None, _) => false,
                };
                let taken = Step { next: Some(target), units, is_taken_branch: true };
                Ok(if is_taken { taken } else { after })
            }
            Kind::IndirectJump | Kind::IndirectConditional => {
                if self.infers_jumps
                    && let Some((register, distance)) = known.register
                    && let Some((of, constant)) = self.at.constant
                    && of == register
                {
                    return Ok(jump(Some(constant.wrapping_add(distance))));
                }
                let returns_to = if is_return { self.at.calls.pop_back() } else { None };
                let is_told = is_last && matches!(goal, Goal::Jump(_) | Goal::At(_)) || call;
                Ok(jump(returns_to.filter(|_| !is_told)))
            }
        }
    }
}
