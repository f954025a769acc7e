//! Turns the ends of blocks into events and accesses.

use std::io::Write;

use tracewright_capture_plugin::wire::Access as Entry;
use tracewright_sim::event::{Access, AccessSite, Event, Kind};
use tracewright_sim::trace_io::Writer;

use crate::Error;
use crate::block::{Block, End};
use crate::hart::Hart;

/// Signals that an instruction raises and that come before it retires: SIGILL, SIGTRAP, SIGBUS, SIGFPE,
/// SIGSEGV. An instruction that is a system call for the classifiers retires all the same.
pub(crate) const RAISED: [u64; 5] = [4, 5, 7, 8, 11];

/// The place where a signal arrived.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signal {
    pub number: u64,
    /// The address where the program continues if the handler returns.
    pub program_counter: u64,
}

/// A virtual processor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Processor {
    pub thread: u8,
    /// The current block, if the processor is traced.
    pub current: Option<u32>,
    /// Instructions retired before the current block since the last event.
    pub since: u64,
    /// The last instruction retired before the current block.
    pub last: u64,
    /// Number of events so far.
    pub events: u64,
    pub signal: Option<Signal>,
    /// A system call that returned, until it is known that the next instruction does not trap: if it
    /// does, both are one event.
    pub held: Option<Event>,
    /// Accesses of the current block.
    pub accesses: Vec<Entry>,
    /// Its registers, if it is of a machine.
    pub hart: Hart,
}

impl Processor {
    /// The number of the event that ends the current run of instructions.
    pub(crate) fn next_event(&self) -> u64 {
        self.events + u64::from(self.held.is_some())
    }
}

/// Counts of the capture besides events.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Instructions that ran before the trace begins.
    pub skipped: u64,
    /// Traps of a machine.
    pub traps: u64,
    /// Signals whose interrupted address is known.
    pub signals: u64,
    /// Unexplained jumps.
    pub unexplained: u64,
    /// Entries of threads that are not traced, because there are too many.
    pub left_out: u64,
    /// System calls.
    pub system_calls: u64,
}

/// Writes the instructions that retire.
pub(crate) struct Retire<W: Write> {
    pub writer: Writer<W>,
    pub counts: Counts,
    /// True if contexts, privilege levels and causes are traced.
    pub has_states: bool,
}

impl<W: Write> Retire<W> {
    /// Ends the current block; the program continues at `to`, which is in the block and runs again if it `restarts`.
    pub(crate) fn leave(
        &mut self,
        state: &mut Processor,
        block: &Block,
        to: u64,
        restarts: bool,
    ) -> Result<(), Error> {
        if let Some(signal) = state.signal.take() {
            self.counts.signals += 1;
            let at = signal.program_counter;
            if block.is_system_call()
                && block.index_of(at).is_none_or(|index| index + 1 == block.count)
            {
                // The call and the handler that runs after it are one event.
                self.retire(state, block, block.count - 1)?;
                return self.branch(state, block, Some(to));
            }
            match block.index_of(at).filter(|_| RAISED.contains(&signal.number)) {
                Some(index) => self.retire(state, block, index)?,
                None => self.complete(state, block, at, false)?,
            }
            return self.exception(state, to);
        }
        self.complete(state, block, to, restarts)
    }

