//! Writes code that came from no file as an ELF file.

use anyhow::{Result, anyhow};
use object::write::elf::{FileHeader, ProgramHeader, Writer};
use object::{Endianness, elf};
use tracewright_image::InstructionSet;

/// Makes an ELF executable with these bytes at these addresses.
///
/// # Errors
/// When the object crate reports an error, which these inputs do not cause.
pub fn elf(instruction_set: InstructionSet, segments: &[(u64, Vec<u8>)]) -> Result<Vec<u8>> {
    let machine = match instruction_set {
        InstructionSet::RiscV32 | InstructionSet::RiscV64 => elf::EM_RISCV,
        InstructionSet::Arm => elf::EM_ARM,
        InstructionSet::X86 => elf::EM_386,
        InstructionSet::X86_64 => elf::EM_X86_64,
    };
    let mut bytes = Vec::new();
    let is_64_bit = instruction_set.address_bits() == 64;
    let mut writer = Writer::new(Endianness::Little, is_64_bit, &mut bytes);
    writer.reserve_file_header();
    writer.reserve_program_headers(segments.len() as u32);
    let offsets: Vec<u64> =
        segments.iter().map(|(_, code)| writer.reserve(code.len() as u64, 1)).collect();
    let header = FileHeader {
        os_abi: elf::ELFOSABI_NONE,
        abi_version: 0,
        e_type: elf::ET_EXEC,
        e_machine: machine,
        e_entry: segments.first().map_or(0, |(address, _)| *address),
        e_flags: elf::FileFlags(0),
    };
    writer
        .write_file_header(&header)
        .map_err(|error| anyhow!("cannot make an ELF file: {error}"))?;
    writer.write_align_program_headers();
    for ((address, code), offset) in segments.iter().zip(&offsets) {
        writer.write_program_header(&ProgramHeader {
            p_type: elf::PT_LOAD,
            p_flags: elf::PF_R | elf::PF_X,
            p_offset: *offset,
            p_vaddr: *address,
            p_paddr: *address,
            p_filesz: code.len() as u64,
            p_memsz: code.len() as u64,
            p_align: 1,
        });
    }
    for (_, code) in segments {
        writer.write(code);
    }
    Ok(bytes)
}
