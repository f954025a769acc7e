//! A program whose code changes while it runs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{Block, BlockIndex, Place};
use crate::code::{ChangingCode, Code, CurrentCode, FoundIn};

/// Every block of every version of the code that a decoder has reached.
#[derive(Clone, Debug)]
pub(super) struct Changing {
    code: Arc<dyn Code>,
    entry: Option<u64>,
    /// How many blocks there could be.
    most_blocks: usize,
    blocks: boxcar::Vec<Version>,
    index: Arc<Mutex<Index>>,
}

/// A block of one version of the code.
#[derive(Clone, Debug)]
struct Version {
    block: Block,
    start: u64,
    /// The address after its last instruction.
    end: u64,
    /// The lengths of its instructions.
    lengths: Box<[u8]>,
    bytes: Box<[u8]>,
    /// True if the code never changes there.
    is_fixed: bool,
    /// The block that was last found after it.
    fall_through: Link,
    /// The block that was last found at a target of its last instruction.
    taken: Link,
}

/// A block that was found, and in which state of the code: as one number, because decoders on several threads may share it.
#[derive(Debug, Default)]
struct Link(AtomicU64);

impl Link {
    #[inline]
    fn get(&self) -> (u32, FoundIn) {
        let both = self.0.load(Ordering::Relaxed);
        (both as u32, FoundIn::state((both >> 32) as u32))
    }

    fn set(&self, index: u32, found: FoundIn) {
        self.0.store(u64::from(found.number()) << 32 | u64::from(index), Ordering::Relaxed);
    }
}

impl Clone for Link {
    fn clone(&self) -> Self {
        Self(AtomicU64::new(self.0.load(Ordering::Relaxed)))
    }
}

#[derive(Debug, Default)]
struct Index {
    /// The block that was last found at an address.
    latest: FxHashMap<u64, (u32, FoundIn)>,
    /// Blocks by address and code.
    all: FxHashMap<(u64, Box<[u8]>), u32>,
}

impl Changing {
    pub(super) fn new(code: Arc<dyn Code>, entry: Option<u64>) -> Self {
        let fixed = code.regions().iter().map(|range| range.end - range.start).sum::<u64>();
        let changing = Arc::clone(&code).changing(0).map_or(0, |code| code.size());
        let most_blocks = usize::try_from(fixed.saturating_add(changing)).unwrap_or(usize::MAX);
        Self { code, entry, most_blocks, blocks: boxcar::Vec::new(), index: Arc::default() }
    }

    /// The code as a thread finds it first.
    pub(super) fn of_thread(&self, thread: u8) -> Option<CurrentCode> {
        Arc::clone(&self.code).changing(thread).map(CurrentCode::new)
    }

    /// The address of a place, by the code that is there now.
    pub(super) fn address(&self, place: Place, code: &CurrentCode) -> Option<u64> {
        match place {
            Place::Start(0) => self.entry,
            Place::Start(_) => None,
            Place::At(address) => Some(address),
            Place::After(address) => {
                Some(address.wrapping_add(code.instruction(address)?.length.into()))
            }
        }
    }

    /// The block that starts at an address, in the code that is there now.
    pub(super) fn block_at(&self, address: u64, code: &CurrentCode) -> Option<BlockIndex> {
        Some(BlockIndex(self.find(address, code)?.0))
    }

    /// The block to which another one leads, in the code that is there now.
    #[inline]
    pub(super) fn successor(
        &self,
        from: BlockIndex,
        target: Option<u64>,
        code: &CurrentCode,
    ) -> Option<BlockIndex> {
        let from = &self.blocks[from.0 as usize];
        let (link, address) = match target {
            Some(target) => (&from.taken, target),
            None => (&from.fall_through, from.end),
        };
        let (index, found) = link.get();
        if found.is_in(code.state()) && self.blocks[index as usize].start == address {
            return Some(BlockIndex(index));
        }
        let (index, found) = self.find(address, code)?;
        link.set(index, found);
        Some(BlockIndex(index))
    }

