//! Calls of semihosting (RISC-V Semihosting 1.0), by which firmware for a debugger's host writes, reads and exits.
//!
//! A call is `ebreak` between two instructions that do nothing: the operation is in `a0`, its parameter in `a1`, and
//! the result comes in `a0`. Output goes to the console, input comes from the device. There are no files but `:tt`.

use tracewright_sim::event::Event;

use super::{Machine, Sink};
use crate::board::{Board, CONSOLE_BYTES, Effect, Register, World};
use crate::emulator::{Bus, Emulator, Fault};
use crate::error::Error;
use crate::trap_unit::Cause;

/// `slli zero, zero, 31`, the instruction before.
const BEFORE: u32 = 0x01f0_1013;

/// `srai zero, zero, 7`, the instruction after.
const AFTER: u32 = 0x4070_5013;

/// The reason of an exit that is a success, `ADP_Stopped_ApplicationExit`.
const APPLICATION_EXIT: u64 = 0x2_0026;

/// Ticks of the clock per second; one instruction is one tick.
const TICKS_PER_SECOND: u64 = 100_000_000;

/// The result of a call that fails.
const FAILED: u64 = u64::MAX;

impl<W: World, const DATA: bool> Board<W, DATA> {
    /// True if the `ebreak` at this address is a call.
    pub(crate) fn is_semihosting_call(&mut self, program_counter: u64) -> bool {
        let mut word = |address: u64| -> Option<u32> {
            let low = self.fetch(address).ok()?;
            let high = self.fetch(address.wrapping_add(2)).ok()?;
            Some(u32::from(low) | u32::from(high) << 16)
        };
        word(program_counter.wrapping_sub(4)) == Some(BEFORE)
            && word(program_counter.wrapping_add(4)) == Some(AFTER)
    }

    /// Makes a call on a processor whose registers have so many bytes; its result.
    ///
    /// # Errors
    /// When the parameter leads to no memory, or the operation is none of those that are supported.
    pub(crate) fn semihosting_call(
        &mut self,
        operation: u64,
        parameter: u64,
        word_bytes: u64,
    ) -> Result<u64, Fault> {
        let field = |number: u64| parameter.wrapping_add(number * word_bytes);
        match operation {
            // SYS_OPEN: the name, the mode, the length of the name. Modes from 4 on write.
            0x01 => {
                let name = self.peek_word(field(0), word_bytes)?;
                let mode = self.peek_word(field(1), word_bytes)?;
                let is_console = self.peek_bytes(name, 3)? == b":tt";
                Ok(if is_console { u64::from(mode >= 4) } else { FAILED })
            }
            // SYS_CLOSE, SYS_FLEN, SYS_TIME, SYS_ERRNO, SYS_HEAPINFO.
            0x02 | 0x0c | 0x11 | 0x13 | 0x16 => Ok(0),
            // SYS_WRITEC.
            0x03 => {
                let byte = self.peek(parameter)?;
                self.print(byte);
                Ok(0)
            }
            // SYS_WRITE0.
            0x04 => {
                for offset in 0..CONSOLE_BYTES as u64 {
                    match self.peek(parameter.wrapping_add(offset))? {
                        0 => break,
                        byte => self.print(byte),
                    }
                }
                Ok(0)
            }
            // SYS_WRITE: the handle, the bytes, their number.
            0x05 => {
                let address = self.peek_word(field(1), word_bytes)?;
                let length = self.peek_word(field(2), word_bytes)?;
                let bytes = self.peek_bytes(address, length.min(CONSOLE_BYTES as u64))?;
                bytes.into_iter().for_each(|byte| self.print(byte));
                Ok(0)
            }
            // SYS_READ, in the same way; the result is how many bytes did not come.
            0x06 => {
                let address = self.peek_word(field(1), word_bytes)?;
                let length = self.peek_word(field(2), word_bytes)?;
                self.device(Register::BlockAddress, address as u32)?;
                self.device(Register::BlockLength, length as u32)?;
                let time = self.time;
                let came = self.world.load(Register::BlockLength, time)?;
                Ok(length.saturating_sub(came.into()))
            }
            // SYS_READC.
            0x07 => {
                let time = self.time;
                self.world.load(Register::Input, time).map(|byte| byte as i32 as u64)
            }
            // SYS_ISTTY.
            0x09 => Ok(1),
            // SYS_SEEK, SYS_REMOVE, SYS_RENAME, SYS_SYSTEM, SYS_GET_CMDLINE.
            0x0a | 0x0e | 0x0f | 0x12 | 0x15 => Ok(FAILED),
            // SYS_CLOCK, in hundredths of a second.
            0x10 => Ok(self.time / (TICKS_PER_SECOND / 100)),
            // SYS_EXIT: on 32 bits the reason alone.
            0x18 if word_bytes == 4 => {
                self.exit = Some(u32::from(parameter != APPLICATION_EXIT));
                Ok(0)
            }
            // SYS_EXIT and SYS_EXIT_EXTENDED: the reason and the status.
            0x18 | 0x20 => {
                let reason = self.peek_word(field(0), word_bytes)?;
                let status = self.peek_word(field(1), word_bytes)?;
                self.exit = Some(if reason == APPLICATION_EXIT { status as u32 } else { 1 });
                Ok(0)
            }
            // SYS_TICKFREQ.
            0x31 => Ok(TICKS_PER_SECOND),
            _ => Err(Fault::Stop(Box::new(Error::Semihosting { operation }))),
        }
    }

    /// A store to a device by the host instead of the program.
    fn device(&mut self, register: Register, value: u32) -> Result<(), Fault> {
        let time = self.time;
        match self.world.store(register, value, time)? {
            Effect::None => Ok(()),
            Effect::Block { address, bytes } => self.write_block(address, &bytes),
        }
    }

    fn peek_word(&mut self, address: u64, bytes: u64) -> Result<u64, Fault> {
        let bytes = self.peek_bytes(address, bytes)?;
        Ok(bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
    }

    fn peek_bytes(&mut self, address: u64, count: u64) -> Result<Vec<u8>, Fault> {
        (0..count).map(|offset| self.peek(address.wrapping_add(offset))).collect()
    }

    fn print(&mut self, byte: u8) {
        if self.console.len() < CONSOLE_BYTES {
            self.console.push(byte);
        }
    }

    /// A byte of memory that no instruction loads.
    fn peek(&mut self, address: u64) -> Result<u8, Fault> {
        self.byte(address, Cause::LoadFault)
    }
}

impl<E, W, const DATA: bool> Machine<E>
where
    E: Emulator<Bus = Board<W, DATA>>,
    W: World,
{
    /// Executes a call of semihosting, a system call that comes back.
    pub(super) fn semihosting<S: Sink>(
        &mut self,
        sink: &mut S,
        program_counter: u64,
        next: u64,
    ) -> Result<(), S::Error> {
        let (operation, parameter) = (self.emulator.register(10), self.emulator.register(11));
        let word_bytes = u64::from(E::BITS / 8);
        let called = self.emulator.bus_mut().semihosting_call(operation, parameter, word_bytes);
        match called {
            Err(fault) => self.fault(sink, program_counter, fault),
            Ok(result) => {
                self.emulator.set_register(10, result);
                self.retire(program_counter, next);
                let event = Event::exception(self.since_event(), program_counter, 0);
                self.event(sink, Event { taken: false, ..event })
            }
        }
    }
}
