//! Executions of random programs, and the logs of cores that follow given conventions.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Where the program, the handlers and the debug ROM begin.
const PROGRAM: u32 = 0x1000;
const INTERRUPT: u32 = 0x8000;
const EXCEPTION: u32 = 0x8100;
const DEBUG: u32 = 0x9000;

/// An instruction of the program.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    pub address: u32,
    /// Its word, of 16 bits if it is compressed.
    pub raw: u32,
    /// Its word of 32 bits.
    pub expanded: u32,
    pub does: Does,
}

/// What an instruction does to the flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    Nothing,
    Branch(u32),
    Jump(u32),
    Indirect,
    Call,
}

/// An instruction that a core has executed.
#[derive(Clone, Copy, Debug)]
pub struct Executed {
    pub instruction: Instruction,
    /// Where it leads if nothing diverts the flow.
    pub own: u32,
    /// Where the flow goes on.
    pub next: u32,
    pub is_return: bool,
    /// It trapped, and did not retire.
    pub traps: bool,
    /// The flow is diverted after it, by an interrupt or by a debugger.
    pub interrupted: bool,
    pub debugged: bool,
    /// It is the first one of a handler of interrupts or exceptions.
    pub is_handler: bool,
}

impl Instruction {
    pub fn length(&self) -> u32 {
        if self.raw & 3 == 3 { 4 } else { 2 }
    }

    pub fn following(&self) -> u32 {
        self.address + self.length()
    }

    fn plain(address: u32, raw: u32, expanded: u32) -> Self {
        Instruction { address, raw, expanded, does: Does::Nothing }
    }
}

fn branch(offset: i32) -> u32 {
    let bit = |number: u32| offset as u32 >> number & 1;
    let field = |low: u32, bits: u32| offset as u32 >> low & ((1 << bits) - 1);
    bit(12) << 31 | field(5, 6) << 25 | 10 << 15 | field(1, 4) << 8 | bit(11) << 7 | 0x63
}

fn jump(offset: i32) -> u32 {
    let bit = |number: u32| offset as u32 >> number & 1;
    let field = |low: u32, bits: u32| offset as u32 >> low & ((1 << bits) - 1);
    bit(20) << 31 | field(1, 10) << 21 | bit(11) << 20 | field(12, 8) << 12 | 0x6f
}

/// `c.j` or `c.beqz a0`.
fn short(offset: i32, is_branch: bool) -> u32 {
    let put = |from: u32, to: u32| (offset as u32 >> from & 1) << to;
    if is_branch {
        let high = put(8, 12) | put(4, 11) | put(3, 10);
        return 0xc001 | 2 << 7 | high | put(7, 6) | put(6, 5) | put(2, 4) | put(1, 3) | put(5, 2);
    }
    let high = put(11, 12) | put(4, 11) | put(9, 10) | put(8, 9) | put(10, 8);
    0xa001 | high | put(6, 7) | put(7, 6) | put(3, 5) | put(2, 4) | put(1, 3) | put(5, 2)
}

