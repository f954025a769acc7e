//! The program to be run: an ELF file as a loader would put it into memory.

use std::ops::Range;

use object::elf::{
    EF_RISCV_RVC, EM_RISCV, FileHeader32, FileHeader64, NT_GNU_ABI_TAG, PT_GNU_RELRO, PT_INTERP,
    PT_LOAD, PT_NOTE, SHF_ALLOC,
};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, FileKind};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use tracewright_image::attributes;
use tracewright_sim::rvfi::Extensions;

use crate::error::Error;
use crate::layout::Layout;

/// A program in memory, before its first instruction.
#[derive(Clone, Debug)]
pub struct Program {
    /// The address of the first instruction.
    pub entry: u64,
    /// 32 or 64.
    pub address_bits: u8,
    /// True if it is compiled for processors with floating point.
    pub has_float: bool,
    /// True if it has compressed instructions, so that instructions begin at multiples of 2 bytes, else of 4.
    pub has_compressed: bool,
    segments: Vec<Segment>,
    symbols: Vec<Symbol>,
    /// The address after all that it has in memory, zeros too.
    end: u64,
}

/// A symbol of a program.
#[derive(Clone, Debug)]
struct Symbol {
    name: String,
    address: u64,
    is_function: bool,
}

#[derive(Clone, Debug)]
struct Segment {
    /// Its physical address: initial data is where the program will copy it from.
    address: u64,
    bytes: Vec<u8>,
    /// The bytes at its beginning that are headers of the file, which a linker adds and no program reads.
    headers: u64,
}

impl Segment {
    fn range(&self) -> Range<u64> {
        self.address..self.address + self.bytes.len() as u64
    }
}

impl Program {
    /// A program of segments at their addresses.
    ///
    /// # Errors
    /// When the entry point is odd.
    pub fn new(
        entry: u64,
        address_bits: u8,
        segments: impl IntoIterator<Item = (u64, Vec<u8>)>,
    ) -> Result<Program, Error> {
        if entry % 2 == 1 {
            return Err(not("an even entry point", &format!("{entry:#x}")));
        }
        let segments: Vec<Segment> = segments
            .into_iter()
            .map(|(address, bytes)| Segment { address, bytes, headers: 0 })
            .collect();
        let end = segments.iter().map(|segment| segment.range().end).max().unwrap_or(0);
        let (has_float, has_compressed, symbols) = (false, true, Vec::new());
        Ok(Program { entry, address_bits, has_float, has_compressed, segments, symbols, end })
    }

    /// Checks that all of it is in the memory of a board.
    ///
    /// # Errors
    /// When a segment is not.
    pub(crate) fn check(&self, layout: &Layout, board: &str) -> Result<(), Error> {
        for segment in &self.segments {
            let address = segment.address.saturating_add(segment.headers);
            let bytes = (segment.bytes.len() as u64).saturating_sub(segment.headers);
            if !layout.has_memory(address, address.saturating_add(bytes)) {
                let (memory, board) = (layout.memory_map(), board.into());
                return Err(Error::SegmentOutside { address, bytes, board, memory });
            }
        }
        Ok(())
    }

    /// The address of a symbol.
    pub fn symbol(&self, name: &str) -> Option<u64> {
        self.symbols.iter().find(|symbol| symbol.name == name).map(|symbol| symbol.address)
    }

    /// The name of the function that an address is in: the last one that begins before it.
    pub fn function(&self, address: u64) -> Option<&str> {
        let before = self.symbols.iter().filter(|it| it.is_function && it.address <= address);
        before.max_by_key(|symbol| symbol.address).map(|symbol| symbol.name.as_str())
    }

    /// The address after all that it has in memory.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Reads the bytes of an ELF file of a bare-metal RISC-V program.
    ///
    /// # Errors
    /// When they are none, or the program does not fit into memory.
    pub fn of_elf(elf: &[u8]) -> Result<Program, Error> {
        match FileKind::parse(elf) {
            Ok(FileKind::Elf32) => Program::parse::<FileHeader32<Endianness>>(elf),
            Ok(FileKind::Elf64) => Program::parse::<FileHeader64<Endianness>>(elf),
            _ => Err(not("an ELF file", "another file")),
        }
    }

