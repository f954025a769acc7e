//! Follows the program from one address that is reported to the next, as the decoder of the specification does.

use std::cell::Cell;

use tracewright_sim::code::Branch;
use tracewright_sim::config::mask;
use tracewright_sim::event::Kind;

use super::code::{Code, Known};
use super::encoder::Encoder;
use super::error::Problem;
use super::hart::Failed;
use super::pass::{Pass, Report, Retired, Waiting};
use super::payload::Depth;
use super::straight::Straights;
use super::tables::{Outcome, Outcomes, Tables};

/// Instructions that are remembered.
const SLOTS: usize = 1 << 12;

/// Instructions without a branch after which a way is given up: it goes round and round.
const STEPS_MAX: u64 = 1 << 22;

/// Instructions that wait until their payload has been followed to its end. A payload of more is followed twice.
const WAITING_MAX: usize = 1 << 16;

/// Outcomes of branches from which on a payload may be one of more.
const LONG: u64 = 1 << 8;

/// Where a hart is in its program.
pub(super) struct Follower<'a, C> {
    code: &'a C,
    slots: Vec<Cell<Option<(u64, Known)>>>,
    address_mask: u64,
    /// Branches that a payload may stand for, and those that the one at hand still may.
    most_branches: u64,
    allowed: u64,
    pub tables: Tables,
    pub outcomes: Outcomes,
    infers_returns: bool,
    infers_jumps: bool,
    /// The last instruction that has retired, and the one before.
    place: u64,
    before: u64,
    /// The depth that came with an address that may be that of another time round.
    inferred: Option<Option<Depth>>,
    /// Instructions of the payload at hand: they have retired if it leads somewhere.
    waiting: Vec<Waiting>,
    straights: Straights,
}

impl<'a, C: Code> Follower<'a, C> {
    pub(super) fn new(encoder: &Encoder, code: &'a C) -> Self {
        Follower {
            code,
            slots: vec![Cell::new(None); SLOTS],
            address_mask: mask(encoder.iaddress_width_p),
            most_branches: encoder.payload_branches,
            allowed: 0,
            tables: Tables::new(encoder),
            outcomes: Outcomes::default(),
            infers_returns: encoder.return_stack_size_p + encoder.call_counter_size_p > 0,
            infers_jumps: encoder.sijump_p == 1,
            place: 0,
            before: 0,
            inferred: None,
            waiting: Vec::new(),
            straights: Straights::new(),
        }
    }

    /// Switches options that a support payload says.
    pub(super) fn set_options(&mut self, infers_returns: Option<bool>, infers_jumps: Option<bool>) {
        self.infers_returns = infers_returns.unwrap_or(self.infers_returns);
        self.infers_jumps = infers_jumps.unwrap_or(self.infers_jumps);
    }

    /// The address of the last instruction.
    pub(super) fn place(&self) -> u64 {
        self.place
    }

