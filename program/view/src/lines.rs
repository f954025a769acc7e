//! Lines of source, from the debugging information in the files of an image.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use addr2line::Context;
use gimli::{Dwarf, EndianArcSlice, LittleEndian};
use object::{Object, ObjectSection};
use rustc_hash::FxHashMap;
use tracewright_image::{File, Image};

use crate::declared::{Declared, declarations};
use crate::mangling::demangled;

type Section = EndianArcSlice<LittleEndian>;

/// A line of source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line {
    /// The file, with the path given to the compiler.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
}

/// Lines by address; files without debugging information have none.
pub struct Lines {
    files: Vec<OfFile>,
    names: FxHashMap<String, Arc<str>>,
}

struct OfFile {
    load_address: u64,
    context: Context<Section>,
    dwarf: Arc<Dwarf<Section>>,
    /// Where functions are declared, once that was asked for.
    declared: Option<Declared>,
}

/// A function at an address, or one that the compiler put into another there.
struct Frame {
    /// Its name, as linkers have it.
    name: Option<String>,
    /// Where it is at the address: in an outer function, the call of the inner one.
    place: Option<(String, u32)>,
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} files with debugging information", self.files.len())
    }
}

impl Lines {
    /// The lines of an image. Debugging information that is damaged counts as none: it is not needed to follow code.
    pub fn of_image(image: &Image) -> Self {
        Self::of_files(image.files())
    }

    /// The lines of some files of an image.
    pub fn of_files<'a>(files: impl IntoIterator<Item = &'a File>) -> Self {
        let files = files.into_iter().filter_map(OfFile::new).collect();
        Self { files, names: FxHashMap::default() }
    }

    /// True if no file has any.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The line of the instruction at an address without a Thumb bit.
    pub fn at(&mut self, address: u64) -> Option<Line> {
        let Self { files, names } = self;
        let mut found = files.iter().filter_map(|file| {
            let location = file.context.find_location(address.wrapping_sub(file.load_address));
            let location = location.ok().flatten()?;
            Some((location.file?, location.line.filter(|line| *line > 0)?))
        });
        let (file, line) = found.next()?;
        Some(Line { file: interned(names, file), line })
    }

    /// The line at which the function is declared whose code begins at an address without a Thumb bit.
    pub fn declared(&mut self, address: u64) -> Option<Line> {
        let Self { files, names } = self;
        files.iter_mut().find_map(|file| {
            let declared = file.declared.get_or_insert_with(|| declarations(&file.dwarf));
            let (name, line) = declared.functions.get(&address.wrapping_sub(file.load_address))?;
            Some(Line { file: interned(names, name), line: *line })
        })
    }

    /// The functions that the compiler put into others, once for each copy: the name, as linkers have it, and the line.
    pub fn copies(&mut self) -> Vec<(String, Line)> {
        let Self { files, names } = self;
        let mut copies = Vec::new();
        for file in files {
            let declared = file.declared.get_or_insert_with(|| declarations(&file.dwarf));
            for (name, place) in &declared.copies {
                let line = Line { file: interned(names, &place.0), line: place.1 };
                copies.push((name.clone(), line));
            }
        }
        copies
    }

    /// The line of the instruction at an address without a Thumb bit in words. If the compiler put the code of a
    /// function there into another, `swap.h:3 in swap, inlined into sort at sort.c:40`; a file is named once in a row.
    pub fn spoken(&mut self, address: u64) -> Option<Arc<str>> {
        let Line { mut file, line } = self.at(address)?;
        let mut spoken = format!("{file}:{line}");
        let frames = self.files.iter().find_map(|file| file.frames(address)).unwrap_or_default();
        let name = |frame: &Frame| frame.name.as_deref().map_or("?".into(), demangled);
        for (number, (inner, outer)) in frames.iter().zip(frames.iter().skip(1)).enumerate() {
            if number == 0 {
                spoken += &format!(" in {}", name(inner));
            }
            spoken += &format!(", inlined into {}", name(outer));
            let Some((of_call, line)) = &outer.place else { continue };
            let of_call = interned(&mut self.names, of_call);
            spoken += &match of_call == file {
                true => format!(" at line {line}"),
                false => format!(" at {of_call}:{line}"),
            };
            file = of_call;
        }
        Some(spoken.into())
    }

    /// The names, as linkers have them, of the functions that the compiler put into another at an address without a
    /// Thumb bit, from the outermost.
    pub fn inlined(&self, address: u64) -> Vec<String> {
        let of = |file: &OfFile| {
            let mut frames = file.frames(address)?;
            // The innermost comes first, the function that has all of them last.
            frames.pop()?;
            let names: Option<Vec<String>> =
                frames.into_iter().rev().map(|frame| frame.name).collect();
            names.filter(|names| !names.is_empty())
        };
        self.files.iter().find_map(of).unwrap_or_default()
    }

    /// The parts of `range` that belong to one line each, by ascending address.
    pub fn pieces(&mut self, range: Range<u64>) -> Vec<(u64, Line)> {
        let Self { files, names } = self;
        let mut pieces = Vec::new();
        for file in files {
            let (low, high) = (
                range.start.wrapping_sub(file.load_address),
                range.end.wrapping_sub(file.load_address),
            );
            let Ok(found) = file.context.find_location_range(low, high) else { continue };
            for (address, _, location) in found {
                let line = location.line.filter(|line| *line > 0);
                if let (Some(name), Some(line)) = (location.file, line) {
                    let line = Line { file: interned(names, name), line };
                    pieces.push((address.wrapping_add(file.load_address), line));
                }
            }
        }
        pieces
    }

    /// The parts of `region` whose file, with the path given to the compiler, and line are `wanted`.
    pub fn ranges(
        &mut self,
        region: Range<u64>,
        wanted: impl Fn(&str, u32) -> bool,
    ) -> Vec<Range<u64>> {
        let Self { files, names } = self;
        let mut ranges = Vec::new();
        for file in files {
            let load = file.load_address;
            let (low, high) = (region.start.wrapping_sub(load), region.end.wrapping_sub(load));
            let Ok(found) = file.context.find_location_range(low, high) else { continue };
            for (address, length, location) in found {
                if let (Some(name), Some(line)) = (location.file, location.line)
                    && wanted(&interned(names, name), line)
                {
                    let start = address.wrapping_add(load);
                    ranges.push(start..start.saturating_add(length));
                }
            }
        }
        ranges
    }
}

