//! Blocks, which are straight runs of instructions, each read from the code once.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tracewright_image::Owner;
use tracewright_sim::code::{Branch, Code, CurrentCode, Instruction};

use crate::checkpoints::Checkpoints;
use crate::versions::{Own, Versions};

/// The instructions from an address to the first one that can change the flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Address of the first instruction.
    pub start: u64,
    /// Instructions, the last one included.
    pub instructions: u64,
    /// Address of the last one; `start` of a block without instructions.
    pub program_counter: u64,
    /// Address after the last one.
    pub next: u64,
    /// The kind of the last one; `None` if the code ends without a control-flow instruction.
    pub branch: Option<Branch>,
    /// The number of the program that it is of.
    pub program: usize,
    /// The known successors, which then need no look-up.
    fall_through: Option<BlockIndex>,
    jump: Option<(u64, BlockIndex)>,
}

impl Block {
    /// Reads the block that starts at an address.
    pub(crate) fn read(
        program: usize,
        start: u64,
        mut instruction: impl FnMut(u64) -> Option<Instruction>,
    ) -> Block {
        let mut block = Block {
            start,
            instructions: 0,
            program_counter: start,
            next: start,
            branch: None,
            program,
            fall_through: None,
            jump: None,
        };
        while let Some(instruction) = instruction(block.next) {
            block.instructions += 1;
            block.program_counter = block.next;
            block.next = block.next.wrapping_add(instruction.length.into());
            block.branch = instruction.branch;
            // Code that wraps around the end of the address space would have no end.
            if block.branch.is_some() || block.next < block.program_counter {
                break;
            }
        }
        block
    }

    /// Appends the end of another block, after its first instructions.
    fn append(&mut self, other: &Block, first: u64) {
        self.instructions += other.instructions - first;
        (self.program_counter, self.next) = (other.program_counter, other.next);
        self.branch = other.branch;
    }
}

/// The number of a block in [`Blocks`], from 0 without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockIndex(u32);

impl BlockIndex {
    /// The number as an index of a list.
    pub fn place(self) -> usize {
        self.0 as usize
    }
}

/// Every block that an execution has reached so far.
pub struct Blocks {
    programs: Vec<OfProgram>,
    blocks: Vec<Block>,
    /// What the blocks consist of, if the code changes.
    versions: Versions,
}

/// The code of a program, and the blocks of it that are known. The same address may be of several programs.
struct OfProgram {
    code: Arc<dyn Code>,
    lengths: Lengths,
    by_start: FxHashMap<u64, BlockIndex>,
    checkpoints: Checkpoints,
}

impl fmt::Debug for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} blocks", self.blocks.len())
    }
}

impl Blocks {
    /// No block of these programs, which are numbered in their order.
    pub(crate) fn new(programs: impl IntoIterator<Item = Arc<dyn Code>>) -> Self {
        let programs = programs.into_iter().map(|code| OfProgram {
            lengths: Lengths::new(code.regions()),
            code,
            by_start: FxHashMap::default(),
            checkpoints: Checkpoints::default(),
        });
        Self { programs: programs.collect(), blocks: Vec::new(), versions: Versions::default() }
    }

    /// The number of programs.
    pub(crate) fn programs(&self) -> usize {
        self.programs.len()
    }

    /// The code of a program as a thread finds it first, if it changes.
    pub(crate) fn changing(&self, program: usize, thread: u8) -> Option<CurrentCode> {
        Arc::clone(&self.programs[program].code).changing(thread).map(CurrentCode::new)
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// True if there is no block.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The block with this number.
    #[inline]
    pub fn get(&self, index: BlockIndex) -> &Block {
        &self.blocks[index.place()]
    }

    /// Every block and its number.
    pub fn iter(&self) -> impl Iterator<Item = (BlockIndex, &Block)> {
        self.blocks.iter().enumerate().map(|(place, block)| (BlockIndex(place as u32), block))
    }

    /// The addresses of the first `count` instructions of a block.
    #[inline]
    pub fn program_counters(&self, index: BlockIndex, count: u64) -> ProgramCounters<'_> {
        let block = self.get(index);
        let left = count.min(block.instructions);
        let lengths = match self.versions.own(index) {
            Some(own) => Source::Own(own.lengths.iter()),
            None => {
                let all = &self.programs[block.program].lengths;
                Source::All { all, region: all.from(block.start) }
            }
        };
        ProgramCounters { lengths, at: block.start, left }
    }

    /// The code of a block and its file, if the code of the program changes.
    pub fn own_code(&self, index: BlockIndex) -> Option<(&[u8], Owner)> {
        self.versions.own(index).map(|own| (&*own.bytes, own.file))
    }

    /// The address of the instruction `count` instructions into a block, from 1.
    pub(crate) fn point(&self, index: BlockIndex, count: u64) -> Option<u64> {
        let block = self.get(index);
        if count == block.instructions {
            return (count > 0).then_some(block.program_counter);
        }
        self.program_counters(index, count).nth(count.checked_sub(1)? as usize)
    }

    /// The address after the first `count` instructions of a block.
    pub(crate) fn behind(&self, index: BlockIndex, count: u64) -> u64 {
        let block = self.get(index);
        if count >= block.instructions {
            return block.next;
        }
        let mut addresses = self.program_counters(index, block.instructions);
        addresses.nth(count as usize).unwrap_or(block.next)
    }

    /// The block that starts at `address` of a program.
    #[inline]
    pub(crate) fn at(&mut self, program: usize, address: u64) -> BlockIndex {
        match self.programs[program].by_start.get(&address) {
            Some(index) => *index,
            None => self.read(program, address),
        }
    }