    /// The number of the block that starts at an address, and in which states of the code it is there.
    fn find(&self, address: u64, code: &CurrentCode) -> Option<(u32, FoundIn)> {
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let latest = index.latest.get(&address).copied();
        if let Some(found) = latest.filter(|(_, found)| found.is_in(code.state())) {
            return Some(found);
        }
        let is_there = |known: &u32| {
            let version = self.blocks.get(*known as usize);
            version.is_some_and(|version| {
                version.block.is_complete && code.is(address, &version.bytes)
            })
        };
        let known = match latest.map(|(known, _)| known).filter(is_there) {
            Some(known) => known,
            None => self.number(Version::read(address, &**code), &mut index)?,
        };
        let is_fixed = self.blocks[known as usize].is_fixed;
        let found = if is_fixed { FoundIn::ALL_STATES } else { FoundIn::state(code.state()) };
        index.latest.insert(address, (known, found));
        Some((known, found))
    }

    /// The number of a version of a block, which is the next if the version is new.
    fn number(&self, version: Version, index: &mut Index) -> Option<u32> {
        let key = (version.start, version.bytes.clone());
        if let Some(known) = index.all.get(&key).filter(|_| version.block.is_complete) {
            return Some(*known);
        }
        let fresh = u32::try_from(self.blocks.push(version)).ok()?;
        index.all.insert(key, fresh);
        Some(fresh)
    }

    #[inline]
    pub(super) fn block(&self, index: BlockIndex) -> &Block {
        &self.blocks[index.0 as usize].block
    }

    pub(super) fn point(&self, index: BlockIndex, count: u64) -> Option<u64> {
        let version = &self.blocks[index.0 as usize];
        let last = count.checked_sub(1).filter(|last| *last < version.lengths.len() as u64)?;
        let before = version.lengths[..last as usize].iter().map(|length| u64::from(*length)).sum();
        Some(version.start.wrapping_add(before))
    }

    /// Instructions of a block up to the first after so many with an address and a length that are sought.
    pub(super) fn count_where(
        &self,
        index: BlockIndex,
        before: u64,
        is_sought: impl Fn(u64, u8) -> bool,
    ) -> Option<u64> {
        let version = &self.blocks[index.0 as usize];
        let mut at = version.start;
        let counts = (1..).zip(&version.lengths).find(|(count, length)| {
            let is_there = *count > before && is_sought(at, **length);
            at = at.wrapping_add(u64::from(**length));
            is_there
        });
        counts.map(|(count, _)| count)
    }

    pub(super) fn most_blocks(&self) -> usize {
        self.most_blocks
    }

    /// The length of a call in the code that the program begins with.
    pub(super) fn call_length(&self, program_counter: u64) -> Option<u8> {
        let instruction = self.code.instruction(program_counter)?;
        instruction.branch.filter(|branch| branch.call).map(|_| instruction.length)
    }
}

impl Version {
    #[cold]
    fn read(start: u64, code: &dyn ChangingCode) -> Version {
        let mut lengths = Vec::new();
        let mut at = start;
        let mut end = None;
        while let Some(instruction) = code.instruction(at) {
            lengths.push(instruction.length);
            let next = at.wrapping_add(instruction.length.into());
            if let Some(branch) = instruction.branch {
                end = Some((branch, at, instruction.length));
            }
            if end.is_some() || next < at {
                at = next;
                break;
            }
            at = next;
        }
        let instructions = lengths.len() as u64;
        let block = match end {
            Some((branch, program_counter, length)) => {
                Block::ending_in(branch, instructions, program_counter, length)
            }
            None => Block::incomplete(instructions),
        };
        let size = lengths.iter().map(|length| usize::from(*length)).sum();
        Version {
            block,
            start,
            end: at,
            lengths: lengths.into(),
            bytes: code.read(start, size).into(),
            is_fixed: block.is_complete && code.is_fixed(start..at),
            fall_through: Link::default(),
            taken: Link::default(),
        }
    }
}