    fn parse<H: FileHeader<Endian = Endianness>>(elf: &[u8]) -> Result<Program, Error> {
        let damaged = |error: object::Error| Error::Program(format!("damaged ELF file: {error}"));
        let header = H::parse(elf).map_err(damaged)?;
        let endian = header.endian().map_err(damaged)?;
        let machine = header.e_machine(endian);
        if machine != EM_RISCV || endian != Endianness::Little {
            let found = format!("ELF machine {machine}, {endian:?} endian");
            return Err(not("an ELF file of little-endian RISC-V", &found));
        }
        let extensions = attributes::extensions(header, endian, elf).map_err(damaged)?;
        if extensions != Extensions::NONE {
            let found = format!("one for a processor with {extensions}");
            return Err(not("a program without instructions of Zcmp and Zcmt", &found));
        }
        let mut segments = Vec::new();
        let (mut end, mut with_headers) = (0u64, None);
        let headers = header.program_headers(endian, elf).map_err(damaged)?;
        for segment in headers.iter().filter(|segment| segment.p_type(endian) == PT_LOAD) {
            let address: u64 = segment.p_paddr(endian).into();
            let bytes = segment.data(endian, elf).map_err(|()| {
                Error::Program(format!("damaged ELF file: the segment at {address:#x} is cut off"))
            })?;
            end = end.max(address.saturating_add(segment.p_memsz(endian).into()));
            if bytes.is_empty() {
                continue;
            }
            let offset: u64 = segment.p_offset(endian).into();
            if offset == 0 {
                with_headers = Some(segments.len());
            }
            segments.push((address, bytes.to_vec()));
        }
        if is_for_linux::<H>(headers, endian, elf) {
            return Err(not(
                "an ELF file of a bare-metal program",
                "one for Linux, which `tracewright capture` runs",
            ));
        }
        if segments.is_empty() {
            return Err(not("an ELF file with segments to load", "one without"));
        }
        let (entry, address_bits) =
            (header.e_entry(endian).into(), if header.is_class_64() { 64 } else { 32 });
        let mut program = Program::new(entry, address_bits, segments)?;
        if let Some(segment) = with_headers.and_then(|number| program.segments.get_mut(number)) {
            segment.headers = header_bytes(elf);
        }
        let has_compressed = header.e_flags(endian).0 & EF_RISCV_RVC.0 != 0;
        let (symbols, has_float) = (symbols(elf), has_float(elf));
        Ok(Program { symbols, has_float, has_compressed, end, ..program })
    }

    /// What is in memory at an address before the program runs: zeros where nothing was loaded.
    pub fn read(&self, address: u64, into: &mut [u8]) {
        into.fill(0);
        let end = address + into.len() as u64;
        for segment in &self.segments {
            let Range { start, end } = overlap(&segment.range(), &(address..end));
            if start < end {
                let from = (start - segment.address) as usize..(end - segment.address) as usize;
                let to = (start - address) as usize..(end - address) as usize;
                into[to].copy_from_slice(&segment.bytes[from]);
            }
        }
    }
}

/// True for a program that needs Linux: it names a loader, protects relocated data, or says so in a note.
fn is_for_linux<H: FileHeader>(
    headers: &[H::ProgramHeader],
    endian: H::Endian,
    elf: &[u8],
) -> bool {
    headers.iter().any(|header| match header.p_type(endian) {
        PT_INTERP | PT_GNU_RELRO => true,
        PT_NOTE => {
            let Ok(Some(mut notes)) = header.notes(endian, elf) else { return false };
            std::iter::from_fn(|| notes.next().ok().flatten())
                .any(|note| note.name() == b"GNU" && note.n_type(endian) == NT_GNU_ABI_TAG)
        }
        _ => false,
    })
}

/// The named symbols of an ELF file. Labels of assembly are functions as well.
fn symbols(elf: &[u8]) -> Vec<Symbol> {
    let Ok(file) = object::File::parse(elf) else { return Vec::new() };
    let code = |symbol: &object::Symbol<'_, '_>| {
        let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
        section.is_some_and(|section| section.kind() == object::SectionKind::Text)
    };
    let symbols = file.symbols().filter(|symbol| symbol.is_definition() || symbol.address() != 0);
    let symbols = symbols.filter_map(|symbol| {
        let name = symbol.name().ok().filter(|name| !name.is_empty() && !name.starts_with('$'))?;
        let is_function = symbol.kind() == SymbolKind::Text
            || symbol.kind() != SymbolKind::Section && code(&symbol);
        Some(Symbol { name: name.into(), address: symbol.address(), is_function })
    });
    symbols.collect()
}

/// The bytes of an ELF file before the first one of a section that is loaded.
fn header_bytes(elf: &[u8]) -> u64 {
    let Ok(file) = object::File::parse(elf) else { return 0 };
    let loaded = file.sections().filter(|section| match section.flags() {
        object::SectionFlags::Elf { sh_flags, .. } => sh_flags.0 & SHF_ALLOC.0 != 0,
        _ => false,
    });
    loaded.filter_map(|section| section.file_range()).map(|(begin, _)| begin).min().unwrap_or(0)
}

/// True if an ELF file is compiled for floating point: its calls use those registers, or its attributes name F.
fn has_float(elf: &[u8]) -> bool {
    let Ok(file) = object::File::parse(elf) else { return false };
    if let object::FileFlags::Elf { e_flags, .. } = file.flags()
        && e_flags.0 & FLOAT_CALLS != 0
    {
        return true;
    }
    let attributes = file.section_by_name(".riscv.attributes");
    let attributes = attributes.and_then(|section| section.data().ok()).unwrap_or_default();
    let text = String::from_utf8_lossy(attributes);
    text.split('\0').any(|string| {
        let string = string.trim_start_matches(|letter| letter != 'r');
        string.starts_with("rv") && string.split('_').any(|part| part.starts_with("f2p"))
    })
}

/// The bits of the flags of an ELF file that say how its calls use registers for floating point.
const FLOAT_CALLS: u32 = 6;

fn overlap(one: &Range<u64>, other: &Range<u64>) -> Range<u64> {
    one.start.max(other.start)..one.end.min(other.end)
}

fn not(expected: &str, found: &str) -> Error {
    Error::Program(format!("expected {expected}, found {found}"))
}
