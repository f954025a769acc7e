//! SYSTEM instructions: calls, returns from traps, and control and status registers.

use tracewright_sim::event::Kind;

use super::{Machine, Sink};
use crate::board::Board;
use crate::emulator::{Emulator, Fault, Flow};
use crate::trap_unit::{Cause, Read};

/// Codes of SYSTEM instructions.
const ECALL: u32 = 0x0000_0073;
const EBREAK: u32 = 0x0010_0073;
const C_EBREAK: u32 = 0x9002;
const MRET: u32 = 0x3020_0073;
const WFI: u32 = 0x1050_0073;

impl<'w, E, const DATA: bool> Machine<E>
where
    E: Emulator<Bus = Board<'w, DATA>>,
{
    /// Executes a SYSTEM instruction, or refuses one that there is not.
    #[cold]
    #[inline(never)]
    pub(super) fn system<S: Sink>(
        &mut self,
        sink: &mut S,
        program_counter: u64,
        word: u32,
        flow: Flow,
    ) -> Result<(), S::Error> {
        // The instruction may have enabled an interrupt.
        self.emulator.bus_mut().deadline = 0;
        let next = (program_counter + u64::from(flow.length)) & (u64::MAX >> (64 - E::BITS));
        let illegal = Cause::IllegalInstruction;
        let illegal = Fault::Exception { cause: illegal, value: u64::from(word) };
        match word {
            ECALL => self.call(sink, self.trap_unit.call(), program_counter, 0),
            EBREAK if self.emulator.bus_mut().is_semihosting_call(program_counter) => {
                self.semihosting(sink, program_counter, next)
            }
            EBREAK | C_EBREAK => {
                self.call(sink, Cause::Breakpoint, program_counter, program_counter)
            }
            MRET => match self.trap_unit.leave() {
                Some(target) => {
                    self.retire(program_counter, target);
                    self.branch(sink, program_counter, Kind::IndirectJump, flow, target)
                }
                None => self.fault(sink, program_counter, illegal),
            },
            WFI => {
                self.retire(program_counter, next);
                Ok(())
            }
            _ if word & 0x7f == 0x73 && word >> 12 & 3 != 0 => match self.control_register(word) {
                Ok(true) => {
                    self.retire(program_counter, next);
                    Ok(())
                }
                Ok(false) => self.fault(sink, program_counter, illegal),
                Err(fault) => self.fault(sink, program_counter, fault),
            },
            _ => self.fault(sink, program_counter, illegal),
        }
    }

    pub(super) fn retire(&mut self, program_counter: u64, next: u64) {
        self.emulator.set_program_counter(next);
        self.emulator.bus_mut().time += 1;
        self.last = program_counter;
    }

    /// Executes `ecall` or `ebreak`, which count as instructions and are one event with their trap.
    fn call<S: Sink>(
        &mut self,
        sink: &mut S,
        cause: Cause,
        program_counter: u64,
        value: u64,
    ) -> Result<(), S::Error> {
        let Some(handler) = self.trap_unit.exception(cause, program_counter, value) else {
            return Err(self.no_handler(cause, program_counter, value).into());
        };
        self.retire(program_counter, handler);
        self.trap(sink, handler)
    }

    /// Executes a CSR instruction; returns false if it is illegal.
    fn control_register(&mut self, word: u32) -> Result<bool, Fault> {
        let (number, source, destination) = (word >> 20, word >> 15 & 31, word >> 7 & 31);
        let board = self.emulator.bus_mut();
        let old = match self.trap_unit.read(number, board.time) {
            Read::Value(value) => value,
            Read::Time(value) => {
                board.clock_reads += 1;
                value
            }
            Read::Pending => board.world.pending(board.time)?,
            Read::None => return Ok(false),
        };
        let operand = match word >> 14 & 1 {
            0 => self.emulator.register(source as usize),
            _ => u64::from(source),
        };
        let new = match word >> 12 & 3 {
            1 => Some(operand),
            2 if source != 0 => Some(old | operand),
            3 if source != 0 => Some(old & !operand),
            _ => None,
        };
        if let Some(new) = new
            && !self.trap_unit.write(number, new, self.emulator.bus().time)
        {
            return Ok(false);
        }
        self.emulator.set_register(destination as usize, old);
        Ok(true)
    }
}
