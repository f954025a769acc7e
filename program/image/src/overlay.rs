//! Memory that was written over a program's files.

use rustc_hash::FxHashMap;

/// Bytes of a page.
pub(crate) const PAGE: u64 = 4096;

/// The file that a byte of code is from, by its number; `None` for code of no file.
pub type Owner = Option<u32>;

/// Bytes at some addresses, each with the file that it is from.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    pages: FxHashMap<u64, Box<Page>>,
}

#[derive(Clone, Debug)]
struct Page {
    bytes: [u8; PAGE as usize],
    owners: [u32; PAGE as usize],
}

impl Page {
    #[inline]
    fn get(&self, address: u64) -> Option<(u8, Owner)> {
        let place = (address % PAGE) as usize;
        match self.owners[place] {
            UNWRITTEN => None,
            NO_FILE => Some((self.bytes[place], None)),
            file => Some((self.bytes[place], Some(file))),
        }
    }
}

/// The owner of a byte that was not written.
const UNWRITTEN: u32 = u32::MAX;

/// The owner of a byte of no file.
const NO_FILE: u32 = u32::MAX - 1;

impl Overlay {
    /// Writes one byte.
    pub fn set(&mut self, address: u64, byte: u8, owner: Owner) {
        let fresh =
            || Box::new(Page { bytes: [0; PAGE as usize], owners: [UNWRITTEN; PAGE as usize] });
        let page = self.pages.entry(address / PAGE).or_insert_with(fresh);
        let place = (address % PAGE) as usize;
        page.bytes[place] = byte;
        page.owners[place] = owner.unwrap_or(NO_FILE);
    }

    /// Writes bytes, up to the last address.
    pub fn write(&mut self, address: u64, bytes: &[u8], owner: Owner) {
        for (address, byte) in (address..=u64::MAX).zip(bytes) {
            self.set(address, *byte, owner);
        }
    }

    /// The byte at an address that was written, and its file.
    #[inline]
    pub fn get(&self, address: u64) -> Option<(u8, Owner)> {
        self.pages.get(&(address / PAGE))?.get(address)
    }

    /// Replaces those of the bytes from `address` on that were written.
    pub(crate) fn lay_over(&self, address: u64, bytes: &mut [Option<u8>]) {
        let mut page = self.pages.get(&(address / PAGE));
        for (address, byte) in (address..=u64::MAX).zip(bytes) {
            if address.is_multiple_of(PAGE) {
                page = self.pages.get(&(address / PAGE));
            }
            if let Some((written, _)) = page.and_then(|page| page.get(address)) {
                *byte = Some(written);
            }
        }
    }

    /// True if a byte in a range was written.
    pub fn is_written(&self, range: std::ops::Range<u64>) -> bool {
        let pages = range.start / PAGE..=range.end.saturating_sub(1) / PAGE;
        let known = pages.filter(|page| self.pages.contains_key(page));
        let mut addresses = known.flat_map(|page| (0..PAGE).map(move |at| page * PAGE + at));
        addresses.any(|address| range.contains(&address) && self.get(address).is_some())
    }

    /// Everything that was written, as ranges without gaps in the order of addresses.
    pub fn ranges(&self) -> Vec<(u64, Vec<u8>)> {
        let mut numbers: Vec<u64> = self.pages.keys().copied().collect();
        numbers.sort_unstable();
        let mut ranges: Vec<(u64, Vec<u8>)> = Vec::new();
        for address in
            numbers.into_iter().flat_map(|page| (0..PAGE).map(move |at| page * PAGE + at))
        {
            let Some((byte, _)) = self.get(address) else { continue };
            match ranges.last_mut() {
                Some((start, bytes)) if start.wrapping_add(bytes.len() as u64) == address => {
                    bytes.push(byte);
                }
                _ => ranges.push((address, vec![byte])),
            }
        }
        ranges
    }
}
