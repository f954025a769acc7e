//! The board of a program: memory and one page of devices.

use std::ops::Range;

use crate::emulator::{Bus, Fault};
use crate::lines::{Beyond, CodeWritten, Lines};
use crate::trap_unit::Cause;

/// The address ranges of memory. Address 0 is not in them, so that a null pointer traps.
pub const MEMORY: [Range<u64>; 2] = [0x1000..0x1000_0000, 0x8000_0000..0x1_0000_0000];

/// The address range of the devices.
pub const DEVICES: Range<u64> = 0x1000_0000..0x1000_1000;

/// The most bytes of console output that are kept.
pub const CONSOLE_BYTES: usize = 64 << 10;

/// The registers of the devices, four bytes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Register {
    /// A store writes its lowest byte.
    Console = 0x00,
    /// A store ends the run with this status, at the next control-flow instruction.
    Exit = 0x04,
    /// A load takes the next byte of the input, all ones at its end.
    Input = 0x08,
    /// A store sets the memory address for a block of the input.
    BlockAddress = 0x0c,
    /// A store requests a block of this many bytes; a load gives the number of bytes received.
    BlockLength = 0x10,
    /// A load gives the lowest 32 bits of the number of instructions retired.
    Time = 0x14,
    /// A store sets a timer interrupt after this many instructions, none for 0, and clears the
    /// pending one.
    Timer = 0x18,
}

impl Register {
    /// Every register with what it does.
    pub const ALL: [(Register, &str); 7] = [
        (Register::Console, "store: the lowest byte goes to the console"),
        (
            Register::Exit,
            "store: the run ends with this status at the next control-flow instruction",
        ),
        (Register::Input, "load: the next byte of the input, all ones at its end"),
        (Register::BlockAddress, "store: the memory address for a block of the input"),
        (
            Register::BlockLength,
            "store: requests a block of this many bytes; load: the number of bytes received",
        ),
        (Register::Time, "load: instructions retired, modulo 2^32"),
        (
            Register::Timer,
            "store: sets a timer interrupt after this many more instructions; 0: none",
        ),
    ];

    fn at(offset: u64) -> Option<Register> {
        Register::ALL.iter().map(|(register, _)| *register).find(|it| *it as u64 == offset)
    }
}

/// The address ranges of memory as text, for messages.
pub fn memory_map() -> String {
    let ranges = MEMORY.map(|Range { start, end }| format!("{start:#x} to {:#x}", end - 1));
    ranges.join(" and ")
}

/// True if there is memory at this address.
pub fn is_memory(address: u64) -> bool {
    MEMORY.iter().any(|range| range.contains(&address))
}

/// The effect of a store to a device on memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// No effect.
    None,
    /// The device writes to memory.
    Block {
        /// The address in memory.
        address: u64,
        /// The bytes written.
        bytes: Vec<u8>,
    },
}

/// The environment that a program does not determine: memory that it has not touched yet, and devices. Times are
/// numbers of instructions retired.
pub trait World: Beyond {
    /// A load from a device.
    ///
    /// # Errors
    /// When the environment does not have it.
    fn load(&mut self, register: Register, time: u64) -> Result<u32, Fault>;

    /// A store to a device.
    ///
    /// # Errors
    /// When the environment does not have it.
    fn store(&mut self, register: Register, value: u32, time: u64) -> Result<Effect, Fault>;

    /// True if a timer interrupt is pending.
    ///
    /// # Errors
    /// When the environment does not have it.
    fn is_pending(&mut self, time: u64) -> Result<bool, Fault>;

    /// True if a timer interrupt comes now; `enabled` is true if it would be taken.
    ///
    /// # Errors
    /// When the interrupt comes and is not enabled.
    fn interrupts(&mut self, time: u64, enabled: bool) -> Result<bool, Fault>;

    /// The time of the next check for an interrupt.
    fn next_interrupt(&self, enabled: bool) -> u64;
}

/// Memory and devices; with `DATA` it keeps the accesses of the current instruction.
#[derive(Debug)]
pub struct Board<W, const DATA: bool> {
    lines: Lines,
    /// The environment: untouched memory and devices.
    pub world: W,
    /// Number of retired instructions.
    pub time: u64,
    /// The time at which the machine must check for interrupts, written code or the end.
    pub deadline: u64,
    /// The status that the program has ended with.
    pub exit: Option<u32>,
    /// True if fetched code has been written to.
    pub code_written: bool,
    /// The beginning of the program's console output.
    pub console: Vec<u8>,
    /// Number of successful loads.
    pub loads: u64,
    /// Number of successful stores.
    pub stores: u64,
    accesses: [(u64, bool); 2],
    accessed: usize,
}

impl<W: World, const DATA: bool> Board<W, DATA> {
    /// A board none of whose memory has been touched.
    pub fn new(line_bytes: u32, world: W) -> Self {
        Board::of(Lines::new(line_bytes), world)
    }

    fn of(lines: Lines, world: W) -> Self {
        Board {
            lines,
            world,
            time: 0,
            deadline: 0,
            exit: None,
            code_written: false,
            console: Vec::new(),
            loads: 0,
            stores: 0,
            accesses: [(0, false); 2],
            accessed: 0,
        }
    }

    /// A board whose memory has been touched, after so many instructions.
    pub(crate) fn at(lines: Lines, world: W, time: u64) -> Self {
        Board { time, ..Board::of(lines, world) }
    }

