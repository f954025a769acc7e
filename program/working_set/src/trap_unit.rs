//! A small trap unit: the control and status registers, what a trap does to them, and back.

use crate::layout::Layout;
use crate::registers::{Extended, Registers};

/// `mcause` of a software interrupt, without its highest bit.
pub const SOFTWARE_INTERRUPT: u64 = 3;

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
    /// `ecall` in user mode.
    UserCall = 8,
    /// `ecall` in machine mode.
    MachineCall = 11,
}

const MIE: u64 = 1 << 3;
const MPIE: u64 = 1 << 7;
/// The privilege level before a trap: 0 or 3.
const MPP: u64 = 3 << 11;
/// The state of the unit for floating point: 0 is off, 3 is changed.
const FS: u64 = 3 << 13;
/// Loads and stores as in the mode before a trap, which makes no difference without protection.
const MPRV: u64 = 1 << 17;
const MACHINE: u64 = 3;

/// The control and status registers.
#[derive(Clone, Debug)]
pub struct TrapUnit {
    bits: u8,
    layout: Layout,
    status: u64,
    enabled: u64,
    vector: u64,
    scratch: u64,
    return_address: u64,
    cause: u64,
    value: u64,
    /// What machines with floating point or user mode have more.
    pub(crate) extended: Extended,
}

/// The operation of an instruction on a control and status register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// This is in it.
    Value(u64),
    /// Which interrupts are pending, which the devices know: `mip`.
    Pending,
    /// How many instructions have retired, or the upper half of that.
    Time(u64),
    /// There is no such register.
    None,
}

impl TrapUnit {
    /// The trap unit of a machine with registers of 32 or 64 bits, in the state of `registers`.
    pub fn new(bits: u8, layout: Layout, registers: &Registers) -> TrapUnit {
        let [status, enabled, vector, scratch, return_address, cause, value] = registers.control;
        let extended = registers.extended.as_deref().cloned().unwrap_or_default();
        TrapUnit {
            bits,
            layout,
            status,
            enabled,
            vector,
            scratch,
            return_address,
            cause,
            value,
            extended,
        }
    }

    /// Its registers, in the order of [`Registers::CONTROL`].
    pub fn registers(&self) -> [u64; 7] {
        let TrapUnit { status, enabled, vector, scratch, return_address, cause, value, .. } = *self;
        [status, enabled, vector, scratch, return_address, cause, value]
    }

    /// Its other registers, if the machine has them.
    pub fn extended(&self) -> Option<Box<Extended>> {
        self.layout.is_extended().then(|| Box::new(self.extended.clone()))
    }

    /// The interrupts that would be taken.
    pub fn takes_interrupts(&self) -> u64 {
        let is_on = self.status & MIE != 0 || self.extended.privilege < MACHINE;
        if is_on { self.enabled } else { 0 }
    }

    /// True while instructions for floating point are illegal, because there are none or `mstatus` says so.
    pub fn float_is_off(&self) -> bool {
        !self.layout.has('f') || self.status & FS == 0
    }

    /// True if there are registers of 64 bits for floating point.
    pub fn has_double(&self) -> bool {
        self.layout.has('d')
    }

    /// Takes note that a register for floating point has changed.
    pub fn float_changed(&mut self) {
        self.status |= FS;
    }

