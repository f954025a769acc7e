//! One hart's payloads: what each means for where its execution is.

use super::code::Code;
use super::encoder::{Encoder, OptionName};
use super::error::Problem;
use super::follower::Follower;
use super::pass::{Report, Retired};
use super::payload::{Address, Payload, QualStatus, State};
use super::tables::Outcome;

/// Where a hart is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing is known, before the first start and after tracing has ended.
    Off,
    /// At an instruction that has retired.
    On,
    /// An exception has been taken, and nothing has retired at its handler.
    Trapped,
}

/// What a payload tells beside instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Nothing else.
    Nothing,
    /// Instructions, but not where the first of them is.
    Nowhere,
    /// Tracing has ended, or payloads were lost. The last instruction leads to the address, if that is known.
    Ended(QualStatus, Option<u64>),
}

/// Takes what a hart does.
pub(crate) trait Execution: Retired {
    /// The execution begins somewhere.
    fn begin(&mut self, address: u64) -> Result<(), Self::Error>;
    /// An exception comes where the flow has led to this address; without one, the last instruction has made it.
    fn trap(&mut self, at: Option<u64>) -> Result<(), Self::Error>;
    /// The execution goes on in this state from the instruction on that has retired last, after a trap with this cause.
    fn state(&mut self, state: State, cause: Option<u64>) -> Result<(), Self::Error>;
}

/// What went wrong: with the dump, or where the instructions go.
#[derive(Debug)]
pub(crate) enum Failed<E> {
    Dump(Problem),
    Sink(E),
}

impl<E> From<Problem> for Failed<E> {
    fn from(problem: Problem) -> Self {
        Failed::Dump(problem)
    }
}

/// A hart.
pub(crate) struct Hart<'a, C> {
    encoder: &'a Encoder,
    follower: Follower<'a, C>,
    phase: Phase,
    full_address: bool,
    /// The last address that was reported.
    address: u64,
    /// The cause of the exception that was taken.
    cause: Option<u64>,
    /// What is wrong with the options that the last support payload has switched on: nothing is decoded with them.
    refused: Option<Problem>,
}

impl<'a, C: Code> Hart<'a, C> {
    pub(super) fn new(encoder: &'a Encoder, code: &'a C) -> Self {
        Hart {
            encoder,
            follower: Follower::new(encoder, code),
            phase: Phase::Off,
            full_address: encoder.full_address == 1,
            address: 0,
            cause: None,
            refused: None,
        }
    }

    /// Leaves the execution where it is, and gives the address to which the last instruction leads, if that is known; the
    /// next start begins anew.
    pub(super) fn leave(&mut self) -> Option<u64> {
        let leads_to = match self.phase {
            Phase::On => self.follower.leads_to(),
            Phase::Off | Phase::Trapped => None,
        };
        self.give_up();
        leads_to
    }

    /// Gives up after a problem; the next start begins anew.
    pub(super) fn give_up(&mut self) {
        self.phase = Phase::Off;
        self.cause = None;
    }

    /// Takes a payload.
    pub(super) fn take<X: Execution>(
        &mut self,
        payload: &Payload,
        execution: &mut X,
    ) -> Result<Told, Failed<X::Error>> {
        self.go_round(payload, execution)?;
        if !matches!(payload, Payload::Support { .. }) {
            self.refused.clone().map_or(Ok(()), Err)?;
        }
        match payload {
            Payload::Start { taken, state, address } => {
                self.start(*address, *taken, execution)?;
                let cause = self.cause.take();
                execution.state(*state, cause).map_err(Failed::Sink)?;
            }
            Payload::Trap { .. } => self.trap(payload, execution)?,
            Payload::Context(state) if self.phase == Phase::On => {
                execution.state(*state, None).map_err(Failed::Sink)?;
            }
            Payload::Context(_) => {}
            Payload::Support { qual_status, ioptions, .. } => {
                self.refused = self.options(ioptions).err();
                self.refused.clone().map_or(Ok(()), Err)?;
                if *qual_status != QualStatus::NoChange {
                    return Ok(Told::Ended(*qual_status, self.leave()));
                }
            }
            // What comes before a start is of what is missing.
            _ if self.phase == Phase::Off => return Ok(Told::Nowhere),
            payload => self.follow(payload, execution)?,
        }
        Ok(Told::Nothing)
    }

    /// Where an address may be that of the next time round, the payload after it decides.
    fn go_round<X: Execution>(
        &mut self,
        payload: &Payload,
        execution: &mut X,
    ) -> Result<(), Failed<X::Error>> {
        let goes_on = match payload {
            Payload::Support { qual_status, .. } => *qual_status == QualStatus::EndedNtr,
            Payload::Start { .. } | Payload::Trap { .. } | Payload::Context(_) => false,
            _ => true,
        };
        if self.phase == Phase::On && goes_on { self.follower.go_round(execution) } else { Ok(()) }
    }

