//! The files of a program, where they are loaded, and what runs at their addresses first.

use std::ops::Range;
use std::path::PathBuf;

use serde::Serialize;
use tracewright_capture_plugin::wire::NO_IMAGE;
use tracewright_image::{Overlay, Owner};

use crate::segments::Segment;

/// A file of the program and its load address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoadedImage {
    /// The file.
    pub path: PathBuf,
    /// The load address, which is added to the addresses in the file.
    pub load_address: u64,
}

/// Code at addresses that follow each other without a gap.
pub type CodeRange = (u64, Vec<u8>);

/// Where the code of a block is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The number of the file that is mapped there, if it has code there.
    pub file: Owner,
    /// True if a decoder finds the same bytes there, of the same file, before any change.
    pub is_first: bool,
    /// True if a decoder finds code of the same file there before any change.
    pub is_first_file: bool,
}

/// The files, and the code of no file that a decoder finds before any change.
#[derive(Debug, Default)]
pub(crate) struct Images {
    mappings: Vec<Mapping>,
    files: Vec<LoadedFile>,
    /// Code of no file.
    loose: Overlay,
}

/// A file that is mapped.
#[derive(Debug)]
struct Mapping {
    path: PathBuf,
    /// Where the first byte of the file would be mapped.
    address: u64,
    segments: Vec<Segment>,
    /// The number of the loaded file, once code in it was found.
    file: Owner,
}

#[derive(Debug)]
struct LoadedFile {
    image: LoadedImage,
    /// Its code, by address.
    code: Vec<CodeRange>,
    /// True if nothing else was at its addresses when it was first seen.
    is_first: bool,
}

impl LoadedFile {
    fn bytes_at(&self, address: u64) -> Option<&[u8]> {
        let at = |(start, code): &CodeRange| {
            usize::try_from(address.wrapping_sub(*start)).ok().filter(|at| *at < code.len())
        };
        self.code.iter().find_map(|segment| Some(&segment.1[at(segment)?..]))
    }

    fn ranges(&self) -> impl Iterator<Item = Range<u64>> {
        self.code.iter().map(|(start, code)| *start..start.saturating_add(code.len() as u64))
    }
}

impl Images {
    /// Notes that a file is mapped, with the next number.
    pub(crate) fn map(&mut self, address: u64, path: &[u8]) -> Option<()> {
        let path = PathBuf::from(std::str::from_utf8(path).ok().filter(|path| !path.is_empty())?);
        let segments = Segment::all(&path);
        self.mappings.push(Mapping { path, address, segments, file: None });
        Some(())
    }

    /// Finds out where the code of a block is from.
    pub(crate) fn origin(&mut self, image: u32, address: u64, bytes: &[u8]) -> Origin {
        let file = self.file_of(image, address, bytes);
        let mut origin = Origin { file, is_first: true, is_first_file: true };
        if let Some(file) = file.map(|file| &self.files[file as usize])
            && file.is_first
            && file.bytes_at(address).is_some_and(|code| code.starts_with(bytes))
        {
            return origin;
        }
        for (address, byte) in (address..=u64::MAX).zip(bytes) {
            let (is_byte, is_file) = match self.first(address) {
                Some((first, first_file)) => (first == *byte, first_file == file),
                None if file.is_none() => {
                    self.loose.set(address, *byte, None);
                    (true, true)
                }
                None => (false, false),
            };
            origin.is_first &= is_byte && is_file;
            origin.is_first_file &= is_file;
        }
        origin
    }

    /// What a decoder finds at an address before any change.
    fn first(&self, address: u64) -> Option<(u8, Owner)> {
        let files = self.files.iter().enumerate().filter(|(_, file)| file.is_first);
        let mut found = files.filter_map(|(number, file)| {
            Some((*file.bytes_at(address)?.first()?, Some(number as u32)))
        });
        found.next().or_else(|| self.loose.get(address))
    }

    /// The number of the file that has code at all addresses of a block.
    fn file_of(&mut self, image: u32, address: u64, bytes: &[u8]) -> Owner {
        if image == NO_IMAGE {
            return None;
        }
        let mapping = self.mappings.get(image as usize)?;
        let file = match mapping.file {
            Some(file) => file,
            None => {
                let bias = Segment::load_address(&mapping.segments, mapping.address, address)?;
                let file = self.load(image as usize, bias);
                self.mappings[image as usize].file = Some(file);
                file
            }
        };
        let code = self.files.get(file as usize)?.bytes_at(address)?;
        (code.len() >= bytes.len()).then_some(file)
    }

    /// The number of a mapping's file at its load address.
    fn load(&mut self, mapping: usize, load_address: u64) -> u32 {
        let Mapping { path, segments, .. } = &self.mappings[mapping];
        let image = LoadedImage { path: path.clone(), load_address };
        if let Some(known) = self.files.iter().position(|file| file.image == image) {
            return known as u32;
        }
        let at =
            |segment: &Segment| (segment.address.wrapping_add(load_address), segment.bytes.clone());
        let code = segments.iter().map(at).collect();
        let mut file = LoadedFile { image, code, is_first: true };
        let is_taken = file.ranges().any(|range| self.is_taken(range));
        file.is_first = !is_taken;
        self.files.push(file);
        (self.files.len() - 1) as u32
    }

    /// True if a decoder finds code at one of these addresses before any change.
    fn is_taken(&self, range: Range<u64>) -> bool {
        let of_file = |other: Range<u64>| other.start < range.end && range.start < other.end;
        let mut files = self.files.iter().filter(|file| file.is_first);
        files.any(|file| file.ranges().any(of_file)) || self.loose.is_written(range)
    }

    /// A file, by its number.
    pub(crate) fn file(&self, number: u32) -> &LoadedImage {
        &self.files[number as usize].image
    }

    /// The code of a file, by its number.
    pub(crate) fn code(&self, number: u32) -> &[CodeRange] {
        &self.files[number as usize].code
    }

    /// The files that a decoder finds before any change, and the code of no file.
    pub(crate) fn finish(self) -> (Vec<LoadedImage>, Vec<CodeRange>) {
        let files = self.files.into_iter().filter(|file| file.is_first);
        (files.map(|file| file.image).collect(), self.loose.ranges())
    }
}
