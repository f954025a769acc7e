//! A program that is read from its code, block by block as a decoder gets there.

use std::sync::{Arc, OnceLock};

use super::{Block, BlockIndex, NONE, Place, TooMuchCode};
use crate::code::Code;
use crate::event::{Kind, Machine};

/// Places for which there is room or none; most code of a large program never runs.
const CHUNK_PLACES: usize = 64;

/// Instructions of a straight run between two blocks that are kept of it, so that a long run is not read again from each
/// address where a block starts.
const CHECKPOINT: u64 = 256;

type Chunk = Box<[OnceLock<Block>]>;

/// Blocks by the address where they start.
#[derive(Clone, Debug)]
pub(super) struct Coded {
    code: Arc<dyn Code>,
    regions: Vec<Region>,
    alignment: u8,
    entry: Option<u64>,
    chunks: Arc<[OnceLock<Chunk>]>,
}

/// Addresses that have consecutive places.
#[derive(Clone, Copy, Debug)]
struct Region {
    start: u64,
    end: u64,
    first: u32,
}

impl Coded {
    pub(super) fn new(
        machine: Machine,
        code: Arc<dyn Code>,
        entry: Option<u64>,
    ) -> Result<Coded, TooMuchCode> {
        let mut places = 0u64;
        let mut regions = Vec::new();
        for range in code.regions() {
            let first = u32::try_from(places).map_err(|_| TooMuchCode)?;
            regions.push(Region { start: range.start, end: range.end, first });
            places =
                places.saturating_add((range.end - range.start).div_ceil(1 << machine.alignment));
        }
        if places >= u64::from(NONE) {
            return Err(TooMuchCode);
        }
        let chunks = (places as usize).div_ceil(CHUNK_PLACES);
        let chunks = (0..chunks).map(|_| OnceLock::new()).collect();
        Ok(Coded { code, regions, alignment: machine.alignment, entry, chunks })
    }

    /// The place of a block at `address`.
    #[inline]
    fn place(&self, address: u64) -> Option<u32> {
        let next = self.regions.partition_point(|region| region.start <= address);
        let region = self.regions[..next].last()?;
        let offset = address - region.start;
        let aligned = offset & ((1 << self.alignment) - 1) == 0;
        (address < region.end && aligned).then(|| region.first + (offset >> self.alignment) as u32)
    }

    fn address(&self, place: u32) -> u64 {
        let next = self.regions.partition_point(|region| region.first <= place);
        let region = &self.regions[next - 1];
        region.start + (u64::from(place - region.first) << self.alignment)
    }

    #[inline]
    pub(super) fn block_at(&self, place: Place) -> Option<BlockIndex> {
        self.place(self.address_of(place)?).map(BlockIndex)
    }

    #[inline]
    pub(super) fn address_of(&self, place: Place) -> Option<u64> {
        match place {
            Place::Start(0) => self.entry,
            Place::Start(_) => None,
            Place::At(address) => Some(address),
            Place::After(address) => {
                Some(address.wrapping_add(self.code.instruction(address)?.length.into()))
            }
        }
    }

    #[inline]
    pub(super) fn block(&self, index: BlockIndex) -> &Block {
        match self.known(index.0) {
            Some(block) => block,
            None => self.read(index.0),
        }
    }

    /// The cell of the block at a place.
    fn cell(&self, place: u32) -> &OnceLock<Block> {
        let (chunk, place) = (place as usize / CHUNK_PLACES, place as usize % CHUNK_PLACES);
        let room = || (0..CHUNK_PLACES).map(|_| OnceLock::new()).collect();
        &self.chunks[chunk].get_or_init(room)[place]
    }

    /// The block at a place, if it has been read.
    #[inline]
    fn known(&self, place: u32) -> Option<&Block> {
        let (chunk, place) = (place as usize / CHUNK_PLACES, place as usize % CHUNK_PLACES);
        self.chunks[chunk].get()?[place].get()
    }

    /// Reads the block that starts at a place, and some that start later in it.
    #[cold]
    fn read(&self, place: u32) -> &Block {
        let mut passed = Vec::new();
        let block = self.follow(self.address(place), &mut passed);
        for (place, before) in passed {
            // Another thread may have read the same.
            let rest = Block { instructions: block.instructions - before, ..block };
            let _ = self.cell(place).set(rest);
        }
        self.cell(place).get_or_init(|| block)
    }

    /// Follows a straight run from `address` to its end, or to a block that is known. Adds places in it to `passed`, with
    /// the number of instructions before each.
    fn follow(&self, address: u64, passed: &mut Vec<(u32, u64)>) -> Block {
        let mut program_counter = address;
        let mut instructions = 0;
        // Code that goes around the end of the address space has no end; it has no block either.
        while let Some(instruction) = self.code.instruction(program_counter) {
            let place = self.place(program_counter);
            if let Some(rest) = place.and_then(|place| self.known(place)) {
                return Block { instructions: instructions + rest.instructions, ..*rest };
            }
            if instructions > 0 && instructions % CHECKPOINT == 0 {
                passed.extend(place.map(|place| (place, instructions)));
            }
            instructions += 1;
            let next = program_counter.wrapping_add(instruction.length.into());
            if let Some(branch) = instruction.branch {
                let is_direct = matches!(branch.kind, Kind::DirectJump | Kind::DirectConditional);
                let taken = is_direct.then(|| self.place(branch.target)).flatten();
                return Block {
                    taken: taken.unwrap_or(NONE),
                    fall_through: self.place(next).unwrap_or(NONE),
                    ..Block::ending_in(branch, instructions, program_counter, instruction.length)
                };
            }
            if next < program_counter {
                break;
            }
            program_counter = next;
        }
        Block::incomplete(instructions)
    }

    pub(super) fn point(&self, index: BlockIndex, count: u64) -> Option<u64> {
        if count == 0 || count > self.block(index).instructions {
            return None;
        }
        let mut program_counter = self.address(index.0);
        for _ in 1..count {
            let length = self.code.instruction(program_counter)?.length;
            program_counter = program_counter.wrapping_add(length.into());
        }
        Some(program_counter)
    }

    /// Instructions of a block up to the first after so many with an address and a length that are sought.
    pub(super) fn count_where(
        &self,
        index: BlockIndex,
        before: u64,
        is_sought: impl Fn(u64, u8) -> bool,
    ) -> Option<u64> {
        let mut program_counter = self.address(index.0);
        for count in 1..=self.block(index).instructions {
            let length = self.code.instruction(program_counter)?.length;
            if count > before && is_sought(program_counter, length) {
                return Some(count);
            }
            program_counter = program_counter.wrapping_add(length.into());
        }
        None
    }

    pub(super) fn most_blocks(&self) -> usize {
        self.chunks.len() * CHUNK_PLACES
    }

    pub(super) fn length(&self, program_counter: u64) -> Option<u8> {
        Some(self.code.instruction(program_counter)?.length)
    }

    pub(super) fn call_length(&self, program_counter: u64) -> Option<u8> {
        let instruction = self.code.instruction(program_counter)?;
        instruction.branch.filter(|branch| branch.call).map(|_| instruction.length)
    }
}
