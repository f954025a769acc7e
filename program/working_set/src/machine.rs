//! A machine: an emulator, the trap unit around it, and the events of its execution.

mod extension;
mod float;
mod semihosting;
mod system;

use tracewright_sim::event::{Access, AccessSite, Event, Kind};

use crate::board::Board;
use crate::emulator::{Emulator, Fault, Flow, Step};
use crate::error::Error;
use crate::registers::Registers;
use crate::trap_unit::{Cause, TrapUnit};

/// A receiver of the events of a run.
pub trait Sink {
    /// The error of a run or of the sink.
    type Error: From<Error>;

    /// True if the sink takes accesses too.
    const DATA: bool;

    /// Takes an event.
    ///
    /// # Errors
    /// When the sink fails.
    fn event(&mut self, event: &Event) -> Result<(), Self::Error>;

    /// Takes an access, before the event that ends its run of instructions.
    ///
    /// # Errors
    /// When the sink fails.
    fn access(&mut self, access: &Access) -> Result<(), Self::Error>;
}

/// A sink that drops the events.
impl Sink for () {
    type Error = Error;

    const DATA: bool = false;

    #[inline(always)]
    fn event(&mut self, _: &Event) -> Result<(), Error> {
        Ok(())
    }

    fn access(&mut self, _: &Access) -> Result<(), Error> {
        Ok(())
    }
}

/// An emulator with what makes it a machine. A run begins with a reset, as a taken exception, and ends
/// with the event in which it is over.
pub struct Machine<E> {
    emulator: E,
    trap_unit: TrapUnit,
    /// The run ends with the first event at or after this time.
    end: u64,
    /// The time of the last event.
    event_time: u64,
    /// The last instruction that retired.
    last: u64,
    /// The low bits that addresses of instructions do not have.
    misaligned: u64,
    /// True when the run is over.
    ended: bool,
}

