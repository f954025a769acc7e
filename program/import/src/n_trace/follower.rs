//! Follows the program over as much code as a message counts, as the decoder of the specification does.

use std::cell::Cell;
use std::collections::VecDeque;

use tracewright_sim::code::Branch;
use tracewright_sim::config::mask;
use tracewright_sim::event::Kind;

use super::encoder::Encoder;
use super::error::Problem as Wrong;
use crate::e_trace::{Code, Failed, Known, Pass, Problem, Retired, Straights, Waiting};

/// Instructions that are remembered.
const SLOTS: usize = 1 << 12;

/// Instructions that wait until their message has been followed to its end. A message of more is followed twice.
const WAITING_MAX: usize = 1 << 16;

/// Instructions of a history that wait at most.
const LONGEST_HISTORY: usize = 1 << 20;

/// Outcomes of branches from which on a message may be one of more.
const LONG_HISTORY: usize = 1 << 8;

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

/// Where a hart is in its program, and what it knows there.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The next instruction, if it is known.
    pub(super) next: Option<u64>,
    /// The last instruction that has retired.
    pub(super) place: u64,
    /// Half-words that it counts.
    pub(super) units: i64,
    /// What the instruction before loads into a register.
    pub(super) constant: Option<(u8, u64)>,
    /// Half-words that messages have counted before, less those that have retired before they were counted.
    pub(super) ahead: i64,
    pub(super) outcomes: VecDeque<bool>,
    pub(super) calls: VecDeque<u64>,
    /// Half-words that messages have counted which have no end yet, each as many as a message may have branches.
    pub(super) counted: u64,
    /// Branches that the message at hand may still stand for.
    pub(super) allowed: u64,
}

/// Follows a hart's program.
pub(super) struct Follower<'a, C> {
    pub(super) code: &'a C,
    pub(super) slots: Vec<Cell<Option<(u64, Known)>>>,
    pub(super) address_mask: u64,
    pub(super) infers_jumps: bool,
    /// Half-words that a taken branch counts; 0: as many as it has.
    pub(super) taken_units: i64,
    /// Branches that a message may stand for.
    pub(super) most_branches: u64,
    pub(super) at: Place,
    /// The next instruction after those that were given away.
    pub(super) settled: Option<u64>,
    /// Instructions of the message at hand: they have retired if it leads somewhere.
    pub(super) waiting: Vec<Waiting>,
    pub(super) straights: Straights,
}

impl<'a, C: Code> Follower<'a, C> {
    pub(super) fn new(encoder: &Encoder, code: &'a C) -> Self {
        Follower {
            code,
            slots: vec![Cell::new(None); SLOTS],
            address_mask: mask(encoder.address_bits()),
            infers_jumps: encoder.infers_jumps == 1,
            taken_units: encoder.taken_half_words.into(),
            most_branches: encoder.payload_branches,
            at: Place::default(),
            settled: None,
            waiting: Vec::new(),
            straights: Straights::new(),
        }
    }

    /// The next instruction, if it is known.
    pub(super) fn next(&self) -> Option<u64> {
        self.settled
    }

    /// Goes on at an address, with nothing known but that.
    pub(super) fn begin(&mut self, address: u64) {
        self.go_to(address);
        self.at.ahead = 0;
        self.at.counted = 0;
        self.at.outcomes.clear();
        self.at.calls.clear();
    }

    /// Goes on at an address.
    pub(super) fn go_to(&mut self, address: u64) {
        self.at.next = Some(address);
        self.at.constant = None;
        self.settled = self.at.next;
    }

    /// Forgets the calls, as with each synchronisation.
    pub(super) fn synchronised(&mut self) {
        self.at.calls.clear();
    }

    /// Counts code that has retired, or will.
    pub(super) fn count(&mut self, half_words: u64) {
        self.at.ahead += half_words as i64;
        self.at.counted += half_words.min(self.most_branches);
    }

    /// Takes a message with which instructions retire.
    pub(super) fn allow(&mut self) {
        let waits = u64::try_from(self.at.ahead).unwrap_or(0);
        self.at.allowed = self.most_branches + self.at.counted.min(waits);
    }

