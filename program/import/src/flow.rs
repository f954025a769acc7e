//! Instructions as they retire, one after the other, as events.
//!
//! What an instruction does is known when the next one comes: where a branch leads, and whether what comes next is
//! where the flow leads, or the first instruction of a handler. A diversion that no instruction explains is a taken
//! exception, from the last instruction that retired to the next one. The rule is that of the adapters
//! ([`outcome`](tracewright_sim::rvfi::outcome)).

use tracewright_sim::code::{Branch, Instruction};
use tracewright_sim::config::mask;
use tracewright_sim::event::{Access, AccessSite, Event, ExecutionState, Item, Kind};
use tracewright_sim::rvfi::outcome::{Outcome, Retired};
use tracewright_sim::trace_io;

/// Takes the items of a trace.
pub(crate) type Sink<'s> = dyn FnMut(&Item) -> Result<(), trace_io::Error> + 's;

/// A memory access of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DataAccess {
    pub store: bool,
    pub address: u64,
}

/// What a log says of an instruction beside what its code says.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Said<'a> {
    /// Its address.
    pub program_counter: u64,
    /// The address of the next one, as far as this one decides it.
    pub leads_to: Option<u64>,
    /// It is the first one of a handler.
    pub is_handler: bool,
    /// Its word is expanded to 32 bits, and may be that of an instruction of two bytes.
    pub is_expanded: bool,
    /// Where it accesses memory.
    pub accesses: &'a [DataAccess],
}

/// Where the flow of a thread leads.
#[derive(Clone, Copy, Debug, Default)]
enum Flow {
    /// Nothing is known, as before the first instruction.
    #[default]
    Unknown,
    /// To an address.
    To(u64),
    /// To where an instruction leads, which is in no event yet.
    Instruction(Pending),
    /// To a handler, at an address if it is known.
    Handler(Option<u64>),
}

/// An instruction that retired, and that may lead elsewhere than to one address.
#[derive(Clone, Copy, Debug)]
struct Pending {
    /// Its event, not taken, if it is a branch.
    event: Event,
    retired: Retired,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    flow: Flow,
    /// Instructions since the last event.
    since: u64,
    /// The last instruction that retired.
    last: u64,
    /// A system call that returned, until it is known that the next instruction does not trap: if it does, both are
    /// one event.
    held: Option<Event>,
    /// Accesses since the last event.
    accesses: Vec<Access>,
}

/// Counts of what was followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Instructions that retired.
    pub instructions: u64,
    /// Exceptions and interrupts, without the first one of each thread.
    pub exceptions: u64,
    /// Instructions after the last event of a thread.
    pub left_out: u64,
}

/// Makes events of the instructions of up to eight threads.
pub(crate) struct FlowFollower<'s> {
    sink: &'s mut Sink<'s>,
    address_mask: u64,
    threads: [Thread; 8],
    pub counts: Counts,
    /// Events so far.
    pub written: u64,
    /// The last diversion that neither an instruction nor the log explains: where it comes from, and where it leads.
    pub unexplained: Option<(u64, u64)>,
}

/// The upper 12 bits of RISC-V's returns from traps are in one table for all.
pub(crate) fn returns_from_trap(word: u32) -> bool {
    let upper = word >> 20;
    word & 0xf_ffff == 0x73 && tracewright_sim::rvfi::TRAP_RETURNS.contains(&upper)
}

/// What a log says of where an instruction led, for the rule.
pub(crate) fn retired(
    said: &Said<'_>,
    instruction: &Instruction,
    returns_from_trap: bool,
    address_mask: u64,
) -> Retired {
    let after = |length: u64| said.program_counter.wrapping_add(length) & address_mask;
    Retired {
        kind: instruction.branch.map(|branch| branch.kind),
        target: instruction.branch.map_or(0, |branch| branch.target),
        fall_through: after(if said.is_expanded { 4 } else { instruction.length.into() }),
        shorter: said.is_expanded.then(|| after(2)),
        said: said.leads_to.map(|to| to & address_mask),
        trap_return: returns_from_trap,
    }
}

impl<'s> FlowFollower<'s> {
    pub(crate) fn new(address_bits: u8, sink: &'s mut Sink<'s>) -> Self {
        let address_mask = mask(address_bits.into());
        let (threads, counts) = (Default::default(), Counts::default());
        FlowFollower { sink, address_mask, threads, counts, written: 0, unexplained: None }
    }

