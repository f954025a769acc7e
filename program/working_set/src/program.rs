//! The program to be run: an ELF file as a loader would put it into memory.

use std::ops::Range;

use object::elf::{
    EM_RISCV, FileHeader32, FileHeader64, NT_GNU_ABI_TAG, PT_GNU_RELRO, PT_INTERP, PT_LOAD, PT_NOTE,
};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, FileKind};

use crate::board::MEMORY;
use crate::error::Error;

/// A program in memory, before its first instruction.
#[derive(Clone, Debug)]
pub struct Program {
    /// The address of the first instruction.
    pub entry: u64,
    /// 32 or 64.
    pub address_bits: u8,
    segments: Vec<Segment>,
}

#[derive(Clone, Debug)]
struct Segment {
    /// Its physical address: initial data is where the program will copy it from.
    address: u64,
    bytes: Vec<u8>,
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
    /// When a segment is not in memory, or the entry point is odd.
    pub fn new(
        entry: u64,
        address_bits: u8,
        segments: impl IntoIterator<Item = (u64, Vec<u8>)>,
    ) -> Result<Program, Error> {
        if entry % 2 == 1 {
            return Err(not("an even entry point", &format!("{entry:#x}")));
        }
        let segments: Vec<Segment> =
            segments.into_iter().map(|(address, bytes)| Segment { address, bytes }).collect();
        for Segment { address, bytes } in &segments {
            let (address, bytes) = (*address, bytes.len() as u64);
            let end = address.saturating_add(bytes);
            if !MEMORY.iter().any(|memory| memory.start <= address && end <= memory.end) {
                return Err(Error::SegmentOutside { address, bytes });
            }
        }
        Ok(Program { entry, address_bits, segments })
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
        let mut segments = Vec::new();
        let headers = header.program_headers(endian, elf).map_err(damaged)?;
        for segment in headers.iter().filter(|segment| segment.p_type(endian) == PT_LOAD) {
            let address: u64 = segment.p_paddr(endian).into();
            let bytes = segment.data(endian, elf).map_err(|()| {
                Error::Program(format!("damaged ELF file: the segment at {address:#x} is cut off"))
            })?;
            if bytes.is_empty() {
                continue;
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
        Program::new(entry, address_bits, segments)
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

fn overlap(one: &Range<u64>, other: &Range<u64>) -> Range<u64> {
    one.start.max(other.start)..one.end.min(other.end)
}

fn not(expected: &str, found: &str) -> Error {
    Error::Program(format!("expected {expected}, found {found}"))
}
