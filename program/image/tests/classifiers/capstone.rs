//! The same instructions as capstone prints them.

use capstone::arch::{BuildsCapstone, BuildsCapstoneExtraMode, BuildsCapstoneSyntax};
use capstone::{Capstone, arch};
use tracewright_image::{Image, InstructionSet};

use super::Line;

fn disassembler(set: InstructionSet, thumb: bool) -> Capstone {
    let new = Capstone::new();
    match set {
        InstructionSet::RiscV32(_) | InstructionSet::RiscV64(_) => {
            let is_64_bit = set.address_bits() == 64;
            let mode = match is_64_bit {
                true => arch::riscv::ArchMode::RiscV64,
                false => arch::riscv::ArchMode::RiscV32,
            };
            new.riscv()
                .mode(mode)
                .extra_mode([arch::riscv::ArchExtraMode::RiscVC].into_iter())
                .build()
        }
        InstructionSet::Arm => {
            let mode = if thumb { arch::arm::ArchMode::Thumb } else { arch::arm::ArchMode::Arm };
            new.arm().mode(mode).extra_mode([arch::arm::ArchExtraMode::V8].into_iter()).build()
        }
        InstructionSet::AArch64 => new.arm64().mode(arch::arm64::ArchMode::Arm).build(),
        InstructionSet::X86 => unreachable!("no such program here"),
        InstructionSet::X86_64 => {
            let syntax = arch::x86::ArchSyntax::Att;
            new.x86().mode(arch::x86::ArchMode::Mode64).syntax(syntax).build()
        }
    }
    .expect("capstone")
}

/// What capstone makes of the bytes that objdump found instructions in: run by run, as an IT block changes what
/// follows.
pub fn lines(image: &Image, lines: &[Line]) -> Vec<Line> {
    let set = image.instruction_set();
    let (arm, thumb) = (disassembler(set, false), disassembler(set, true));
    let mut found = Vec::new();
    let mut rest = lines;
    while let Some(first) = rest.first() {
        let follows =
            |pair: &&[Line]| pair[0].address + u64::from(pair[0].length) == pair[1].address;
        let run = 1 + rest.windows(2).take_while(follows).count();
        let bytes: u64 = rest[..run].iter().map(|line| u64::from(line.length)).sum();
        let code = &image.bytes_at(first.address).expect("code")[..bytes as usize];
        let is_thumb = set == InstructionSet::Arm && first.address & 1 == 1;
        let disassembler = if is_thumb { &thumb } else { &arm };
        let start = set.byte_address(first.address);
        let mut end = first.address;
        for instruction in disassembler.disasm_all(code, start).expect("capstone").iter() {
            let address = instruction.address() | u64::from(is_thumb);
            end = address + instruction.len() as u64;
            found.push(Line {
                address,
                length: instruction.len() as u8,
                mnemonic: instruction.mnemonic().unwrap_or("").to_owned(),
                operands: instruction.op_str().unwrap_or("").to_owned(),
            });
        }
        // Capstone stops at an instruction that it does not know; continue after that one.
        let known = rest[..run].iter().take_while(|line| line.address < end).count();
        rest = &rest[(known + 1).min(run)..];
    }
    found
}
