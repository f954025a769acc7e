//! One ELF file: its code segments and the names of its functions.

use std::ops::Range;
use std::path::{Path, PathBuf};

use object::elf::{EF_RISCV_RVC, PF_X, PT_LOAD};
use object::read::elf::{ElfFile, FileHeader, ProgramHeader};
use object::{FileKind, Object, ObjectSymbol};
use tracewright_sim::event::Isa;

use crate::attributes;
use crate::elf_symbols;
use crate::error::Error;
use crate::instruction_set::InstructionSet;
use crate::symbols::Symbol;

/// A range of code in a file.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// The virtual address of the range.
    pub address: u64,
    /// Where its bytes are in the file.
    pub place: Range<usize>,
}

/// The parts of an ELF file that a decoder needs.
#[derive(Clone, Debug)]
pub(crate) struct Elf {
    pub instruction_set: InstructionSet,
    pub entry: u64,
    /// Instructions begin at multiples of 2^`alignment`, in the addresses of a trace.
    pub alignment: u8,
    pub segments: Vec<Segment>,
    pub symbols: Vec<Symbol>,
}

impl Elf {
    /// A file of code without any description: one segment from address 0.
    pub(crate) fn raw(instruction_set: InstructionSet, alignment: u8, bytes: usize) -> Elf {
        let whole = Segment { address: 0, place: 0..bytes };
        Elf { instruction_set, entry: 0, alignment, segments: vec![whole], symbols: Vec::new() }
    }

    pub(crate) fn read(path: &Path, data: &[u8]) -> Result<Elf, Error> {
        match FileKind::parse(data) {
            Ok(FileKind::Elf32) => {
                parse::<object::elf::FileHeader32<object::Endianness>>(path, data)
            }
            Ok(FileKind::Elf64) => {
                parse::<object::elf::FileHeader64<object::Endianness>>(path, data)
            }
            _ if data.starts_with(&object::elf::ELFMAG) => {
                Err(Error::Damaged { path: path.into(), what: "its header is cut off".into() })
            }
            _ => Err(Error::NotElf { path: path.into(), found: beginning(data) }),
        }
    }
}

fn beginning(data: &[u8]) -> String {
    match data.get(..4.min(data.len())) {
        None | Some([]) => "nothing".into(),
        Some(first) => {
            let bytes: Vec<String> = first.iter().map(|byte| format!("{byte:02x}")).collect();
            bytes.join(" ")
        }
    }
}