    fn start<X: Execution>(
        &mut self,
        address: u64,
        taken: bool,
        execution: &mut X,
    ) -> Result<(), Failed<X::Error>> {
        self.address = address;
        match self.phase {
            Phase::On => {
                // A branch that is told once more has its outcome already.
                if self.encoder.start_repeats == 0 || self.follower.place() != address {
                    self.follower.branch_at(address, taken)?;
                    self.follower.follow(address, &Report::Start, execution)?;
                }
                self.follower.synchronised();
                return Ok(());
            }
            Phase::Off => execution.begin(address).map_err(Failed::Sink)?,
            Phase::Trapped => {}
        }
        self.begin(address, taken, execution)
    }

    /// Begins at an instruction that has retired.
    fn begin<X: Execution>(
        &mut self,
        address: u64,
        taken: bool,
        execution: &mut X,
    ) -> Result<(), Failed<X::Error>> {
        self.address = address;
        self.follower.begin(address, taken, execution)?;
        self.phase = Phase::On;
        Ok(())
    }

    fn trap<X: Execution>(
        &mut self,
        payload: &Payload,
        execution: &mut X,
    ) -> Result<(), Failed<X::Error>> {
        let Payload::Trap { taken, state, cause, interrupt, thaddr, address, .. } = *payload else {
            return Ok(());
        };
        let cause = self.encoder.cause(cause, interrupt);
        match self.phase {
            Phase::On => {
                // Of a jump before the exception the payload says where it has led to, also if that is a return that could
                // have been inferred.
                let is_said = !thaddr && self.follower.is_at_jump();
                let known = if is_said { None } else { self.follower.leads_to() };
                let is_call = self.follower.is_system_call();
                let at = if is_call { None } else { known.or(Some(address)) };
                execution.trap(at).map_err(Failed::Sink)?;
            }
            Phase::Off if thaddr => execution.begin(address).map_err(Failed::Sink)?,
            Phase::Off | Phase::Trapped => {}
        }
        if !thaddr {
            self.phase = if self.phase == Phase::Off { Phase::Off } else { Phase::Trapped };
            self.cause = Some(cause);
            return Ok(());
        }
        self.begin(address, taken, execution)?;
        self.cause = None;
        execution.state(state, Some(cause)).map_err(Failed::Sink)
    }

    fn options(&mut self, options: &[OptionName]) -> Result<(), Problem> {
        use OptionName::{
            BranchPrediction, DeltaAddress, FullAddress, ImplicitException, ImplicitReturn,
            JumpTargetCache, Sijump,
        };
        let is_on = |option| options.contains(&option);
        let is_said = |option| self.encoder.ioptions.contains(&option);
        if is_on(ImplicitException) {
            return Err(Problem::ImplicitException);
        }
        let tables = [
            (ImplicitReturn, "return_stack_size_p", self.encoder.has_returns()),
            (BranchPrediction, "bpred_size_p", self.encoder.bpred_size_p > 0),
            (JumpTargetCache, "cache_size_p", self.encoder.cache_size_p > 0),
        ];
        let missing = tables.into_iter().find(|(option, _, has)| is_on(*option) && !has);
        if let Some((option, parameter, _)) = missing {
            return Err(Problem::Option { option: option.name(), parameter });
        }
        if is_said(FullAddress) || is_said(DeltaAddress) {
            self.full_address = is_on(FullAddress) && !is_on(DeltaAddress);
        }
        let said = |option| is_said(option).then(|| is_on(option));
        self.follower.set_options(said(ImplicitReturn), said(Sijump));
        Ok(())
    }

    fn follow<X: Execution>(
        &mut self,
        payload: &Payload,
        execution: &mut X,
    ) -> Result<(), Failed<X::Error>> {
        if self.phase == Phase::Trapped {
            return Err(Problem::NoWay { from: self.follower.place(), to: self.address }.into());
        }
        match payload {
            Payload::BranchCount { predicted, fails, address } => {
                self.follower.outcomes.add(Outcome::Predicted(true), *predicted);
                self.follower.outcomes.add(Outcome::Predicted(false), u64::from(*fails));
                self.report(*address, execution)
            }
            Payload::Branches { branches, map, address } => {
                self.follower.outcomes.add_map(*branches, *map);
                self.report(*address, execution)
            }
            Payload::JumpTarget { index, branches, map, depth } => {
                self.follower.outcomes.add_map(*branches, *map);
                self.address =
                    self.follower.tables.target(*index).ok_or(Problem::NoCached(*index))?;
                let (notify, updiscon, depth) = (false, false, *depth);
                let report = Report::Address { notify, updiscon, depth };
                self.follower.follow(self.address, &report, execution)
            }
            Payload::Address(address) => self.report(Some(*address), execution),
            _ => Ok(()),
        }
    }

    /// Follows the program to an address, or to the last branch.
    fn report<X: Execution>(
        &mut self,
        address: Option<Address>,
        execution: &mut X,
    ) -> Result<(), Failed<X::Error>> {
        let Some(Address { address, notify, updiscon, depth }) = address else {
            return self.follower.follow(self.address, &Report::Branches, execution);
        };
        let before = if self.full_address { 0 } else { self.address };
        self.address = self.follower.wrapped(before.wrapping_add(address));
        // Only the targets of jumps are kept; all is forgotten after a last instruction.
        if !notify {
            self.follower.tables.keep_target(self.address);
        }
        self.follower.follow(self.address, &Report::Address { notify, updiscon, depth }, execution)
    }
}