    /// Reads a register after this many instructions.
    pub fn read(&self, number: u32, instructions: u64) -> Read {
        if u64::from(number >> 8 & 3) > self.extended.privilege {
            return Read::None;
        }
        if let Some((_, value)) = self.layout.constants.iter().find(|(it, _)| *it == number) {
            return Read::Value(self.fit(*value));
        }
        let high = |value: u64| if self.bits == 32 { Read::Time(value >> 32) } else { Read::None };
        Read::Value(match number {
            0x300 => self.status_register(),
            0x301 => self.extensions(),
            0x304 => self.enabled,
            0x305 => self.vector,
            0x340 => self.scratch,
            0x341 => self.return_address,
            0x342 => self.cause,
            0x343 => self.value,
            0x344 => return Read::Pending,
            0xc00..=0xc02 | 0xc80..=0xc82 if !self.reads_counter(number) => return Read::None,
            // Cycles, time and instructions are the same here, unless the program has set the first and the last.
            0xb00 | 0xb02 | 0xc00..=0xc02 => {
                return Read::Time(self.fit(self.counter(number, instructions)));
            }
            0xb80 | 0xb82 | 0xc80..=0xc82 => return high(self.counter(number, instructions)),
            // No vendor, architecture, implementation; the only hart.
            0xf11..=0xf14 => 0,
            1..=3 if !self.float_is_off() => self.float_control(number),
            _ if self.layout.has('u') => return self.user(number),
            _ => return Read::None,
        })
    }

    /// What a counter has after so many instructions.
    fn counter(&self, number: u32, instructions: u64) -> u64 {
        let [cycles, retired] = self.extended.ahead;
        instructions.wrapping_add([cycles, 0, retired, 0][(number & 3) as usize])
    }

    /// Sets a counter, or half of it, for the next instruction.
    fn set_counter(&mut self, number: u32, value: u64, instructions: u64) {
        // A write takes the place of the count of its own instruction, also in the other half.
        let next = instructions + 1;
        let now = self.counter(number, instructions);
        let new = match (self.bits, number & 0x80) {
            (32, 0) => now >> 32 << 32 | value,
            (32, _) => now & u64::from(u32::MAX) | value << 32,
            _ => value,
        };
        self.extended.ahead[usize::from(number & 2 != 0)] = new.wrapping_sub(next);
    }

    /// Writes a register after so many instructions; false if there is none that can be written.
    pub fn write(&mut self, number: u32, value: u64, instructions: u64) -> bool {
        let value = self.fit(value);
        match number {
            0xb80 | 0xb82 if self.bits == 64 => return !self.layout.has('u'),
            0xb00 | 0xb02 | 0xb80 | 0xb82 if self.layout.has('u') => {
                self.set_counter(number, value, instructions);
            }
            0x300 => self.set_status(value),
            0x304 => self.enabled = value & self.layout.interrupts,
            // Modes are direct and vectored; both want bit 1 to be 0.
            0x305 => self.vector = value & !2,
            0x340 => self.scratch = value,
            0x341 => self.return_address = value & !((1 << self.layout.alignment()) - 1),
            0x342 => self.cause = value,
            0x343 => self.value = value,
            // Written without effect: extensions, pending interrupts, counters that follow the run.
            0x301 | 0x344 | 0xb00 | 0xb02 | 0xb80 | 0xb82 => {}
            1..=3 if !self.float_is_off() => self.set_float_control(number, value),
            _ if self.layout.has('u') => return self.set_user(number, value),
            _ => return false,
        }
        true
    }

    fn status_register(&self) -> u64 {
        let dirty = u64::from(self.status & FS == FS) << (self.bits - 1);
        let user_bits = u64::from(self.layout.has('u') && self.bits == 64) << 33;
        let always = if self.layout.has('u') { 0 } else { MPP };
        self.status | always | dirty | user_bits
    }

    fn set_status(&mut self, value: u64) {
        let float = if self.layout.has('f') { FS } else { 0 };
        let user = if self.layout.has('u') { MPRV } else { 0 };
        self.status = value & (MIE | MPIE | float | user);
        if self.layout.has('u') && value & MPP != 0 {
            // There is no supervisor mode: a level is user or machine.
            self.status |= if value & MPP == MPP { MPP } else { 0 };
        }
    }

    /// True if the current mode may read a counter.
    fn reads_counter(&self, number: u32) -> bool {
        self.extended.privilege == MACHINE || self.extended.counters >> (number & 31) & 1 == 1
    }

