//! Instructions that the emulator does not have: floating point, conditional moves of zero (Zicond), and two
//! instructions of Zbb on 32 bits.

use super::float::{self, Operands};
use super::{Machine, Sink};
use crate::board::Board;
use crate::emulator::{Bus, Emulator, Fault, Flow};

impl<'w, E, const DATA: bool> Machine<E>
where
    E: Emulator<Bus = Board<'w, DATA>>,
{
    /// Executes an instruction that the emulator has left.
    #[inline(never)]
    pub(super) fn left<S: Sink>(
        &mut self,
        sink: &mut S,
        program_counter: u64,
        word: u32,
        flow: Flow,
    ) -> Result<(), S::Error> {
        match self.extension(word) {
            Ok(true) => {
                let next = program_counter + u64::from(flow.length);
                self.retire(program_counter, next & (u64::MAX >> (64 - E::BITS)));
                if DATA {
                    self.accesses(sink, program_counter)?;
                }
                Ok(())
            }
            Ok(false) => self.system(sink, program_counter, word, flow),
            Err(fault) => self.fault(sink, program_counter, fault),
        }
    }

    /// Executes an instruction up to its effect on the program counter; false if it is none of these.
    fn extension(&mut self, word: u32) -> Result<bool, Fault> {
        if let Some(value) = self.integer(word) {
            self.emulator.set_register((word >> 7 & 31) as usize, value);
            return Ok(true);
        }
        let Some(word) = float::expanded(word, E::BITS) else { return Ok(false) };
        let is_double = float::is_double(word);
        if self.trap_unit.float_is_off() || is_double && !self.trap_unit.has_double() {
            return Ok(false);
        }
        if let Some(access) = float::access(word) {
            let address = self.emulator.register(access.base).wrapping_add(access.offset);
            let address = address & (u64::MAX >> (64 - E::BITS));
            let register = access.register;
            if access.is_store {
                let value = self.trap_unit.extended.floats[register];
                self.emulator.bus_mut().store(address, access.bytes, value)?;
            } else {
                let value = self.emulator.bus_mut().load(address, access.bytes)?;
                let value = if access.bytes == 4 { float::boxed(value) } else { value };
                self.trap_unit.extended.floats[register] = value;
                self.trap_unit.float_changed();
            }
            return Ok(true);
        }
        let integer = self.emulator.register((word >> 15 & 31) as usize);
        let extended = &mut self.trap_unit.extended;
        let operands = Operands {
            floats: &extended.floats,
            integer,
            bits: E::BITS,
            mode: extended.float_status >> 5,
        };
        let Some(result) = float::compute(word, &operands) else { return Ok(false) };
        extended.float_status |= u64::from(result.flags);
        let register = (word >> 7 & 31) as usize;
        if result.to_integer {
            self.emulator.set_register(register, result.value);
        } else {
            self.trap_unit.extended.floats[register] = result.value;
        }
        if !result.to_integer || result.flags != 0 {
            self.trap_unit.float_changed();
        }
        Ok(true)
    }

    /// The result of an instruction on integers.
    fn integer(&self, word: u32) -> Option<u64> {
        let first = self.emulator.register((word >> 15 & 31) as usize);
        let second = self.emulator.register((word >> 20 & 31) as usize);
        match (word & 0xfe00_707f, word >> 20) {
            // czero.eqz and czero.nez.
            (0x0e00_5033, _) => Some(if second == 0 { 0 } else { first }),
            (0x0e00_7033, _) => Some(if second != 0 { 0 } else { first }),
            // zext.h and rev8, whose codes are others on 64 bits.
            (0x0800_4033, 0x080) if E::BITS == 32 => Some(first & 0xffff),
            (0x6800_5013, 0x698) if E::BITS == 32 => Some(u64::from((first as u32).swap_bytes())),
            _ => None,
        }
    }
}
