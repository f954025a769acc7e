//! Memory that knows which of its lines have been touched.

use std::ops::{Range, RangeInclusive};

use crate::error::Error;

/// Lines a page, which is what one word has bits for.
const PAGE_LINES: u32 = 64;

/// The bytes that a line may have, all powers of two between these: an aligned access is within one line.
pub const LINE_BYTES: RangeInclusive<u32> = 8..=4096;

/// Addresses end here: a working set is of a program in the lowest 4 GiB.
pub const END: u64 = 1 << 32;

/// What is beyond the lines that have been touched.
pub trait Beyond {
    /// The contents of a line that is touched for the first time.
    ///
    /// # Errors
    /// When there is no such memory, or what it holds is not known.
    fn first_touch(&mut self, address: u64, line: &mut [u8]) -> Result<(), Box<Error>>;
}

/// Memory of the lines that have been touched. Whatever else a program comes to is asked of a
/// [`Beyond`].
#[derive(Clone, Debug)]
pub struct Lines {
    line_shift: u32,
    page_shift: u32,
    /// Where the page with this number is in `pages`; 0, which has no line, for none.
    table: Vec<u32>,
    pages: Vec<Page>,
    bytes: Vec<u8>,
    /// Addresses whose accesses are the devices'.
    devices: Vec<Range<u64>>,
}

/// A bit for every line.
#[derive(Clone, Copy, Debug, Default)]
struct Page {
    /// It has been touched.
    present: u64,
    /// It may be read with no more ado: it is present and no device has addresses of it.
    readable: u64,
    /// It may be written to with no more ado: it is readable and no code of it has been decoded.
    plain: u64,
}

/// A store to memory that code was fetched from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeWritten(pub bool);

impl Lines {
    /// Memory no line of which has been touched. Devices hide the memory of their addresses.
    ///
    /// # Panics
    /// If `line_bytes` is not a power of two in [`LINE_BYTES`].
    pub fn new(line_bytes: u32, devices: impl IntoIterator<Item = Range<u64>>) -> Lines {
        assert!(line_bytes.is_power_of_two() && LINE_BYTES.contains(&line_bytes));
        let line_shift = line_bytes.trailing_zeros();
        let page_shift = line_shift + PAGE_LINES.trailing_zeros();
        Lines {
            line_shift,
            page_shift,
            table: vec![0; (END >> page_shift) as usize],
            pages: vec![Page::default()],
            bytes: vec![0; 1 << page_shift],
            devices: devices.into_iter().collect(),
        }
    }

    /// Bytes of a line.
    pub fn line_bytes(&self) -> u32 {
        1 << self.line_shift
    }

    /// Bytes that a copy takes.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len() + size_of_val(self.table.as_slice()) + size_of_val(self.pages.as_slice())
    }

    /// True if other memory has the same contents, where one is a later state of the other.
    pub(crate) fn same(&self, other: &Lines) -> bool {
        self.bytes == other.bytes
    }

    /// The page of an address, and its place in the page.
    #[inline(always)]
    fn place(&self, address: u64) -> (usize, usize) {
        let number = (address >> self.page_shift) as usize;
        let page = self.table.get(number).map_or(0, |page| *page as usize);
        (page, address as usize & ((1 << self.page_shift) - 1))
    }

    /// True if all of these bytes are in one line.
    #[inline(always)]
    fn in_one_line(&self, offset: usize, bytes: usize) -> bool {
        (offset & ((1 << self.line_shift) - 1)) + bytes <= 1 << self.line_shift
    }

    /// The bytes at an address, if their line is one, and present.
    #[inline(always)]
    pub fn read<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let (page, offset) = self.place(address);
        let readable = self.pages[page].readable >> (offset >> self.line_shift) & 1 == 1;
        if !(readable && self.in_one_line(offset, N)) {
            return None;
        }
        self.bytes.get((page << self.page_shift) + offset..)?.first_chunk().copied()
    }

    /// The byte at an address, if its line is present and no device has the address.
    pub(crate) fn byte(&self, address: u64) -> Option<u8> {
        let (page, offset) = self.place(address);
        let is_present = self.pages[page].present >> (offset >> self.line_shift) & 1 == 1;
        let is_memory = !self.devices.iter().any(|device| device.contains(&address));
        (is_present && is_memory).then(|| self.bytes[(page << self.page_shift) + offset])
    }

    /// Writes bytes, if their line is one and plain; else nothing.
    #[inline(always)]
    pub fn write<const N: usize>(&mut self, address: u64, bytes: [u8; N]) -> Option<()> {
        let (page, offset) = self.place(address);
        let plain = self.pages[page].plain >> (offset >> self.line_shift) & 1 == 1;
        if !(plain && self.in_one_line(offset, N)) {
            return None;
        }
        *self.bytes.get_mut((page << self.page_shift) + offset..)?.first_chunk_mut()? = bytes;
        Some(())
    }

    /// Makes the line of an address present.
    ///
    /// # Errors
    /// Those of `beyond`.
    ///
    /// # Panics
    /// If the address is not below [`END`].
    pub fn touch(&mut self, address: u64, beyond: &mut dyn Beyond) -> Result<(), Box<Error>> {
        let number = (address >> self.page_shift) as usize;
        let (mut page, offset) = self.place(address);
        let line = offset >> self.line_shift;
        if self.pages[page].present >> line & 1 == 1 {
            return Ok(());
        }
        if page == 0 {
            page = self.pages.len();
            self.pages.push(Page::default());
            self.bytes.resize((page + 1) << self.page_shift, 0);
            self.table[number] = page as u32;
        }
        let begin = (page << self.page_shift) + (line << self.line_shift);
        let address = address >> self.line_shift << self.line_shift;
        beyond.first_touch(address, &mut self.bytes[begin..begin + (1 << self.line_shift)])?;
        self.pages[page].present |= 1 << line;
        let end = address + (1 << self.line_shift);
        if !self.devices.iter().any(|device| device.start < end && address < device.end) {
            self.pages[page].readable |= 1 << line;
            self.pages[page].plain |= 1 << line;
        }
        Ok(())
    }

    /// Reads a byte that may not have been touched.
    ///
    /// # Errors
    /// Those of `beyond`.
    pub fn read_byte(&mut self, address: u64, beyond: &mut dyn Beyond) -> Result<u8, Box<Error>> {
        self.touch(address, beyond)?;
        let (page, offset) = self.place(address);
        Ok(self.bytes[(page << self.page_shift) + offset])
    }

    /// Writes a byte that may not have been touched.
    ///
    /// # Errors
    /// Those of `beyond`.
    pub fn write_byte(
        &mut self,
        address: u64,
        byte: u8,
        beyond: &mut dyn Beyond,
    ) -> Result<CodeWritten, Box<Error>> {
        self.touch(address, beyond)?;
        let (page, offset) = self.place(address);
        let line = 1 << (offset >> self.line_shift);
        // What is beside a device may be code each time.
        let was_code = self.pages[page].plain & line == 0;
        self.pages[page].plain |= self.pages[page].readable & line;
        self.bytes[(page << self.page_shift) + offset] = byte;
        Ok(CodeWritten(was_code))
    }

    /// Takes note that code of this line has been decoded.
    pub fn mark_code(&mut self, address: u64) {
        let (page, offset) = self.place(address);
        self.pages[page].plain &= !(1 << (offset >> self.line_shift));
    }
}
