//! Where the word of an instruction can lead.

use tracewright_image::InstructionSet;
use tracewright_sim::event::Kind;

use crate::flow::returns_from_trap;

/// Where the flow goes on after an instruction that does not trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leads {
    /// To the following one.
    On,
    /// To this address.
    To(u64),
    /// To this address, or to the following one.
    Either(u64),
    /// Anywhere: a jump to the address in a register.
    Jump,
    /// Anywhere: a return from a trap.
    Return,
}

/// Whether an instruction traps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Traps {
    /// Not by what it does.
    Never,
    /// It depends on its operands or on the core.
    Maybe,
    /// A system call, a breakpoint, or no instruction.
    Always,
}

/// What is known of an instruction by its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Its bytes, as its lowest two bits say: 4 for a compressed one that the port shows expanded.
    pub length: u64,
    pub leads: Leads,
    pub traps: Traps,
    /// There is such an instruction.
    pub exists: bool,
    /// It is `cm.popret` or `cm.popretz`, or a word of floating point that is the same.
    pub pops: bool,
    /// It is a jump by a table, `cm.jt` or `cm.jalt`, or such a word.
    pub table_jump: bool,
    /// Its opcode is one of those for a core's own instructions.
    pub is_custom: bool,
    /// It leaves debug mode.
    pub leaves_debug: bool,
}

/// The opcodes for a core's own instructions.
const CUSTOM: [u32; 4] = [0x0b, 0x2b, 0x5b, 0x7b];

/// `dret`.
const DRET: u32 = 0x7b20_0073;

/// `mnret`, the return from a resumable non-maskable interrupt.
const MNRET: u32 = 0x7020_0073;

impl Word {
    /// What is known of the instruction at an address.
    pub(super) fn of(set: InstructionSet, address: u64, word: u32) -> Word {
        let is_long = word & 3 == 3;
        let known = set.instruction(address, &[], &word.to_le_bytes());
        let branch = known.and_then(|known| known.branch);
        let pops = matches!(word & 0xffff & POP_MASK, POPRET | POPRETZ);
        let is_table_jump = word & 0xfc03 == TABLE_JUMP;
        let leads = match branch.map(|branch| (branch.kind, branch.target)) {
            _ if returns_from_trap(word) || word == MNRET => Leads::Return,
            Some((Kind::DirectJump, target)) => Leads::To(target),
            Some((Kind::DirectConditional, target)) => Leads::Either(target),
            Some((Kind::IndirectJump, _)) => Leads::Jump,
            _ if !is_long && (pops || is_table_jump) => Leads::Jump,
            _ => Leads::On,
        };
        let is_call = branch.is_some_and(|branch| branch.kind == Kind::Exception);
        let traps = match known {
            None => Traps::Always,
            Some(_) if is_call => Traps::Always,
            Some(_) if never_traps(word) => Traps::Never,
            Some(_) => Traps::Maybe,
        };
        Word {
            length: if is_long { 4 } else { 2 },
            leads,
            traps,
            exists: known.is_some(),
            pops: pops && !is_long,
            table_jump: is_table_jump && !is_long,
            is_custom: CUSTOM.contains(&(word & 0x7f)),
            leaves_debug: word == DRET,
        }
    }

    /// The address after an instruction at this one.
    pub(super) fn following(&self, address: u64) -> u64 {
        address.wrapping_add(self.length)
    }
}

/// The bits of a word of Zcmp that say what it does.
const POP_MASK: u32 = 0xff03;

/// `cm.popret` of Zcmp.
const POPRET: u32 = 0xbe02;

/// `cm.popretz` of Zcmp.
const POPRETZ: u32 = 0xbc02;

/// `cm.jt` and `cm.jalt` of Zcmt, by their six highest and two lowest bits.
const TABLE_JUMP: u32 = 0xa002;

/// True for instructions of the base set that compute, branch or jump, which trap only if they cannot be fetched, or if a
/// debugger has set a breakpoint.
fn never_traps(word: u32) -> bool {
    let (function, destination) = (word >> 13 & 7, word >> 7 & 31);
    match word & 3 {
        0 => function == 0 && word & 0x1fe0 != 0,
        1 => true,
        2 => match function {
            0 => true,
            4 => destination != 0,
            _ => false,
        },
        _ => match word & 0x7f {
            0x13 | 0x17 | 0x37 | 0x63 | 0x67 | 0x6f => true,
            // Without the multiplications, which a handler may stand in for.
            0x33 => word >> 25 & 1 == 0,
            _ => false,
        },
    }
}
