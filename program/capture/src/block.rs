//! Translated blocks and their last instructions.

use tracewright_capture_plugin::wire::BlockDefinition;
use tracewright_image::{InstructionSet, kernel_helpers};
use tracewright_sim::event::{Event, Isa, Kind};

use crate::Error;

/// What the plugin tells is what the classifier looks at.
const _: () = assert!(tracewright_capture_plugin::wire::BEFORE == InstructionSet::BEFORE);

/// How execution continues after the last instruction of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It continues at the next instruction, because QEMU cut the block.
    Next,
    /// It continues at one of the addresses of a branch.
    Branch,
    /// It continues with another iteration of a REP string instruction, or with the next instruction.
    Repeat,
    /// It does not continue: the instruction does not retire.
    Trap,
}

/// A privilege level with registers for traps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Supervisor,
    Machine,
}

impl Level {
    /// The level from whose traps a RISC-V instruction returns.
    fn returned_from(bytes: &[u8]) -> Option<Level> {
        match u32::from_le_bytes(*bytes.first_chunk()?) {
            0x1020_0073 => Some(Level::Supervisor),
            0x3020_0073 => Some(Level::Machine),
            _ => None,
        }
    }
}

/// A translated block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The address of its first instruction; bit 0 is 1 for Thumb, here and below.
    pub first: u64,
    /// Number of instructions.
    pub count: u64,
    /// Its last instruction as an event that is not taken. Its `instructions` are 0, its target that
    /// of a direct branch.
    pub last: Event,
    /// The address after the last instruction.
    pub next: u64,
    pub end: End,
    /// The addresses of all its instructions, as distances from the first.
    pub offsets: Box<[u16]>,
    /// For an instruction that returns from a trap, the level to which the trap had led.
    pub returns_from: Option<Level>,
    /// True if its code may be another at some time.
    pub is_contested: bool,
}

impl Block {
    pub(crate) fn new(
        instruction_set: InstructionSet,
        address: u64,
        thumb: bool,
        definition: &BlockDefinition,
    ) -> Result<Block, Error> {
        let first = address | u64::from(thumb);
        let last_index = definition.lengths.len() - 1;
        let offsets: Box<[u16]> = definition
            .lengths
            .iter()
            .scan(0, |offset, &length| {
                let at = *offset;
                *offset += u16::from(length);
                Some(at)
            })
            .collect();
        let mut block = Block {
            first,
            count: definition.lengths.len() as u64,
            last: Event {
                instructions: 0,
                program_counter: first + u64::from(offsets[last_index]),
                target: 0,
                kind: Kind::DirectJump,
                call: false,
                is_return: false,
                taken: false,
                length: definition.lengths[last_index],
                thread: 0,
            },
            next: first + definition.bytes.len() as u64,
            end: End::Next,
            offsets,
            returns_from: None,
            is_contested: false,
        };
        block.classify(instruction_set, definition)?;
        Ok(block)
    }

    /// Finds out how the block ends, from the code of its instructions.
    fn classify(
        &mut self,
        instruction_set: InstructionSet,
        definition: &BlockDefinition,
    ) -> Result<(), Error> {
        let code: Vec<u8> = definition.before.iter().chain(&definition.bytes).copied().collect();
        let last_index = self.offsets.len() - 1;
        for (index, (&offset, &length)) in self.offsets.iter().zip(&definition.lengths).enumerate()
        {
            let at = definition.before.len() + usize::from(offset);
            let address = self.first + u64::from(offset);
            let bytes = &code[at..at + usize::from(length)];
            let instruction = if bytes.is_empty() {
                // QEMU emulates the kernel's helpers without code.
                kernel_helpers::instruction(instruction_set, address)
            } else {
                instruction_set.instruction(address, &code[..at], bytes)
            };
            let Some(instruction) = instruction else {
                self.end = End::Trap;
                continue;
            };
            if let Some(branch) = instruction.branch {
                if index != last_index {
                    return Err(Error::BranchInside(address));
                }
                self.end = End::Branch;
                let is_riscv = instruction_set.isa() == Isa::RiscV;
                self.returns_from = Level::returned_from(bytes).filter(|_| is_riscv);
                self.last = Event {
                    kind: branch.kind,
                    call: branch.call,
                    is_return: branch.is_return,
                    target: branch.target,
                    length: if branch.call { instruction.length } else { 0 },
                    ..self.last
                };
            } else if index == last_index && instruction_set.repeats(bytes) {
                self.end = End::Repeat;
            }
        }
        Ok(())
    }

    /// True if this block is an instruction of `other` that QEMU left it for, to run it alone: one that writes to code
    /// of its own block, or an atomic one. Otherwise a block goes on as far as others do from the same instruction.
    #[inline(always)]
    pub(crate) fn runs_again_from(&self, other: &Block) -> bool {
        let is_alone = self.count == 1 && self.end == End::Next && other.count > 1;
        is_alone && other.index_of(self.first).is_some_and(|index| index + 1 < other.count)
    }

    /// The index of the instruction at this address.
    pub(crate) fn index_of(&self, address: u64) -> Option<u64> {
        let offset = u16::try_from(address.checked_sub(self.first)?).ok()?;
        self.offsets.binary_search(&offset).ok().map(|index| index as u64)
    }

    /// The address of an instruction.
    pub(crate) fn address_of(&self, index: u64) -> u64 {
        let offset = self.offsets.get(index as usize).copied().unwrap_or_default();
        self.first + u64::from(offset)
    }

    /// True if the block, run to its end, leads to this address.
    pub(crate) fn leads_to(&self, to: u64) -> bool {
        match self.end {
            End::Next | End::Repeat => to == self.next,
            End::Trap => false,
            End::Branch => match self.last.kind {
                Kind::DirectJump => to == self.last.target,
                Kind::DirectConditional => to == self.last.target || to == self.next,
                Kind::IndirectJump | Kind::IndirectConditional => true,
                Kind::Exception => to == self.next,
            },
        }
    }

    /// True if the block ends in a system call.
    pub(crate) fn is_system_call(&self) -> bool {
        self.end == End::Branch && self.last.kind == Kind::Exception
    }
}

/// Cuts a block after an instruction that waits for an interrupt, where QEMU always leaves it.
pub(crate) fn end_where_it_waits(block: &mut BlockDefinition) {
    const WAIT: [u8; 4] = 0x1050_0073u32.to_le_bytes();
    let mut end = 0;
    for index in 0..block.lengths.len() {
        let begin = end;
        end += usize::from(block.lengths[index]);
        if block.bytes[begin..end] == WAIT {
            block.lengths.truncate(index + 1);
            return block.bytes.truncate(end);
        }
    }
}
