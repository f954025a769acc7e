//! Follows the program over as much code as a message counts, as the decoder of the specification does.

use std::cell::Cell;
use std::collections::VecDeque;

use tracewright_sim::code::Branch;
use tracewright_sim::config::mask;
use tracewright_sim::event::Kind;

use super::encoder::Encoder;
use super::error::Problem as Wrong;
use crate::e_trace::{Code, Failed, Known, Problem, Retired};

/// Instructions that are remembered.
const SLOTS: usize = 1 << 12;

/// Instructions without a branch after which a way is given up: it goes round and round.
const STEPS_MAX: u32 = 1 << 22;

/// Instructions that wait until their message has been followed to its end.
const WAITING_MAX: usize = 1 << 16;

/// Calls that are remembered. An encoder remembers 32 at most, or counts more.
const CALLS_MAX: usize = 1 << 12;

/// What comes after the code that a message counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// A branch that is taken.
    Taken,
    /// A jump to an address.
    Jump(u64),
    /// The execution is at this address, however it came there.
    At(u64),
    /// Something that no instruction explains, or the end.
    Anything,
}

/// What an instruction does.
struct Step {
    /// Where it leads, if the program tells it.
    next: Option<u64>,
    /// Half-words that it counts.
    units: i64,
    is_taken_branch: bool,
}

/// Where a hart is in its program.
pub(super) struct Follower<'a, C> {
    code: &'a C,
    slots: Vec<Cell<Option<(u64, Known)>>>,
    address_mask: u64,
    infers_jumps: bool,
    /// Half-words that a taken branch counts; 0: as many as it has.
    taken_units: i64,
    /// The next instruction, if it is known.
    pub next: Option<u64>,
    /// The last instruction that has retired.
    place: u64,
    /// Half-words that it counts.
    units: i64,
    /// What the instruction before loads into a register.
    constant: Option<(u8, u64)>,
    /// Half-words that messages have counted before, less those that have retired before they were counted.
    ahead: i64,
    outcomes: VecDeque<bool>,
    calls: VecDeque<u64>,
    /// Instructions of the message at hand: they have retired if it leads somewhere.
    waiting: Vec<(u64, Known)>,
}

impl<'a, C: Code> Follower<'a, C> {
    pub(super) fn new(encoder: &Encoder, code: &'a C) -> Self {
        let width = if encoder.address_bits == 0 { 64 } else { encoder.address_bits };
        Follower {
            code,
            slots: vec![Cell::new(None); SLOTS],
            address_mask: mask(width),
            infers_jumps: encoder.infers_jumps == 1,
            taken_units: encoder.taken_half_words.into(),
            next: None,
            place: 0,
            units: 0,
            constant: None,
            ahead: 0,
            outcomes: VecDeque::new(),
            calls: VecDeque::new(),
            waiting: Vec::new(),
        }
    }

    /// Goes on at an address, with nothing known but that.
    pub(super) fn begin(&mut self, address: u64) {
        self.go_to(address);
        self.ahead = 0;
        self.outcomes.clear();
        self.calls.clear();
    }

    /// Goes on at an address.
    pub(super) fn go_to(&mut self, address: u64) {
        self.next = Some(address);
        self.constant = None;
    }

    /// Forgets the calls, as with each synchronisation.
    pub(super) fn synchronised(&mut self) {
        self.calls.clear();
    }

    /// Counts code that has retired, or will.
    pub(super) fn count(&mut self, half_words: u64) {
        self.ahead += half_words as i64;
    }

    fn at(&self, address: u64) -> Result<Known, Problem> {
        let slot = &self.slots[(address >> 1) as usize % SLOTS];
        if let Some((of, known)) = slot.get()
            && of == address
        {
            return Ok(known);
        }
        let known = self.code.at(address).ok_or(Problem::NoInstruction(address))?;
        slot.set(Some((address, known)));
        Ok(known)
    }

    /// The address at which the execution goes on.
    pub(super) fn known_next(&self) -> Result<u64, Problem> {
        self.next.ok_or(Problem::NoTarget(self.place))
    }

    /// True if the last instruction is a system call, which is where an exception comes.
    pub(super) fn is_after_system_call(&self) -> bool {
        let Ok(known) = self.at(self.place) else { return false };
        let is_call = known.instruction.branch.is_some_and(|branch| branch.kind == Kind::Exception);
        let after = self.place.wrapping_add(known.instruction.length.into()) & self.address_mask;
        is_call && self.next == Some(after)
    }

    /// Follows a history alone.
    pub(super) fn follow_history<R: Retired>(
        &mut self,
        history: u64,
        retired: &mut R,
    ) -> Result<(), Failed<R::Error>> {
        self.add_history(history);
        let (mut left, mut steps) = (self.outcomes.len(), 0);
        while left > 0 {
            let units = self.step(None, Goal::Anything)?.units;
            self.ahead -= units;
            steps += 1;
            if self.outcomes.len() != left {
                (left, steps) = (self.outcomes.len(), 0);
            } else if steps == STEPS_MAX {
                let to = self.known_next()?;
                return Err(Problem::NoWay { from: to, to }.into());
            }
            if self.waiting.len() > WAITING_MAX {
                self.release(retired)?;
            }
        }
        self.release(retired)
    }

