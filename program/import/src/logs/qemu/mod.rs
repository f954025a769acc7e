//! QEMU, `-d exec,nochain`, and `-d exec,nochain,in_asm` (QEMU's manual, `-d`; `accel/tcg/cpu-exec.c`).
//!
//! | line | says |
//! |---|---|
//! | `Trace 0: 0x7f6ba3a00100 [0000000000000000/000000000001056c/00207600/00000201] _start` | a processor begins a translated block: its address is the second number in brackets |
//! | `Stopped execution of TB chain before 0x7f6ba3a00100 [000000000001056c] _start` | it did not begin after all |
//! | `Linking TBs 0x7f6ba3a00100 index 0 -> 0x7f6ba3a00240` | the first block leads to the second one without a line: `nochain` is missing |
//! | `IN: _start`, then `0x0001056c:  00002197  auipc ...` and more | `in_asm`: the instructions of a block that is translated |
//!
//! Without `in_asm` the blocks are taken from the program: they end with a branch, with a page, or where the next one
//! begins; since QEMU 6.1 the fourth number in brackets says how many instructions a block has at most, where that is not
//! QEMU's own limit, as with `-singlestep`. Other lines, of other items of `-d` or of the program, say nothing of the flow.

mod block;
mod listing;

use rustc_hash::FxHashMap;
use tracewright_image::InstructionSet;

use super::LogReader;
use crate::error::Problem;
use crate::follower::Follower;
use crate::words::Words;
use block::{Block, End};
use listing::Listing;

/// The bit of the first number in brackets that is 1 for Thumb code, since QEMU 6.1.
const THUMB: u64 = 1 << 23;

/// The bits of the fourth number in brackets that are the most instructions of a block, or 0.
const MOST_INSTRUCTIONS: u64 = 0x1ff;

/// Blocks that are cut by the next one, from which on a log is one of single steps if they are most.
const CUT_BLOCKS_MIN: u64 = 8;

/// What a block is translated for: the address, and the numbers in brackets beside it.
type Key = (u64, u64, u64);

/// Reads a log of blocks.
#[derive(Default)]
pub(crate) struct Qemu {
    blocks: Vec<Block>,
    known: FxHashMap<Key, u32>,
    /// The last listing of each address.
    listed: FxHashMap<u64, u32>,
    /// Addresses whose last listing is of a block that has not run yet.
    fresh: Vec<u64>,
    /// The listing that is being read.
    listing: Option<Listing>,
    /// By thread: the block that runs.
    current: [Option<u32>; 8],
    /// The thread of the last block that began.
    last_thread: Option<u8>,
    /// A block has begun.
    has_begun: bool,
    /// Blocks of which the log does not say where they end, and those where the next one begins at the second instruction.
    open_blocks: u64,
    cut_blocks: u64,
}

impl LogReader for Qemu {
    fn line(&mut self, line: &[u8], follower: &mut Follower<'_>) -> Result<bool, Problem> {
        if let Some(rest) = line.strip_prefix(b"Trace ") {
            return self.begin(Words(rest), follower).map(|()| true);
        }
        if let Some(listing) = &mut self.listing
            && listing.line(line, &mut follower.code)?
        {
            return Ok(true);
        }
        self.end_listing(follower);
        if line.starts_with(b"IN:") {
            self.listing = Some(Listing::default());
            return Ok(true);
        }
        if line.starts_with(b"Linking TBs ") {
            return Err(Problem::Chained);
        }
        if line.starts_with(b"Stopped execution of TB chain before ") {
            self.stopped(Words(line))?;
            return Ok(true);
        }
        Ok(line.starts_with(b"----------------"))
    }

    fn finish(&mut self, follower: &mut Follower<'_>) -> Result<(), Problem> {
        if !self.has_begun && follower.lines > 0 {
            return Err(Problem::NoExecution);
        }
        if self.cut_blocks >= CUT_BLOCKS_MIN && 2 * self.cut_blocks > self.open_blocks {
            return Err(Problem::SingleSteps);
        }
        for thread in 0..8 {
            // How far the last block ran is not known, unless it ended in a system call, with which programs end.
            let Some(number) = self.current[usize::from(thread)].take() else { continue };
            let block = &self.blocks[number as usize];
            match block.is_system_call() {
                true => block.retire(thread, block.count(), follower)?,
                false => follower.last_blocks += block.count(),
            }
        }
        Ok(())
    }
}