    /// Takes an instruction that retired.
    pub(crate) fn retire(
        &mut self,
        thread: u8,
        said: &Said<'_>,
        instruction: &Instruction,
        returns_from_trap: bool,
    ) -> Result<(), trace_io::Error> {
        let at = said.program_counter & self.address_mask;
        self.arrive(thread, at, said.is_handler)?;
        self.release(thread)?;
        self.counts.instructions += 1;
        let state = &mut self.threads[usize::from(thread)];
        state.since += 1;
        state.last = at;
        for access in said.accesses {
            let DataAccess { store, address } = *access;
            let site = AccessSite { instructions: state.since, program_counter: at, store, thread };
            state.accesses.push(Access { site, address: address & self.address_mask });
        }
        let retired = retired(said, instruction, returns_from_trap, self.address_mask);
        let Some(Branch { kind, call, is_return, target }) = instruction.branch else {
            state.flow = match retired.shorter {
                None => Flow::To(retired.fall_through),
                Some(_) => {
                    Flow::Instruction(Pending { event: Event::straight_run(0, at), retired })
                }
            };
            return Ok(());
        };
        let event = Event {
            instructions: state.since,
            program_counter: at,
            target,
            kind,
            call,
            is_return,
            taken: false,
            length: if call && !said.is_expanded { instruction.length } else { 0 },
            thread,
        };
        state.flow = Flow::Instruction(Pending { event, retired });
        Ok(())
    }

    /// Takes a straight run of instructions without accesses, from `first` to `last`; `next` is the address after it.
    pub(crate) fn retire_run(
        &mut self,
        thread: u8,
        count: u64,
        (first, last, next): (u64, u64, u64),
    ) -> Result<(), trace_io::Error> {
        self.arrive(thread, first & self.address_mask, false)?;
        self.release(thread)?;
        self.counts.instructions += count;
        let state = &mut self.threads[usize::from(thread)];
        state.since += count;
        state.last = last & self.address_mask;
        state.flow = Flow::To(next & self.address_mask);
        Ok(())
    }

    /// Takes an instruction that was attempted and trapped: it did not retire.
    pub(crate) fn trap(&mut self, thread: u8, said: &Said<'_>) -> Result<(), trace_io::Error> {
        self.arrive(thread, said.program_counter & self.address_mask, said.is_handler)?;
        let leads_to = said.leads_to.map(|to| to & self.address_mask);
        self.threads[usize::from(thread)].flow = Flow::Handler(leads_to);
        Ok(())
    }

    /// A thread begins at `at`, where no instruction has retired yet.
    pub(crate) fn begin(&mut self, thread: u8, at: u64) -> Result<(), trace_io::Error> {
        let at = at & self.address_mask;
        self.arrive(thread, at, false)?;
        self.threads[usize::from(thread)].flow = Flow::To(at);
        Ok(())
    }

    /// True if a thread has done nothing since its last event.
    pub(crate) fn is_between_events(&self, thread: u8) -> bool {
        let state = &self.threads[usize::from(thread)];
        state.since == 0 && state.held.is_none() && matches!(state.flow, Flow::To(_))
    }

    /// Takes an exception or an interrupt where the flow has led to `at`.
    pub(crate) fn divert(&mut self, thread: u8, at: u64) -> Result<(), trace_io::Error> {
        self.go_on(thread, at)?;
        self.threads[usize::from(thread)].flow = Flow::Handler(None);
        Ok(())
    }

    /// The flow goes on at `at`, whatever comes there.
    pub(crate) fn go_on(&mut self, thread: u8, at: u64) -> Result<(), trace_io::Error> {
        let at = at & self.address_mask;
        if !matches!(self.threads[usize::from(thread)].flow, Flow::Unknown) {
            self.arrive(thread, at, false)?;
            self.threads[usize::from(thread)].flow = Flow::To(at);
        }
        Ok(())
    }

    /// The flow of a thread goes on at `at`, which is the first instruction of a handler or where the flow leads.
    fn arrive(&mut self, thread: u8, at: u64, is_handler: bool) -> Result<(), trace_io::Error> {
        let state = &mut self.threads[usize::from(thread)];
        let from = state.last;
        let (diverted, is_explained) = match std::mem::take(&mut state.flow) {
            Flow::To(to) => (is_handler || to != at, is_handler),
            Flow::Instruction(pending) => {
                let outcome = pending.retired.outcome(at, is_handler);
                self.branch(&pending, outcome)?;
                (outcome.diverted, is_handler)
            }
            Flow::Handler(_) => (true, true),
            // The first event of a thread is no exception of the program.
            Flow::Unknown => return self.write(&Event { thread, ..Event::exception(0, 0, at) }),
        };
        if !diverted {
            return Ok(());
        }
        if !is_explained {
            self.unexplained = Some((from, at));
        }
        self.exception(thread, at)
    }

