//! One hart's messages: what each means for where its execution is.

use tracewright_sim::event::ExecutionState;

use super::body::Body;
use super::encoder::Encoder;
use super::error::Problem as Wrong;
use super::follower::{Follower, Goal};
use crate::e_trace::{Code, Error, Execution, Failed, Field, Problem, Reason, Run};

/// Reasons of a synchronisation (SYNC).
mod reasons {
    /// The hart was reset.
    pub(super) const RESET: u8 = 1;
    /// The hart leaves debug mode.
    pub(super) const DEBUG: u8 = 3;
    /// Tracing is enabled.
    pub(super) const ENABLED: u8 = 5;
    /// Messages were lost.
    pub(super) const OVERRUN: u8 = 7;
    /// The hart leaves a state without power.
    pub(super) const POWER: u8 = 9;
}

type Done = Result<(), Failed<Error>>;

/// A hart.
pub(super) struct Hart<'a, C> {
    encoder: &'a Encoder,
    follower: Follower<'a, C>,
    /// The execution is known.
    is_on: bool,
    /// The last address in a message, from which the next one differs.
    address: u64,
    /// A whole address has been sent.
    has_address: bool,
    /// Where the last event or sample was.
    place: u64,
    /// The last branch without a synchronisation, which may be repeated.
    branch: Option<Body>,
    /// The state of which messages tell changes.
    state: ExecutionState,
}

impl<'a, C: Code> Hart<'a, C> {
    pub(super) fn new(encoder: &'a Encoder, code: &'a C) -> Self {
        Hart {
            encoder,
            follower: Follower::new(encoder, code),
            is_on: false,
            address: 0,
            has_address: false,
            place: 0,
            branch: None,
            state: ExecutionState::default(),
        }
    }

    /// Leaves the execution, and gives the address at which it would go on, if that is known; the next synchronisation
    /// begins anew.
    pub(super) fn leave(&mut self) -> Option<u64> {
        let next = if self.is_on { self.follower.next() } else { None };
        (self.is_on, self.branch) = (false, None);
        next
    }

    /// Where an event or a sample is, and where it leads if that is told, once a whole address was sent.
    pub(super) fn places(&self, body: &Body) -> Vec<(&'static str, Field)> {
        let target = match body {
            Body::InCircuit { address: Some(_), target, .. } => *target,
            Body::Sample { .. } => None,
            _ => return Vec::new(),
        };
        if !self.has_address {
            return Vec::new();
        }
        let leads_to = target.map(|_| ("TARGET", Field::Address(self.address)));
        [("ADDRESS", Field::Address(self.place))].into_iter().chain(leads_to).collect()
    }

    /// A message that was not read may have had an address.
    pub(super) fn forget_address(&mut self) {
        self.has_address = false;
    }

    /// Takes the end of the dump: what was counted has retired.
    pub(super) fn end(&mut self, run: &mut Run<'_, '_, '_>) -> Done {
        if self.is_on { self.follower.follow_counted(run) } else { Ok(()) }
    }

    /// Takes a message.
    pub(super) fn take(&mut self, body: &Body, run: &mut Run<'_, '_, '_>) -> Done {
        if !matches!(body, Body::CountFull { .. }) {
            self.follower.allow();
        }
        let done = self.dispatch(body, run);
        let Err(Failed::Dump(problem)) = done else { return done };
        self.follower.take_back();
        self.miss(Reason::Damaged(problem), run);
        // A synchronisation goes on wherever the execution was.
        match body {
            Body::Start { address, .. }
            | Body::Direct { sync: Some((_, address)), .. }
            | Body::Indirect { sync: Some(_), address, .. } => self.begin(*address, run),
            _ => Ok(()),
        }
    }

    /// The execution is missing from here on.
    pub(super) fn miss(&mut self, reason: Reason, run: &mut Run<'_, '_, '_>) {
        if let Some(address) = self.leave() {
            run.flow.leads_to(run.progress.thread, address);
        }
        run.progress.miss(run.offset, reason);
    }

    fn begin(&mut self, address: u64, run: &mut Run<'_, '_, '_>) -> Done {
        run.begin_before(address).map_err(Failed::Sink)?;
        self.follower.begin(address);
        (self.is_on, self.address, self.branch) = (true, address, None);
        self.has_address = true;
        Ok(())
    }