impl<'w, E, const DATA: bool> Machine<E>
where
    E: Emulator<Bus = Board<'w, DATA>>,
{
    /// A machine with these registers, whose run is over with the first event after `end`
    /// instructions.
    pub fn new(board: Board<'w, DATA>, registers: &Registers, end: u64) -> Self {
        let mut emulator = E::new(board);
        emulator.set_program_counter(registers.program_counter);
        for (index, value) in registers.integers.iter().enumerate() {
            emulator.set_register(index, *value);
        }
        let layout = emulator.bus().layout().clone();
        let misaligned = (1 << layout.alignment()) - 1;
        let trap_unit = TrapUnit::new(E::BITS, layout, registers);
        Machine { emulator, trap_unit, end, event_time: 0, last: 0, misaligned, ended: false }
    }

    /// The current registers.
    pub fn registers(&self) -> Registers {
        Registers {
            program_counter: self.emulator.program_counter(),
            integers: std::array::from_fn(|index| self.emulator.register(index)),
            control: self.trap_unit.registers(),
            extended: self.trap_unit.extended(),
        }
    }

    /// Memory and devices.
    pub fn board(&self) -> &Board<'w, DATA> {
        self.emulator.bus()
    }

    /// Memory and devices, when the run is over.
    pub fn into_board(self) -> Board<'w, DATA> {
        self.emulator.into_bus()
    }

    /// The address that is reserved for a store.
    pub(crate) fn reserved(&self) -> u64 {
        self.emulator.reserved()
    }

    /// Reserves an address for a store.
    pub(crate) fn reserve(&mut self, address: u64) {
        self.emulator.reserve(address);
    }

    /// Ends the run with the next event.
    pub(crate) fn end(&mut self) {
        self.end = 0;
    }

    /// The address of the next instruction.
    pub(crate) fn program_counter(&self) -> u64 {
        self.emulator.program_counter()
    }

    /// True if an interrupt may still come without another instruction than those of a loop.
    pub(crate) fn awaits_interrupt(&self) -> bool {
        let enabled = self.trap_unit.takes_interrupts();
        self.emulator.bus().world.next_interrupt(enabled) != u64::MAX
    }

    /// The memory of the emulator.
    pub(crate) fn board_mut(&mut self) -> &mut Board<'w, DATA> {
        self.emulator.bus_mut()
    }

    /// Sends the event of the reset, once, before all other events.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn reset<S: Sink>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        let target = self.emulator.program_counter();
        sink.event(&Event::exception(0, 0, target))
    }

    /// Runs until this time, or to the end of the run; returns true at the end of the run.
    ///
    /// # Errors
    /// When the program does something that the machine does not support, or the sink fails.
    pub fn run<S: Sink>(&mut self, sink: &mut S, until: u64) -> Result<bool, S::Error> {
        assert_eq!(S::DATA, DATA, "a board keeps the accesses for those who want them");
        self.attend(sink, until)?;
        let mut last = self.last;
        while !self.ended {
            let board = self.emulator.bus_mut();
            if board.time >= board.deadline {
                self.last = last;
                self.attend(sink, until)?;
                if self.ended || self.emulator.bus().time >= until {
                    break;
                }
            }
            let program_counter = self.emulator.program_counter();
            match self.emulator.step() {
                Ok(Step::Retired(flow)) => {
                    self.emulator.bus_mut().time += 1;
                    last = program_counter;
                    if DATA {
                        self.accesses(sink, program_counter)?;
                    }
                    if let Some(kind) = flow.kind {
                        let next = self.emulator.program_counter();
                        self.branch(sink, program_counter, kind, flow, next)?;
                    }
                }
                Ok(Step::Left { word, flow }) => {
                    self.last = last;
                    self.left(sink, program_counter, word, flow)?;
                    last = self.last;
                }
                Err(fault) => {
                    self.last = last;
                    self.fault(sink, program_counter, fault)?;
                }
            }
        }
        self.last = last;
        Ok(self.ended)
    }

    /// Sends the accesses of the instruction that has just retired.
    #[inline(always)]
    fn accesses<S: Sink>(&mut self, sink: &mut S, program_counter: u64) -> Result<(), S::Error> {
        let (accesses, count) = self.emulator.bus_mut().take_accesses();
        for (address, store) in &accesses[..count] {
            let instructions = self.since_event();
            let site = AccessSite { instructions, program_counter, store: *store, thread: 0 };
            sink.access(&Access { site, address: *address })?;
        }
        Ok(())
    }

    fn since_event(&self) -> u64 {
        self.emulator.bus().time - self.event_time
    }

    /// Sends the event of a control-flow instruction that has retired.
    #[inline(always)]
    fn branch<S: Sink>(
        &mut self,
        sink: &mut S,
        program_counter: u64,
        kind: Kind,
        flow: Flow,
        next: u64,
    ) -> Result<(), S::Error> {
        let Flow { call, is_return, length, .. } = flow;
        if (program_counter | next) & self.misaligned != 0 {
            return Err(self.jumps_into_word(program_counter, next).into());
        }
        // A conditional branch to the next instruction is traced as not taken.
        let taken = !kind.is_conditional() || next != program_counter + u64::from(length);
        self.event(
            sink,
            Event {
                instructions: self.since_event(),
                program_counter,
                target: if taken { next } else { 0 },
                kind,
                call,
                is_return,
                taken,
                length: if call { length } else { 0 },
                thread: 0,
            },
        )
    }

    #[inline(always)]
    fn event<S: Sink>(&mut self, sink: &mut S, event: Event) -> Result<(), S::Error> {
        let time = self.emulator.bus().time;
        self.event_time = time;
        self.ended = time >= self.end;
        sink.event(&event)
    }

    /// Handles written code, the end and interrupts, and sets the time of the next check.
    #[cold]
    #[inline(never)]
    fn attend<S: Sink>(&mut self, sink: &mut S, until: u64) -> Result<(), S::Error> {
        let enabled = self.trap_unit.takes_interrupts();
        let board = self.emulator.bus_mut();
        let time = board.time;
        if board.exit.is_some() {
            self.end = 0;
        }
        let code_written = std::mem::take(&mut board.code_written);
        let interrupt = board.world.interrupt(time, enabled).map_err(|fault| self.stop(fault))?;
        if code_written {
            self.emulator.forget_code();
        }
        if let Some(number) = interrupt {
            let (program_counter, until_event) = (self.emulator.program_counter(), self.event_time);
            let handler = self.trap_unit.interrupt(number, program_counter).ok_or(
                Error::NoInterruptHandler { program_counter, instructions: time, until_event },
            )?;
            self.trap(sink, handler)?;
        }
        let enabled = self.trap_unit.takes_interrupts();
        let board = self.emulator.bus_mut();
        board.deadline = board.world.next_interrupt(enabled).min(until);
        Ok(())
    }

    /// An error that stops a run, with the instruction where it occurs.
    fn stop(&self, fault: Fault) -> Error {
        let (program_counter, instructions) =
            (self.emulator.program_counter(), self.emulator.bus().time);
        match fault {
            Fault::Stop(error) => match *error {
                Error::MissingLine { address, .. } => {
                    Error::MissingLine { address, program_counter, number: instructions + 1 }
                }
                error => error,
            },
            Fault::Exception { cause, value } => self.no_handler(cause, program_counter, value),
        }
    }

    /// The error of an exception that the program does not handle.
    fn no_handler(&self, cause: Cause, program_counter: u64, value: u64) -> Error {
        let (instructions, until_event) = (self.emulator.bus().time, self.event_time);
        Error::NoHandler { cause, program_counter, value, instructions, until_event }
    }

    /// The error of a jump to an address at which no instruction of this machine can begin.
    #[cold]
    fn jumps_into_word(&self, program_counter: u64, target: u64) -> Error {
        let (instructions, until_event) = (self.emulator.bus().time, self.event_time);
        Error::Misaligned { program_counter, target, instructions, until_event }
    }

    /// Enters a trap handler after the last instruction that retired.
    fn trap<S: Sink>(&mut self, sink: &mut S, handler: u64) -> Result<(), S::Error> {
        self.emulator.set_program_counter(handler);
        let event = Event::exception(self.since_event(), self.last, handler);
        self.event(sink, event)
    }

    /// Handles an instruction that did not retire.
    #[cold]
    #[inline(never)]
    fn fault<S: Sink>(
        &mut self,
        sink: &mut S,
        program_counter: u64,
        fault: Fault,
    ) -> Result<(), S::Error> {
        let Fault::Exception { cause, value } = fault else { return Err(self.stop(fault).into()) };
        // Accesses that the instruction made before it failed do not count.
        let _ = self.emulator.bus_mut().take_accesses();
        let (instructions, until_event) = (self.emulator.bus().time, self.event_time);
        let Some(handler) = self.trap_unit.exception(cause, program_counter, value) else {
            return Err(self.no_handler(cause, program_counter, value).into());
        };
        if handler == program_counter {
            return Err(
                Error::HandlerTraps { cause, program_counter, instructions, until_event }.into()
            );
        }
        self.emulator.bus_mut().deadline = 0;
        self.trap(sink, handler)
    }
}
