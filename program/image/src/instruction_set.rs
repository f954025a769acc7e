//! The instruction sets, and the decoding of their instructions.

use std::fmt;

use tracewright_sim::code::Instruction;
use tracewright_sim::event::Isa;
use tracewright_sim::rvfi::Extensions;

use crate::{aarch64, arm, riscv, thumb, x86};

/// The instruction set of a file's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InstructionSet {
    /// RV32 with C, and these extensions.
    RiscV32(Extensions),
    /// RV64 with C, and these extensions.
    RiscV64(Extensions),
    /// A32 and T32; the address says which, as everywhere in a trace: bit 0 is 1 for T32.
    Arm,
    /// A64.
    AArch64,
    /// x86 in 32-bit mode.
    X86,
    /// x86 in 64-bit mode.
    X86_64,
}

impl InstructionSet {
    /// RV32 with C alone.
    pub const RV32: InstructionSet = InstructionSet::RiscV32(Extensions::NONE);

    /// RV64 with C alone.
    pub const RV64: InstructionSet = InstructionSet::RiscV64(Extensions::NONE);

    /// The most bytes right before an instruction that [`instruction`](Self::instruction) looks at.
    pub const BEFORE: usize = thumb::BEFORE;

    /// The most bytes of an instruction.
    pub const LONGEST: usize = 15;

    /// The instruction set in the terms of traces.
    pub fn isa(self) -> Isa {
        match self {
            InstructionSet::RiscV32(_) | InstructionSet::RiscV64(_) => Isa::RiscV,
            InstructionSet::Arm | InstructionSet::AArch64 => Isa::Arm,
            InstructionSet::X86 | InstructionSet::X86_64 => Isa::X86,
        }
    }

    /// The extensions of RISC-V code that change the flow.
    pub fn extensions(self) -> Extensions {
        match self {
            InstructionSet::RiscV32(extensions) | InstructionSet::RiscV64(extensions) => extensions,
            _ => Extensions::NONE,
        }
    }

    /// The instruction set with these extensions too, which only RISC-V has.
    #[must_use]
    pub fn with(self, more: Extensions) -> InstructionSet {
        match self {
            InstructionSet::RiscV32(own) => InstructionSet::RiscV32(own.union(more)),
            InstructionSet::RiscV64(own) => InstructionSet::RiscV64(own.union(more)),
            _ => self,
        }
    }

    /// True if code of both can be of one program: all that may differ is the extensions.
    pub fn is_of_one_program(self, other: InstructionSet) -> bool {
        self.with(Extensions::ALL) == other.with(Extensions::ALL)
    }

    /// Bits of an address: 32 or 64.
    pub fn address_bits(self) -> u8 {
        match self {
            InstructionSet::RiscV32(_) | InstructionSet::Arm | InstructionSet::X86 => 32,
            InstructionSet::RiscV64(_) | InstructionSet::AArch64 | InstructionSet::X86_64 => 64,
        }
    }

    /// The address of the bytes of the instruction with this address, without a Thumb bit.
    pub fn byte_address(self, address: u64) -> u64 {
        if self == InstructionSet::Arm { address & !1 } else { address }
    }

    /// The instruction at `address`, whose bytes are the first of `bytes`; `None` for too few bytes, and for what is
    /// no instruction that retires.
    ///
    /// `before` are the bytes right before it: ARM code needs up to [`BEFORE`](Self::BEFORE) of them (an IT block makes
    /// what follows conditional, `mov lr, pc` makes a jump a call); fewer are fine where no more are known.
    pub fn instruction(self, address: u64, before: &[u8], bytes: &[u8]) -> Option<Instruction> {
        match self {
            InstructionSet::RiscV32(extensions) => {
                riscv::instruction(false, extensions, address, bytes)
            }
            InstructionSet::RiscV64(extensions) => {
                riscv::instruction(true, extensions, address, bytes)
            }
            InstructionSet::Arm if address & 1 == 1 => {
                thumb::instruction(address as u32 & !1, before, bytes)
            }
            InstructionSet::Arm => arm::instruction(address as u32, before, bytes),
            InstructionSet::AArch64 => aarch64::instruction(address, bytes),
            InstructionSet::X86 => x86::instruction(false, address, bytes),
            InstructionSet::X86_64 => x86::instruction(true, address, bytes),
        }
    }

    /// True for the bytes of a string instruction of x86 with a REP prefix, which QEMU runs as a loop of blocks.
    pub fn repeats(self, bytes: &[u8]) -> bool {
        matches!(self, InstructionSet::X86 | InstructionSet::X86_64) && x86::repeats(bytes)
    }

    /// The condition of the instruction at `address` if the instructions `before` it give it one, as IT of Thumb does:
    /// the four bits that conditional branches have for theirs.
    pub fn condition(self, address: u64, before: &[u8]) -> Option<u8> {
        let is_thumb = self == InstructionSet::Arm && address & 1 == 1;
        thumb::condition(before).filter(|_| is_thumb)
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            InstructionSet::RiscV32(_) => "32-bit RISC-V",
            InstructionSet::RiscV64(_) => "64-bit RISC-V",
            InstructionSet::Arm => "ARM",
            InstructionSet::AArch64 => "AArch64",
            InstructionSet::X86 => "32-bit x86",
            InstructionSet::X86_64 => "64-bit x86",
        })
    }
}
