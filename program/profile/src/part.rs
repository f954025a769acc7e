//! The file of a program that a profile is of.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use object::{Object, ObjectSection, ObjectSegment, SegmentFlags};
use tracewright_image::{File, Image, InstructionSet};
use tracewright_sim::code::Code;

use crate::error::Error;
use crate::flow::{Flow, Place};

/// Bytes of a page, from whose beginning LLVM counts addresses.
const PAGE: u64 = 4096;

/// A file of a program.
#[derive(Clone, Debug)]
pub struct FilePart {
    image: Arc<Image>,
    program: usize,
    file: u32,
}

impl FilePart {
    /// The file with this name or path in programs, or the first one of the first program.
    ///
    /// # Errors
    /// When there is none.
    pub fn find(images: &[Arc<Image>], name: Option<&str>) -> Result<FilePart, Error> {
        let files = images.iter().enumerate().flat_map(|(program, image)| {
            image.files().iter().enumerate().map(move |(file, of)| (program, file, of))
        });
        let is_it = |of: &File| {
            name.is_none_or(|name| {
                of.path == Path::new(name) || of.path.file_name() == Some(OsStr::new(name))
            })
        };
        match files.clone().find(|(.., of)| is_it(of)) {
            Some((program, file, _)) => {
                let image = Arc::clone(&images[program]);
                Ok(FilePart { image, program, file: file as u32 })
            }
            None => {
                let known: Vec<String> =
                    files.map(|(.., of)| of.path.display().to_string()).collect();
                let name = name.unwrap_or_default().to_owned();
                Err(Error::NoSuchFile { name, known: known.join(", ") })
            }
        }
    }

    /// The program that it is of.
    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// The number of the program that it is of.
    pub fn program(&self) -> usize {
        self.program
    }

    /// The number of the file in the program's image.
    pub fn number(&self) -> u32 {
        self.file
    }

    /// The file.
    pub fn file(&self) -> &File {
        &self.image.files()[self.file as usize]
    }

    /// The address in the file of a place, if it is in the file.
    pub fn inside(&self, place: &Place) -> Option<u64> {
        let is_inside = place.program == self.program && place.file == Some(self.file);
        is_inside.then(|| place.address.wrapping_sub(self.file().load_address))
    }

    /// Where the stubs of the file's linkage table are, in the addresses of the file.
    pub fn stubs(&self) -> Vec<std::ops::Range<u64>> {
        let Ok(elf) = object::File::parse(&*self.file().data) else { return Vec::new() };
        let is_table = |section: &object::Section<'_, '_>| {
            section.name().is_ok_and(|name| name == ".plt" || name.starts_with(".plt."))
        };
        let tables = elf.sections().filter(is_table);
        tables.map(|section| section.address()..section.address() + section.size()).collect()
    }

    /// Where the page with the first byte of the file's code begins, in the addresses of the file.
    ///
    /// # Errors
    /// When it has none.
    pub fn first_code(&self) -> Result<u64, Error> {
        let file = self.file();
        let none = || Error::NoCode { path: file.path.clone() };
        let elf = object::File::parse(&*file.data).map_err(|_| none())?;
        let is_code = |flags| match flags {
            SegmentFlags::Elf { p_flags, .. } => p_flags.contains(object::elf::PF_X),
            _ => false,
        };
        let code = elf.segments().filter(|segment| is_code(segment.flags()));
        let first = code.map(|segment| segment.address()).min().ok_or_else(none)?;
        Ok(first & !(PAGE - 1))
    }

    /// True for the address of a call.
    fn is_call(&self, address: u64) -> bool {
        let is_known = self.image.instruction_set() != InstructionSet::Arm;
        let instruction = self.image.instruction(address).filter(|_| is_known);
        instruction.and_then(|one| one.branch).is_some_and(|branch| branch.call)
    }

    /// The branches and ranges of the file, in its own addresses. A branch from or to another file has `None` for it.
    ///
    /// # Errors
    /// When nothing of the file ran.
    pub fn of_flow(&self, flow: &Flow) -> Result<OfFile, Error> {
        let mut of_file = OfFile::default();
        for ((begin, end), count) in &flow.branches {
            let (from, to) = (self.inside(begin), self.inside(end));
            if from.is_some() || to.is_some() {
                let is_call = from.is_some() && self.is_call(begin.address);
                of_file.branches.push(Branch { from, to, is_call, count: *count });
            }
        }
        for ((first, last), count) in &flow.ranges {
            if let (Some(first), Some(last)) = (self.inside(first), self.inside(last))
                && first <= last
            {
                of_file.ranges.push(Range { first, last, count: *count });
            }
        }
        match of_file.ranges.is_empty() {
            true => Err(Error::NothingRan { path: self.file().path.clone() }),
            false => Ok(of_file.summed()),
        }
    }
}

/// The flow in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfFile {
    /// Taken branches, by ascending address.
    pub branches: Vec<Branch>,
    /// Straight ranges, by ascending address.
    pub ranges: Vec<Range>,
}

/// A branch that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Branch {
    /// The address of the branch; `None` in another file.
    pub from: Option<u64>,
    /// Where it went; `None` in another file.
    pub to: Option<u64>,
    /// True if it leaves a return address; false where that is not known, in other files and in ARM code.
    pub is_call: bool,
    /// How often.
    pub count: u64,
}

/// A straight range of code that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Range {
    /// The address of the first instruction.
    pub first: u64,
    /// The address of the last instruction.
    pub last: u64,
    /// How often.
    pub count: u64,
}

impl OfFile {
    /// With the counts of equal ones added: places in other files have become one.
    fn summed(mut self) -> Self {
        self.branches.sort_unstable();
        self.branches.dedup_by(|next, kept| {
            let is_same = (next.from, next.to) == (kept.from, kept.to);
            kept.count += if is_same { next.count } else { 0 };
            is_same
        });
        self
    }

    /// How often branches of the file, and branches from other files into it, were taken.
    pub fn taken(&self) -> u64 {
        self.branches.iter().map(|branch| branch.count).sum()
    }
}
