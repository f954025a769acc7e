//! A core that wanders through code of which every instruction is known, so that its trace can be followed from any of them on.

use std::ops::Range;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::code::{Branch, Code, Instruction};
use tracewright_sim::event::Kind;
use tracewright_sim::program::Program;
use tracewright_sim::rvfi::Retirement;

use crate::execution::{MACHINE, word};

const CODE: Range<u64> = 0x1000..0x5000;

/// Code with an instruction at every even address, which nothing but the address decides.
#[derive(Debug)]
struct Wild;

/// A number that the address decides.
fn mixed(address: u64) -> u64 {
    let mixed = (address ^ 0x9e37_79b9).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 29).wrapping_mul(0x94d0_49bb_1331_11eb) >> 16
}

fn place(number: u64) -> u64 {
    CODE.start + number % (CODE.end - CODE.start) / 2 * 2
}

/// A place that a branch can go to.
fn near(address: u64, number: u64) -> u64 {
    let (low, high) = ((address - 0x7fe).max(CODE.start), (address + 0x7fe).min(CODE.end));
    low + number % (high - low) / 2 * 2
}

impl Code for Wild {
    fn regions(&self) -> Vec<Range<u64>> {
        Vec::from([Range { start: CODE.start, end: CODE.end + 4 }])
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        let number = mixed(address);
        let length = if number & 1 == 1 { 4 } else { 2 };
        let (kind, call, is_return) = match number >> 1 & 15 {
            // The last ones lead back.
            _ if address >= CODE.end - 4 => (Kind::DirectJump, false, false),
            0 | 1 => (Kind::DirectConditional, false, false),
            2 => (Kind::DirectJump, number >> 5 & 1 == 1, false),
            3 => (Kind::IndirectJump, number >> 5 & 3 == 1, number >> 5 & 2 == 2),
            _ => return Some(Instruction { length, branch: None }),
        };
        let target = match kind {
            Kind::IndirectJump => 0,
            // Only forward, so that no loop is without a branch.
            Kind::DirectJump if address < CODE.end - 0x400 => {
                address + 4 + (number >> 8) % 0x100 * 2
            }
            Kind::DirectJump => CODE.start,
            _ => near(address, number >> 8),
        };
        Some(Instruction { length, branch: Some(Branch { kind, call, is_return, target }) })
    }
}

/// The code, for decoders.
pub fn program() -> Program {
    Program::of_code(MACHINE, Arc::new(Wild), Some(CODE.start)).expect("little code")
}

/// Words that are no instruction, and a call of the environment.
pub const TRAPS: [u32; 3] = [0, 0xffff_ffff, 0x73];

/// So many instructions, with interrupts and traps or without. The last one is sequential.
pub fn retirements(seed: u64, count: usize, has_interrupts: bool) -> Vec<Retirement> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut retired, mut address, mut interrupt) = (Vec::new(), CODE.start, false);
    loop {
        if has_interrupts && random.random_range(0..200) == 0 {
            let handler = place(random.random());
            retired.push(Retirement {
                instruction: TRAPS[retired.len() % TRAPS.len()],
                program_counter: address,
                next_program_counter: handler,
                trap: true,
                interrupt: std::mem::take(&mut interrupt),
                compressed: false,
            });
            // Not every core says with the first instruction of a handler that it is one.
            (address, interrupt) = (handler, random.random());
        }
        let found = Wild.instruction(address).expect("every address has one");
        let is_long = found.length == 4;
        let behind = address + u64::from(found.length);
        let mut next = behind;
        let is_end = retired.len() >= count && found.branch.is_none();
        let mut instruction = 0x13;
        if let Some(Branch { kind, call, is_return, target }) = found.branch {
            instruction = word(kind, call, is_return, target.wrapping_sub(address));
            next = match kind {
                Kind::DirectConditional if random.random() => behind,
                Kind::IndirectJump => place(mixed(address) + random.random_range(0..4) * 100),
                _ => target,
            };
        }
        retired.push(Retirement {
            instruction,
            program_counter: address,
            next_program_counter: next,
            trap: false,
            interrupt: std::mem::take(&mut interrupt),
            compressed: !is_long,
        });
        if is_end {
            return retired;
        }
        address = next;
        if has_interrupts && random.random_range(0..200) == 0 {
            (address, interrupt) = (place(random.random()), true);
        }
    }
}
