//! Calls of semihosting (RISC-V Semihosting 1.0), by which firmware for a debugger's host writes, reads and exits.
//!
//! A call is `ebreak` between two instructions that do nothing: the operation is in `a0`, its parameter in `a1`, and
//! the result comes in `a0`. Output goes to the console, input comes from the device, and what else there is the host
//! answers.

use tracewright_sim::event::Event;

use super::{Machine, Sink};
use crate::board::{Board, CONSOLE_BYTES};
use crate::emulator::{Bus, Emulator, Fault};
use crate::error::Error;
use crate::host::{Answer, Call, FAILED, TICKS_PER_SECOND};

/// `slli zero, zero, 31`, the instruction before.
const BEFORE: u32 = 0x01f0_1013;

/// `srai zero, zero, 7`, the instruction after.
const AFTER: u32 = 0x4070_5013;

/// The reason of an exit that is a success, `ADP_Stopped_ApplicationExit`.
const APPLICATION_EXIT: u64 = 0x2_0026;

/// The most bytes of a name.
const TEXT_BYTES: u64 = 4096;

impl<const DATA: bool> Board<'_, DATA> {
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
        match operation {
            // SYS_WRITEC.
            0x03 => {
                let byte = self.peek(parameter)?;
                self.print(&[byte]);
                Ok(0)
            }
            // SYS_WRITE0.
            0x04 => {
                let text = self.peek_text(parameter)?;
                self.print(&text);
                Ok(0)
            }
            // SYS_ISERROR.
            0x08 => {
                let status = self.peek_word(parameter, word_bytes)?;
                Ok(status >> (8 * word_bytes - 1))
            }
            // SYS_SYSTEM.
            0x12 => Ok(FAILED),
            // SYS_EXIT: on 32 bits the reason alone.
            0x18 if word_bytes == 4 => {
                self.exit = Some(u32::from(parameter != APPLICATION_EXIT));
                Ok(0)
            }
            // SYS_EXIT and SYS_EXIT_EXTENDED: the reason and the status.
            0x18 | 0x20 => {
                let reason = self.peek_word(parameter, word_bytes)?;
                let status = self.peek_word(parameter.wrapping_add(word_bytes), word_bytes)?;
                self.exit = Some(if reason == APPLICATION_EXIT { status as u32 } else { 1 });
                Ok(0)
            }
            // SYS_TICKFREQ.
            0x31 => Ok(TICKS_PER_SECOND),
            operation if !self.layout().records_calls => {
                self.console_call(operation, parameter, word_bytes)
            }
            operation => match self.host_call(operation, parameter, word_bytes)? {
                Some(call) => self.ask(call),
                None => Err(unsupported(operation)),
            },
        }
    }

    /// The call of the host that an operation is, if it is one.
    fn host_call(
        &mut self,
        operation: u64,
        parameter: u64,
        word_bytes: u64,
    ) -> Result<Option<Call>, Fault> {
        let mut field =
            |number: u64| self.peek_word(parameter.wrapping_add(number * word_bytes), word_bytes);
        Ok(Some(match operation {
            // SYS_OPEN: the name, the mode, the length of the name.
            0x01 => {
                let (name, mode, length) = (field(0)?, field(1)?, field(2)?);
                Call::Open { name: self.peek_bytes(name, length.min(TEXT_BYTES))?, mode }
            }
            // SYS_CLOSE.
            0x02 => Call::Close(field(0)?),
            // SYS_WRITE: the handle, the bytes, their number.
            0x05 => {
                let (handle, address, length) = (field(0)?, field(1)?, field(2)?);
                Call::Write { handle, bytes: self.peek_bytes(address, length)? }
            }
            // SYS_READ, in the same way.
            0x06 => Call::Read { handle: field(0)?, address: field(1)?, length: field(2)? },
            0x07 => Call::ReadCharacter,
            // SYS_ISTTY, SYS_SEEK, SYS_FLEN.
            0x09 => Call::IsTerminal(field(0)?),
            0x0a => Call::Seek { handle: field(0)?, place: field(1)? },
            0x0c => Call::Length(field(0)?),
            // SYS_REMOVE and SYS_RENAME: names with their lengths.
            0x0e => {
                let (name, length) = (field(0)?, field(1)?);
                Call::Remove(self.peek_bytes(name, length.min(TEXT_BYTES))?)
            }
            0x0f => {
                let (from, length, to, to_length) = (field(0)?, field(1)?, field(2)?, field(3)?);
                let from = self.peek_bytes(from, length.min(TEXT_BYTES))?;
                Call::Rename { from, to: self.peek_bytes(to, to_length.min(TEXT_BYTES))? }
            }
            0x10 => Call::Clock,
            0x11 => Call::Time,
            0x13 => Call::ErrorNumber,
            // SYS_GET_CMDLINE: a block of the address of the text and the room there.
            0x15 => Call::CommandLine { block: parameter, address: field(0)?, room: field(1)? },
            // SYS_HEAPINFO: the address of a block of four words.
            0x16 => Call::Heap { address: field(0)? },
            0x30 => Call::Elapsed { address: parameter },
            _ => return Ok(None),
        }))
    }

    /// Asks the host.
    fn ask(&mut self, call: Call) -> Result<u64, Fault> {
        let length = match &call {
            Call::Read { length, .. } => Some(*length),
            _ => None,
        };
        let is_character = call == Call::ReadCharacter;
        let time = self.time;
        let Answer { value, blocks, printed } = self.world.call(call, time)?;
        self.print(&printed);
        for (address, bytes) in blocks {
            self.write_block(address, &bytes)?;
        }
        Ok(match length {
            // The result is how many bytes did not come.
            Some(length) => length.saturating_sub(value),
            None if is_character => value as i32 as u64,
            None => value,
        })
    }

    /// The answers of a host without files, which are the same in each run, so that only what is read is recorded.
    fn console_call(
        &mut self,
        operation: u64,
        parameter: u64,
        word_bytes: u64,
    ) -> Result<u64, Fault> {
        let field = |number: u64| parameter.wrapping_add(number * word_bytes);
        match operation {
            // SYS_OPEN, of the console only. Modes from 4 on write.
            0x01 => {
                let name = self.peek_word(field(0), word_bytes)?;
                let mode = self.peek_word(field(1), word_bytes)?;
                let is_console = self.peek_bytes(name, 3)? == b":tt";
                Ok(if is_console { u64::from(mode >= 4) } else { FAILED })
            }
            // SYS_CLOSE, SYS_FLEN, SYS_TIME, SYS_ERRNO, SYS_HEAPINFO.
            0x02 | 0x0c | 0x11 | 0x13 | 0x16 => Ok(0),
            // SYS_WRITE.
            0x05 => {
                let address = self.peek_word(field(1), word_bytes)?;
                let length = self.peek_word(field(2), word_bytes)?;
                let bytes = self.peek_bytes(address, length.min(CONSOLE_BYTES as u64))?;
                self.print(&bytes);
                Ok(0)
            }
            // SYS_READ.
            0x06 => {
                let address = self.peek_word(field(1), word_bytes)?;
                let length = self.peek_word(field(2), word_bytes)?;
                self.ask(Call::Read { handle: 0, address, length })
            }
            0x07 => self.ask(Call::ReadCharacter),
            // SYS_ISTTY.
            0x09 => Ok(1),
            // SYS_SEEK, SYS_REMOVE, SYS_RENAME, SYS_GET_CMDLINE.
            0x0a | 0x0e | 0x0f | 0x15 => Ok(FAILED),
            // SYS_CLOCK, in hundredths of a second.
            0x10 => {
                self.clock_reads += 1;
                Ok(self.time / (TICKS_PER_SECOND / 100))
            }
            operation => Err(unsupported(operation)),
        }
    }

    /// A text that ends with 0.
    fn peek_text(&mut self, address: u64) -> Result<Vec<u8>, Fault> {
        let mut text = Vec::new();
        for offset in 0..CONSOLE_BYTES as u64 {
            match self.peek(address.wrapping_add(offset))? {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(text)
    }
}

fn unsupported(operation: u64) -> Fault {
    Fault::Stop(Box::new(Error::Semihosting { operation }))
}

impl<'w, E, const DATA: bool> Machine<E>
where
    E: Emulator<Bus = Board<'w, DATA>>,
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
