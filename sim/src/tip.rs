//! The trace ingress port (TIP) of the RISC-V trace specifications as an ingress: what a hart says in each cycle, as
//! events.
//!
//! The hardware is the adapter in `hdl/src/tip.rs`, which stands between a hart and a trace module. In front of a
//! module with `loss_pins` the hart does not wait, and the queue loses blocks before it is full ([`Tip::lose`]).
//!
//! The port says how a block ends and not where the flow goes on, which is where the next block begins. So a block is
//! held until the next one comes. A block that is not taken leads to the instruction after it; if the next block
//! begins elsewhere, the flow was changed by something that `itype` does not say. With an `itype` of 3 bits that is
//! an inferable jump. With 4 bits, which have codes for all jumps, it is shown as an exception, as the adapter for RVFI
//! does. Before the first block comes the exception that a hart takes at reset.
//!
//! Where a taken block leads is not known at a flush, so it is an event after the flush. Bits of an address below the
//! processor's alignment are not read.

use crate::config::{Processor, Protocol, mask, require};
use crate::event::{Event, ExecutionState, Kind};
use crate::ingress::Queue;
use crate::parameter::ParameterError;

/// How many instructions a hart can retire in a cycle, which decides what `iretire` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Retirement {
    /// At most one: `iretire` is a bit.
    Single,
    /// A block of several: `iretire` counts half-words.
    Block,
}

/// The parameters of an adapter beside those of its trace module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Width of `itype`, 3 or 4.
    pub itype_bits: u32,
    /// What `iretire` counts.
    pub retirement: Retirement,
    /// Blocks that wait while the trace module is not ready; a lane is a block of the same cycle.
    pub queue: Queue,
}

impl Default for Config {
    fn default() -> Self {
        Self { itype_bits: 4, retirement: Retirement::Single, queue: Queue::new(1) }
    }
}

impl Config {
    /// Checks the constraints.
    ///
    /// # Errors
    /// The first constraint that is broken, by name.
    pub fn validate(&self) -> Result<(), ParameterError> {
        let Self { itype_bits, queue, .. } = *self;
        require(matches!(itype_bits, 3 | 4), "itype_bits", itype_bits, || "must be 3 or 4".into())?;
        queue.validate()
    }

    /// Width of `iretire`: blocks of as many instructions of four bytes as `retire_count` can count.
    pub fn iretire_bits(&self, processor: &Processor) -> u32 {
        match self.retirement {
            Retirement::Single => 1,
            Retirement::Block => processor.retire_count_bits + 1,
        }
    }

    /// Width of `icount`, the instructions of a block; 0 where `iretire` tells them.
    ///
    /// A trace counts instructions. Half-words are not instructions where some have two bytes and others four.
    pub fn icount_bits(&self, processor: &Processor) -> u32 {
        match self.retirement {
            Retirement::Block if processor.alignment < 2 => processor.retire_count_bits,
            _ => 0,
        }
    }
}

/// What a hart says in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cycle {
    /// `itype`: how the block ends.
    pub itype: u8,
    /// `cause`: the code of an exception or interrupt.
    pub cause: u64,
    /// `priv`: the privilege level of the block.
    pub privilege: u8,
    /// `context`: the context of the block.
    pub context: u64,
    /// `iaddr`: the address of the first instruction.
    pub address: u64,
    /// `iretire`: half-words of the block, or 1 for an instruction.
    pub retired: u64,
    /// `ilastsize`: the last instruction has 2^`last_size` half-words.
    pub last_size: u8,
    /// `icount`: instructions of the block, where half-words do not tell them.
    pub instructions: u64,
}

/// An exception.
pub const EXCEPTION: u8 = 1;
/// An interrupt.
pub const INTERRUPT: u8 = 2;

impl Cycle {
    /// True if the port says anything.
    pub fn is_valid(&self) -> bool {
        self.retired != 0 || matches!(self.itype, EXCEPTION | INTERRUPT)
    }
}

/// How a block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Termination {
    /// The kind of its last instruction, `None` for a sequential one.
    pub kind: Option<Kind>,
    /// That one leaves a return address.
    pub call: bool,
    /// That one goes back to one.
    pub is_return: bool,
    /// The flow goes on where the next block begins.
    pub taken: bool,
}

/// What a code of `itype` of `itype_bits` bits says. A reserved code says nothing.
pub fn termination(itype: u8, itype_bits: u32) -> Termination {
    let kind = match itype {
        EXCEPTION | INTERRUPT => Some(Kind::Exception),
        3 => Some(Kind::IndirectJump),
        4 | 5 => Some(Kind::DirectConditional),
        6 if itype_bits == 3 => Some(Kind::IndirectJump),
        9 | 11 | 15 => Some(Kind::DirectJump),
        8 | 10 | 12..=14 => Some(Kind::IndirectJump),
        _ => None,
    };
    Termination {
        kind,
        call: matches!(itype, 8 | 9 | 12),
        is_return: matches!(itype, 12 | 13),
        taken: kind.is_some() && itype != 4,
    }
}

/// The last block, until it is known where the flow goes on.
#[derive(Clone, Copy, Debug)]
struct Held {
    instructions: u64,
    /// Of its last instruction, or of the last one before a block of none.
    program_counter: u64,
    length: u8,
    end: Termination,
    /// The address after the last instruction.
    fall_through: u64,
    state: ExecutionState,
}

/// Turns what one hart says into its events, each with the state in which the execution goes on after it.
#[derive(Clone, Debug)]
pub struct Tip {
    config: Config,
    alignment: u32,
    address_mask: u64,
    cause_bits: u32,
    thread: u8,
    /// Instructions since the last event, those of the held block not included.
    instructions: u64,
    /// The address of the last of them.
    program_counter: u64,
    /// Its length.
    length: u8,
    held: Held,
}

