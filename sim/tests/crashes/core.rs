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
pub const HANDLERS: [u64; 4] = [0x1100, 0x1234, 0x4040, 0x8000];

/// Code with an instruction at most even addresses, which nothing but the address decides.
#[derive(Debug)]
pub struct Holes;

/// A number that the address decides.
pub fn mixed(address: u64) -> u64 {
    let mixed = (address ^ 0x9e37_79b9).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 29).wrapping_mul(0x94d0_49bb_1331_11eb) >> 16
}

/// Where a jump leads: into the code, to where there is none, or between two instructions.
pub fn target(number: u64) -> u64 {
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
            Kind::DirectConditional
                if !(-reach(kind, length)..reach(kind, length))
                    .contains(&((target(number >> 16) & !1) as i64 - address as i64)) =>
            {
                address + 2 + (number >> 20) % 0x30 * 2
            }
            Kind::DirectConditional => target(number >> 16) & !1,
            Kind::DirectJump if length == 4 && (number >> 16).is_multiple_of(8) => 0x40,
            Kind::DirectJump => address + 6 + (number >> 20) % 0x80 * 2,
            _ => 0,
        };
        Some(Instruction { length, branch: Some(Branch { kind, call, is_return, target }) })
    }
}

/// The bits of an offset at these places of a word, from the sign down to bit 1 of the number of bytes.
fn placed<const N: usize>(bytes: u64, places: [u32; N]) -> u32 {
    let bits = places.iter().rev().enumerate();
    bits.fold(0, |word, (bit, place)| word | ((bytes >> (bit + 1) & 1) as u32) << place)
}

/// Where an offset is in a jump or branch of this kind and length.
fn offset(kind: Kind, length: u8, bytes: u64) -> u32 {
    match (kind, length) {
        (Kind::DirectJump, 4) => placed(
            bytes,
            [31, 19, 18, 17, 16, 15, 14, 13, 12, 20, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21],
        ),
        (Kind::DirectJump, _) => placed(bytes, [12, 8, 10, 9, 6, 7, 2, 11, 5, 4, 3]),
        (Kind::DirectConditional, 4) => {
            placed(bytes, [31, 7, 30, 29, 28, 27, 26, 25, 11, 10, 9, 8])
        }
        (Kind::DirectConditional, _) => placed(bytes, [12, 6, 5, 2, 11, 10, 4, 3]),
        _ => 0,
    }
}

/// How far a jump or branch of this kind and length goes, in bytes of one direction.
fn reach(kind: Kind, length: u8) -> i64 {
    match (kind, length) {
        (Kind::DirectJump, 4) => 1 << 20,
        (Kind::DirectJump, _) => 1 << 11,
        (_, 4) => 1 << 12,
        _ => 1 << 8,
    }
}

/// A jump or branch of RV32 at an address.
pub fn word(branch: Branch, length: u8, address: u64) -> u32 {
    let Branch { kind, call, is_return, .. } = branch;
    let source = if is_return { 1 } else { 6 };
    let link = u32::from(call);
    let offset = offset(kind, length, branch.target.wrapping_sub(address));
    offset
        | match (kind, length == 4) {
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
                instruction = word(branch, found.length, address);
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
