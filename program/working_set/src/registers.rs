//! The registers that a run begins with.

use crate::layout::Layout;

/// Integer registers, program counter, and the state of the trap unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// The address of the first instruction.
    pub program_counter: u64,
    /// x0 to x31.
    pub integers: [u64; 32],
    /// The control and status registers that a program can write, in the order of
    /// [`Registers::CONTROL`].
    pub control: [u64; 7],
    /// What machines with floating point or user mode have more.
    pub extended: Option<Box<Extended>>,
}

/// Registers of machines with floating point or user mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extended {
    /// The privilege level: 0 user, 3 machine.
    pub privilege: u64,
    /// `fcsr`.
    pub float_status: u64,
    /// `mcounteren`.
    pub counters: u64,
    /// What `mcycle` and `minstret` are more than the instructions retired, modulo 2^64.
    pub ahead: [u64; 2],
    /// `pmpcfg0` to `pmpcfg3` as bytes, and `pmpaddr0` to `pmpaddr15`.
    pub protection: [u64; 32],
    /// f0 to f31.
    pub floats: [u64; 32],
}

/// The state after a reset.
impl Default for Extended {
    fn default() -> Extended {
        Extended {
            privilege: 3,
            float_status: 0,
            counters: 0,
            ahead: [0; 2],
            protection: [0; 32],
            floats: [0; 32],
        }
    }
}

impl Registers {
    /// The names of [`control`](Registers::control).
    pub const CONTROL: [&str; 7] =
        ["mstatus", "mie", "mtvec", "mscratch", "mepc", "mcause", "mtval"];

    /// The names of [`integers`](Registers::integers) in the calling convention.
    pub const INTEGERS: [&str; 32] = [
        "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4",
        "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4",
        "t5", "t6",
    ];

    /// The state after a reset, at this address.
    pub fn after_reset(program_counter: u64) -> Registers {
        Registers { program_counter, ..Registers::default() }
    }

    /// The same on a machine that may have more registers, in their state after a reset.
    pub fn on(self, layout: &Layout) -> Registers {
        Registers { extended: layout.is_extended().then(Box::default), ..self }
    }

    /// A CRC-32 of all of them.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let mut add = |value: u64| hasher.update(&value.to_le_bytes());
        self.named().for_each(|(_, value)| add(value));
        if let Some(extended) = &self.extended {
            let Extended { privilege, float_status, counters, ahead, protection, floats } =
                &**extended;
            let single = [*privilege, *float_status, *counters];
            let several = single.iter().chain(ahead).chain(protection).chain(floats);
            several.for_each(|value| add(*value));
        }
        hasher.finalize()
    }

    /// Every register that all machines have with its name, the program counter first.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let integers = Registers::INTEGERS.into_iter().zip(self.integers);
        let control = Registers::CONTROL.into_iter().zip(self.control);
        std::iter::once(("pc", self.program_counter)).chain(integers).chain(control)
    }
}