/// The numbers of `0: 0x7f6ba3a00100 [0000000000000000/000000000001056c/00207600/00000201] _start`, the first of them
/// that of the processor, and the most instructions of the block if the line has it.
fn numbers(words: &mut Words<'_>) -> Option<(u32, Key, Option<usize>)> {
    let hart = words.decimal()?;
    let open = words.take(b":").then(|| words.0.iter().position(|byte| *byte == b'['))??;
    words.0 = &words.0[open + 1..];
    let (base, _) = words.hexadecimal()?;
    let (address, _) = words.take(b"/").then(|| words.hexadecimal())??;
    let mut others = 0u64;
    let mut count = 0;
    while words.take(b"/") {
        // Early versions have `0x` before it.
        words.take(b"0x");
        let (other, _) = words.hexadecimal()?;
        others = others << 32 | other & 0xffff_ffff;
        count += 1;
    }
    let most = (count > 1).then_some((others & MOST_INSTRUCTIONS) as usize);
    words.take(b"]").then_some((hart, (address, base, others), most))
}

/// The number of the processor of a line.
pub(crate) fn hart_of(line: &[u8]) -> Option<u32> {
    Words(line.strip_prefix(b"Trace ")?).decimal()
}

/// True for the line of a block of Thumb code.
pub(crate) fn is_thumb(line: &[u8]) -> bool {
    let found = line.strip_prefix(b"Trace ").and_then(|rest| numbers(&mut Words(rest)));
    found.is_some_and(|(_, (_, base, _), _)| base & THUMB != 0)
}

impl Qemu {
    /// A processor begins a block.
    fn begin(&mut self, mut words: Words<'_>, follower: &mut Follower<'_>) -> Result<(), Problem> {
        let start = words.0;
        let (hart, mut key, most) = numbers(&mut words).ok_or_else(|| {
            Problem::expected("`Trace 0: 0x7f6ba3a00100 [.../ADDRESS/...]` of a block", start)
        })?;
        self.end_listing(follower);
        self.has_begun = true;
        if follower.code.set() == InstructionSet::Arm && key.1 & THUMB != 0 {
            key.0 |= 1;
        }
        let number = self.block_of(key, most, follower)?;
        let Some(thread) = follower.thread(hart)? else { return Ok(()) };
        self.last_thread = Some(thread);
        let next = &self.blocks[number as usize];
        if let Some(current) = self.current[usize::from(thread)].replace(number) {
            let block = &self.blocks[current as usize];
            if let Some(is_cut) = block.is_cut_by(next) {
                self.open_blocks += 1;
                self.cut_blocks += u64::from(is_cut);
            }
            block.leave(thread, next, follower)?;
        }
        Ok(())
    }

    /// The number of a block.
    fn block_of(
        &mut self,
        key: Key,
        most: Option<usize>,
        follower: &Follower<'_>,
    ) -> Result<u32, Problem> {
        let address = key.0;
        if let Some(place) = self.fresh.iter().position(|fresh| *fresh == address) {
            self.fresh.swap_remove(place);
            let number = self.listed[&address];
            self.known.insert(key, number);
            return Ok(number);
        }
        if let Some(number) = self.known.get(&key) {
            return Ok(*number);
        }
        let number = match self.listed.get(&address) {
            Some(number) => *number,
            None => {
                let block = Block::of_program(address, most, &follower.code)?;
                self.add(block)
            }
        };
        self.known.insert(key, number);
        Ok(number)
    }

    fn add(&mut self, block: Block) -> u32 {
        self.blocks.push(block);
        self.blocks.len() as u32 - 1
    }

    /// A listing is complete.
    fn end_listing(&mut self, follower: &Follower<'_>) {
        let Some(listing) = self.listing.take() else { return };
        let Some(block) = listing.block(&follower.code) else { return };
        let address = block.first();
        let number = self.add(block);
        self.listed.insert(address, number);
        self.fresh.retain(|fresh| *fresh != address);
        self.fresh.push(address);
    }

    /// The block that began last did not run.
    fn stopped(&mut self, mut words: Words<'_>) -> Result<(), Problem> {
        let start = words.0;
        let place = words.0.iter().position(|byte| *byte == b'[');
        words.0 = place.map_or(&[], |place| &words.0[place + 1..]);
        let (address, _) =
            words.hexadecimal().ok_or_else(|| Problem::expected("[ADDRESS] of a block", start))?;
        if let Some(thread) = self.last_thread {
            let current = &mut self.current[usize::from(thread)];
            let is_it =
                |number: &mut u32| self.blocks[*number as usize].first() & !1 == address & !1;
            current.take_if(is_it);
        }
        Ok(())
    }
}

impl End {
    /// True if the last instruction leads to `to`, given the address after it.
    fn leads_to(&self, to: u64, last: u64, next: u64) -> bool {
        use tracewright_sim::event::Kind;
        match self {
            End::Straight | End::Undefined => to == next,
            End::Branch(branch) => match branch.kind {
                Kind::DirectJump => to == branch.target,
                Kind::DirectConditional => to == branch.target || to == next,
                // A jump to itself means that QEMU only read the block, because it crosses a page.
                Kind::IndirectJump | Kind::IndirectConditional => to != last,
                Kind::Exception => true,
            },
        }
    }
}
