//! A small machine-mode trap unit: the control and status registers, what a trap does to them, and back.

use crate::registers::Registers;

/// `mcause` of a timer interrupt, without its highest bit.
pub const TIMER_INTERRUPT: u64 = 7;

/// What an exception is called in `mcause`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Cause {
    /// There is no code at the program counter.
    FetchFault = 1,
    /// No instruction that the machine has.
    IllegalInstruction = 2,
    /// `ebreak`.
    Breakpoint = 3,
    /// There is nothing to load from.
    LoadFault = 5,
    /// There is nothing to store to.
    StoreFault = 7,
    /// `ecall`.
    MachineCall = 11,
}

const MIE: u64 = 1 << 3;
const MPIE: u64 = 1 << 7;
/// Machine mode is the only one.
const MPP: u64 = 3 << 11;
const TIMER: u64 = 1 << TIMER_INTERRUPT;

/// The control and status registers.
#[derive(Clone, Debug)]
pub struct TrapUnit {
    bits: u8,
    status: u64,
    enabled: u64,
    vector: u64,
    scratch: u64,
    return_address: u64,
    cause: u64,
    value: u64,
}

/// The operation of an instruction on a control and status register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// This is in it.
    Value(u64),
    /// Whether a timer interrupt is pending, which the devices know: `mip`.
    Pending,
    /// There is no such register.
    None,
}

impl TrapUnit {
    /// The trap unit of a machine with registers of 32 or 64 bits, in the state of `registers`.
    pub fn new(bits: u8, registers: &Registers) -> TrapUnit {
        let [status, enabled, vector, scratch, return_address, cause, value] = registers.control;
        TrapUnit { bits, status, enabled, vector, scratch, return_address, cause, value }
    }

    /// Its registers, in the order of [`Registers::CONTROL`].
    pub fn registers(&self) -> [u64; 7] {
        let TrapUnit { status, enabled, vector, scratch, return_address, cause, value, .. } = *self;
        [status, enabled, vector, scratch, return_address, cause, value]
    }

    /// True where a timer interrupt would be taken.
    pub fn takes_timer_interrupt(&self) -> bool {
        self.status & MIE != 0 && self.enabled & TIMER != 0
    }

    /// Reads a register after this many instructions.
    pub fn read(&self, number: u32, instructions: u64) -> Read {
        let high = |value: u64| if self.bits == 32 { Read::Value(value >> 32) } else { Read::None };
        Read::Value(match number {
            0x300 => self.status | MPP,
            0x301 => self.extensions(),
            0x304 => self.enabled,
            0x305 => self.vector,
            0x340 => self.scratch,
            0x341 => self.return_address,
            0x342 => self.cause,
            0x343 => self.value,
            0x344 => return Read::Pending,
            // Cycles, time and instructions are the same here.
            0xb00 | 0xb02 | 0xc00 | 0xc01 | 0xc02 => self.fit(instructions),
            0xb80 | 0xb82 | 0xc80 | 0xc81 | 0xc82 => return high(instructions),
            // No vendor, architecture, implementation; the only hart.
            0xf11..=0xf14 => 0,
            _ => return Read::None,
        })
    }

    /// Writes a register; false if there is none that can be written.
    pub fn write(&mut self, number: u32, value: u64) -> bool {
        let value = self.fit(value);
        match number {
            0x300 => self.status = value & (MIE | MPIE),
            0x304 => self.enabled = value & TIMER,
            // Modes are direct and vectored; both want bit 1 to be 0.
            0x305 => self.vector = value & !2,
            0x340 => self.scratch = value,
            0x341 => self.return_address = value & !1,
            0x342 => self.cause = value,
            0x343 => self.value = value,
            // Written without effect: extensions, pending interrupts, counters that follow the run.
            0x301 | 0x344 | 0xb00 | 0xb02 | 0xb80 | 0xb82 => {}
            _ => return false,
        }
        true
    }

    /// What is pending, as `mip` has it.
    pub fn pending(timer: bool) -> u64 {
        if timer { TIMER } else { 0 }
    }

    /// Takes an exception at this instruction; gives the handler's address, `None` if there is none.
    pub fn exception(&mut self, cause: Cause, program_counter: u64, value: u64) -> Option<u64> {
        self.enter(cause as u64, program_counter, value)
    }

    /// Takes a timer interrupt before this instruction.
    pub fn timer_interrupt(&mut self, program_counter: u64) -> Option<u64> {
        let interrupt = 1 << (self.bits - 1);
        let handler = self.enter(interrupt | TIMER_INTERRUPT, program_counter, 0)?;
        let is_vectored = self.vector & 1 == 1;
        Some(if is_vectored { self.fit(handler + 4 * TIMER_INTERRUPT) } else { handler })
    }

    /// Goes back from a trap; gives the address.
    pub fn leave(&mut self) -> u64 {
        self.status = MPIE | if self.status & MPIE == 0 { 0 } else { MIE };
        self.return_address
    }

    fn enter(&mut self, cause: u64, program_counter: u64, value: u64) -> Option<u64> {
        self.status = if self.status & MIE == 0 { 0 } else { MPIE };
        self.return_address = program_counter;
        self.cause = cause;
        self.value = self.fit(value);
        let handler = self.vector & !3;
        (handler != 0).then_some(handler)
    }

    /// `misa`: A, C, I, M.
    fn extensions(&self) -> u64 {
        let letters = 1 | 1 << 2 | 1 << 8 | 1 << 12;
        letters | u64::from(self.bits / 32) << (self.bits - 2)
    }

    fn fit(&self, value: u64) -> u64 {
        value & u64::MAX >> (64 - u32::from(self.bits))
    }
}
