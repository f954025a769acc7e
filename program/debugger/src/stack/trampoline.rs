//! The code to which a signal handler of Linux returns, and what a debugger reads below it.
//!
//! The kernel stores all registers on the stack, calls the handler and lets it return to a few instructions that make a
//! system call, which takes the registers back. A debugger knows the instructions, and where the registers are.

use tracewright_image::InstructionSet;

/// Where the stored registers are, in bytes above the stack pointer of the trampoline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trampoline {
    /// The program counter.
    pub program_counter: u64,
    /// Other registers by their numbers in DWARF.
    pub registers: Vec<(u16, u64)>,
    /// The status of an ARM processor.
    pub status: Option<u64>,
    /// A word that tells the layout, and where it is.
    pub layout: Option<(u64, u64)>,
}

/// Bytes between the stack pointers of the trampoline and of the interrupted function.
pub const BYTES: u64 = 1 << 11;

/// The order in which Linux stores the registers of 64-bit x86, by their numbers in DWARF.
const X86_64: [u16; 16] = [8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7];

/// The first word of a signal frame of ARM.
const ARM_MAGIC: u64 = 0x5ac3_c35a;

impl Trampoline {
    /// The trampoline that begins with these bytes, if they are one.
    pub fn of(set: InstructionSet, bytes: &[u8]) -> Option<Trampoline> {
        match set {
            InstructionSet::RiscV64(_) if bytes.starts_with(&[0x93, 0x08, 0xb0, 0x08]) => {
                // After the information on the signal and the beginning of the context.
                let at = 128 + 176;
                let registers = (1..32).map(|number| (number, at + 8 * u64::from(number)));
                Some(Self::new(at, registers.collect()))
            }
            InstructionSet::X86_64 if bytes.starts_with(&[0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0]) => {
                let registers = X86_64.into_iter().zip((0..).map(|place| 40 + 8 * place));
                Some(Self::new(168, registers.collect()))
            }
            InstructionSet::AArch64
                if bytes.starts_with(&[0x68, 0x11, 0x80, 0xd2, 1, 0, 0, 0xd4]) =>
            {
                // After the information on the signal, the beginning of the context and the address of a fault.
                let at = 128 + 176 + 8;
                let registers = (0..32).map(|number| (number, at + 8 * u64::from(number)));
                Some(Trampoline {
                    status: Some(at + 8 * 33),
                    // Nothing follows.
                    layout: Some((128 + 176 + 288, 0)),
                    ..Self::new(at + 8 * 32, registers.collect())
                })
            }
            InstructionSet::Arm => {
                let is = |call: u8| {
                    let codes: [&[u8]; 3] =
                        [&[call, 0x70, 0xa0, 0xe3], &[0x4f, 0xf0, call, 0x07], &[call, 0x27]];
                    codes.into_iter().any(|code| bytes.starts_with(code))
                };
                let (at, first_word) = match (is(119), is(173)) {
                    (true, _) => (32, ARM_MAGIC),
                    // Anything but the address of the information on the signal.
                    (_, true) => (0x80 + 20 + 12, 0),
                    _ => return None,
                };
                let registers = (0..15).map(|number| (number, at + 4 * u64::from(number)));
                Some(Trampoline {
                    status: Some(at + 4 * 16),
                    layout: Some((0, first_word)),
                    ..Self::new(at + 4 * 15, registers.collect())
                })
            }
            _ => None,
        }
    }

    fn new(program_counter: u64, registers: Vec<(u16, u64)>) -> Trampoline {
        Trampoline { program_counter, registers, status: None, layout: None }
    }
}