    /// Writes the event of an instruction that did this, if it is a branch.
    fn branch(&mut self, pending: &Pending, outcome: Outcome) -> Result<(), trace_io::Error> {
        if pending.retired.kind.is_none() {
            return Ok(());
        }
        let target = outcome.target;
        let event = Event { target: target.unwrap_or(0), taken: target.is_some(), ..pending.event };
        let state = &mut self.threads[usize::from(event.thread)];
        state.since = 0;
        if event.kind == Kind::Exception {
            self.counts.exceptions += u64::from(event.taken);
            if !event.taken {
                self.write_accesses(event.thread)?;
                self.threads[usize::from(event.thread)].held = Some(event);
                return Ok(());
            }
        }
        self.write(&event)
    }

    /// Writes an exception after the last instruction that retired.
    fn exception(&mut self, thread: u8, to: u64) -> Result<(), trace_io::Error> {
        self.counts.exceptions += 1;
        let state = &mut self.threads[usize::from(thread)];
        if let Some(held) = state.held.take() {
            return self.write(&Event { target: to, taken: true, ..held });
        }
        let event = Event { thread, ..Event::exception(state.since, state.last, to) };
        state.since = 0;
        self.write(&event)
    }

    /// Writes the system call that was held back.
    fn release(&mut self, thread: u8) -> Result<(), trace_io::Error> {
        match self.threads[usize::from(thread)].held.take() {
            Some(event) => self.write(&event),
            None => Ok(()),
        }
    }

    fn write(&mut self, event: &Event) -> Result<(), trace_io::Error> {
        self.write_accesses(event.thread)?;
        self.written += 1;
        (self.sink)(&Item::Event(*event))
    }

    /// Writes the state in which the execution goes on after the last event.
    pub(crate) fn state(&mut self, state: ExecutionState) -> Result<(), trace_io::Error> {
        (self.sink)(&Item::State(state))
    }

    /// Instructions of a thread since its last event.
    pub(crate) fn since(&self, thread: u8) -> u64 {
        self.threads[usize::from(thread)].since
    }

    /// The last instruction of a thread leads to this address, if it is a branch.
    pub(crate) fn leads_to(&mut self, thread: u8, address: u64) {
        if let Flow::Instruction(pending) = &mut self.threads[usize::from(thread)].flow {
            pending.retired.said = Some(address & self.address_mask);
        }
    }

    fn write_accesses(&mut self, thread: u8) -> Result<(), trace_io::Error> {
        for access in self.threads[usize::from(thread)].accesses.drain(..) {
            (self.sink)(&Item::Access(access))?;
        }
        Ok(())
    }

    /// Takes back a system call at the end of a thread, of which it is not known whether it came straight back.
    pub(crate) fn forget_system_call(&mut self, thread: u8) {
        let flow = &mut self.threads[usize::from(thread)].flow;
        if let Flow::Instruction(pending) = flow
            && pending.retired.kind == Some(Kind::Exception)
        {
            *flow = Flow::To(pending.retired.fall_through);
        }
    }

    /// Ends the trace: what is known of the last instructions of each thread is written, and the others are counted.
    pub(crate) fn finish(&mut self) -> Result<(), trace_io::Error> {
        (0..8).try_for_each(|thread| self.end(thread).map(|_| ()))
    }

    /// Ends a thread in the same way, which may then begin anew; gives the instructions after its last event.
    pub(crate) fn end(&mut self, thread: u8) -> Result<u64, trace_io::Error> {
        let state = &mut self.threads[usize::from(thread)];
        match std::mem::take(&mut state.flow) {
            Flow::Instruction(mut pending) => {
                if pending.retired.kind == Some(Kind::Exception) {
                    pending.retired.said.get_or_insert(pending.retired.fall_through);
                }
                if let Some(outcome) = pending.retired.alone() {
                    self.branch(&pending, outcome)?;
                }
            }
            Flow::Handler(Some(handler)) => self.exception(thread, handler)?,
            Flow::Handler(None) | Flow::To(_) | Flow::Unknown => {}
        }
        self.release(thread)?;
        let left = std::mem::take(&mut self.threads[usize::from(thread)].since);
        self.counts.left_out += left;
        Ok(left)
    }
}