    /// Ends the block; the program continues at `to`, or the block was interrupted there and begins again.
    pub(crate) fn complete(
        &mut self,
        state: &mut Processor,
        block: &Block,
        to: u64,
        restarts: bool,
    ) -> Result<(), Error> {
        let before_last = block.count - 1;
        let event = &block.last;
        match block.end {
            _ if restarts => {}
            End::Branch => {
                let fits = match event.kind {
                    Kind::DirectJump => to == event.target,
                    Kind::DirectConditional => to == event.target || to == block.next,
                    // A jump to itself means that QEMU only read the block, because it crosses a page.
                    Kind::IndirectJump | Kind::IndirectConditional => to != event.program_counter,
                    Kind::Exception => true,
                };
                if fits {
                    self.retire(state, block, before_last)?;
                    return self.branch(state, block, Some(to));
                }
            }
            End::Next | End::Repeat if to == block.next => {
                return self.retire(state, block, block.count);
            }
            _ => {}
        }
        // QEMU leaves a block for an instruction that it then runs by itself: an atomic one, one that
        // changes code, another iteration.
        if let Some(index) = block.index_of(to) {
            return self.retire(state, block, index);
        }
        self.counts.unexplained += 1;
        let retires = if block.end == End::Trap { before_last } else { block.count };
        self.retire(state, block, retires.min(before_last))?;
        if retires > before_last {
            if block.end == End::Branch {
                let not_taken = event.kind.is_conditional();
                let target = if not_taken { None } else { Some(event.target) };
                self.branch(state, block, target)?;
            } else {
                state.since += 1;
                state.last = block.last.program_counter;
            }
        }
        self.exception(state, to)
    }

    /// The first instructions of the block retire; none of them is a branch.
    pub(crate) fn retire(
        &mut self,
        state: &mut Processor,
        block: &Block,
        count: u64,
    ) -> Result<(), Error> {
        if count == 0 {
            return Ok(());
        }
        self.release(state)?;
        let retired =
            state.accesses.partition_point(|access| u64::from(access.instruction) < count);
        for access in state.accesses.drain(..retired) {
            let index = access.instruction.into();
            let instructions = state.since + index + 1;
            self.writer.write_access(&Access {
                site: AccessSite {
                    instructions,
                    program_counter: block.address_of(index),
                    store: access.store,
                    thread: state.thread,
                },
                address: access.address,
            })?;
        }
        state.since += count;
        state.last = block.address_of(count - 1);
        Ok(())
    }

    /// The last instruction of a block retires; it is a branch or a system call.
    pub(crate) fn branch(
        &mut self,
        state: &mut Processor,
        block: &Block,
        to: Option<u64>,
    ) -> Result<(), Error> {
        let may_fall_through =
            block.last.kind.is_conditional() || block.last.kind == Kind::Exception;
        let target = to.filter(|to| *to != block.next || !may_fall_through);
        let event = Event {
            instructions: state.since + 1,
            target: target.unwrap_or(0),
            taken: target.is_some(),
            thread: state.thread,
            ..block.last
        };
        self.release(state)?;
        for access in state.accesses.drain(..) {
            let site = AccessSite {
                instructions: event.instructions,
                program_counter: event.program_counter,
                store: access.store,
                thread: state.thread,
            };
            self.writer.write_access(&Access { site, address: access.address })?;
        }
        (state.since, state.last) = (0, event.program_counter);
        self.counts.system_calls += u64::from(event.kind == Kind::Exception);
        if event.kind == Kind::Exception && !event.taken {
            state.held = Some(event);
            return Ok(());
        }
        self.write(state, &event)
    }

    fn write(&mut self, state: &mut Processor, event: &Event) -> Result<(), Error> {
        state.events += 1;
        Ok(self.writer.write(event)?)
    }

    /// Writes the system call that was held back.
    pub(crate) fn release(&mut self, state: &mut Processor) -> Result<(), Error> {
        match state.held.take() {
            Some(event) => self.write(state, &event),
            None => Ok(()),
        }
    }

    /// The program continues at an address to which no instruction leads.
    pub(crate) fn exception(&mut self, state: &mut Processor, to: u64) -> Result<(), Error> {
        if let Some(held) = state.held.take() {
            if state.since == 0 {
                return self.write(state, &Event { target: to, taken: true, ..held });
            }
            self.write(state, &held)?;
        }
        let event = Event { thread: state.thread, ..Event::exception(state.since, state.last, to) };
        state.since = 0;
        self.write(state, &event)
    }
}
