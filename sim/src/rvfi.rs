//! Ports that show instructions one by one, as ingresses: what a core says of each instruction, as events.
//!
//! They are the RISC-V formal interface (RVFI), and what most cores have in their last stage: that an instruction retires, its
//! address and its word. The hardware is the adapter in `hdl/src/rvfi.rs`, which stands between a core and a trace module. In
//! front of a module with `loss_pins` the core does not wait, and the queue loses instructions before it is full
//! ([`Rvfi::lose`]).
//!
//! An instruction is held until the next one says where it led ([`outcome`]). If the flow goes on where it cannot lead, a taken
//! [`Kind::Exception`](crate::event::Kind::Exception) follows: an interrupt, an entry to debug mode, or a jump of the core's own
//! that RISC-V does not know (a return from interrupt in a custom opcode). So no change of flow is ever lost, whatever the core
//! has, and no event is one that cannot be. The first instruction after reset comes after the exception that a core takes at
//! reset.
//!
//! An instruction that traps has not retired. It was attempted, at the address to which the flow leads there, and the flow is
//! diverted from it: it is not counted, and the exception comes after the last instruction that retired.
//!
//! At a flush what is held is shown as far as it is known without the next one, and an exception of 0 instructions corrects the
//! flow if it goes on elsewhere. What is not known stays held, and comes after the flush. If the flow was diverted to an
//! instruction that traps, one cycle of a flush shows that, and the next one the diversion from it.

pub mod classifier;
mod config;
pub mod offset;
pub mod outcome;

pub use classifier::{Class, Extensions, TRAP_RETURNS, UnknownExtension, Xlen, classify};
pub use config::{Compressed, Config, Pins, Port, Trapped};

use crate::config::{CallLength, Processor, mask};
use crate::event::{Event, Kind};
use offset::offset;
use outcome::{Outcome, Retired};

/// What a core says of one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retirement {
    /// `rvfi_insn`: the instruction word, a compressed one in the lower half.
    pub instruction: u32,
    /// `rvfi_pc_rdata`: its address.
    pub program_counter: u64,
    /// `rvfi_pc_wdata`: the address of the next one, as far as this one decides it.
    pub next_program_counter: u64,
    /// `rvfi_trap`: it trapped.
    pub trap: bool,
    /// `rvfi_intr`: it is the first of a handler.
    pub interrupt: bool,
    /// It has two bytes, where a pin says that.
    pub compressed: bool,
}

/// An instruction whose successor has not come.
#[derive(Clone, Copy, Debug)]
struct Held {
    program_counter: u64,
    /// Its bytes, 0 where they are not known.
    length: u8,
    retired: Retired,
    call: bool,
    is_return: bool,
    /// It trapped, and has not retired.
    trap: bool,
    /// The flow was diverted before it.
    diverted: bool,
    /// A flush has shown it.
    is_shown: bool,
}

/// Turns what one core says into its events.
#[derive(Clone, Debug)]
pub struct Rvfi {
    config: Config,
    call_length: CallLength,
    address_mask: u64,
    thread: u8,
    /// Instructions since the last event.
    instructions: u64,
    program_counter: u64,
    /// The length of the instruction there, 0 after reset and where it is not known.
    length: u8,
    held: Option<Held>,
}

impl Rvfi {
    /// As reset leaves the adapter of the core of `thread`. Bits of an address below the processor's alignment are not
    /// read.
    pub fn new(config: Config, processor: &Processor, thread: u8) -> Self {
        let address_mask = mask(processor.address_width) & !mask(processor.alignment);
        Self {
            config,
            call_length: CallLength::of(processor),
            address_mask,
            thread,
            instructions: 0,
            program_counter: 0,
            length: 0,
            held: None,
        }
    }

    /// Gives `emit` the events of the instruction before: that of a diversion to it, and its own.
    pub fn retire<E>(
        &mut self,
        retirement: &Retirement,
        emit: impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut arriving = self.held_of(retirement);
        let next = arriving.program_counter;
        let Some(held) = self.held else {
            self.held = Some(arriving);
            return Ok(());
        };
        let interrupt = retirement.interrupt && self.config.pins.interrupt;
        let outcome = held.retired.outcome(next, interrupt && !held.trap);
        arriving.diverted = outcome.diverted || held.trap && !held.is_shown;
        self.held = Some(arriving);
        if held.is_shown { Ok(()) } else { self.show(&held, outcome, emit) }
    }

