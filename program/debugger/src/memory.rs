//! The memory of a program that never changes: what its files have in sections and segments that cannot be written.

use std::ops::Range;
use std::sync::Arc;

use object::{Object, ObjectSection, ObjectSegment, SectionFlags, SegmentFlags};
use tracewright_image::{File, Image};

/// Bytes by their addresses.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// In ascending order of addresses.
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
struct Part {
    address: u64,
    data: Arc<[u8]>,
    place: Range<usize>,
}

impl Memory {
    /// That of a program's files.
    pub fn of(image: &Image) -> Memory {
        let mut parts: Vec<Part> = image.files().iter().flat_map(parts_of).collect();
        parts.sort_by_key(|part| part.address);
        Memory { parts }
    }

    /// Reads from an address on; gives the number of bytes that are known, up to the first that is not.
    pub fn read(&self, address: u64, into: &mut [u8]) -> usize {
        let mut done = 0;
        while done < into.len() {
            let Some(bytes) = self.at(address.wrapping_add(done as u64)) else { break };
            let count = bytes.len().min(into.len() - done);
            into[done..done + count].copy_from_slice(&bytes[..count]);
            done += count;
        }
        done
    }

    /// The bytes from an address on.
    fn at(&self, address: u64) -> Option<&[u8]> {
        let next = self.parts.partition_point(|part| part.address <= address);
        let part = self.parts[..next].last()?;
        let offset = usize::try_from(address - part.address).ok()?;
        part.data.get(part.place.clone())?.get(offset..).filter(|bytes| !bytes.is_empty())
    }
}

/// What cannot be written of a file: its sections, or its segments if it has no sections.
fn parts_of(file: &File) -> Vec<Part> {
    let Ok(elf) = object::File::parse(&*file.data) else {
        let place = 0..file.data.len();
        return vec![Part { address: file.load_address, data: Arc::clone(&file.data), place }];
    };
    let mut ranges: Vec<(u64, u64, u64)> = Vec::new();
    for section in elf.sections() {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else { continue };
        let is_fixed =
            sh_flags.contains(object::elf::SHF_ALLOC) && !sh_flags.contains(object::elf::SHF_WRITE);
        if let Some((offset, size)) = section.file_range().filter(|_| is_fixed) {
            ranges.push((section.address(), offset, size));
        }
    }
    if ranges.is_empty() {
        for segment in elf.segments() {
            let SegmentFlags::Elf { p_flags, .. } = segment.flags() else { continue };
            if !p_flags.contains(object::elf::PF_W) {
                let (offset, size) = segment.file_range();
                ranges.push((segment.address(), offset, size));
            }
        }
    }
    let part = |(address, offset, size): (u64, u64, u64)| {
        let begin = usize::try_from(offset).ok()?;
        let end = begin.checked_add(usize::try_from(size).ok()?)?;
        file.data.get(begin..end)?;
        let address = address.wrapping_add(file.load_address);
        Some(Part { address, data: Arc::clone(&file.data), place: begin..end })
    };
    ranges.into_iter().filter_map(part).collect()
}
