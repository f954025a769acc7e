//! Memory and devices of a machine, as an instruction sees them.

use std::fmt;

use crate::emulator::{Bus, Fault};
use crate::host::{Answer, Call};
use crate::inputs::Input;
use crate::layout::Layout;
use crate::lines::{Beyond, CodeWritten, Lines};
use crate::trap_unit::Cause;
use crate::working_set::Line;

/// The most bytes of console output that are kept.
pub const CONSOLE_BYTES: usize = 64 << 10;

/// The most bytes that a call of the host moves at once.
const MOST_BYTES: u64 = 16 << 20;

/// The effect of a store to a device.
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
    /// The console prints.
    Print(Vec<u8>),
    /// The run ends with this status, at the next control-flow instruction.
    Exit(u32),
    /// A call of the host's system, by four numbers of 64 bits at this address: which one, and its arguments. The first
    /// is replaced by the result.
    Proxied(u64),
}

/// The environment that a program does not determine: memory that it has not touched yet, and devices. Times are
/// numbers of instructions retired.
pub trait World: Beyond + fmt::Debug {
    /// A load from a device.
    ///
    /// # Errors
    /// When the environment does not have it.
    fn load(&mut self, address: u64, bytes: usize, time: u64) -> Result<u64, Fault>;

    /// A store to a device.
    ///
    /// # Errors
    /// When the environment does not have it.
    fn store(&mut self, address: u64, bytes: usize, value: u64, time: u64)
    -> Result<Effect, Fault>;

    /// A call of semihosting.
    ///
    /// # Errors
    /// When the environment does not have it.
    fn call(&mut self, call: Call, time: u64) -> Result<Answer, Fault>;

    /// Takes note of what a device has written to memory as the result of a store.
    fn wrote(&mut self, address: u64, bytes: &[u8], time: u64);

    /// The interrupts that are pending, as in `mip`.
    ///
    /// # Errors
    /// When the environment does not have it.
    fn pending(&mut self, time: u64) -> Result<u64, Fault>;

    /// The number of the interrupt that comes now, if one does; those in `enabled` would be taken.
    ///
    /// # Errors
    /// When the interrupt comes and is not enabled.
    fn interrupt(&mut self, time: u64, enabled: u64) -> Result<Option<u64>, Fault>;

    /// The time of the next check for an interrupt.
    fn next_interrupt(&self, enabled: u64) -> u64;

    /// What has been taken from the environment so far.
    fn taken(&self) -> Taken;

    /// Takes out what was recorded: lines in the order of their addresses, and inputs in that of time.
    fn recorded(&mut self) -> (Vec<Line>, Vec<Input>) {
        (Vec::new(), Vec::new())
    }
}

/// What a run has taken from the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Accesses of devices that depended on the time.
    pub clock_reads: u64,
    /// Bytes that the input device has given; for a recorded run, inputs of all kinds that have come.
    pub inputs: usize,
}

/// Memory and devices; with `DATA` it keeps the accesses of the current instruction.
#[derive(Debug)]
pub struct Board<'w, const DATA: bool> {
    layout: Layout,
    lines: Lines,
    /// The environment: untouched memory and devices.
    pub world: Box<dyn World + 'w>,
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
    /// Number of instructions that have read the time.
    pub clock_reads: u64,
    accesses: [(u64, bool); 2],
    accessed: usize,
}

impl<'w, const DATA: bool> Board<'w, DATA> {
    /// A board none of whose memory has been touched.
    pub fn new(layout: Layout, line_bytes: u32, world: Box<dyn World + 'w>) -> Self {
        let lines = untouched(&layout, line_bytes);
        Board::of(layout, lines, world)
    }

    fn of(layout: Layout, lines: Lines, world: Box<dyn World + 'w>) -> Self {
        Board {
            layout,
            lines,
            world,
            time: 0,
            deadline: 0,
            exit: None,
            code_written: false,
            console: Vec::new(),
            loads: 0,
            stores: 0,
            clock_reads: 0,
            accesses: [(0, false); 2],
            accessed: 0,
        }
    }

    /// A board whose memory has been touched, after so many instructions.
    pub(crate) fn at(layout: Layout, lines: Lines, world: Box<dyn World + 'w>, time: u64) -> Self {
        Board { time, ..Board::of(layout, lines, world) }
    }