    /// What the port says of an instruction.
    fn held_of(&self, retirement: &Retirement) -> Held {
        let Config { pins, xlen, extensions, compressed, trap: trapped, .. } = self.config;
        let program_counter = retirement.program_counter & self.address_mask;
        let class = classify(retirement.instruction, xlen, extensions);
        let after = |length: u8| program_counter.wrapping_add(length.into()) & self.address_mask;
        let length = match compressed {
            Compressed::Raw => class.length,
            Compressed::Pin if retirement.compressed => 2,
            Compressed::Pin => 4,
            Compressed::Expanded => 0,
        };
        let (fall_through, shorter) = match length {
            0 => (after(4), Some(after(2))),
            length => (after(length), None),
        };
        let target = program_counter.wrapping_add_signed(offset(retirement.instruction));
        let retired = Retired {
            kind: class.kind,
            target: target & self.address_mask,
            fall_through,
            shorter,
            said: pins.next.then_some(retirement.next_program_counter & self.address_mask),
            trap_return: class.trap_return,
        };
        let trap = retirement.trap && pins.trap;
        Held {
            program_counter,
            length,
            retired,
            call: class.call,
            is_return: class.is_return,
            trap: trap && (trapped == Trapped::NotRetired || !retired.leads_where_it_says()),
            diverted: true,
            is_shown: false,
        }
    }

    /// Gives `emit` the events of an instruction, which is counted.
    fn show<E>(
        &mut self,
        held: &Held,
        outcome: Outcome,
        mut emit: impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let Held { program_counter, length, retired, call, is_return, trap, diverted, .. } = *held;
        if diverted {
            emit(self.exception(program_counter))?;
        }
        if trap {
            return Ok(());
        }
        self.instructions += 1;
        self.program_counter = program_counter;
        self.length = length;
        let Some(kind) = retired.kind else { return Ok(()) };
        let event = Event {
            instructions: std::mem::take(&mut self.instructions),
            program_counter,
            target: outcome.target.unwrap_or(0),
            kind,
            call,
            is_return,
            taken: outcome.target.is_some(),
            length,
            thread: self.thread,
        };
        let length = if call { self.call_length.bytes(&event) } else { length };
        emit(Event { length, ..event })
    }

    /// The exception after what has retired since the last event.
    fn exception(&mut self, target: u64) -> Event {
        Event {
            thread: self.thread,
            length: self.length,
            ..Event::exception(std::mem::take(&mut self.instructions), self.program_counter, target)
        }
    }

    /// The trace is flushed before the next instruction: the last one is shown, as far as is known what it did.
    pub fn flush<E>(&mut self, mut emit: impl FnMut(Event) -> Result<(), E>) -> Result<(), E> {
        self.flush_cycle(&mut emit)?;
        self.flush_cycle(emit)
    }

    /// A cycle of a flush in which no instruction comes.
    pub fn flush_cycle<E>(
        &mut self,
        mut emit: impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(held) = self.held.filter(|held| !held.is_shown) else { return Ok(()) };
        let outcome = match held.trap {
            true => held.retired.said.map(|said| Outcome { target: Some(said), diverted: false }),
            false => held.retired.alone(),
        };
        let Some(outcome) = outcome else { return Ok(()) };
        if held.trap && held.diverted {
            self.held = Some(Held { diverted: false, ..held });
            return self.show(&held, outcome, emit);
        }
        // From here on it leads where it was shown to lead.
        let kind = outcome.target.map(|_| Kind::DirectJump);
        let target = outcome.target.unwrap_or(0);
        let retired = Retired { kind, target, ..held.retired };
        self.held = Some(Held { retired, is_shown: true, ..held });
        match held.trap {
            true => emit(self.exception(target)),
            false => self.show(&held, outcome, emit),
        }
    }

    /// What came since the last event was lost in front of the trace module, but for the instruction that is held.
    pub fn lose(&mut self) {
        self.instructions = 0;
    }

    /// The address of the last instruction that is counted or in an event, 0 after reset.
    pub fn program_counter(&self) -> u64 {
        self.program_counter
    }

    /// The length of that instruction in bytes, 0 after reset and where it is not known.
    pub fn length(&self) -> u8 {
        self.length
    }

    /// Instructions since the last event, without the one that is held.
    pub fn trailing_instructions(&self) -> u64 {
        self.instructions
    }
}
