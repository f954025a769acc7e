//! Program files in an address space.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracewright_sim::code::{Branch, ChangingCode, Code, Instruction};
use tracewright_sim::event::{Kind, Machine};
use tracewright_sim::rvfi::Extensions;

use crate::changes::{Changes, Version};
use crate::debug_file::DebugFile;
use crate::elf::Elf;
use crate::error::Error;
use crate::file_bytes::{self, Bytes};
use crate::instruction_set::InstructionSet;
use crate::kernel_helpers;
use crate::overlay::Owner;
use crate::pages::with_neighbours;
use crate::riscv;
use crate::symbols::{Symbol, Symbols};
use crate::thread_code::{Loaded, ThreadCode, Timeline};

/// One file of an image.
#[derive(Clone)]
pub struct File {
    /// The name of the file.
    pub path: PathBuf,
    /// The load address, which is added to the addresses in the file.
    pub load_address: u64,
    /// The contents of the file.
    pub data: Arc<[u8]>,
    /// The contents of the file with its debugging information, if that is another one.
    pub debug_data: Option<Arc<[u8]>>,
    symbols: Symbols,
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:#x}", self.path.display(), self.load_address)
    }
}

/// The code of a program: an executable, and the libraries that were loaded with it.
#[derive(Clone, Debug)]
pub struct Image {
    instruction_set: InstructionSet,
    entry: u64,
    alignment: u8,
    /// Where the table of jumps is whose jumps are direct ones.
    jump_table: Option<u64>,
    files: Vec<File>,
    /// Segments, sorted by address.
    segments: Vec<Segment>,
    /// What becomes of them while the program runs.
    timeline: Option<Arc<Timeline>>,
}

#[derive(Clone)]
pub(crate) struct Segment {
    pub range: Range<u64>,
    pub bytes: Bytes,
    pub file: usize,
}

impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}..{:#x} of file {}", self.range.start, self.range.end, self.file)
    }
}

impl Image {
    /// The program in an ELF file, `load_address` added to the addresses in it: 0 but for a position-independent one.
    ///
    /// # Errors
    /// When the file cannot be read, is no ELF file, is truncated, or has no code for a known processor.
    pub fn open(path: &Path, load_address: u64) -> Result<Image, Error> {
        let (elf, data) = read(path)?;
        let mut image = Image {
            instruction_set: elf.instruction_set,
            entry: elf.entry.wrapping_add(load_address),
            alignment: elf.alignment,
            jump_table: None,
            files: Vec::new(),
            segments: Vec::new(),
            timeline: None,
        };
        image.load(path, load_address, elf, data)?;
        Ok(image)
    }

    /// Loads one more file: a shared library, or, if its name ends with `.bin`, bytes of code that begin at the address,
    /// such as a boot ROM.
    ///
    /// # Errors
    /// Those of [`open`](Self::open), and when the file does not match the files before it.
    pub fn add(&mut self, path: &Path, load_address: u64) -> Result<(), Error> {
        let (elf, data) = self.read_another(path)?;
        self.add_extensions(elf.instruction_set.extensions());
        self.load(path, load_address, elf, data)
    }

    /// Takes the code as that of a processor with these extensions too, which files without attributes do not say.
    pub fn add_extensions(&mut self, extensions: Extensions) {
        self.instruction_set = self.instruction_set.with(extensions);
    }

    /// Takes jumps by the table at this address (Zcmt) as direct ones to what it says there, as N-Trace has them.
    ///
    /// # Errors
    /// When no file has code there.
    pub fn set_jump_table(&mut self, address: u64) -> Result<(), Error> {
        if self.bytes_at(address).is_none() {
            return Err(Error::JumpTable { address });
        }
        self.jump_table = Some(address);
        Ok(())
    }

    /// The instruction with these bytes, with its target if it is a jump by the table.
    pub(crate) fn with_table(&self, instruction: Instruction, bytes: &[u8]) -> Instruction {
        let target = self.jump_table.and_then(|table| {
            let index = riscv::table_index(self.instruction_set.extensions(), bytes)?;
            let width = u64::from(self.instruction_set.address_bits()) / 8;
            let entry = self.bytes_at(self.wrap(table.wrapping_add(index * width)))?;
            let entry = entry.get(..width as usize)?;
            Some(entry.iter().rev().fold(0, |target, byte| target << 8 | u64::from(*byte)) & !1)
        });
        let (Some(target), Some(branch)) = (target, instruction.branch) else { return instruction };
        let branch = Some(Branch { kind: Kind::DirectJump, target, ..branch });
        Instruction { branch, ..instruction }
    }

