//! The program in QEMU: its memory, its registers at a signal, and its files.

use std::ffi::{CStr, c_char};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;

use crate::wire::{BEFORE, BlockDefinition};

/// The size of the smallest page.
pub const PAGE: u64 = 4096;

/// What QEMU emulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    RiscV64,
    RiscV32,
    Arm,
    AArch64,
    X86_64,
}

/// The system calls that matter here.
pub struct Calls {
    pub rt_sigaction: i64,
    /// The number of the older system call, if there is one.
    pub sigaction: Option<i64>,
    pub execute: [i64; 2],
    /// The system calls that change the mappings.
    pub mapping: [i64; 3],
}

/// Of RISC-V and AArch64.
const GENERIC: Calls =
    Calls { rt_sigaction: 134, sigaction: None, execute: [221, 281], mapping: [222, 215, 216] };
const ARM: Calls =
    Calls { rt_sigaction: 174, sigaction: Some(67), execute: [11, 387], mapping: [192, 91, 163] };
const X86_64: Calls =
    Calls { rt_sigaction: 13, sigaction: None, execute: [59, 322], mapping: [9, 11, 25] };

/// QEMU's address of the registers of a virtual processor; 0 if it is not known.
///
/// In every processor state of QEMU the general registers come first; those of AArch64 come second.
#[derive(Clone, Copy)]
pub struct Registers(pub usize);

/// A signal handler.
#[derive(Clone, Copy)]
pub struct Handler {
    /// True for SA_SIGINFO, with which the frame on ARM is longer.
    pub information: bool,
}

/// A file that code runs from: the byte at `offset` is at `address`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Image {
    pub address: u64,
    pub offset: u64,
    pub path: String,
}

struct Mapping {
    begin: u64,
    end: u64,
    offset: u64,
    path: String,
}

/// The program in QEMU.
pub struct Guest {
    target: Target,
    /// QEMU's address of the program's address 0, once it is known.
    base: Option<u64>,
    maps: Vec<Mapping>,
    /// False after the registers read from QEMU's state were found to be wrong.
    trusted: bool,
}

/// A string of QEMU's.
///
/// # Safety
/// It ends in 0.
pub unsafe fn text(string: *const c_char) -> String {
    // SAFETY: the caller's.
    unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
}

/// Gives the instructions of a Thumb block their true lengths. Near the end of a page QEMU looks at the next
/// one to see whether it crosses, and takes what it reads for a part of this one.
pub fn trim_thumb(block: &mut BlockDefinition) {
    let mut rest = block.bytes.as_slice();
    let mut bytes = Vec::with_capacity(rest.len());
    for length in &mut block.lengths {
        let (instruction, behind) = rest.split_at(usize::from(*length));
        rest = behind;
        if let Some(high) = instruction.get(1) {
            *length = if high >> 3 >= 0b11101 { 4 } else { 2 };
        }
        bytes.extend(instruction.iter().take(usize::from(*length)));
    }
    block.bytes = bytes;
}

impl Guest {
    /// The program of an emulator for this instruction set.
    pub fn new(target: &str) -> Result<Guest, String> {
        let target = match target {
            "riscv64" => Target::RiscV64,
            "riscv32" => Target::RiscV32,
            "arm" => Target::Arm,
            "aarch64" => Target::AArch64,
            "x86_64" => Target::X86_64,
            other => {
                return Err(format!(
                    "expected an instruction set that the plugin supports, found {other}"
                ));
            }
        };
        Ok(Guest { target, base: None, maps: Vec::new(), trusted: true })
    }

    /// Fails unless machines with this instruction set are supported.
    pub fn check_machine(&self) -> Result<(), String> {
        let is_supported = matches!(self.target, Target::RiscV64 | Target::RiscV32);
        match is_supported && cfg!(target_arch = "x86_64") {
            true => Ok(()),
            false => Err("expected a machine with RISC-V processors, and QEMU on x86-64".into()),
        }
    }

    /// True if registers have 64 bits.
    pub fn is_wide(&self) -> bool {
        matches!(self.target, Target::RiscV64 | Target::AArch64 | Target::X86_64)
    }

