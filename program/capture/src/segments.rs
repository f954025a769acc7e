//! The executable segments of an ELF file.

use std::fs;
use std::path::Path;

use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, FileKind, elf};

/// An executable segment of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The place of its first byte in the file.
    pub offset: u64,
    /// The address of its first byte in the file's own terms.
    pub address: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Segment {
    /// Those of a file; none of a file that is no valid ELF file.
    pub fn all(path: &Path) -> Vec<Segment> {
        fs::read(path).ok().and_then(|data| Segment::parse(&data)).unwrap_or_default()
    }

    /// Those of the bytes of a file.
    pub fn parse(data: &[u8]) -> Option<Vec<Segment>> {
        fn read<H: FileHeader<Endian = Endianness>>(data: &[u8]) -> Option<Vec<Segment>> {
            let header = H::parse(data).ok()?;
            let endian = header.endian().ok()?;
            let headers = header.program_headers(endian, data).ok()?;
            let is_code = |segment: &&H::ProgramHeader| {
                segment.p_type(endian) == elf::PT_LOAD
                    && segment.p_flags(endian).contains(elf::PF_X)
            };
            let segment = |segment: &H::ProgramHeader| {
                let bytes = segment.data(endian, data).ok()?.to_vec();
                let address = segment.p_vaddr(endian).into();
                Some(Segment { offset: segment.p_offset(endian).into(), address, bytes })
            };
            headers.iter().filter(is_code).map(segment).collect()
        }
        match FileKind::parse(data).ok()? {
            FileKind::Elf32 => read::<elf::FileHeader32<Endianness>>(data),
            FileKind::Elf64 => read::<elf::FileHeader64<Endianness>>(data),
            _ => None,
        }
    }

    /// The load address of a file, from the address where its first byte would be mapped and one of an instruction.
    ///
    /// Neither the mapping nor the page of the instruction says which segment it is in: linkers put the end of one
    /// and the beginning of the next into the same page of the file, which is then mapped twice, and the kernel joins
    /// mappings that continue each other. The place of the instruction in the file belongs to one segment only.
    pub fn load_address(segments: &[Segment], mapped_at: u64, instruction: u64) -> Option<u64> {
        let offset = instruction.wrapping_sub(mapped_at);
        let is_inside = |segment: &&Segment| {
            offset.checked_sub(segment.offset).is_some_and(|at| at < segment.bytes.len() as u64)
        };
        let segment = segments.iter().find(is_inside)?;
        let in_file = segment.address.wrapping_add(offset - segment.offset);
        Some(instruction.wrapping_sub(in_file))
    }
}