    /// Follows changes of the code while the program runs.
    ///
    /// # Errors
    /// When a file that is loaded later cannot be read or does not match the files before it.
    pub fn follow(&mut self, changes: Changes) -> Result<(), Error> {
        let mut versions = Vec::new();
        for version in changes.versions {
            versions.push(match version {
                Version::Bytes { address, bytes, is_patch } => {
                    Loaded::Bytes { address: self.wrap(address), bytes, is_patch }
                }
                Version::File { path, load_address } => {
                    Loaded::Segments(self.later_segments(&path, load_address)?)
                }
            });
        }
        self.timeline = Some(Arc::new(Timeline::new(versions, changes.threads)));
        Ok(())
    }

    /// The segments of a file that is loaded while the program runs, maybe again.
    fn later_segments(&mut self, path: &Path, load_address: u64) -> Result<Vec<Segment>, Error> {
        let is_same = |file: &File| file.path == path && file.load_address == load_address;
        if let Some(file) = self.files.iter().position(is_same) {
            let known: Vec<Segment> =
                self.segments.iter().filter(|segment| segment.file == file).cloned().collect();
            if !known.is_empty() {
                return Ok(known);
            }
        }
        let (elf, data) = self.read_another(path)?;
        self.add_extensions(elf.instruction_set.extensions());
        let (segments, symbols) = self.place(path, load_address, elf, &data)?;
        self.files.push(File { path: path.into(), load_address, data, debug_data: None, symbols });
        Ok(segments)
    }

    /// Takes names and lines of source from the files with debugging information in a folder such as `/usr/lib/debug`,
    /// which are found by the build identifiers of the program's files.
    pub fn add_debug_files(&mut self, folder: &Path) {
        let is_32_bit = self.instruction_set.address_bits() == 32;
        for file in &mut self.files {
            let Some(found) = DebugFile::find(&file.data, folder) else { continue };
            let more = found.symbols.into_iter().map(|mut symbol| {
                let address = symbol.address.wrapping_add(file.load_address);
                symbol.address = if is_32_bit { address & 0xffff_ffff } else { address };
                symbol
            });
            let symbols = more.chain(file.symbols.all().iter().cloned()).collect();
            file.symbols = Symbols::new(symbols);
            file.debug_data = Some(found.data);
        }
    }

    fn read_another(&self, path: &Path) -> Result<(Elf, Arc<[u8]>), Error> {
        if is_raw(path) {
            let data = file_bytes::read(path);
            let data = data.map_err(|source| Error::Read { path: path.into(), source })?;
            return Ok((Elf::raw(self.instruction_set, self.alignment, data.len()), data));
        }
        let (elf, data) = read(path)?;
        if !elf.instruction_set.is_of_one_program(self.instruction_set) {
            return Err(Error::Mixed {
                path: path.into(),
                found: elf.instruction_set,
                first: self.files[0].path.clone(),
                expected: self.instruction_set,
            });
        }
        Ok((elf, data))
    }

    /// The segments and the functions of the next file, at their addresses.
    fn place(
        &self,
        path: &Path,
        load_address: u64,
        elf: Elf,
        data: &Arc<[u8]>,
    ) -> Result<(Vec<Segment>, Symbols), Error> {
        let file = self.files.len();
        let mut segments = Vec::new();
        for segment in elf.segments {
            let start = self.wrap(segment.address.wrapping_add(load_address));
            // The last address has code too.
            let most = self.wrap(u64::MAX).saturating_add(1);
            let bytes = Bytes::new(data, segment.place);
            let end = start.checked_add(bytes.len() as u64).filter(|end| *end <= most);
            let end = end.ok_or_else(|| Error::Address { path: path.into(), address: start })?;
            if start != end {
                segments.push(Segment { range: start..end, bytes, file });
            }
        }
        let symbols = elf.symbols.into_iter().map(|mut symbol| {
            symbol.address = self.wrap(symbol.address.wrapping_add(load_address));
            symbol
        });
        Ok((segments, Symbols::new(symbols.collect())))
    }

    fn load(
        &mut self,
        path: &Path,
        load_address: u64,
        elf: Elf,
        data: Arc<[u8]>,
    ) -> Result<(), Error> {
        let (segments, symbols) = self.place(path, load_address, elf, &data)?;
        for mut segment in segments {
            if is_raw(path) {
                let is_page =
                    |file: usize| self.files.get(file).is_none_or(|one| is_raw(&one.path));
                segment = with_neighbours(&mut self.segments, segment, is_page);
            }
            let Range { start, end } = segment.range;
            let place = self.segments.partition_point(|other| other.range.end <= start);
            if let Some(other) = self.segments.get(place).filter(|other| other.range.start < end) {
                let other_path = self.files.get(other.file).map_or(path, |file| &file.path);
                return Err(Error::Overlap {
                    path: path.into(),
                    other: other_path.into(),
                    address: other.range.start.max(start),
                });
            }
            self.segments.insert(place, segment);
        }
        self.files.push(File { path: path.into(), load_address, data, debug_data: None, symbols });
        Ok(())
    }