/// A program, with compressed instructions or without.
fn program(random: &mut ChaCha8Rng, compressed: bool) -> Vec<Instruction> {
    let count = 60;
    let lengths: Vec<u32> =
        (0..count).map(|_| if compressed && random.random() { 2 } else { 4 }).collect();
    let mut addresses = vec![PROGRAM];
    for length in &lengths {
        addresses.push(addresses[addresses.len() - 1] + length);
    }
    let mut code = Vec::new();
    for at in 0..count {
        let (address, is_short) = (addresses[at], lengths[at] == 2);
        let near = |random: &mut ChaCha8Rng| {
            let target =
                addresses[random.random_range(at.saturating_sub(20)..(at + 20).min(count))];
            // No branch goes to the instruction after it.
            let is_plain = target != address + 2 && target != address + 4 && target != address;
            if is_plain { target } else { PROGRAM.max(address.saturating_sub(8)) }
        };
        let is_end = at + 1 == count;
        let one = match random.random_range(0..10) {
            _ if is_end => {
                let target = addresses[0];
                let offset = target.wrapping_sub(address) as i32;
                let raw = if is_short { short(offset, false) } else { jump(offset) };
                Instruction { address, raw, expanded: jump(offset), does: Does::Jump(target) }
            }
            0..3 => {
                let target = addresses
                    .iter()
                    .copied()
                    .find(|to| *to == near(random))
                    .unwrap_or(addresses[(at + 3).min(count - 1)]);
                let offset = target.wrapping_sub(address) as i32;
                let raw = if is_short { short(offset, true) } else { branch(offset) };
                let is_plain = target != address + 2 && target != address + 4;
                match is_plain {
                    true => Instruction {
                        address,
                        raw,
                        expanded: branch(offset),
                        does: Does::Branch(target),
                    },
                    false => Instruction::plain(
                        address,
                        if is_short { 0x0291 } else { 0x0042_8293 },
                        0x0042_8293,
                    ),
                }
            }
            3 => {
                let raw = if is_short { 0x8082 } else { 0x0000_8067 };
                Instruction { address, raw, expanded: 0x0000_8067, does: Does::Indirect }
            }
            4 if !is_short => Instruction { address, raw: 0x73, expanded: 0x73, does: Does::Call },
            5 if !is_short => Instruction::plain(address, 0x0005_2503, 0x0005_2503),
            _ if is_short => Instruction::plain(address, 0x0291, 0x0042_8293),
            _ => Instruction::plain(address, 0x0042_8293, 0x0042_8293),
        };
        code.push(one);
    }
    code
}

/// How often what happens, in a thousand instructions.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    pub interrupts: u32,
    pub debugger: u32,
}

/// An execution of a random program.
pub fn execution(seed: u64, rows: usize, compressed: bool, rates: Rates) -> Vec<Executed> {
    let random = &mut ChaCha8Rng::seed_from_u64(seed);
    let code = program(random, compressed);
    let find = |address: u32| code.iter().find(|one| one.address == address).copied();
    let mut done: Vec<Executed> = Vec::new();
    let mut at = PROGRAM;
    while done.len() < rows {
        let instruction = find(at).expect("an instruction");
        let own = match instruction.does {
            Does::Nothing | Does::Call => instruction.following(),
            Does::Branch(target) if random.random() => target,
            Does::Branch(_) => instruction.following(),
            Does::Jump(target) => target,
            // No function returns to the instruction after its return.
            Does::Indirect => loop {
                let to = code[random.random_range(0..code.len())].address;
                if to != at + 2 && to != at + 4 {
                    break to;
                }
            },
        };
        let own = find(own).map_or(PROGRAM, |one| one.address);
        let traps = instruction.does == Does::Call;
        let draw = random.random_range(0..1000);
        let interrupted = !traps && draw < rates.interrupts;
        let debugged = !traps && !interrupted && draw < rates.interrupts + rates.debugger;
        let handler = match (traps, interrupted, debugged) {
            (true, ..) => Some(EXCEPTION),
            (_, true, _) => Some(INTERRUPT),
            (_, _, true) => Some(DEBUG),
            _ => None,
        };
        let plain = Executed {
            instruction,
            own,
            next: handler.unwrap_or(own),
            is_return: false,
            traps,
            interrupted,
            debugged,
            is_handler: false,
        };
        done.push(plain);
        at = own;
        let Some(handler) = handler else { continue };
        let quiet = Executed { traps: false, interrupted: false, debugged: false, ..plain };
        let first = Instruction::plain(handler, 0x3420_22f3, 0x3420_22f3);
        let next = handler + 4;
        let is_handler = handler != DEBUG;
        done.push(Executed { instruction: first, own: next, next, is_handler, ..quiet });
        let word = if handler == DEBUG { 0x7b20_0073 } else { 0x3020_0073 };
        let last = Instruction { does: Does::Indirect, ..Instruction::plain(next, word, word) };
        done.push(Executed { instruction: last, own, next: own, is_return: true, ..quiet });
    }
    done
}

/// What the next pc of a core is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Where the instruction itself leads.
    Own,
    /// Before some interrupts, the handler.
    Handler,
    /// Always the address of the next row.
    Delayed,
    /// The following address of some direct branches and jumps that are taken.
    Predicted,
    /// The following address of returns from traps.
    AfterReturn,
    /// There is none.
    Missing,
}

