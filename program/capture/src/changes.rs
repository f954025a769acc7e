//! Notes which code each thread found where, and since when.
//!
//! A decoder begins with the code that ran first at each address ([`Images`]). Most code stays as it is; what matters
//! are the *contested* pages, in which some block is not what the decoder would find: code that was written again,
//! or another file that was loaded there. When a thread enters a block in such a page, the block is compared with
//! what the decoder has for that thread, and a difference is a change at the thread's next event.

use rustc_hash::{FxHashMap, FxHashSet};
use tracewright_capture_plugin::wire::BlockDefinition;
use tracewright_image::Overlay;
use tracewright_image::changes::{Change, Changes, Version};

use crate::images::{CodeRange, Images, LoadedImage, Origin};

const PAGE: u64 = 4096;

/// The code that ran.
#[derive(Debug, Default)]
pub(crate) struct CodeHistory {
    pub images: Images,
    blocks: Vec<BlockCode>,
    contested: FxHashSet<u64>,
    /// The blocks in each page that is not contested.
    by_page: FxHashMap<u64, Vec<u32>>,
    threads: Vec<ThreadMemory>,
    changes: Changes,
    /// The indices of versions in `changes`.
    versions: FxHashMap<Source, u32>,
}

/// What a version consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Source {
    File(u32),
    Block(u32),
}

#[derive(Debug)]
struct BlockCode {
    address: u64,
    bytes: Box<[u8]>,
    origin: Origin,
}

/// What a decoder has for a thread.
#[derive(Clone, Debug, Default)]
struct ThreadMemory {
    changed: Overlay,
    /// Number of changes so far.
    count: u32,
    /// For each block, one more than the number of changes when it was last found to be there.
    checked: Vec<u32>,
}

impl CodeHistory {
    /// Adds a block, whose number is the next. Calls `contest` with the numbers of blocks, this one included, that are
    /// from now on to be passed to [`enter`](Self::enter).
    pub(crate) fn add(
        &mut self,
        address: u64,
        definition: &BlockDefinition,
        mut contest: impl FnMut(u32),
    ) {
        let number = self.blocks.len() as u32;
        let bytes: Box<[u8]> = definition.bytes.as_slice().into();
        let origin = self.images.origin(definition.image, address, &bytes);
        let pages = pages(address, bytes.len());
        self.blocks.push(BlockCode { address, bytes, origin });
        if !origin.is_first {
            pages.clone().for_each(|page| self.contest(page, &mut contest));
        }
        if let Some(file) = origin.file.filter(|_| !origin.is_first_file) {
            let ranges: Vec<_> =
                self.images.code(file).iter().map(|(at, code)| (*at, code.len())).collect();
            for (address, length) in ranges {
                self::pages(address, length).for_each(|page| self.contest(page, &mut contest));
            }
        }
        if pages.clone().any(|page| self.contested.contains(&page)) {
            contest(number);
        }
        for page in pages.filter(|page| !self.contested.contains(page)) {
            self.by_page.entry(page).or_default().push(number);
        }
    }

    fn contest(&mut self, page: u64, contest: &mut impl FnMut(u32)) {
        if self.contested.insert(page) {
            self.by_page.remove(&page).into_iter().flatten().for_each(contest);
        }
    }

    /// Notes that a thread enters a block in a contested page; `event` is the number of the thread's next event.
    pub(crate) fn enter(&mut self, thread: u8, number: u32, event: u64) {
        let place = usize::from(thread);
        if place >= self.threads.len() {
            self.threads.resize(place + 1, ThreadMemory::default());
        }
        let memory = &mut self.threads[place];
        let index = number as usize;
        if memory.checked.len() <= index {
            memory.checked.resize(self.blocks.len(), 0);
        }
        if memory.checked[index] == memory.count + 1 {
            return;
        }
        let block = &self.blocks[index];
        if let (Some(file), (false, _)) = (block.origin.file, memory.has(block)) {
            for (address, code) in self.images.code(file) {
                memory.changed.write(*address, code, Some(file));
            }
            self.change(thread, event, Source::File(file));
        }
        let memory = &mut self.threads[place];
        let block = &self.blocks[index];
        if memory.has(block) != (true, true) {
            memory.changed.write(block.address, &block.bytes, block.origin.file);
            self.change(thread, event, Source::Block(number));
        }
        let memory = &mut self.threads[place];
        memory.checked[index] = memory.count + 1;
    }

    fn change(&mut self, thread: u8, event: u64, source: Source) {
        let fresh = self.changes.versions.len() as u32;
        let version = *self.versions.entry(source).or_insert(fresh);
        if version == fresh {
            self.changes.versions.push(match source {
                Source::File(file) => {
                    let LoadedImage { path, load_address } = self.images.file(file).clone();
                    Version::File { path, load_address }
                }
                Source::Block(number) => {
                    let BlockCode { address, bytes, origin } = &self.blocks[number as usize];
                    let is_patch = origin.file.is_some();
                    Version::Bytes { address: *address, bytes: bytes.to_vec(), is_patch }
                }
            });
        }
        self.changes.add(thread, Change { event, version });
        self.threads[usize::from(thread)].count += 1;
    }

    /// The files and the code of no file that a decoder begins with, and the changes.
    pub(crate) fn finish(self) -> (Vec<LoadedImage>, Vec<CodeRange>, Changes) {
        let (images, loose) = self.images.finish();
        (images, loose, self.changes)
    }
}

impl ThreadMemory {
    /// Whether the decoder has code of the block's file at its addresses, and whether it has the block's bytes.
    fn has(&self, block: &BlockCode) -> (bool, bool) {
        let BlockCode { address, bytes, origin } = block;
        let (mut is_file, mut is_same) = (true, true);
        for (address, byte) in (*address..=u64::MAX).zip(bytes) {
            let (same_file, same) = match self.changed.get(address) {
                Some((found, owner)) => {
                    (owner == origin.file, found == *byte && owner == origin.file)
                }
                None => (origin.is_first_file, origin.is_first),
            };
            is_file &= same_file;
            is_same &= same;
        }
        (is_file, is_same)
    }
}

/// The pages of some bytes.
fn pages(address: u64, length: usize) -> std::ops::RangeInclusive<u64> {
    let last = address.saturating_add((length as u64).saturating_sub(1));
    address / PAGE..=last / PAGE
}