    fn dispatch(&mut self, body: &Body, run: &mut Run<'_, '_, '_>) -> Done {
        match *body {
            Body::Ownership { .. } if self.encoder.plain_process == 1 => Ok(()),
            Body::DataAcquisition { .. }
            | Body::AuxAccessWrite { .. }
            | Body::InCircuit { .. }
            | Body::Sample { .. }
            | Body::PassedOver { .. } => {
                self.note_place(body);
                Ok(())
            }
            Body::Ownership { process } => self.ownership(process, run),
            Body::Error { .. } => {
                self.miss(Reason::Lost, run);
                Ok(())
            }
            Body::Start { sync, count, address } => {
                self.synchronise(sync, (count, None), 0, address, run)
            }
            Body::Direct { sync: Some((sync, address)), count } => {
                self.synchronise(sync, (count, None), 0, address, run)
            }
            Body::Indirect { sync: Some(sync), branch_type, count, address, history } => {
                self.synchronise(sync, (count, history), branch_type, address, run)
            }
            // What comes before a synchronisation is of what is missing.
            _ if !self.is_on => {
                let is_end = matches!(body, Body::Correlation { .. });
                self.miss(if is_end { Reason::Off } else { Reason::Beginning }, run);
                Ok(())
            }
            Body::Direct { .. } | Body::Indirect { .. } => {
                self.branch(body, 1, run)?;
                self.branch = Some(body.clone());
                Ok(())
            }
            Body::Repeat { count } => {
                let branch = self.branch.clone().ok_or(Problem::from(Wrong::NothingToRepeat))?;
                self.repeat(&branch, count, run)
            }
            Body::CountFull { count } => {
                self.follower.count(count);
                Ok(())
            }
            Body::HistoryFull { history: 1, .. } => Ok(()),
            Body::HistoryFull { history, repeats } => {
                self.follower.follow_history((history, repeats.unwrap_or(1)), run)
            }
            Body::BranchesFull { taken, count } => {
                self.follower.follow_history((0b10 | u64::from(taken), count), run)
            }
            Body::Correlation { count, history, .. } => {
                self.follower.follow((count, history), Goal::Anything, run)?;
                self.miss(Reason::Off, run);
                Ok(())
            }
        }
    }

    /// Notes where an event or a sample is: it is the address from which the next one differs.
    fn note_place(&mut self, body: &Body) {
        match *body {
            Body::InCircuit { is_whole, address: Some(address), target, .. } => {
                let before = if is_whole { 0 } else { self.address };
                self.has_address |= is_whole;
                self.place = self.encoder.extended(before ^ address);
                self.address = self.encoder.extended(self.place ^ target.unwrap_or(0));
            }
            Body::Sample { address, .. } => {
                (self.has_address, self.place, self.address) = (true, address, address);
            }
            _ => {}
        }
    }

    /// A branch or an exception; `difference` is 0 where the address is that of the last message.
    fn branch(&mut self, body: &Body, difference: u64, run: &mut Run<'_, '_, '_>) -> Done {
        match *body {
            Body::Direct { count, .. } => self.follower.follow((count, None), Goal::Taken, run),
            Body::Indirect { branch_type, count, address, history, .. } => {
                self.address = self.encoder.extended(self.address ^ (address * difference));
                let counted = (count, history);
                if branch_type == 0 {
                    return self.follower.follow(counted, Goal::Jump(self.address), run);
                }
                self.except(counted, self.address, run)
            }
            _ => Ok(()),
        }
    }

    fn repeat(&mut self, branch: &Body, count: u64, run: &mut Run<'_, '_, '_>) -> Done {
        for _ in 0..count {
            self.branch(branch, 0, run)?;
        }
        Ok(())
    }

    /// An exception comes after so much code, and leads to an address.
    fn except(
        &mut self,
        counted: (u64, Option<u64>),
        handler: u64,
        run: &mut Run<'_, '_, '_>,
    ) -> Done {
        self.follower.follow(counted, Goal::Anything, run)?;
        let at = match self.follower.is_after_system_call() {
            true => None,
            false => Some(self.follower.known_next()?),
        };
        run.trap(at).map_err(Failed::Sink)?;
        self.follower.go_to(handler);
        Ok(())
    }

    fn synchronise(
        &mut self,
        sync: u8,
        counted: (u64, Option<u64>),
        branch_type: u8,
        address: u64,
        run: &mut Run<'_, '_, '_>,
    ) -> Done {
        if !self.is_on {
            return self.begin(address, run);
        }
        match sync {
            reasons::OVERRUN => {
                self.miss(Reason::Lost, run);
                self.begin(address, run)
            }
            reasons::DEBUG | reasons::ENABLED | reasons::POWER => {
                self.follower.follow(counted, Goal::Anything, run)?;
                self.miss(Reason::Off, run);
                self.begin(address, run)
            }
            _ => {
                if sync == reasons::RESET || branch_type != 0 {
                    self.except(counted, address, run)?;
                } else {
                    self.follower.follow(counted, Goal::At(address), run)?;
                }
                self.follower.synchronised();
                (self.address, self.branch) = (address, None);
                Ok(())
            }
        }
    }

    /// PROCESS has two bits of its format, the privilege level, whether the hart is virtual, and the context.
    fn ownership(&mut self, process: u64, run: &mut Run<'_, '_, '_>) -> Done {
        let (format, context) = (process & 3, process >> 5);
        self.state.privilege = (process >> 2 & 7) as u8;
        // The context of a hypervisor comes before that of its guest.
        if format == 2 {
            self.state.context = context;
        }
        if !self.is_on {
            return Ok(());
        }
        run.state_of_next(self.state).map_err(Failed::Sink)
    }
}