    fn float_control(&self, number: u32) -> u64 {
        match number {
            1 => self.extended.float_status & 31,
            2 => self.extended.float_status >> 5,
            _ => self.extended.float_status,
        }
    }

    fn set_float_control(&mut self, number: u32, value: u64) {
        let status = &mut self.extended.float_status;
        *status = match number {
            1 => *status & !31 | value & 31,
            2 => *status & 31 | (value & 7) << 5,
            _ => value & 0xff,
        };
        self.float_changed();
    }

    /// What machines with user mode have more: delegation and translation that are never on, protection that is kept
    /// but not enforced, counters of events that count none, and no trigger.
    fn user(&self, number: u32) -> Read {
        let Extended { counters, protection, .. } = &self.extended;
        Read::Value(match number {
            0x306 => *counters,
            0x3a0..=0x3a3 => protection[(number & 3) as usize],
            0x3b0..=0x3bf => protection[16 + (number & 15) as usize],
            0x310 if self.bits == 32 => 0,
            0x180 | 0x302 | 0x303 | 0x30a | 0x320 | 0x323..=0x33f | 0xb03..=0xb1f => 0,
            // No triggers.
            0x7a0..=0x7a4 => 0,
            0xb83..=0xb9f if self.bits == 32 => 0,
            _ => return Read::None,
        })
    }

    fn set_user(&mut self, number: u32, value: u64) -> bool {
        match number {
            0x306 => self.extended.counters = value & 7,
            0x3a0..=0x3a3 => self.extended.protection[(number & 3) as usize] = value,
            0x3b0..=0x3bf => self.extended.protection[16 + (number & 15) as usize] = value,
            _ => return matches!(self.user(number), Read::Value(_)),
        }
        true
    }

    /// Takes an exception at this instruction; gives the handler's address, `None` if there is none.
    pub fn exception(&mut self, cause: Cause, program_counter: u64, value: u64) -> Option<u64> {
        self.enter(cause as u64, program_counter, value)
    }

    /// The cause of `ecall`.
    pub fn call(&self) -> Cause {
        if self.extended.privilege == MACHINE { Cause::MachineCall } else { Cause::UserCall }
    }

    /// Takes an interrupt before this instruction.
    pub fn interrupt(&mut self, number: u64, program_counter: u64) -> Option<u64> {
        let interrupt = 1 << (self.bits - 1);
        let handler = self.enter(interrupt | number, program_counter, 0)?;
        let is_vectored = self.vector & 1 == 1;
        Some(if is_vectored { self.fit(handler + 4 * number) } else { handler })
    }

    /// Goes back from a trap; gives the address, `None` where that is illegal.
    pub fn leave(&mut self) -> Option<u64> {
        if self.extended.privilege < MACHINE {
            return None;
        }
        let kept = self.status & (FS | MPRV);
        if self.layout.has('u') {
            self.extended.privilege = (self.status & MPP) >> 11;
        }
        self.status = kept | MPIE | if self.status & MPIE == 0 { 0 } else { MIE };
        if self.extended.privilege < MACHINE {
            self.status &= !MPRV;
        }
        Some(self.return_address)
    }

    fn enter(&mut self, cause: u64, program_counter: u64, value: u64) -> Option<u64> {
        let kept = self.status & (FS | MPRV);
        let before = if self.layout.has('u') { self.extended.privilege << 11 } else { 0 };
        self.status = kept | before | if self.status & MIE == 0 { 0 } else { MPIE };
        self.extended.privilege = MACHINE;
        self.return_address = program_counter;
        self.cause = cause;
        self.value = self.fit(value);
        let handler = self.vector & !3;
        (handler != 0).then_some(handler)
    }

    /// `misa`: the extensions, and the width of registers in the uppermost bits.
    fn extensions(&self) -> u64 {
        u64::from(self.layout.extensions) | u64::from(self.bits / 32) << (self.bits - 2)
    }

    fn fit(&self, value: u64) -> u64 {
        value & u64::MAX >> (64 - u32::from(self.bits))
    }
}