    /// Follows so much code, with the outcomes of a history, to a goal.
    pub(super) fn follow<R: Retired>(
        &mut self,
        (count, history): (u64, Option<u64>),
        goal: Goal,
        retired: &mut R,
    ) -> Result<(), Failed<R::Error>> {
        let mut left = std::mem::take(&mut self.ahead) + count as i64;
        self.add_history(history.unwrap_or(1));
        let has_history = history.is_some_and(|history| history > 1);
        if left < 0 && !self.is_short(left, goal) {
            return Err(Problem::from(Wrong::CountTooSmall(left.unsigned_abs())).into());
        }
        let mut is_taken = false;
        while left > 0 {
            if has_history && self.outcomes.is_empty() && self.is_branch()? {
                return Err(Problem::NoOutcome(self.known_next()?).into());
            }
            let step = self.step(Some(left), goal)?;
            is_taken = step.is_taken_branch;
            left -= step.units;
            if left < 0 && !self.is_short(left, goal) {
                return Err(Problem::from(Wrong::HalfInstruction(self.place)).into());
            }
            if self.waiting.len() > WAITING_MAX {
                self.release(retired)?;
            }
        }
        if !self.outcomes.is_empty() {
            let (address, left) = (self.place, self.outcomes.len() as u64);
            return Err(Problem::OutcomesLeft { address, left }.into());
        }
        match goal {
            Goal::Taken if !is_taken => {
                return Err(Problem::from(Wrong::NoBranch(self.known_next()?)).into());
            }
            Goal::Jump(to) | Goal::At(to) => match self.next {
                // Some encoders take a system call that traps for a jump.
                Some(_) if self.is_after_system_call() => self.go_to(to),
                Some(from) if from != to => {
                    return Err(Problem::NoWay { from: self.place, to }.into());
                }
                Some(_) => {}
                None => self.go_to(to),
            },
            _ => {}
        }
        self.release(retired)
    }

    /// True if the last instruction is counted as a shorter one, as an encoder may before an exception or the end.
    fn is_short(&self, left: i64, goal: Goal) -> bool {
        self.taken_units > 0 && goal == Goal::Anything && left + self.units == self.taken_units
    }

    /// Leaves out what a message that leads nowhere has followed, and goes back to where it began.
    pub(super) fn take_back(&mut self, next: Option<u64>) {
        self.waiting.clear();
        self.outcomes.clear();
        self.next = next;
    }

    fn add_history(&mut self, history: u64) {
        let branches = history.checked_ilog2().unwrap_or(0);
        self.outcomes.extend((0..branches).rev().map(|place| history >> place & 1 == 1));
    }

    fn is_branch(&self) -> Result<bool, Problem> {
        let branch = self.at(self.known_next()?)?.instruction.branch;
        Ok(branch.is_some_and(|branch| branch.kind == Kind::DirectConditional))
    }

    /// Gives away the instructions that have waited.
    fn release<R: Retired>(&mut self, retired: &mut R) -> Result<(), Failed<R::Error>> {
        for (address, known) in self.waiting.drain(..) {
            retired.retire(address, &known).map_err(Failed::Sink)?;
        }
        Ok(())
    }

    /// Retires the next instruction, of which so much code is `left` if that is known.
    fn step(&mut self, left: Option<i64>, goal: Goal) -> Result<Step, Problem> {
        let this = self.known_next()?;
        let known = self.at(this)?;
        let step = self.does(this, &known, left, goal)?;
        let after = this.wrapping_add(known.instruction.length.into()) & self.address_mask;
        if known.instruction.branch.is_some_and(|branch| branch.call) {
            if self.calls.len() == CALLS_MAX {
                self.calls.pop_front();
            }
            self.calls.push_back(after);
        }
        self.constant = known.constant;
        (self.place, self.next) = (this, step.next.map(|next| next & self.address_mask));
        self.units = step.units;
        self.waiting.push((this, known));
        Ok(step)
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
        let jump = |next| Step { next, units, is_taken_branch: false };
        match kind {
            // A system call that has retired without a trap goes on.
            Kind::Exception => Ok(after),
            Kind::DirectJump => Ok(jump(Some(target))),
            Kind::DirectConditional => {
                let is_taken = match (self.outcomes.pop_front(), goal) {
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
                    && let Some((of, constant)) = self.constant
                    && of == register
                {
                    return Ok(jump(Some(constant.wrapping_add(distance))));
                }
                let returns_to = if is_return { self.calls.pop_back() } else { None };
                let is_told = is_last && matches!(goal, Goal::Jump(_) | Goal::At(_)) || call;
                Ok(jump(returns_to.filter(|_| !is_told)))
            }
        }
    }
}