    /// The system calls of the program.
    pub fn calls(&self) -> Calls {
        match self.target {
            Target::RiscV64 | Target::RiscV32 | Target::AArch64 => GENERIC,
            Target::Arm => ARM,
            Target::X86_64 => X86_64,
        }
    }

    /// True for 32-bit ARM, whose code addresses have a bit for Thumb.
    pub fn is_arm(&self) -> bool {
        self.target == Target::Arm
    }

    /// Notes that the program's `address` is at `host` in QEMU's memory.
    pub fn locate(&mut self, address: u64, host: u64) {
        self.base.get_or_insert(host.wrapping_sub(address));
    }

    fn read<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.read_into(address, &mut bytes)?;
        Some(bytes)
    }

    /// Reads the program's memory, wherever the address leads.
    fn read_into(&self, address: u64, bytes: &mut [u8]) -> Option<()> {
        let memory = File::open("/proc/self/mem").ok()?;
        memory.read_exact_at(bytes, address.wrapping_add(self.base?)).ok()
    }

    fn read_word(&self, address: u64) -> Option<u64> {
        match self.is_wide() {
            true => self.read(address).map(u64::from_le_bytes),
            false => self.read(address).map(|bytes| u32::from_le_bytes(bytes).into()),
        }
    }

    /// The bytes in memory directly before the block at `address`.
    pub fn before(&self, address: u64) -> Vec<u8> {
        if !self.is_arm() {
            return Vec::new();
        }
        let mut bytes = vec![0; BEFORE];
        let begin = address.saturating_sub(BEFORE as u64);
        if self.read_into(begin, &mut bytes).is_some() {
            return bytes;
        }
        // The page before is not mapped.
        bytes.truncate((address % PAGE).min(BEFORE as u64) as usize);
        match self.read_into(address - bytes.len() as u64, &mut bytes) {
            Some(()) => bytes,
            None => Vec::new(),
        }
    }

    /// Whether a block is Thumb code: from its lengths, or by asking the processor that is about to
    /// run it.
    pub fn is_thumb(&mut self, lengths: &[u8], registers: Option<Registers>) -> bool {
        /// Where QEMU 7.2 keeps the Thumb state: after 16 registers of 32 bits, 32 of 64 bits, a
        /// program counter, a state word and a flag.
        const STATE: usize = 16 * 4 + 32 * 8 + 8 + 4 + 1;
        if !self.is_arm() {
            return false;
        }
        let says = registers.filter(|registers| registers.0 != 0).map(|registers| {
            // SAFETY: the processor state is larger, and this thread is the one that runs on it.
            unsafe { ((registers.0 + STATE) as *const u8).read() != 0 }
        });
        if lengths.contains(&2) {
            self.trusted &= says.unwrap_or(true);
            return true;
        }
        self.trusted && says.unwrap_or(false)
    }

    /// The handler in a `sigaction`, if it has one.
    pub fn handler(&self, action: u64, real_time: bool) -> Option<(u64, Handler)> {
        const INFORMATION: u64 = 4;
        if action == 0 {
            return None;
        }
        let word = if self.is_wide() { 8 } else { 4 };
        let address = self.read_word(action)?;
        // The older form has the mask before the flags.
        let flags = self.read_word(action + if real_time { word } else { 2 * word })?;
        (address > 1).then_some((address, Handler { information: flags & INFORMATION != 0 }))
    }

    /// The signal, and where the program was interrupted, if it is at the first instruction of a handler that a
    /// signal led to: arguments and stack are then as the kernel leaves them.
    pub fn interrupted(&self, registers: Registers, information: bool) -> Option<(u64, u64)> {
        if registers.0 == 0 || !self.trusted {
            return None;
        }
        let register = |index: usize| self.register(registers, index);
        let is_signal = |number: u64| (1..=64).contains(&number);
        match self.target {
            Target::RiscV64 | Target::RiscV32 => {
                let (sp, a0, a1, a2) = (register(2), register(10), register(11), register(12));
                if !is_signal(a0) || a1 != sp || a2 != sp + 128 {
                    return None;
                }
                // Flags, link, stack, 128 bytes of mask, up to a multiple of 16; then comes pc. Flags and
                // link have 8 bytes even with 32-bit registers.
                let offset = if self.is_wide() { 176 } else { 160 };
                Some((a0, self.read_word(a2 + offset)?))
            }
            Target::X86_64 => {
                let (sp, rdi, rsi, rdx) = (register(4), register(7), register(6), register(2));
                if !is_signal(rdi) || rdx != sp + 8 || rsi <= rdx {
                    return None;
                }
                Some((rdi, self.read_word(rdx + 40 + 16 * 8)?))
            }
            Target::Arm => {
                let (r0, r1, r2, sp) = (register(0), register(1), register(2), register(13));
                if !is_signal(r0) {
                    return None;
                }
                let context = match information && r1 == sp && r2 == sp + 128 {
                    true => r2,
                    false => sp,
                };
                let pc = self.read_word(context + 32 + 15 * 4)?;
                let status = self.read_word(context + 32 + 16 * 4)?;
                // The mode must be that of a program, and the stack pointer must be near.
                let stack = self.read_word(context + 32 + 13 * 4)?;
                let thumb = status >> 5 & 1;
                (status & 0x1f == 0x10 && stack.is_multiple_of(4)).then_some((r0, pc | thumb))
            }
            Target::AArch64 => {
                let (x0, x29, sp) = (register(0), register(29), register(31));
                // After the information on the signal and the beginning of the context. Without SA_SIGINFO the other
                // arguments are what they were, but x29 and x30 are in a record of their own too.
                let saved = |index: u64| self.read_word(sp + 128 + 184 + 8 * index);
                let has_record = saved(29)? == self.read_word(x29)?
                    && saved(30)? == self.read_word(x29.wrapping_add(8))?;
                let pc = saved(32)?;
                (is_signal(x0) && has_record && pc.is_multiple_of(4)).then_some((x0, pc))
            }
        }
    }

    /// A register of a processor, at the start of a block.
    fn register(&self, registers: Registers, index: usize) -> u64 {
        /// Where the registers of AArch64 are, which come after those of 32-bit ARM.
        const OF_AARCH64: usize = 16 * 4;
        let begin = if self.target == Target::AArch64 { OF_AARCH64 } else { 0 };
        // SAFETY: at the start of a block all registers are in the processor's state.
        unsafe {
            match self.is_wide() {
                true => ((registers.0 + begin) as *const u64).add(index).read(),
                false => u64::from((registers.0 as *const u32).add(index).read()),
            }
        }
    }

    /// Drops the known mappings, because they change.
    pub fn forget_maps(&mut self) {
        self.maps.clear();
    }

    /// The file that is mapped at this address.
    pub fn image_at(&mut self, address: u64) -> Option<Image> {
        let base = self.base?;
        let host = address.wrapping_add(base);
        let inside = |mapping: &&Mapping| (mapping.begin..mapping.end).contains(&host);
        if !self.maps.iter().any(|mapping| inside(&mapping)) {
            self.maps = fs::read_to_string("/proc/self/maps")
                .map(|maps| maps.lines().filter_map(Mapping::parse).collect())
                .unwrap_or_default();
        }
        let mapping = self.maps.iter().find(inside)?;
        let (address, path) = (mapping.begin.wrapping_sub(base), mapping.path.clone());
        Some(Image { address, offset: mapping.offset, path })
    }
}

impl Mapping {
    /// A line of the maps, if it is of a file.
    fn parse(line: &str) -> Option<Mapping> {
        let path = line.find('/').map(|at| line[at..].to_owned())?;
        let mut words = line.split_whitespace();
        let (begin, end) = words.next()?.split_once('-')?;
        let number = |text| u64::from_str_radix(text, 16).ok();
        let offset = number(words.nth(1)?)?;
        Some(Mapping { begin: number(begin)?, end: number(end)?, offset, path })
    }
}
