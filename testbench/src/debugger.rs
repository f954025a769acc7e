//! What a debugger does by the control registers of docs/control.md: it switches tracing on and off and reads the RAM sink.

use crate::bus::{BusError, Clocked};

/// `trTeActive`, and the same bit of other components.
pub const ACTIVE: u32 = 1;
/// `trTeControl` while instructions are traced.
pub const TRACING: u32 = 0b111 | 7 << 4;
/// `trTeEmpty`, and the same bit of the sink.
pub const EMPTY: u32 = 1 << 3;
/// `trTeInstStallOrOverflow`.
pub const LOST: u32 = 1 << 12;
/// `twStatus`, whose lowest bit says that the module takes blocks.
pub const STATUS: u32 = 0xe00;
/// The page of the RAM sink.
pub const RAM: u32 = 0x1000;
/// `trRamLimitLow`.
pub const LIMIT: u32 = RAM + 0x18;
/// `trRamWPLow`, whose lowest bit is `trRamWrap`.
pub const WRITE_POINTER: u32 = RAM + 0x20;
/// `trRamRPLow`.
pub const READ_POINTER: u32 = RAM + 0x28;
/// `trRamControl` while the sink takes the trace.
pub const SINK_ON: u32 = 0b11;

const DATA: u32 = RAM + 0x40;

/// All byte strobes.
const WORD: u32 = 15;

/// Reads of a register after which it should have changed.
const PATIENCE: usize = 20_000;

/// What a RAM sink has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    /// The bytes of the trace that are in it.
    pub oldest_first: Vec<u8>,
    /// The offset of the oldest byte, where the ring has wrapped.
    pub write_pointer: Option<usize>,
}

impl Ring {
    /// The bytes as they are in memory.
    pub fn in_memory(&self) -> Vec<u8> {
        let mut bytes = self.oldest_first.clone();
        bytes.rotate_right(self.write_pointer.unwrap_or(0));
        bytes
    }
}

/// Sequences of accesses.
pub trait Debugger: Clocked {
    /// Writes the encoder's control register.
    ///
    /// # Errors
    /// Those of the access.
    fn control(&mut self, bits: u32) -> Result<(), Self::Error> {
        self.write(0, bits, WORD).map(drop)
    }

    /// Reads a register until some of its bits are as expected.
    ///
    /// # Errors
    /// When they do not become so.
    fn wait(&mut self, address: u32, mask: u32, expected: u32) -> Result<u32, Self::Error> {
        for _ in 0..PATIENCE {
            let (found, _) = self.read(address)?;
            if found & mask == expected {
                return Ok(found);
            }
        }
        Err(BusError::NoChange { address, mask, expected }.into())
    }

    /// Switches tracing on before the core runs, with these bits of the encoder's control register besides.
    ///
    /// # Errors
    /// When the module does not begin to take blocks, or has lost some.
    fn begin(&mut self, settings: u32) -> Result<(), Self::Error> {
        self.control(ACTIVE)?;
        self.control(TRACING | settings)?;
        self.wait(STATUS, 1, 1)?;
        match self.read(0)?.0 & LOST {
            0 => Ok(()),
            _ => Err(BusError::EarlyOverflow.into()),
        }
    }

    /// Switches tracing off, and waits until the trace has left the module.
    ///
    /// # Errors
    /// When it does not leave.
    fn end(&mut self) -> Result<(), Self::Error> {
        self.control(ACTIVE)?;
        self.wait(0, EMPTY, EMPTY).map(drop)
    }

    /// Switches the RAM sink on, with these bits of its control register besides.
    ///
    /// # Errors
    /// Those of the accesses.
    fn sink_on(&mut self, settings: u32) -> Result<(), Self::Error> {
        self.write(RAM, ACTIVE, WORD)?;
        self.write(RAM, SINK_ON | settings, WORD).map(drop)
    }

    /// Switches the RAM sink off, and waits until all is in the memory.
    ///
    /// # Errors
    /// When it does not become empty.
    fn sink_off(&mut self) -> Result<(), Self::Error> {
        self.write(RAM, ACTIVE, WORD)?;
        self.wait(RAM, EMPTY, EMPTY).map(drop)
    }

    /// Reads the memory of a RAM sink that is off.
    ///
    /// # Errors
    /// Those of the accesses.
    fn ring(&mut self) -> Result<Ring, Self::Error> {
        let (pointer, _) = self.read(WRITE_POINTER)?;
        let (limit, _) = self.read(LIMIT)?;
        let (end, is_wrapped) = (pointer & !3, pointer & 1 == 1);
        let (begin, words) = if is_wrapped { (end, limit / 4 + 1) } else { (0, end / 4) };
        self.write(READ_POINTER, begin, WORD)?;
        let mut oldest_first = Vec::new();
        for _ in 0..words {
            oldest_first.extend(self.read(DATA)?.0.to_le_bytes());
        }
        Ok(Ring { oldest_first, write_pointer: is_wrapped.then_some(end as usize) })
    }
}

impl<C: Clocked + ?Sized> Debugger for C {}