impl Tip {
    /// As reset leaves the adapter of the hart of `thread`.
    pub fn new(config: Config, processor: &Processor, protocol: &Protocol, thread: u8) -> Self {
        let reset = Held {
            instructions: 0,
            program_counter: 0,
            length: 0,
            end: termination(EXCEPTION, config.itype_bits),
            fall_through: 0,
            state: ExecutionState { cause: Some(0), ..ExecutionState::default() },
        };
        Self {
            config,
            alignment: processor.alignment,
            address_mask: mask(processor.address_width) & !mask(processor.alignment),
            cause_bits: protocol.cause_bits,
            thread,
            instructions: 0,
            program_counter: 0,
            length: 0,
            held: reset,
        }
    }

    /// Takes what the hart says in a cycle, and gives `emit` the events of the block before.
    pub fn cycle<E>(
        &mut self,
        cycle: &Cycle,
        mut emit: impl FnMut(Event, ExecutionState) -> Result<(), E>,
    ) -> Result<(), E> {
        if !cycle.is_valid() {
            return Ok(());
        }
        let address = cycle.address & self.address_mask;
        // The address of an interrupt without an instruction is read only where nothing else has a target.
        let has_address = cycle.retired != 0 || cycle.itype == EXCEPTION;
        let Held { instructions, end, fall_through, .. } = self.held;
        let diverted = !end.taken && has_address && address != fall_through;
        let state =
            ExecutionState { context: cycle.context, privilege: cycle.privilege, cause: None };
        if end.kind.is_some() {
            self.emit(end, address, state, &mut emit)?;
        }
        if diverted {
            let is_jump = self.config.itype_bits == 3 && end.kind.is_none() && instructions != 0;
            let kind = if is_jump { Kind::DirectJump } else { Kind::Exception };
            let end = Termination { kind: Some(kind), call: false, is_return: false, taken: true };
            self.held.state.cause = Some(0);
            self.emit(end, address, state, &mut emit)?;
        }
        self.hold(cycle, address, state);
        Ok(())
    }

    /// The trace is flushed before the next block: a block that is not taken has gone on to the next instruction.
    pub fn flush<E>(
        &mut self,
        mut emit: impl FnMut(Event, ExecutionState) -> Result<(), E>,
    ) -> Result<(), E> {
        let Held { end, state, .. } = self.held;
        if end.taken {
            return Ok(());
        }
        if end.kind.is_some() {
            self.emit(end, 0, state, &mut emit)?;
        }
        self.pass();
        self.held.end = termination(0, self.config.itype_bits);
        Ok(())
    }

    /// What came since the last event, the held block not included, was lost in front of the trace module.
    pub fn lose(&mut self) {
        self.instructions = 0;
    }

    /// The address of the last instruction since the last event that is not held.
    pub fn program_counter(&self) -> u64 {
        self.program_counter
    }

    /// The length of that instruction in bytes, 0 after reset.
    pub fn length(&self) -> u8 {
        self.length
    }

    /// Instructions since the last event, those of a held block not included.
    pub fn trailing_instructions(&self) -> u64 {
        self.instructions
    }

    /// Counts the held block's instructions, if they are not an event's.
    fn pass(&mut self) {
        if self.held.instructions != 0 {
            (self.program_counter, self.length) = (self.held.program_counter, self.held.length);
        }
        self.instructions += std::mem::take(&mut self.held.instructions);
    }

    /// Gives `emit` the event that the held block ends in.
    fn emit<E>(
        &mut self,
        end: Termination,
        target: u64,
        state: ExecutionState,
        emit: &mut impl FnMut(Event, ExecutionState) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(kind) = end.kind else { return Ok(()) };
        let is_exception = kind == Kind::Exception;
        let of_block = std::mem::take(&mut self.held.instructions);
        let event = Event {
            instructions: std::mem::take(&mut self.instructions) + of_block,
            program_counter: self.held.program_counter,
            target: if end.taken { target } else { 0 },
            kind,
            call: end.call,
            is_return: end.is_return,
            taken: end.taken,
            length: self.held.length,
            thread: self.thread,
        };
        let cause = self.held.state.cause.filter(|_| is_exception);
        emit(event, ExecutionState { cause, ..state })
    }

    /// Holds the block of a cycle in place of the one before.
    fn hold(&mut self, cycle: &Cycle, address: u64, state: ExecutionState) {
        self.pass();
        let length = 2u8 << cycle.last_size;
        let end = termination(cycle.itype, self.config.itype_bits);
        let cause = matches!(cycle.itype, EXCEPTION | INTERRUPT).then(|| self.cause(cycle));
        let state = ExecutionState { cause, ..state };
        let held = Held { end, state, ..self.held };
        self.held = held;
        if cycle.retired == 0 {
            return;
        }
        let (instructions, bytes) = match self.config.retirement {
            Retirement::Single => (1, length.into()),
            Retirement::Block if self.alignment == 2 => (cycle.retired / 2, 2 * cycle.retired),
            Retirement::Block => (cycle.instructions, 2 * cycle.retired),
        };
        let fall_through = address.wrapping_add(bytes) & self.address_mask;
        let program_counter = fall_through.wrapping_sub(length.into()) & self.address_mask;
        self.held = Held { instructions, program_counter, length, fall_through, ..held };
    }

    /// What `retire_cause` says: the code, below a bit that marks interrupts.
    fn cause(&self, cycle: &Cycle) -> u64 {
        let Some(code_bits) = self.cause_bits.checked_sub(1) else { return 0 };
        cycle.cause & mask(code_bits) | u64::from(cycle.itype == INTERRUPT) << code_bits
    }
}