    /// The block that starts at `address` in the code that a thread finds now, of the only program.
    pub(crate) fn at_in(&mut self, address: u64, code: &CurrentCode) -> BlockIndex {
        let Self { programs, blocks, versions } = self;
        let by_start = &mut programs[0].by_start;
        if let Some(index) = by_start.get(&address)
            && versions.is_current(*index, address, code)
        {
            return *index;
        }
        let (block, own) = Own::read(address, code);
        let fresh = BlockIndex(blocks.len() as u32);
        let index = versions.number(address, own, fresh);
        if index == fresh {
            blocks.push(block);
        }
        by_start.insert(address, index);
        index
    }

    /// The block at an address to which a block leads, in the code that a thread finds now, of the only program.
    #[inline]
    pub(crate) fn next_in(
        &mut self,
        index: BlockIndex,
        address: u64,
        code: &CurrentCode,
    ) -> BlockIndex {
        let block = &self.blocks[index.place()];
        let falls_through = address == block.next;
        let known = match block.jump {
            _ if falls_through => block.fall_through,
            Some((last, next)) if last == address => Some(next),
            _ => None,
        };
        if let Some(next) = known.filter(|next| self.versions.is_known(*next, code)) {
            return next;
        }
        let next = self.at_in(address, code);
        let block = &mut self.blocks[index.place()];
        if falls_through {
            block.fall_through = Some(next);
        } else {
            block.jump = Some((address, next));
        }
        next
    }

    /// The block after a block.
    #[inline]
    pub(crate) fn after(&mut self, index: BlockIndex) -> BlockIndex {
        match self.blocks[index.place()].fall_through {
            Some(next) => next,
            None => {
                let Block { program, next, .. } = *self.get(index);
                let next = self.at(program, next);
                self.blocks[index.place()].fall_through = Some(next);
                next
            }
        }
    }

    /// The block at `target`, to which a block has jumped.
    #[inline]
    pub(crate) fn jump(&mut self, index: BlockIndex, target: u64) -> BlockIndex {
        match self.blocks[index.place()].jump {
            Some((last, next)) if last == target => next,
            _ => {
                let next = self.at(self.get(index).program, target);
                self.blocks[index.place()].jump = Some((target, next));
                next
            }
        }
    }

    #[cold]
    fn read(&mut self, program: usize, start: u64) -> BlockIndex {
        let OfProgram { code, lengths, checkpoints, .. } = &mut self.programs[program];
        let (mut passed, mut count, mut rest) = (Vec::new(), 0, None);
        let mut block = Block::read(program, start, |address| {
            rest = checkpoints.get(address);
            if rest.is_some() {
                return None;
            }
            let instruction = code.instruction(address)?;
            lengths.set(address, instruction.length);
            passed.extend(Checkpoints::is_due(count).then_some((address, count)));
            count += 1;
            Some(instruction)
        });
        if let Some(place) = rest {
            block.append(self.get(place.block), place.before);
        }
        let index = BlockIndex(self.blocks.len() as u32);
        self.programs[program].checkpoints.add(index, passed);
        self.blocks.push(block);
        self.programs[program].by_start.insert(start, index);
        index
    }
}

/// The addresses of consecutive instructions.
#[derive(Clone, Debug)]
pub struct ProgramCounters<'a> {
    lengths: Source<'a>,
    at: u64,
    left: u64,
}

/// Where the lengths of instructions come from.
#[derive(Clone, Debug)]
enum Source<'a> {
    /// Those of a program, and those of the region that has the next instruction.
    All {
        all: &'a Lengths,
        region: Region<'a>,
    },
    Own(std::slice::Iter<'a, u8>),
}

impl ProgramCounters<'_> {
    /// Of no instruction.
    pub(crate) fn none() -> Self {
        Self { lengths: Source::Own([].iter()), at: 0, left: 0 }
    }
}

impl Iterator for ProgramCounters<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let address = self.at;
        let length = match &mut self.lengths {
            Source::All { all, region } => match region.get(address) {
                0 => {
                    *region = all.from(address);
                    region.get(address)
                }
                length => length,
            },
            Source::Own(lengths) => lengths.next().copied().unwrap_or(0),
        };
        self.at = address.wrapping_add(length.into());
        Some(address)
    }
}

/// The length of every instruction that was read, a byte for each byte of code: memory is bounded by the code, however
/// many blocks overlap.
#[derive(Clone, Debug)]
struct Lengths {
    regions: Vec<(Range<u64>, Vec<u8>)>,
}

impl Lengths {
    fn new(regions: Vec<Range<u64>>) -> Self {
        Self { regions: regions.into_iter().map(|range| (range, Vec::new())).collect() }
    }

    fn region(&self, address: u64) -> Option<usize> {
        let next = self.regions.partition_point(|(range, _)| range.start <= address);
        next.checked_sub(1).filter(|place| address < self.regions[*place].0.end)
    }

    fn set(&mut self, address: u64, length: u8) {
        let Some(place) = self.region(address) else { return };
        let (range, lengths) = &mut self.regions[place];
        if lengths.is_empty() {
            lengths.resize((range.end - range.start) as usize, 0);
        }
        lengths[(address - range.start) as usize] = length;
    }

    /// The region that has an address, or an empty one.
    fn from(&self, address: u64) -> Region<'_> {
        self.region(address).map_or(Region { start: address, lengths: &[] }, |place| {
            let (range, lengths) = &self.regions[place];
            Region { start: range.start, lengths }
        })
    }
}

/// The lengths of the instructions of one region: 0 for an address that has none.
#[derive(Clone, Copy, Debug)]
struct Region<'a> {
    start: u64,
    lengths: &'a [u8],
}

impl Region<'_> {
    #[inline]
    fn get(&self, address: u64) -> u8 {
        let place = address.wrapping_sub(self.start) as usize;
        self.lengths.get(place).copied().unwrap_or(0)
    }
}
