//! A core that crashes in every way: its code, and what it executes.

use std::ops::Range;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::code::{Branch, Code, Instruction};
use tracewright_sim::event::Kind;
use tracewright_sim::rvfi::Retirement;

/// Memory with code; the last instruction of the second part does not fit.
const MEMORY: [Range<u64>; 2] = [0x1000..0x1800, 0x4000..0x4102];

/// Where the core begins.
pub const RESET: u64 = 0x1000;

/// Handlers of traps and interrupts; there is no memory at the last one.
const HANDLERS: [u64; 4] = [0x1100, 0x1234, 0x4040, 0x8000];

/// Code with an instruction at most even addresses, which nothing but the address decides.
#[derive(Debug)]
pub struct Holes;

/// A number that the address decides.
fn mixed(address: u64) -> u64 {
    let mixed = (address ^ 0x9e37_79b9).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 29).wrapping_mul(0x94d0_49bb_1331_11eb) >> 16
}

/// Where a jump leads: into the code, to where there is none, or between two instructions.
fn target(number: u64) -> u64 {
    let place = number / 16 % 0x7f0;
    match number % 16 {
        0 => 0x40,
        1 => 0xffff_fff0,
        2 | 3 => 0x4000 + number / 16 % 0x104 / 2 * 2,
        4 => MEMORY[0].start + (place | 1),
        _ => MEMORY[0].start + place / 2 * 2,
    }
}

impl Code for Holes {
    fn regions(&self) -> Vec<Range<u64>> {
        MEMORY.to_vec()
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        let memory = MEMORY.into_iter().find(|memory| memory.contains(&address))?;
        let number = mixed(address);
        let length = if number & 1 == 1 { 4 } else { 2 };
        let is_handler = HANDLERS.contains(&address);
        let is_none = !is_handler && (number >> 1).is_multiple_of(24) || address % 2 == 1;
        if is_none || address + u64::from(length) > memory.end {
            return None;
        }
        let (kind, call, is_return) = match (number >> 8) % 16 {
            0 | 1 => (Kind::DirectConditional, false, false),
            2 => (Kind::DirectJump, number >> 13 & 1 == 1, false),
            3 => (Kind::IndirectJump, number >> 13 & 3 == 1, number >> 13 & 3 == 2),
            _ => return Some(Instruction { length, branch: None }),
        };
        // RISC-V's direct jumps lead to even addresses; they lead on, so that no ring of them is without a branch.
        let target = match kind {
            Kind::DirectConditional => target(number >> 16) & !1,
            Kind::DirectJump if (number >> 16).is_multiple_of(8) => 0x40,
            Kind::DirectJump => address + 6 + (number >> 20) % 0x80 * 2,
            _ => 0,
        };
        Some(Instruction { length, branch: Some(Branch { kind, call, is_return, target }) })
    }
}

/// A jump or branch of RV32.
fn word(branch: Branch, length: u8) -> u32 {
    let Branch { kind, call, is_return, .. } = branch;
    let source = if is_return { 1 } else { 6 };
    let link = u32::from(call);
    match (kind, length == 4) {
        (Kind::DirectJump, true) => link << 7 | 0x6f,
        (Kind::DirectJump, false) => (if call { 1 } else { 5 }) << 13 | 1,
        (Kind::DirectConditional, true) => 0x63,
        (Kind::DirectConditional, false) => 6 << 13 | 1,
        (_, true) => source << 15 | link << 7 | 0x67,
        (_, false) => 4 << 13 | link << 12 | source << 7 | 2,
    }
}

/// How a run begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// In an instruction that retires.
    Retires,
    /// In one that traps.
    Traps,
}

/// What the core says of so many instructions.
pub fn run(seed: u64, count: usize, begin: Edge, end: Edge) -> Vec<Retirement> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut said, mut address, mut interrupt) = (Vec::new(), RESET, false);
    loop {
        let found = Holes.instruction(address & !1).filter(|_| address % 2 == 0);
        let faults = random.random_range(0..40) == 0;
        let is_first = said.is_empty();
        let trap = match found {
            None => true,
            Some(_) if is_first => begin == Edge::Traps,
            Some(_) => faults,
        };
        let handler = HANDLERS[random.random_range(0..HANDLERS.len())];
        let (mut instruction, mut next) = ([0, 0xffff_ffff, 0x73][said.len() % 3], handler);
        if let Some(found) = found {
            let behind = address + u64::from(found.length);
            instruction = if found.length == 4 { 0x13 } else { 1 };
            if let Some(branch) = found.branch {
                instruction = word(branch, found.length);
                next = match branch.kind {
                    Kind::DirectConditional if random.random() => behind,
                    Kind::IndirectJump => target(random.random()),
                    _ => branch.target,
                };
            } else {
                next = behind;
            }
        }
        // Not every core knows where its handler is.
        let known = random.random();
        said.push(Retirement {
            instruction,
            program_counter: address,
            next_program_counter: if trap && known { handler } else { next },
            trap,
            interrupt: std::mem::take(&mut interrupt),
            compressed: false,
        });
        let is_end = if end == Edge::Traps { trap } else { !trap };
        if said.len() >= count && is_end {
            return said;
        }
        address = next & 0xffff_ffff;
        if trap || random.random_range(0..40) == 0 {
            interrupt = !trap || random.random();
            address = handler;
        }
    }
}