    /// The memory that has been touched.
    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Memory, devices and instruction set.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
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
            if !self.layout.is_memory(address) {
                return Err(Fault::Exception { cause, value: address });
            }
            self.lines.touch(address, &mut *self.world)?;
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn load_slowly(&mut self, address: u64, bytes: usize) -> Result<u64, Fault> {
        if self.layout.device(address, bytes as u64).is_some() {
            self.deadline = 0;
            return self.world.load(address, bytes, self.time);
        }
        self.touch(address, bytes, Cause::LoadFault)?;
        let mut value = 0;
        for byte in (0..bytes as u64).rev() {
            let byte = self.lines.read_byte(address.wrapping_add(byte), &mut *self.world)?;
            value = value << 8 | u64::from(byte);
        }
        Ok(value)
    }

    #[cold]
    #[inline(never)]
    fn store_slowly(&mut self, address: u64, bytes: usize, value: u64) -> Result<(), Fault> {
        if self.layout.device(address, bytes as u64).is_some() {
            self.deadline = 0;
            let value = value & u64::MAX >> (64 - 8 * bytes);
            let effect = self.world.store(address, bytes, value, self.time)?;
            return self.take_effect(effect);
        }
        self.touch(address, bytes, Cause::StoreFault)?;
        self.write(address, &value.to_le_bytes()[..bytes])
    }

    /// Writes to lines that are present.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        for (byte, address) in bytes.iter().zip(address..) {
            let CodeWritten(is_code) = self.lines.write_byte(address, *byte, &mut *self.world)?;
            if is_code {
                self.code_written = true;
                self.deadline = 0;
            }
        }
        Ok(())
    }

    fn take_effect(&mut self, effect: Effect) -> Result<(), Fault> {
        match effect {
            Effect::None => Ok(()),
            Effect::Block { address, bytes } => self.write_block(address, &bytes),
            Effect::Print(bytes) => {
                self.print(&bytes);
                Ok(())
            }
            Effect::Exit(status) => {
                self.exit = Some(status);
                Ok(())
            }
            Effect::Proxied(address) => self.proxied(address),
        }
    }

    /// Makes a call of the host's system: write, and exit; others fail.
    fn proxied(&mut self, address: u64) -> Result<(), Fault> {
        let mut numbers = [0; 4];
        for (number, address) in numbers.iter_mut().zip((address..).step_by(8)) {
            *number = self.peek_word(address, 8)?;
        }
        let [which, first, second, third] = numbers;
        let result: i64 = match which {
            64 => {
                let bytes = self.peek_bytes(second, third)?;
                self.print(&bytes);
                bytes.len() as i64
            }
            93 => {
                self.exit = Some(first as u32);
                0
            }
            _ => -38,
        };
        let bytes = result.to_le_bytes();
        let time = self.time;
        self.world.wrote(address, &bytes, time);
        self.write_block(address, &bytes)
    }

    /// Writes what a device has for memory.
    pub(crate) fn write_block(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.touch(address, bytes.len(), Cause::StoreFault)?;
        self.write(address, bytes)
    }

    /// Keeps what is printed, up to a limit.
    pub(crate) fn print(&mut self, bytes: &[u8]) {
        let room = CONSOLE_BYTES - self.console.len();
        self.console.extend(&bytes[..bytes.len().min(room)]);
    }

    /// A number in memory that no instruction loads.
    pub(crate) fn peek_word(&mut self, address: u64, bytes: u64) -> Result<u64, Fault> {
        let bytes = self.peek_bytes(address, bytes)?;
        Ok(bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
    }

    /// Bytes of memory that no instruction loads.
    pub(crate) fn peek_bytes(&mut self, address: u64, count: u64) -> Result<Vec<u8>, Fault> {
        let count = count.min(MOST_BYTES);
        (0..count).map(|offset| self.peek(address.wrapping_add(offset))).collect()
    }

    /// A byte of memory that no instruction loads.
    pub(crate) fn peek(&mut self, address: u64) -> Result<u8, Fault> {
        self.touch(address, 1, Cause::LoadFault)?;
        Ok(self.lines.read_byte(address, &mut *self.world)?)
    }
}

/// The memory of a machine before the first instruction.
pub(crate) fn untouched(layout: &Layout, line_bytes: u32) -> Lines {
    Lines::new(line_bytes, layout.devices.iter().map(|device| device.addresses.clone()))
}

impl<const DATA: bool> Bus for Board<'_, DATA> {
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
        let low = self.lines.read_byte(address, &mut *self.world)?;
        let high = self.lines.read_byte(address.wrapping_add(1), &mut *self.world)?;
        self.lines.mark_code(address);
        Ok(u16::from_le_bytes([low, high]))
    }
}