    /// An address without the bits that the encoder does not have.
    pub(super) fn wrapped(&self, address: u64) -> u64 {
        address & self.address_mask
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

    fn is_branch(&self, address: u64) -> Result<bool, Problem> {
        Ok(kind(&self.at(address)?) == Some(Kind::DirectConditional))
    }

    /// True if the last instruction is a system call.
    pub(super) fn is_system_call(&self) -> bool {
        self.at(self.place).is_ok_and(|known| kind(&known) == Some(Kind::Exception))
    }

    /// True if the last instruction is a jump whose target is not in it.
    pub(super) fn is_at_jump(&self) -> bool {
        self.is_jump(self.place).is_ok_and(|is_jump| is_jump)
    }

    /// Begins at an instruction that has retired, which may be a branch that is taken.
    pub(super) fn begin<R: Retired>(
        &mut self,
        address: u64,
        taken: bool,
        retired: &mut R,
    ) -> Result<(), Failed<R::Error>> {
        self.outcomes.clear();
        self.branch_at(address, taken)?;
        (self.place, self.before) = (address, address);
        self.synchronised();
        let known = self.at(address)?;
        retired.retire(address, &known).map_err(Failed::Sink)
    }

    /// The outcome of the branch at an address, if one is there.
    pub(super) fn branch_at(&mut self, address: u64, taken: bool) -> Result<(), Problem> {
        if self.is_branch(address)? {
            self.outcomes.add(Outcome::Taken(taken), 1);
        }
        Ok(())
    }

    /// Forgets what a synchronisation makes forgotten.
    pub(super) fn synchronised(&mut self) {
        self.tables.clear();
        self.inferred = None;
    }

    /// Where the last instruction leads, if that is known without a payload.
    pub(super) fn leads_to(&mut self) -> Option<u64> {
        let known = self.at(self.place).ok()?;
        let next = self.place.wrapping_add(known.instruction.length.into());
        let target = match known.instruction.branch {
            None => next,
            Some(Branch { kind: Kind::DirectJump, target, .. }) => target,
            Some(Branch { kind: Kind::DirectConditional, target, .. }) => {
                if self.is_taken(self.place).ok()? { target } else { next }
            }
            Some(branch) if self.is_return(&branch) => self.tables.return_address()?,
            Some(_) => return None,
        };
        Some(self.wrapped(target))
    }

    fn is_return(&self, branch: &Branch) -> bool {
        self.infers_returns && branch.is_return && !branch.call
    }

    /// Goes on to the same address after a jump, if the last one may be that of another time round.
    pub(super) fn go_round<R: Retired>(&mut self, retired: &mut R) -> Result<(), Failed<R::Error>> {
        let Some(depth) = self.inferred.take() else { return Ok(()) };
        let address = self.place;
        self.allowed = self.most_branches;
        for _ in 0..STEPS_MAX {
            match self.next(address, depth, true) {
                Ok(true) => return self.release(retired),
                Ok(false) => {}
                Err(problem) => {
                    self.waiting.clear();
                    return Err(problem.into());
                }
            }
        }
        self.waiting.clear();
        Err(Problem::NoWay { from: address, to: address }.into())
    }

    /// Follows the program to an address, or to the last branch.
    pub(super) fn follow<R: Retired>(
        &mut self,
        address: u64,
        report: &Report,
        retired: &mut R,
    ) -> Result<(), Failed<R::Error>> {
        self.inferred = None;
        if self.outcomes.left > self.most_branches {
            return Err(Problem::Branches(self.most_branches).into());
        }
        let before =
            (self.outcomes.left >= LONG).then(|| (self.tables.clone(), self.outcomes.clone()));
        let (place, last) = (self.place, self.before);
        let walked = match before {
            None => self.walk(address, report, &mut Pass::<R>::Wait),
            // The instructions of a long one do not wait: it is followed to its end before any of them retires.
            Some((tables, outcomes)) => {
                self.walk(address, report, &mut Pass::<R>::Try).and_then(|()| {
                    self.waiting.clear();
                    (self.tables, self.outcomes) = (tables, outcomes);
                    (self.place, self.before, self.inferred) = (place, last, None);
                    self.walk(address, report, &mut Pass::Give(retired))
                })
            }
        };
        if walked.is_err() {
            self.waiting.clear();
        }
        walked?;
        self.release(retired)
    }

    fn walk<R: Retired>(
        &mut self,
        address: u64,
        report: &Report,
        pass: &mut Pass<'_, R>,
    ) -> Result<(), Failed<R::Error>> {
        let from = self.place;
        self.allowed = self.most_branches.saturating_add(self.outcomes.left);
        let (mut left, mut steps) = (self.outcomes.left, 0);
        loop {
            let has_address = !matches!(report, Report::Branches);
            let passed = self.pass_straight(address);
            if passed == 0 {
                let is_target = self.next(address, report.depth(), has_address)?;
                if self.has_arrived(address, report, is_target)? {
                    return Ok(());
                }
            }
            steps += passed.max(1);
            if self.outcomes.left != left {
                (left, steps) = (self.outcomes.left, 0);
            } else if steps >= STEPS_MAX {
                return Err(Problem::NoWay { from, to: address }.into());
            }
            if self.waiting.len() > WAITING_MAX {
                match pass {
                    Pass::Wait => {}
                    Pass::Try => self.waiting.clear(),
                    Pass::Give(retired) => self.release(*retired)?,
                }
            }
        }
    }

    /// Gives away the instructions that have waited.
    fn release<R: Retired>(&mut self, retired: &mut R) -> Result<(), Failed<R::Error>> {
        self.waiting.drain(..).try_for_each(|one| one.release(retired).map_err(Failed::Sink))
    }

    /// Goes through instructions after the last one in which the way to an address cannot end, and gives how many they
    /// are.
    fn pass_straight(&mut self, address: u64) -> u64 {
        let at = |address| self.at(address).ok();
        let run = self.straights.after(self.place, self.address_mask, at);
        // With an outcome left the way ends at a branch or later.
        let may_end = self.outcomes.left == 0 && (run.first..=run.last).contains(&address);
        if run.count == 0 || may_end {
            return 0;
        }
        (self.before, self.place) = (run.before_last, run.last);
        self.waiting.push(Waiting::Run(run));
        run.count
    }

    /// True if the last instruction is the one that is reported; `is_target` if a jump has led there.
    fn has_arrived(
        &mut self,
        address: u64,
        report: &Report,
        is_target: bool,
    ) -> Result<bool, Problem> {
        // The branch at the end has its outcome already, and is passed with the next payload.
        let is_at_branch = u64::from(self.is_branch(self.place)?);
        let left = self.outcomes.left;
        if matches!(report, Report::Branches) {
            return Ok(left == 1 && is_at_branch == 1);
        }
        if is_target {
            return match left > is_at_branch {
                true => Err(Problem::OutcomesLeft { address: self.place, left }),
                false => Ok(true),
            };
        }
        if self.place != address || left != is_at_branch {
            return Ok(false);
        }
        match *report {
            Report::Address { notify: true, .. } | Report::Start => Ok(true),
            Report::Address { updiscon: false, depth, .. } => {
                let is_deep = depth.is_none_or(|depth| depth == self.tables.depth());
                let may_be_last = is_deep && !self.is_jump(self.before)?;
                self.inferred = may_be_last.then_some(depth);
                Ok(may_be_last)
            }
            _ => Ok(false),
        }
    }

    /// True for a jump whose target the program does not tell.
    fn is_jump(&self, address: u64) -> Result<bool, Problem> {
        Ok(kind(&self.at(address)?) == Some(Kind::IndirectJump))
    }

    /// Goes on to the next instruction; true if that is the target of a jump that only `address` tells.
    fn next(
        &mut self,
        address: u64,
        depth: Option<Depth>,
        has_address: bool,
    ) -> Result<bool, Problem> {
        let this = self.place;
        let known = self.at(this)?;
        if known.instruction.branch.is_some() {
            let left = self.allowed.checked_sub(1);
            self.allowed = left.ok_or(Problem::Branches(self.most_branches))?;
        }
        let after = this.wrapping_add(known.instruction.length.into());
        let mut is_target = false;
        let next =
            match known.instruction.branch {
                None => after,
                // A system call that has retired without a trap goes on.
                Some(Branch { kind: Kind::Exception, .. }) => after,
                Some(Branch { kind: Kind::DirectJump, target, .. }) => target,
                Some(Branch { kind: Kind::DirectConditional, target, .. }) => {
                    if self.is_taken(this)? { target } else { after }
                }
                Some(branch) => match self.inferred_target(&branch, &known, address, depth)? {
                    Some(target) => target,
                    None if has_address => {
                        is_target = true;
                        address
                    }
                    None => return Err(Problem::NoTarget(this)),
                },
            };
        if known.instruction.branch.is_some_and(|branch| branch.call) && self.infers_returns {
            self.tables.call(self.wrapped(after));
        }
        (self.before, self.place) = (this, self.wrapped(next));
        self.waiting.push(Waiting::One(self.place, self.at(self.place)?));
        Ok(is_target)
    }

    /// Where an indirect jump goes, if the program tells it.
    fn inferred_target(
        &mut self,
        branch: &Branch,
        known: &Known,
        address: u64,
        depth: Option<Depth>,
    ) -> Result<Option<u64>, Problem> {
        if self.infers_jumps
            && let Some((register, distance)) = known.register
            && let Some((of, constant)) = self.at(self.before)?.constant
            && of == register
        {
            return Ok(Some(constant.wrapping_add(distance)));
        }
        if !self.is_return(branch) {
            return Ok(None);
        }
        // The return that is reported is none before the last branch.
        let last = u64::from(self.is_branch(address)?);
        let is_reported = depth == Some(self.tables.depth()) && self.outcomes.left <= last;
        // One to the address on the stack is reported before a payload of format 3 only.
        if !is_reported {
            return Ok(self.tables.end_call());
        }
        if self.tables.return_address() == Some(address) {
            self.tables.end_call();
        }
        Ok(None)
    }

    fn is_taken(&mut self, branch: u64) -> Result<bool, Problem> {
        let outcome = self.outcomes.pop().ok_or(Problem::NoOutcome(branch))?;
        let taken = match outcome {
            Outcome::Taken(taken) => taken,
            Outcome::Predicted(is_right) => self.tables.predicts_taken(branch) == is_right,
        };
        self.tables.learn(branch, taken);
        Ok(taken)
    }
}

fn kind(known: &Known) -> Option<Kind> {
    known.instruction.branch.map(|branch| branch.kind)
}
