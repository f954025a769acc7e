//! The RISC-V formal interface (RVFI) as an ingress: what a core says of each instruction, as events.
//!
//! The hardware is the adapter in `hdl/src/rvfi.rs`, which stands between a core and a trace module. In front of a
//! module with `loss_pins` the core does not wait, and the queue loses instructions before it is full
//! ([`Rvfi::lose`]).
//!
//! An instruction that is no jump and no branch, but is not followed by the next one, ends in a taken
//! [`Kind::Exception`]: an interrupt after it, or a jump of the core's own that RISC-V does not
//! know (a return from interrupt in a custom opcode). So no change of flow is ever lost, whatever the core
//! has. The first instruction after reset comes after the exception that a core takes at reset.
//!
//! An instruction with `rvfi_trap` has not retired. It was attempted, at the address to which the flow leads there,
//! and is a taken [`Kind::Exception`] that leaves it out: it is not counted, and the exception comes after the last
//! instruction that retired.
//!
//! A return from a trap, and a trap, go to the next instruction, whatever `rvfi_pc_wdata` says: Ibex has there the
//! address after the return. Only if a flush comes before that instruction, or if it begins a handler after a return,
//! there is nothing better.

pub mod classifier;

pub use classifier::{Class, Extensions, TRAP_RETURNS, UnknownExtension, Xlen, classify};

use crate::config::{Processor, mask, require};
use crate::event::Event;
use crate::ingress::Queue;
use crate::parameter::ParameterError;

/// The parameters of an adapter beside those of its trace module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Width of the core's registers.
    pub xlen: Xlen,
    /// Extensions that the core has.
    pub extensions: Extensions,
    /// Instructions that wait while the trace module is not ready; a lane is a channel of the interface.
    pub queue: Queue,
}

impl Config {
    /// The defaults for a core of this width that retires up to `channels` instructions in a cycle.
    pub fn new(xlen: Xlen, channels: u32) -> Self {
        Self { xlen, extensions: Extensions::NONE, queue: Queue::new(channels) }
    }

    /// Checks the constraints.
    ///
    /// # Errors
    /// The first constraint that is broken, by name.
    pub fn validate(&self) -> Result<(), ParameterError> {
        self.queue.validate()
    }

    /// Checks that `retire_count` can count what a block gets in a cycle.
    ///
    /// # Errors
    /// When it has too few bits.
    pub fn validate_for(&self, processor: &Processor) -> Result<(), ParameterError> {
        let (most, bits) = (self.most_in_a_cycle(), processor.retire_count_bits);
        require(mask(bits) >= u64::from(most), "retire_count_bits", bits, || {
            format!("must count the {most} instructions that NRET = {} brings", self.queue.lanes)
        })
    }

    /// Instructions by which a block can grow in a cycle: of the one instruction, or of the two words that leave the
    /// queue, which have as many as come in a cycle.
    pub fn most_in_a_cycle(&self) -> u32 {
        match self.queue.lanes {
            1 => 1,
            lanes => 2 * lanes,
        }
    }
}

/// What a core says of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retirement {
    /// `rvfi_insn`: the instruction word, a compressed one in the lower half.
    pub instruction: u32,
    /// `rvfi_pc_rdata`: its address.
    pub program_counter: u64,
    /// `rvfi_pc_wdata`: the address of the next one, as far as this one decides it.
    pub next_program_counter: u64,
    /// `rvfi_trap`: it trapped, and did not retire.
    pub trap: bool,
    /// `rvfi_intr`: it is the first of a handler.
    pub interrupt: bool,
}

/// Turns what one core says into its events.
#[derive(Clone, Debug)]
pub struct Rvfi {
    xlen: Xlen,
    extensions: Extensions,
    address_mask: u64,
    thread: u8,
    /// Instructions since the last event.
    instructions: u64,
    program_counter: u64,
    /// The length of the instruction there, 0 after reset.
    length: u8,
    /// Where the next instruction is unless the flow is diverted; `None` after reset.
    expected: Option<u64>,
    /// The instruction before trapped, so this one begins its handler.
    after_trap: bool,
    /// A return from a trap, or a trap: where it went the next instruction says.
    pending: Option<Event>,
}

impl Rvfi {
    /// As reset leaves the adapter of the core of `thread`. Bits of an address below the processor's alignment are not
    /// read.
    pub fn new(xlen: Xlen, processor: &Processor, thread: u8) -> Self {
        let address_mask = mask(processor.address_width) & !mask(processor.alignment);
        Self {
            xlen,
            extensions: Extensions::NONE,
            address_mask,
            thread,
            instructions: 0,
            program_counter: 0,
            length: 0,
            expected: None,
            after_trap: false,
            pending: None,
        }
    }

    /// The adapter of a core with these extensions.
    #[must_use]
    pub fn with_extensions(self, extensions: Extensions) -> Self {
        Self { extensions, ..self }
    }

    /// Gives `emit` the events of one instruction: first that of a diversion before it.
    pub fn retire<E>(
        &mut self,
        retired: &Retirement,
        mut emit: impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let program_counter = retired.program_counter & self.address_mask;
        let next = retired.next_program_counter & self.address_mask;
        let is_handler = retired.interrupt && !self.after_trap;
        let mut diverted = is_handler || self.expected != Some(program_counter);
        if let Some(event) = self.pending.take() {
            diverted = is_handler;
            let target = if diverted { event.target } else { program_counter };
            emit(Event { target, ..event })?;
        }
        if diverted {
            emit(self.exception(program_counter))?;
        }
        self.after_trap = retired.trap;
        if retired.trap {
            self.pending = Some(self.exception(next));
            self.expected = Some(next);
            return Ok(());
        }
        let Class { kind, call, is_return, length, trap_return } =
            classify(retired.instruction, self.xlen, self.extensions);
        let fall_through = program_counter.wrapping_add(length.into()) & self.address_mask;
        let taken = kind.is_some_and(|kind| !kind.is_conditional() || next != fall_through);
        self.instructions += 1;
        (self.program_counter, self.length) = (program_counter, length);
        self.expected = Some(if taken { next } else { fall_through });
        let Some(kind) = kind else { return Ok(()) };
        let event = Event {
            instructions: std::mem::take(&mut self.instructions),
            program_counter,
            target: if taken { next } else { 0 },
            kind,
            call,
            is_return,
            taken,
            length,
            thread: self.thread,
        };
        if trap_return {
            self.pending = Some(event);
            return Ok(());
        }
        emit(event)
    }

    /// The exception after what has retired since the last event.
    fn exception(&mut self, target: u64) -> Event {
        Event {
            thread: self.thread,
            length: self.length,
            ..Event::exception(std::mem::take(&mut self.instructions), self.program_counter, target)
        }
    }

    /// The trace is flushed before the next instruction: a return from a trap, or a trap, goes where the core said.
    pub fn flush<E>(&mut self, mut emit: impl FnMut(Event) -> Result<(), E>) -> Result<(), E> {
        self.pending.take().map_or(Ok(()), &mut emit)
    }

    /// What came since the last event was lost in front of the trace module. A return from a trap, or a trap, if it
    /// was the last one, led where the core said.
    pub fn lose(&mut self) {
        self.instructions = 0;
        self.pending = None;
    }

    /// The address of the last instruction that retired, 0 after reset.
    pub fn program_counter(&self) -> u64 {
        self.program_counter
    }

    /// The length of that instruction in bytes, 0 after reset.
    pub fn length(&self) -> u8 {
        self.length
    }

    /// Instructions since the last event.
    pub fn trailing_instructions(&self) -> u64 {
        self.instructions
    }
}
