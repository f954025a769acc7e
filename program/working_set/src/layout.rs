//! What a replay has to know of the machine: memory, the addresses of devices, and the instruction set.

use std::ops::Range;

use crate::trap_unit::{SOFTWARE_INTERRUPT, TIMER_INTERRUPT};

/// The memory of the board `tracewright`. Address 0 is not in it, so that a null pointer traps.
const MEMORY: [Range<u64>; 2] = [0x1000..0x1000_0000, 0x8000_0000..0x1_0000_0000];

/// The first address of the devices of the board `tracewright`.
const DEVICES: u64 = 0x1000_0000;

/// Registers of its devices, of four bytes each.
const REGISTERS: usize = 7;

/// The addresses of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceRange {
    /// The addresses.
    pub addresses: Range<u64>,
    /// True if every other access than one of the whole range is a fault.
    pub whole: bool,
}

/// What a replay has to know of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The address ranges of memory.
    pub memory: Vec<Range<u64>>,
    /// Where devices are. They hide the memory of their addresses.
    pub devices: Vec<DeviceRange>,
    /// The letters of `misa`: bit 0 is A. F and D add registers, U adds user mode.
    pub extensions: u32,
    /// The interrupts that `mie` can enable.
    pub interrupts: u64,
    /// Control and status registers that always read the same, by their numbers.
    pub constants: Vec<(u32, u64)>,
    /// True if the result of every semihosting call is an input, false if only those of reads are.
    pub records_calls: bool,
}

/// The board `tracewright`, for whose programs a file of version 1 is enough.
impl Default for Layout {
    fn default() -> Layout {
        Layout {
            memory: MEMORY.to_vec(),
            devices: page(DEVICES),
            extensions: letters("imac"),
            interrupts: 1 << TIMER_INTERRUPT,
            constants: Vec::new(),
            records_calls: false,
        }
    }
}

/// The registers of the devices of the board `tracewright`, from this address.
pub(crate) fn page(address: u64) -> Vec<DeviceRange> {
    let begins = (address..).step_by(4).take(REGISTERS);
    begins.map(|begin| DeviceRange { addresses: begin..begin + 4, whole: true }).collect()
}

/// The bits of `misa` for these letters, in lower or upper case.
pub fn letters(extensions: &str) -> u32 {
    let letters = extensions.bytes().filter(u8::is_ascii_alphabetic);
    let letters = letters.map(|letter| letter.to_ascii_lowercase());
    letters.fold(0, |letters, letter| letters | 1 << (letter - b'a'))
}

impl Layout {
    /// Every interrupt that there can be.
    pub const INTERRUPTS: u64 = 1 << TIMER_INTERRUPT | 1 << SOFTWARE_INTERRUPT;

    /// True if the machine has an extension, given by its letter.
    pub fn has(&self, letter: char) -> bool {
        self.extensions & letters(letter.encode_utf8(&mut [0; 4])) != 0
    }

    /// The instruction set by the names of the RISC-V specification: `RV32IMAC`.
    pub fn instruction_set(&self, address_bits: u8) -> String {
        // The order of the specification. Supervisor and user mode are no part of the name.
        let letters = ['I', 'M', 'A', 'F', 'D', 'C', 'B'].into_iter();
        let letters = letters.filter(|letter| self.has(*letter));
        format!("RV{address_bits}{}", letters.collect::<String>())
    }

    /// Instructions begin at multiples of 2 to this power in bytes: 1 with compressed instructions, else 2.
    pub fn alignment(&self) -> u8 {
        if self.has('c') { 1 } else { 2 }
    }

    /// True if the machine has registers beyond those of version 1: for floating point or for user mode.
    pub fn is_extended(&self) -> bool {
        self.has('f') || self.has('u')
    }

    /// True if there is memory at this address.
    pub fn is_memory(&self, address: u64) -> bool {
        self.memory.iter().any(|range| range.contains(&address))
    }

    /// True if there is memory at all addresses from the first one to before the second one.
    pub fn has_memory(&self, begin: u64, end: u64) -> bool {
        self.memory.iter().any(|memory| memory.start <= begin && end <= memory.end)
    }

    /// The device that has all bytes of an access.
    pub fn device(&self, address: u64, bytes: u64) -> Option<&DeviceRange> {
        let end = address.saturating_add(bytes);
        self.devices.iter().find(|DeviceRange { addresses, whole }| {
            let is_whole = addresses.start == address && addresses.end == end;
            addresses.start <= address && end <= addresses.end && (is_whole || !whole)
        })
    }

    /// The address ranges of memory as text, for messages.
    pub fn memory_map(&self) -> String {
        let range = |Range { start, end }: &Range<u64>| format!("{start:#x} to {:#x}", end - 1);
        self.memory.iter().map(range).collect::<Vec<_>>().join(" and ")
    }
}
