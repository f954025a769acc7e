//! What software does with the registers of a unit.

use tracewright_sim::control::table::{Access, Map, PAGE};
use tracewright_sim::event::Item;
use tracewright_sim::system_memory_sink;

use super::bench::{Bench, Stop};
use super::outlet::Receiver;
use super::{MemorySink, Place};
use crate::bus::Clocked;
use crate::debugger::{ACTIVE, Debugger, EMPTY, LIMIT, RAM, TRACING, WRITE_POINTER};
use crate::error::Result;

/// The number of the unit's source on a trace bus.
pub(super) const SOURCE: u32 = 0x5a;

/// The control register of the ATB bridge with the number of its source, switched on.
const BRIDGE: u32 = 0x1000;
const BRIDGE_ON: u32 = 3 | SOURCE << 8;

/// `trRamStartLow` and the mode of the system's memory.
const RAM_START: u32 = RAM + 0x10;
const MODE: u32 = 1 << 4;

/// All byte strobes.
const WORD: u32 = 15;

/// What is wrong with the fields that never change: each is to be as the map says.
pub(super) fn wrong_field<C: Clocked>(
    clocked: &mut C,
    map: &Map,
) -> Result<Option<String>, C::Error> {
    for (page, component) in (0..).zip(&map.components) {
        for register in &component.registers {
            let reads_memory = register.fields.iter().any(|field| field.access == Access::Data);
            if reads_memory {
                continue;
            }
            let (value, is_error) = clocked.read(page * PAGE + register.offset)?;
            let constant = register.fields.iter().filter(|field| field.access == Access::Constant);
            for field in constant {
                let found = value >> field.low & (u32::MAX >> (32 - field.width));
                if is_error || field.reset.is_some_and(|expected| found != expected) {
                    let (field, register) = (field.name, register.name);
                    return Ok(Some(format!("{field} in {register} reads as {found:#x}")));
                }
            }
        }
    }
    Ok(None)
}

/// What differs between a ring as it was read and what should be in it.
pub(super) fn wrong_byte(found: &[u8], expected: &[u8]) -> Option<String> {
    let differs = found.iter().zip(expected).position(|(one, other)| one != other);
    match differs {
        None if found.len() == expected.len() => None,
        None => Some(format!("{} bytes and not {}", found.len(), expected.len())),
        Some(at) => Some(format!(
            "byte {at} of the ring is {:#04x}, the trace module sent {:#04x}",
            found[at], expected[at]
        )),
    }
}

/// Says where the ring in the memory of the system is, and switches the sink on; gives its first and last address.
pub(super) fn memory_on<C: Clocked>(
    clocked: &mut C,
    config: &system_memory_sink::Config,
) -> Result<(u64, u64), C::Error> {
    let (start, limit) = Receiver::ring_in_memory(config.bus.word_bytes());
    clocked.write(RAM, ACTIVE | MODE, WORD)?;
    for (register, address) in [(RAM_START, start), (LIMIT, limit), (WRITE_POINTER, start)] {
        if config.bus.address_bits > 32 {
            clocked.write(register + 4, (address >> 32) as u32, WORD)?;
        }
        clocked.write(register, address as u32, WORD)?;
    }
    clocked.sink_on(MODE)?;
    Ok((start, limit))
}

/// Switches that sink off, until all is in the memory; gives the write pointer, and whether it has wrapped.
pub(super) fn memory_off<C: Clocked>(
    clocked: &mut C,
    config: &system_memory_sink::Config,
) -> Result<(u64, bool), C::Error> {
    clocked.write(RAM, ACTIVE | MODE, WORD)?;
    clocked.wait(RAM, EMPTY, EMPTY)?;
    let low = u64::from(clocked.read(WRITE_POINTER)?.0);
    let high = match config.bus.address_bits {
        32 => 0,
        _ => u64::from(clocked.read(WRITE_POINTER + 4)?.0),
    };
    Ok((high << 32 | low & !3, low & 1 == 1))
}

/// Switches the ATB bridge on, with the number of its source.
pub(super) fn bridge_on<C: Clocked>(clocked: &mut C) -> Result<(), C::Error> {
    clocked.write(BRIDGE, ACTIVE, WORD)?;
    clocked.write(BRIDGE, BRIDGE_ON, WORD).map(drop)
}

/// Switches the ATB bridge off, until the bus has taken all.
pub(super) fn bridge_off<C: Clocked>(clocked: &mut C) -> Result<(), C::Error> {
    clocked.write(BRIDGE, ACTIVE, WORD)?;
    clocked.wait(BRIDGE, EMPTY, EMPTY).map(drop)
}

impl<I: Iterator<Item = Result<Item>>> Bench<'_, I> {
    /// Every field that never changes is as the map says.
    pub(super) fn check_registers(&mut self, map: &Map) -> Result<(), Stop> {
        match wrong_field(self, map)? {
            Some(what) => Err(self.fails(Place::Registers, what)),
            None => Ok(()),
        }
    }

    /// Switches sink and encoder on.
    pub(super) fn switch_on(&mut self) -> Result<(), Stop> {
        // Nothing is taken before the sink is on.
        if let Some(ram) = self.receiver.ram() {
            ram.open();
        }
        if self.whole.has_bridge() {
            bridge_on(self)?;
        }
        match self.whole.memory_sink() {
            Some(MemorySink::Ring(_)) => self.sink_on(0)?,
            Some(MemorySink::Memory(config)) => self.ring = memory_on(self, &config)?,
            None => {}
        }
        self.settle()?;
        self.begin(0)
    }

    /// Switches tracing off until all has left, and on again, while the core rests.
    pub(super) fn switch_off_and_on(&mut self) -> Result<(), Stop> {
        self.rest()?;
        // Tracing that goes off flushes the adapter, and nothing comes then.
        self.core.flush();
        self.end()?;
        self.boundary_is_empty()?;
        // After a loss a packet begins at a branch, for which a core that cannot wait has to run.
        match self.follower.loses_blocks() {
            true => self.control(TRACING),
            false => self.begin(0),
        }
    }

    /// Switches tracing and sink off, and reads the ring; gives the bytes of the trace that are in it.
    pub(super) fn switch_off(&mut self) -> Result<Option<Vec<u8>>, Stop> {
        self.rest()?;
        // Tracing that goes off flushes the adapter, and nothing comes then.
        self.core.flush();
        self.end()?;
        self.boundary_is_empty()?;
        let (bytes, wrapped) = match self.whole.memory_sink() {
            None => return Ok(None),
            Some(MemorySink::Ring(_)) => {
                self.sink_off()?;
                let (pointer, _) = self.read(WRITE_POINTER)?;
                let ring = self.ring()?;
                let compared = self.receiver.compare_ram(pointer, &ring.oldest_first);
                compared.map_err(|what| self.fails(Place::Ring, what))?
            }
            Some(MemorySink::Memory(config)) => {
                let pointer = memory_off(self, &config)?;
                self.receiver.close(config.bus.data_bits);
                let compared = self.receiver.compare_memory(config.bus.word_bytes(), pointer);
                (compared.map_err(|what| self.fails(Place::SystemMemory, what))?, pointer.1)
            }
        };
        self.has_wrapped = wrapped;
        Ok(Some(bytes))
    }
}
