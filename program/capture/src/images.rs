//! The load addresses of a program's files, and the code that came from no file.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, FileKind, elf};
use serde::Serialize;

/// A file of the program and its load address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoadedImage {
    /// The file.
    pub path: PathBuf,
    /// The load address, which is added to the addresses in the file.
    pub load_address: u64,
}

/// The mapped files and the code of the program.
#[derive(Debug, Default)]
pub(crate) struct Images {
    loaded: Vec<LoadedImage>,
    /// Addresses that files are mapped to.
    mapped: Vec<Range<u64>>,
    /// Code that ran from no file, by address.
    loose: BTreeMap<u64, Vec<u8>>,
}

impl Images {
    /// Notes that a part of a file is mapped.
    pub(crate) fn map(&mut self, address: u64, payload: &[u8]) -> Option<()> {
        let (offset, rest) = payload.split_first_chunk()?;
        let (length, path) = rest.split_first_chunk()?;
        let (offset, length) = (u64::from_ne_bytes(*offset), u64::from_ne_bytes(*length));
        let path = PathBuf::from(std::str::from_utf8(path).ok()?);
        let Some(file_address) = address_of(&path, offset) else { return Some(()) };
        self.mapped.push(address..address.saturating_add(length));
        let load_address = address.wrapping_sub(file_address);
        let image = LoadedImage { path, load_address };
        if !self.loaded.contains(&image) {
            self.loaded.push(image);
        }
        Some(())
    }

    /// Notes code that ran.
    pub(crate) fn code(&mut self, address: u64, bytes: &[u8]) {
        if !bytes.is_empty() && !self.mapped.iter().any(|range| range.contains(&address)) {
            let known = self.loose.entry(address).or_default();
            if known.len() <= bytes.len() {
                *known = bytes.to_vec();
            }
        }
    }

    pub(crate) fn finish(self) -> (Vec<LoadedImage>, Vec<(u64, Vec<u8>)>) {
        let mut segments: Vec<(u64, Vec<u8>)> = Vec::new();
        for (address, bytes) in self.loose {
            match segments.last_mut() {
                Some((start, known)) if address <= *start + known.len() as u64 => {
                    let overlap = (*start + known.len() as u64 - address) as usize;
                    known.extend_from_slice(bytes.get(overlap..).unwrap_or_default());
                }
                _ => segments.push((address, bytes)),
            }
        }
        (self.loaded, segments)
    }
}

/// The address that an ELF file has for the byte at `offset`, rounded down as the mapping is.
fn address_of(path: &Path, offset: u64) -> Option<u64> {
    fn find<H: FileHeader<Endian = Endianness>>(data: &[u8], offset: u64) -> Option<u64> {
        let header = H::parse(data).ok()?;
        let endian = header.endian().ok()?;
        let segments = header.program_headers(endian, data).ok()?;
        let mut loads = segments.iter().filter(|segment| segment.p_type(endian) == elf::PT_LOAD);
        loads.find_map(|segment| {
            const PAGE: u64 = 4096;
            let (start, size) = segment.file_range(endian);
            let address: u64 = segment.p_vaddr(endian).into();
            let page = start & !(PAGE - 1);
            let inside = offset >= page && offset < start.saturating_add(size);
            inside.then(|| address.wrapping_sub(start).wrapping_add(offset))
        })
    }
    let data = fs::read(path).ok()?;
    match FileKind::parse(&*data).ok()? {
        FileKind::Elf32 => find::<elf::FileHeader32<Endianness>>(&data, offset),
        FileKind::Elf64 => find::<elf::FileHeader64<Endianness>>(&data, offset),
        _ => None,
    }
}