    pub(super) fn known(&self, address: u64) -> Result<Known, Problem> {
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
        self.at.next.ok_or(Problem::NoTarget(self.at.place))
    }

    /// True if the last instruction is a system call, which is where an exception comes.
    pub(super) fn is_after_system_call(&self) -> bool {
        let Ok(known) = self.known(self.at.place) else { return false };
        let is_call = known.instruction.branch.is_some_and(|branch| branch.kind == Kind::Exception);
        let after = self.at.place.wrapping_add(known.instruction.length.into()) & self.address_mask;
        is_call && self.at.next == Some(after)
    }

    /// Follows a history alone, so many times.
    pub(super) fn follow_history<R: Retired>(
        &mut self,
        (history, times): (u64, u64),
        retired: &mut R,
    ) -> Result<(), Failed<R::Error>> {
        let branches = u64::from(history.checked_ilog2().unwrap_or(0));
        if branches.saturating_mul(times) > self.most_branches {
            return Err(Problem::from(Wrong::Branches(self.most_branches)).into());
        }
        for _ in 0..times {
            self.add_history(history);
        }
        let is_long = self.at.outcomes.len() >= LONG_HISTORY;
        self.all_or_nothing(is_long, retired, Self::walk_outcomes)
    }

    fn walk_outcomes<R: Retired>(
        &mut self,
        pass: &mut Pass<'_, R>,
    ) -> Result<(), Failed<R::Error>> {
        while !self.at.outcomes.is_empty() {
            let passed = self.pass_straight(i64::MAX)?;
            let units = if passed > 0 { passed } else { self.step(None, Goal::Anything)?.units };
            self.at.ahead -= units;
            self.pass_on(pass)?;
        }
        Ok(())
    }

    /// Follows so much code, with the outcomes of a history, to a goal.
    pub(super) fn follow<R: Retired>(
        &mut self,
        (count, history): (u64, Option<u64>),
        goal: Goal,
        retired: &mut R,
    ) -> Result<(), Failed<R::Error>> {
        let left = std::mem::take(&mut self.at.ahead) + count as i64;
        self.add_history(history.unwrap_or(1));
        let has_history = history.is_some_and(|history| history > 1);
        if left < 0 && !self.is_short(left, goal) {
            return Err(Problem::from(Wrong::CountTooSmall(left.unsigned_abs())).into());
        }
        self.all_or_nothing(left > WAITING_MAX as i64, retired, |follower, pass| {
            follower.walk_code(left, has_history, goal, pass)?;
            follower.arrive(goal).map_err(Failed::Dump)
        })?;
        self.at.counted = 0;
        Ok(())
    }

    fn walk_code<R: Retired>(
        &mut self,
        mut left: i64,
        has_history: bool,
        goal: Goal,
        pass: &mut Pass<'_, R>,
    ) -> Result<(), Failed<R::Error>> {
        let mut is_taken = false;
        while left > 0 {
            if has_history && self.at.outcomes.is_empty() && self.is_branch()? {
                return Err(Problem::NoOutcome(self.known_next()?).into());
            }
            let passed = self.pass_straight(left)?;
            if passed > 0 {
                is_taken = false;
                left -= passed;
                self.pass_on(pass)?;
                continue;
            }
            let step = self.step(Some(left), goal)?;
            is_taken = step.is_taken_branch;
            left -= step.units;
            if left < 0 && !self.is_short(left, goal) {
                return Err(Problem::from(Wrong::HalfInstruction(self.at.place)).into());
            }
            self.pass_on(pass)?;
        }
        if goal == Goal::Taken && !is_taken {
            return Err(Problem::from(Wrong::NoBranch(self.known_next()?)).into());
        }
        Ok(())
    }

    /// At the end of the code that a message counts.
    fn arrive(&mut self, goal: Goal) -> Result<(), Problem> {
        if !self.at.outcomes.is_empty() {
            let (address, left) = (self.at.place, self.at.outcomes.len() as u64);
            return Err(Problem::OutcomesLeft { address, left });
        }
        let (Goal::Jump(to) | Goal::At(to)) = goal else { return Ok(()) };
        match self.at.next {
            // Some encoders take a system call that traps for a jump.
            Some(_) if self.is_after_system_call() => {}
            Some(from) if from != to => return Err(Problem::NoWay { from: self.at.place, to }),
            Some(_) => return Ok(()),
            None => {}
        }
        (self.at.next, self.at.constant) = (Some(to), None);
        Ok(())
    }

