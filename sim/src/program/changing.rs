//! A program whose code changes while it runs.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{Block, BlockIndex, Place};
use crate::code::{ChangingCode, Code};

/// Every block of every version of the code that a decoder has reached.
#[derive(Clone, Debug)]
pub(super) struct Changing {
    code: Arc<dyn Code>,
    entry: Option<u64>,
    blocks: boxcar::Vec<Version>,
    index: Arc<Mutex<Index>>,
}

/// A block of one version of the code.
#[derive(Clone, Debug)]
struct Version {
    block: Block,
    start: u64,
    /// The lengths of its instructions.
    lengths: Box<[u8]>,
    bytes: Box<[u8]>,
    /// True if the code never changes there.
    is_fixed: bool,
}

#[derive(Debug, Default)]
struct Index {
    /// The block that was last found at an address.
    latest: FxHashMap<u64, u32>,
    /// Blocks by address and code.
    all: FxHashMap<(u64, Box<[u8]>), u32>,
}

impl Changing {
    pub(super) fn new(code: Arc<dyn Code>, entry: Option<u64>) -> Self {
        Self { code, entry, blocks: boxcar::Vec::new(), index: Arc::default() }
    }

    /// The code as a thread finds it first.
    pub(super) fn of_thread(&self, thread: u8) -> Option<Box<dyn ChangingCode>> {
        Arc::clone(&self.code).changing(thread)
    }

    /// The address of a place, by the code that is there now.
    pub(super) fn address(&self, place: Place, code: &dyn ChangingCode) -> Option<u64> {
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
    pub(super) fn block_at(&self, address: u64, code: &dyn ChangingCode) -> Option<BlockIndex> {
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = index.latest.get(&address)
            && let Some(version) = self.blocks.get(*known as usize)
            && (version.is_fixed || version.block.is_complete && code.is(address, &version.bytes))
        {
            return Some(BlockIndex(*known));
        }
        let version = Version::read(address, code);
        let key = (address, version.bytes.clone());
        let known = match index.all.get(&key) {
            Some(known) if version.block.is_complete => *known,
            _ => {
                let fresh = u32::try_from(self.blocks.push(version)).ok()?;
                index.all.insert(key, fresh);
                fresh
            }
        };
        index.latest.insert(address, known);
        Some(BlockIndex(known))
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

    /// How many blocks there could be.
    pub(super) fn most_blocks(&self) -> usize {
        let fixed = self.code.regions().iter().map(|range| range.end - range.start).sum::<u64>();
        let changing = self.of_thread(0).map_or(0, |code| code.size());
        usize::try_from(fixed.saturating_add(changing)).unwrap_or(usize::MAX)
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
            lengths: lengths.into(),
            bytes: code.read(start, size).into(),
            is_fixed: block.is_complete && code.is_fixed(start..at),
        }
    }
}