/// True if a file has lines of source, in itself or in the file with its debugging information.
pub(crate) fn has_lines(file: &File) -> bool {
    OfFile::new(file).is_some()
}

fn interned(names: &mut FxHashMap<String, Arc<str>>, name: &str) -> Arc<str> {
    match names.get(name) {
        Some(known) => known.clone(),
        None => {
            // Paths of compilers can contain `.` and `..`, so that one file can have several paths.
            let name_in_order: Arc<str> = in_order(name).into();
            names.insert(name.into(), name_in_order.clone());
            name_in_order
        }
    }
}

/// The path without `.` and without `x/..`.
fn in_order(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, "" | "..")) => {
                parts.pop();
            }
            "" if !parts.is_empty() => {}
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// The bytes of a section, which stay in the file unless they are compressed there.
fn bytes_of<'a>(data: &Arc<[u8]>, section: &impl ObjectSection<'a>) -> Option<Section> {
    match section.uncompressed_data().ok()? {
        Cow::Owned(bytes) => Some(Section::new(bytes.into(), LittleEndian)),
        Cow::Borrowed(bytes) => {
            let begin = section.file_range()?.0 as usize;
            let end = begin.checked_add(bytes.len()).filter(|end| *end <= data.len())?;
            Some(Section::new(Arc::clone(data), LittleEndian).range(begin..end))
        }
    }
}

impl OfFile {
    fn new(file: &File) -> Option<Self> {
        let data = file.debug_data.as_ref().unwrap_or(&file.data);
        let elf = object::File::parse(&**data).ok()?;
        elf.section_by_name(".debug_line")?;
        let dwarf = Dwarf::load(|section| -> Result<Section, gimli::Error> {
            let found = elf.section_by_name(section.name()).and_then(|one| bytes_of(data, &one));
            Ok(found.unwrap_or_else(|| Section::new(Arc::from([]), LittleEndian)))
        });
        let dwarf = Arc::new(dwarf.ok()?);
        let context = Context::from_arc_dwarf(Arc::clone(&dwarf)).ok()?;
        Some(Self { load_address: file.load_address, context, dwarf, declared: None })
    }

    /// The functions at an address, from the innermost; none where nothing is known.
    fn frames(&self, address: u64) -> Option<Vec<Frame>> {
        let inside = address.wrapping_sub(self.load_address);
        let mut frames = self.context.find_frames(inside).skip_all_loads().ok()?;
        let mut found = Vec::new();
        while let Ok(Some(frame)) = frames.next() {
            let name = frame.function.and_then(|name| Some(name.raw_name().ok()?.into_owned()));
            let place =
                frame.location.and_then(|place| Some((place.file?.to_owned(), place.line?)));
            found.push(Frame { name, place });
        }
        Some(found)
    }
}