    /// The memory that has been touched.
    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The accesses since the last call: address, and true for a store.
    #[inline(always)]
    pub fn take_accesses(&mut self) -> ([(u64, bool); 2], usize) {
        (self.accesses, std::mem::take(&mut self.accessed))
    }

    #[inline(always)]
    fn accessed(&mut self, address: u64, store: bool) {
        if store {
            self.stores += 1;
        } else {
            self.loads += 1;
        }
        // No instruction makes more than two accesses.
        if DATA && self.accessed < 2 {
            self.accesses[self.accessed] = (address, store);
            self.accessed += 1;
        }
    }

    /// Makes every line of an access present.
    fn touch(&mut self, address: u64, bytes: usize, cause: Cause) -> Result<(), Fault> {
        for byte in 0..bytes as u64 {
            let address = address.wrapping_add(byte);
            if !is_memory(address) {
                return Err(Fault::Exception { cause, value: address });
            }
            self.lines.touch(address, &mut self.world)?;
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn load_slowly(&mut self, address: u64, bytes: usize) -> Result<u64, Fault> {
        if DEVICES.contains(&address) {
            let register = device_register(address, bytes, Cause::LoadFault)?;
            self.deadline = 0;
            return self.world.load(register, self.time).map(u64::from);
        }
        self.touch(address, bytes, Cause::LoadFault)?;
        let mut value = 0;
        for byte in (0..bytes as u64).rev() {
            let byte = self.lines.read_byte(address.wrapping_add(byte), &mut self.world)?;
            value = value << 8 | u64::from(byte);
        }
        Ok(value)
    }

    #[cold]
    #[inline(never)]
    fn store_slowly(&mut self, address: u64, bytes: usize, value: u64) -> Result<(), Fault> {
        if DEVICES.contains(&address) {
            let register = device_register(address, bytes, Cause::StoreFault)?;
            return self.store_to_device(register, value as u32);
        }
        self.touch(address, bytes, Cause::StoreFault)?;
        self.write(address, &value.to_le_bytes()[..bytes])
    }

    /// Writes to lines that are present.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        for (byte, address) in bytes.iter().zip(address..) {
            let CodeWritten(is_code) = self.lines.write_byte(address, *byte, &mut self.world)?;
            if is_code {
                self.code_written = true;
                self.deadline = 0;
            }
        }
        Ok(())
    }

    fn store_to_device(&mut self, register: Register, value: u32) -> Result<(), Fault> {
        self.deadline = 0;
        match register {
            Register::Console => {
                if self.console.len() < CONSOLE_BYTES {
                    self.console.push(value as u8);
                }
            }
            Register::Exit => self.exit = Some(value),
            register => match self.world.store(register, value, self.time)? {
                Effect::None => {}
                Effect::Block { address, bytes } => self.write_block(address, &bytes)?,
            },
        }
        Ok(())
    }

    /// Writes what a device has for memory.
    pub(crate) fn write_block(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.touch(address, bytes.len(), Cause::StoreFault)?;
        self.write(address, bytes)
    }

    /// A byte of memory, as no access of the program.
    pub(crate) fn byte(&mut self, address: u64, cause: Cause) -> Result<u8, Fault> {
        self.touch(address, 1, cause)?;
        Ok(self.lines.read_byte(address, &mut self.world)?)
    }
}

/// The register at an address, if it is accessed as a whole.
fn device_register(address: u64, bytes: usize, cause: Cause) -> Result<Register, Fault> {
    let register = Register::at(address - DEVICES.start).filter(|_| bytes == 4);
    register.ok_or(Fault::Exception { cause, value: address })
}

impl<W: World, const DATA: bool> Bus for Board<W, DATA> {
    #[inline(always)]
    fn load(&mut self, address: u64, bytes: usize) -> Result<u64, Fault> {
        let read = match bytes {
            1 => self.lines.read(address).map(u8::from_le_bytes).map(u64::from),
            2 => self.lines.read(address).map(u16::from_le_bytes).map(u64::from),
            4 => self.lines.read(address).map(u32::from_le_bytes).map(u64::from),
            _ => self.lines.read(address).map(u64::from_le_bytes),
        };
        let value = match read {
            Some(value) => value,
            None => self.load_slowly(address, bytes)?,
        };
        self.accessed(address, false);
        Ok(value)
    }

    #[inline(always)]
    fn store(&mut self, address: u64, bytes: usize, value: u64) -> Result<(), Fault> {
        let written = match bytes {
            1 => self.lines.write(address, [value as u8]),
            2 => self.lines.write(address, (value as u16).to_le_bytes()),
            4 => self.lines.write(address, (value as u32).to_le_bytes()),
            _ => self.lines.write(address, value.to_le_bytes()),
        };
        if written.is_none() {
            self.store_slowly(address, bytes, value)?;
        }
        self.accessed(address, true);
        Ok(())
    }

    fn fetch(&mut self, address: u64) -> Result<u16, Fault> {
        self.touch(address, 2, Cause::FetchFault)?;
        let low = self.lines.read_byte(address, &mut self.world)?;
        let high = self.lines.read_byte(address.wrapping_add(1), &mut self.world)?;
        self.lines.mark_code(address);
        Ok(u16::from_le_bytes([low, high]))
    }
}