    /// Truncates an address to the processor's address width.
    fn wrap(&self, address: u64) -> u64 {
        if self.instruction_set.address_bits() == 32 { address & 0xffff_ffff } else { address }
    }

    /// The instruction set of the code.
    pub fn instruction_set(&self) -> InstructionSet {
        self.instruction_set
    }

    /// The processor as the first file describes it.
    ///
    /// The machine of a trace takes precedence: A32 code may call Thumb code, which has another alignment.
    pub fn machine(&self) -> Machine {
        Machine {
            isa: self.instruction_set.isa(),
            alignment: self.alignment,
            address_bits: self.instruction_set.address_bits(),
        }
    }

    /// The entry point of the first file; in ARM code bit 0 is 1 for Thumb.
    pub fn entry(&self) -> u64 {
        self.wrap(self.entry)
    }

    /// The files, the executable first.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The segment with the byte at an address, before any change.
    pub(crate) fn segment(&self, byte_address: u64) -> Option<&Segment> {
        let next = self.segments.partition_point(|segment| segment.range.start <= byte_address);
        self.segments[..next].last().filter(|segment| byte_address < segment.range.end)
    }

    /// The file with code at this address.
    pub fn file_at(&self, address: u64) -> Option<&File> {
        let segment = self.segment(self.instruction_set.byte_address(address))?;
        Some(&self.files[segment.file])
    }

    /// The function that the instruction at `address` belongs to.
    pub fn function_at(&self, address: u64) -> Option<&Symbol> {
        let address = self.instruction_set.byte_address(address);
        let segment = self.segment(address)?;
        self.files[segment.file].symbols.at(address)
    }

    /// The function of a file, by its number in [`files`](Self::files), that the instruction at `address` belongs to.
    pub fn function_in(&self, file: u32, address: u64) -> Option<&Symbol> {
        let address = self.instruction_set.byte_address(address);
        self.files.get(file as usize)?.symbols.at(address)
    }

    /// The number of the file with code at this address.
    pub fn owner_at(&self, address: u64) -> Owner {
        let segment = self.segment(self.instruction_set.byte_address(address))?;
        Some(segment.file as u32)
    }

    /// Every function, file by file, in the order of addresses.
    pub fn functions(&self) -> impl Iterator<Item = &Symbol> {
        self.files.iter().flat_map(|file| file.symbols.all())
    }

    /// The bytes right before `address` on which its instruction may depend, as far as its segment has them.
    pub fn bytes_before(&self, address: u64) -> &[u8] {
        let address = self.instruction_set.byte_address(address);
        let Some(segment) = self.segment(address) else { return &[] };
        let offset = (address - segment.range.start) as usize;
        &segment.bytes[offset.saturating_sub(InstructionSet::BEFORE)..offset]
    }

    /// The bytes from `address` to the end of its segment.
    pub fn bytes_at(&self, address: u64) -> Option<&[u8]> {
        let address = self.instruction_set.byte_address(address);
        let segment = self.segment(address)?;
        Some(&segment.bytes[(address - segment.range.start) as usize..])
    }
}

/// True if a file has bytes of code and nothing that describes them.
fn is_raw(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bin"))
}

fn read(path: &Path) -> Result<(Elf, Arc<[u8]>), Error> {
    let data = file_bytes::read(path);
    let data = data.map_err(|source| Error::Read { path: path.into(), source })?;
    Ok((Elf::read(path, &data)?, data))
}

impl Code for Image {
    fn regions(&self) -> Vec<Range<u64>> {
        let files = self.segments.iter().map(|segment| segment.range.clone());
        let mut regions: Vec<_> = files.collect();
        // A file with code at the addresses of the helpers has its own helpers.
        if let Some(range) = kernel_helpers::range(self.instruction_set)
            && regions.last().is_none_or(|last| last.end <= range.start)
        {
            regions.push(range);
        }
        regions
    }

    fn changing(self: Arc<Self>, thread: u8) -> Option<Box<dyn ChangingCode>> {
        let timeline = Arc::clone(self.timeline.as_ref()?);
        Some(Box::new(ThreadCode::new(self, timeline, thread)))
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        let byte_address = self.instruction_set.byte_address(address);
        let Some(segment) = self.segment(byte_address) else {
            return kernel_helpers::instruction(self.instruction_set, address);
        };
        let offset = (byte_address - segment.range.start) as usize;
        let before = &segment.bytes[offset.saturating_sub(InstructionSet::BEFORE)..offset];
        let bytes = &segment.bytes[offset..];
        let instruction = self.instruction_set.instruction(address, before, bytes)?;
        Some(self.with_table(instruction, bytes))
    }
}