/// How a core shows compressed instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    Raw,
    Expanded,
    ExpandedWithPin,
    ExpandedWithWrongPin,
}

/// What a core's trap says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trap {
    Missing,
    /// With the handler as the next pc, or with where the word leads.
    Bit {
        own: bool,
    },
    /// A record that is also there before an entry into debug mode.
    WithDebug,
}

/// The conventions of a core.
#[derive(Clone, Copy, Debug)]
pub struct Conventions {
    pub words: Words,
    pub next: Next,
    pub trap: Trap,
    /// Handlers are marked; every second one alone if `sometimes`.
    pub interrupt: bool,
    pub sometimes: bool,
}

impl Conventions {
    /// Conventions that one core can have together.
    pub fn random(random: &mut impl Rng) -> Self {
        let next = match random.random_range(0..6) {
            0 => Next::Own,
            1 => Next::Handler,
            2 => Next::Delayed,
            3 => Next::Predicted,
            4 => Next::AfterReturn,
            _ => Next::Missing,
        };
        let trap = match random.random_range(0..4) {
            _ if next == Next::Delayed => Trap::Missing,
            0 => Trap::Missing,
            1 if next != Next::Missing => Trap::WithDebug,
            number => Trap::Bit { own: number == 2 && next != Next::Missing },
        };
        let words = match random.random_range(0..4) {
            0 => Words::Expanded,
            1 => Words::ExpandedWithPin,
            2 => Words::ExpandedWithWrongPin,
            _ => Words::Raw,
        };
        let interrupt = next != Next::Delayed && random.random();
        Conventions { words, next, trap, interrupt, sometimes: random.random() }
    }
}

/// A row as a core shows it.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    pub pc: u32,
    pub word: u32,
    pub next: u32,
    pub trap: u32,
    pub interrupt: bool,
    pub compressed: bool,
    /// What the row is an example of.
    pub handler_as_next: bool,
    pub predicted: bool,
    pub retired_with_trap: bool,
    pub expanded: bool,
}

/// What a core with these conventions shows of an execution.
pub fn shown(executed: &[Executed], how: Conventions, random: &mut impl Rng) -> Vec<Shown> {
    let mut handlers = 0;
    let show = |one: &Executed| {
        let instruction = &one.instruction;
        handlers += u32::from(one.is_handler);
        let interrupt = how.interrupt && one.is_handler && (!how.sometimes || handlers % 2 == 0);
        let is_direct = matches!(instruction.does, Does::Branch(_) | Does::Jump(_));
        let is_taken = is_direct && one.own != instruction.following();
        let handler_as_next = how.next == Next::Handler && one.interrupted && random.random();
        let predicted = how.next == Next::Predicted && is_taken && random.random();
        let next = match how.next {
            _ if handler_as_next || how.next == Next::Delayed => one.next,
            Next::AfterReturn if one.is_return => instruction.following(),
            _ if predicted => instruction.following(),
            _ if one.traps && how.trap == (Trap::Bit { own: true }) => instruction.following(),
            _ if one.traps => one.next,
            _ => one.own,
        };
        let trap = match how.trap {
            Trap::Missing => 0,
            Trap::Bit { .. } => u32::from(one.traps),
            Trap::WithDebug if one.debugged => 0x805,
            Trap::WithDebug => {
                if one.traps {
                    0x3
                } else {
                    0
                }
            }
        };
        let is_compressed = instruction.length() == 2;
        let expanded = how.words != Words::Raw && is_compressed;
        Shown {
            pc: instruction.address,
            word: if how.words == Words::Raw { instruction.raw } else { instruction.expanded },
            next,
            trap,
            interrupt,
            compressed: is_compressed != (how.words == Words::ExpandedWithWrongPin),
            handler_as_next: handler_as_next && next != one.own && !is_indirect(one),
            predicted: predicted
                && trap == 0
                && (one.next == one.own || matches!(instruction.does, Does::Jump(_))),
            retired_with_trap: one.debugged && how.trap == Trap::WithDebug,
            expanded: expanded && matches!(instruction.does, Does::Nothing) && trap == 0,
        }
    };
    executed.iter().map(show).collect()
}

fn is_indirect(one: &Executed) -> bool {
    one.instruction.does == Does::Indirect
}
