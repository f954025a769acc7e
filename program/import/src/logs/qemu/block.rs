//! Translated blocks.

use tracewright_image::{InstructionSet, kernel_helpers};
use tracewright_sim::code::{Branch, Code, Instruction};
use tracewright_sim::event::Kind;

use crate::code::LoggedCode;
use crate::error::Problem;
use crate::follower::Follower;

/// The most instructions of a block of QEMU.
const MOST_INSTRUCTIONS: usize = 512;

/// Bytes of a page; a block ends with the one in which it begins.
const PAGE_BYTES: u64 = 4096;

/// How a block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It goes on with the next instruction, because QEMU cut it.
    Straight,
    /// In a branch or a system call.
    Branch(Branch),
    /// In what is no instruction, and traps.
    Undefined,
}

/// A straight run of instructions.
#[derive(Clone, Debug)]
pub(super) struct Block {
    first: u64,
    /// The instructions, the last of which may be none, by their distances from the first.
    offsets: Box<[u16]>,
    last: Option<Instruction>,
    /// The address after it.
    next: u64,
    end: End,
    /// The log does not say where it ends.
    is_guessed: bool,
}

impl Block {
    /// The block of these bytes of code, which QEMU has translated as a whole; those before it are the program's.
    pub(super) fn of_bytes(first: u64, bytes: &[u8], code: &LoggedCode) -> Block {
        let set = code.set();
        let before = code.image().map_or(&[][..], |image| image.bytes_before(first));
        let known = [before, bytes].concat();
        let mut builder = Builder::new(first);
        // QEMU does what a helper of the kernel does without its code.
        if let Some(helper) = kernel_helpers::instruction(set, first) {
            builder.add(Some(helper));
            return builder.build();
        }
        while let Some(rest) =
            bytes.get(usize::from(builder.bytes)..).filter(|rest| !rest.is_empty())
        {
            let before = &known[..known.len() - rest.len()];
            let ends = builder.add(set.instruction(builder.next(), before, rest));
            if ends || builder.offsets.len() == MOST_INSTRUCTIONS {
                break;
            }
        }
        builder.build()
    }

    /// The block of a program that begins at an address, with at most so many instructions as the log says.
    pub(super) fn of_program(
        first: u64,
        most: Option<usize>,
        code: &LoggedCode,
    ) -> Result<Block, Problem> {
        let image = code.image().ok_or(Problem::NoBlock(first))?;
        if image.instruction(first).is_none() && image.bytes_at(first).is_none() {
            return Err(Problem::OutsideProgram(first));
        }
        let page = first / PAGE_BYTES;
        let mut builder = Builder::new(first);
        let limit = most.filter(|most| *most > 0).unwrap_or(MOST_INSTRUCTIONS);
        while builder.next() / PAGE_BYTES == page && builder.offsets.len() < limit {
            let at = builder.next();
            let bytes = image.bytes_at(at).unwrap_or_default();
            if builder.add(image.instruction(at)) || ends_block(code.set(), bytes) {
                break;
            }
        }
        Ok(Block { is_guessed: most.is_none(), ..builder.build() })
    }

    /// The address of the first instruction; bit 0 is 1 for Thumb.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// Instructions, with the last one that may be none.
    pub(super) fn count(&self) -> u64 {
        self.offsets.len() as u64
    }

    /// True if it ends in a system call.
    pub(super) fn is_system_call(&self) -> bool {
        matches!(self.end, End::Branch(Branch { kind: Kind::Exception, .. }))
    }

    fn address_of(&self, index: u64) -> u64 {
        self.first + u64::from(self.offsets[index as usize])
    }

    fn index_of(&self, address: u64) -> Option<u64> {
        let offset = u16::try_from(address.checked_sub(self.first)?).ok()?;
        self.offsets.binary_search(&offset).ok().map(|index| index as u64)
    }

    /// True if `next` begins with the second instruction; `None` where the log says where the block ends.
    pub(super) fn is_cut_by(&self, next: &Block) -> Option<bool> {
        let is_open = self.is_guessed && self.count() > 1;
        is_open.then(|| self.index_of(next.first) == Some(1))
    }

    /// True if QEMU left `other` for this block, which is one instruction of it that has to run alone.
    fn runs_again_from(&self, other: &Block) -> bool {
        let is_alone = self.count() == 1 && self.end == End::Straight && other.count() > 1;
        is_alone && other.index_of(self.first).is_some_and(|index| index + 1 < other.count())
    }

    /// Leaves the block for the next one: all of it has retired, or what is before the next one if that begins in it.
    pub(super) fn leave(
        &self,
        thread: u8,
        next: &Block,
        follower: &mut Follower<'_>,
    ) -> Result<(), Problem> {
        let (to, last) = (next.first, self.address_of(self.count() - 1));
        let is_whole = self.end.leads_to(to, last, self.next) && !next.runs_again_from(self);
        let retired = match self.index_of(to) {
            Some(index) if !is_whole => index,
            _ => self.count(),
        };
        self.retire(thread, retired, follower)?;
        Ok(follower.flow.go_on(thread, to)?)
    }

    /// The first `count` instructions retire; the last one of all traps if it is none.
    pub(super) fn retire(
        &self,
        thread: u8,
        count: u64,
        follower: &mut Follower<'_>,
    ) -> Result<(), Problem> {
        let is_whole = count == self.count();
        let straight = if is_whole && self.end != End::Straight { count - 1 } else { count };
        if straight > 0 {
            let next = if straight == self.count() { self.next } else { self.address_of(straight) };
            let run = (self.first, self.address_of(straight - 1), next);
            follower.flow.retire_run(thread, straight, run)?;
        }
        if straight == count {
            return Ok(());
        }
        let last = self.address_of(straight);
        match &self.last {
            Some(instruction) => follower.known(thread, last, instruction),
            None => follower.trap(thread, last),
        }
    }
}

/// True for the bytes of an instruction that is no branch and after which QEMU ends a block.
fn ends_block(set: InstructionSet, bytes: &[u8]) -> bool {
    let word = bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    match set {
        // Those of control registers, and `fence.i`. With function 4 are a hypervisor's accesses, and those of
        // shadow stacks.
        InstructionSet::RiscV32(_) | InstructionSet::RiscV64(_) => {
            word & 0x707f == 0x100f || word & 0x7f == 0x73 && word >> 12 & 7 != 4
        }
        _ => set.repeats(bytes),
    }
}

/// A block that is being made.
struct Builder {
    first: u64,
    bytes: u16,
    offsets: Vec<u16>,
    last: Option<Instruction>,
}

impl Builder {
    fn new(first: u64) -> Builder {
        Builder { first, bytes: 0, offsets: Vec::new(), last: None }
    }

    /// The address after what there is.
    fn next(&self) -> u64 {
        self.first.wrapping_add(self.bytes.into())
    }

    /// Adds an instruction; true if the block ends with it.
    fn add(&mut self, instruction: Option<Instruction>) -> bool {
        self.offsets.push(self.bytes);
        self.last = instruction;
        self.bytes += instruction.map_or(0, |instruction| u16::from(instruction.length));
        instruction.is_none_or(|instruction| instruction.branch.is_some())
    }

    fn build(self) -> Block {
        let end = match self.last {
            None => End::Undefined,
            Some(Instruction { branch: Some(branch), .. }) => End::Branch(branch),
            Some(_) => End::Straight,
        };
        let next = self.next();
        Block {
            first: self.first,
            offsets: self.offsets.into(),
            last: self.last,
            next,
            end,
            is_guessed: false,
        }
    }
}
