//! Writes code that came from no file as an ELF file.

use anyhow::{Result, anyhow};
use object::write::StringId;
use object::write::elf::{FileHeader, ProgramHeader, SectionHeader, SectionIndex, Sym, Writer};
use object::{Endianness, elf};
use tracewright_image::InstructionSet;

/// Makes an ELF executable with these bytes at these addresses, and functions of these names.
///
/// # Errors
/// When the object crate reports an error, which these inputs do not cause.
pub fn elf(
    instruction_set: InstructionSet,
    segments: &[(u64, Vec<u8>)],
    functions: &[(u64, String)],
) -> Result<Vec<u8>> {
    let machine = match instruction_set {
        InstructionSet::RiscV32(_) | InstructionSet::RiscV64(_) => elf::EM_RISCV,
        InstructionSet::Arm => elf::EM_ARM,
        InstructionSet::AArch64 => elf::EM_AARCH64,
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
    let table = reserve_functions(&mut writer, functions)?;
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
    if let Some(table) = table {
        write_functions(&mut writer, functions, &table);
    }
    Ok(bytes)
}

/// What is reserved of a symbol table.
struct Table {
    /// The section that the symbols are said to be in, which is empty: readers take no others for definitions.
    section: SectionIndex,
    section_name: StringId,
    names: Vec<StringId>,
}

/// Reserves a symbol table, if there are functions.
fn reserve_functions<'a>(
    writer: &mut Writer<'a>,
    functions: &'a [(u64, String)],
) -> Result<Option<Table>> {
    if functions.is_empty() {
        return Ok(None);
    }
    let section_name = writer.add_section_name(b".text");
    let section = writer.reserve_section_index();
    let name = |(_, name): &'a (u64, String)| {
        writer.reserve_symbol_index(None);
        writer.add_string(name.as_bytes())
    };
    let names = functions.iter().map(name).collect();
    writer.reserve_symtab_section_index();
    writer.reserve_strtab_section_index();
    writer.reserve_shstrtab_section_index();
    let failed = |error| anyhow!("cannot make an ELF file: {error}");
    writer.reserve_symtab();
    writer.reserve_strtab().map_err(failed)?;
    writer.reserve_shstrtab().map_err(failed)?;
    writer.reserve_section_headers();
    Ok(Some(Table { section, section_name, names }))
}

fn write_functions(writer: &mut Writer<'_>, functions: &[(u64, String)], table: &Table) {
    writer.write_null_symbol();
    for ((address, _), name) in functions.iter().zip(&table.names) {
        let st_name = writer.string_offset(Some(*name));
        writer.write_symbol(&Sym {
            section: Some(table.section.0),
            st_name,
            st_info: elf::SymbolInfo::new(elf::STB_GLOBAL, elf::STT_FUNC),
            st_other: elf::SymbolOther(0),
            st_shndx: elf::SymbolSection(0),
            st_value: *address,
            st_size: 0,
        });
    }
    writer.write_strtab();
    writer.write_shstrtab();
    writer.write_null_section_header();
    writer.write_section_header(&SectionHeader {
        sh_name: writer.section_name_offset(Some(table.section_name)),
        sh_type: elf::SHT_NOBITS,
        sh_flags: elf::SHF_ALLOC | elf::SHF_EXECINSTR,
        sh_addralign: 1,
        ..SectionHeader::default()
    });
    writer.write_symtab_section_header(1);
    writer.write_strtab_section_header();
    writer.write_shstrtab_section_header();
}