    /// At the end of a dump: follows code that was counted up to where only a message could tell how it goes on.
    pub(super) fn follow_counted<R: Retired>(
        &mut self,
        retired: &mut R,
    ) -> Result<(), Failed<R::Error>> {
        self.allow();
        let is_long = self.at.ahead > WAITING_MAX as i64;
        self.all_or_nothing(is_long, retired, |follower, pass| {
            while follower.is_counted() {
                let units = follower.step(None, Goal::Anything)?.units;
                follower.at.ahead -= units;
                follower.pass_on(pass)?;
            }
            Ok(())
        })
    }

    /// True if the next instruction was counted, and leads to where the program says, or a return to which more code was counted.
    fn is_counted(&self) -> bool {
        let Some(known) = self.at.next.and_then(|next| self.known(next).ok()) else { return false };
        let more = self.at.ahead - i64::from(known.instruction.length / 2);
        let is_told = match known.instruction.branch {
            None => true,
            Some(Branch { kind: Kind::DirectJump, .. }) => true,
            Some(Branch { kind: Kind::IndirectJump, is_return, call, .. }) => {
                is_return && !call && more > 0 && !self.at.calls.is_empty()
            }
            Some(_) => false,
        };
        is_told && self.at.allowed > 0 && more >= 0
    }

    /// Follows a message to its end, and gives its instructions away if it leads somewhere: one of so many that they cannot
    /// wait is followed twice.
    fn all_or_nothing<R: Retired>(
        &mut self,
        is_long: bool,
        retired: &mut R,
        walk: impl Fn(&mut Self, &mut Pass<'_, R>) -> Result<(), Failed<R::Error>>,
    ) -> Result<(), Failed<R::Error>> {
        if is_long {
            let before = self.at.clone();
            walk(self, &mut Pass::Try)?;
            self.waiting.clear();
            self.at = before;
            walk(self, &mut Pass::Give(retired))?;
        } else {
            walk(self, &mut Pass::Wait)?;
        }
        self.release(retired)?;
        self.settled = self.at.next;
        Ok(())
    }

    fn pass_on<R: Retired>(&mut self, pass: &mut Pass<'_, R>) -> Result<(), Failed<R::Error>> {
        if self.waiting.len() < WAITING_MAX {
            return Ok(());
        }
        match pass {
            Pass::Wait if self.waiting.len() < LONGEST_HISTORY => {}
            Pass::Wait => return Err(Problem::from(Wrong::Straight(self.at.place)).into()),
            Pass::Try => self.waiting.clear(),
            Pass::Give(retired) => self.release(*retired)?,
        }
        Ok(())
    }

    /// Gives away the instructions that have waited.
    fn release<R: Retired>(&mut self, retired: &mut R) -> Result<(), Failed<R::Error>> {
        self.waiting.drain(..).try_for_each(|one| one.release(retired).map_err(Failed::Sink))
    }

    /// True if the last instruction is counted as a shorter one, as an encoder may before an exception or the end.
    fn is_short(&self, left: i64, goal: Goal) -> bool {
        self.taken_units > 0 && goal == Goal::Anything && left + self.at.units == self.taken_units
    }

    /// Leaves out what a message that leads nowhere has followed, and goes back to where it began.
    pub(super) fn take_back(&mut self) {
        self.waiting.clear();
        self.at.outcomes.clear();
        self.at.next = self.settled;
    }

    fn add_history(&mut self, history: u64) {
        let branches = history.checked_ilog2().unwrap_or(0);
        self.at.outcomes.extend((0..branches).rev().map(|place| history >> place & 1 == 1));
    }

    fn is_branch(&self) -> Result<bool, Problem> {
        let branch = self.known(self.known_next()?)?.instruction.branch;
        Ok(branch.is_some_and(|branch| branch.kind == Kind::DirectConditional))
    }
}