fn parse<H: FileHeader<Endian = object::Endianness>>(
    path: &Path,
    data: &[u8],
) -> Result<Elf, Error> {
    let damaged =
        |error: object::Error| Error::Damaged { path: path.into(), what: error.to_string() };
    // The program headers are read first, because sections are optional and last in a file.
    let header = H::parse(data).map_err(damaged)?;
    let endian = header.endian().map_err(damaged)?;
    let processor = || {
        let machine = header.e_machine(endian);
        Error::Processor { path: path.into(), found: format!("ELF machine {machine}") }
    };
    let is_64_bit = header.is_class_64();
    let instruction_set = match (header.e_machine(endian), is_64_bit) {
        (object::elf::EM_RISCV, false) => InstructionSet::RV32,
        (object::elf::EM_RISCV, true) => InstructionSet::RV64,
        (object::elf::EM_ARM, false) => InstructionSet::Arm,
        (object::elf::EM_AARCH64, true) => InstructionSet::AArch64,
        (object::elf::EM_386, false) => InstructionSet::X86,
        (object::elf::EM_X86_64, true) => InstructionSet::X86_64,
        _ => return Err(processor()),
    };
    if endian != object::Endianness::Little {
        return Err(processor());
    }
    let instruction_set = match instruction_set.isa() {
        Isa::RiscV => {
            instruction_set.with(attributes::extensions(header, endian, data).map_err(damaged)?)
        }
        Isa::Arm | Isa::X86 => instruction_set,
    };
    let entry: u64 = header.e_entry(endian).into();
    let alignment = match instruction_set.isa() {
        Isa::RiscV if header.e_flags(endian).0 & EF_RISCV_RVC.0 == 0 => 2,
        Isa::RiscV => 1,
        // Code that begins in A32 can have Thumb functions too; the trace has the alignment.
        Isa::Arm if entry & 1 == 0 => 2,
        Isa::Arm | Isa::X86 => 0,
    };
    let mut segments = Vec::new();
    let mut code = Bound::new(path, data, "executable segments");
    let headers = header.program_headers(endian, data).map_err(damaged)?;
    let loaded = || headers.iter().filter(|segment| segment.p_type(endian) == PT_LOAD);
    // The linker scripts of firmware may say nothing of permissions, so that no segment has any.
    let says_flags = loaded().any(|segment| segment.p_flags(endian).0 != 0);
    for segment in loaded() {
        if says_flags && !segment.p_flags(endian).contains(PF_X) {
            continue;
        }
        let address: u64 = segment.p_vaddr(endian).into();
        let bytes =
            segment.data(endian, data).map_err(|()| truncated(path, endian, data, segment))?;
        code.take(bytes.len())?;
        // The bytes are in the file, so its offset and size are too.
        let offset = segment.file_range(endian).0 as usize;
        segments.push(Segment { address, place: offset..offset + bytes.len() });
    }
    if segments.is_empty() {
        return Err(Error::NoCode { path: path.into() });
    }
    let symbols = symbols::<H>(path, data)?;
    Ok(Elf { instruction_set, entry, alignment, segments, symbols })
}

/// The functions of a file; a stripped file, or one without sections, has none, which is not an error.
fn symbols<H: FileHeader>(path: &Path, data: &[u8]) -> Result<Vec<Symbol>, Error> {
    let Ok(file) = ElfFile::<H>::parse(data) else { return Ok(Vec::new()) };
    let mut names = Bound::new(path, data, "symbol names");
    for symbol in file.symbols().chain(file.dynamic_symbols()) {
        names.take(symbol.name_bytes().map_or(0, <[u8]>::len))?;
    }
    Ok(elf_symbols::functions(&file))
}

/// The functions of a file whose code is not needed.
pub(crate) fn symbols_of(data: &[u8]) -> Option<Vec<Symbol>> {
    let found = match FileKind::parse(data).ok()? {
        FileKind::Elf32 => {
            symbols::<object::elf::FileHeader32<object::Endianness>>(Path::new(""), data)
        }
        FileKind::Elf64 => {
            symbols::<object::elf::FileHeader64<object::Endianness>>(Path::new(""), data)
        }
        _ => return None,
    };
    found.ok()
}

/// Refuses a file whose parts share their bytes so often that copies of them would not fit into memory.
struct Bound<'a> {
    path: &'a Path,
    parts: &'a str,
    file_size: usize,
    size: usize,
}

impl<'a> Bound<'a> {
    /// How many times larger than the file the parts may be together.
    const TIMES: usize = 16;

    fn new(path: &'a Path, data: &[u8], parts: &'a str) -> Self {
        Self { path, parts, file_size: data.len(), size: 0 }
    }

    fn take(&mut self, size: usize) -> Result<(), Error> {
        self.size = self.size.saturating_add(size);
        if self.size <= self.file_size.saturating_mul(Self::TIMES) {
            return Ok(());
        }
        let Self { parts, file_size, .. } = self;
        let what = format!(
            "its {parts} together are over {} times the file's {file_size} bytes",
            Self::TIMES
        );
        Err(Error::Damaged { path: self.path.into(), what })
    }
}

fn truncated<P: ProgramHeader>(path: &Path, endian: P::Endian, data: &[u8], segment: &P) -> Error {
    let (offset, size) = segment.file_range(endian);
    Error::Truncated {
        path: PathBuf::from(path),
        address: segment.p_vaddr(endian).into(),
        expected: offset.saturating_add(size),
        found: data.len() as u64,
    }
}
