//! The memory accesses of a synthetic program.
//!
//! They have dice of their own, so that a program is the same with and without them.

use super::dice::Dice;
use super::options::Options;
use super::program::Program;
use crate::event::{Access, AccessSite, Event, Machine};

/// Accesses of one instruction, at most (a load or store of several registers).
const ACCESSES_MAX: u32 = 4;

/// Bytes of the region that a chain of pointers stays in.
const CHAIN_BYTES: u64 = 1 << 20;

/// What the instructions of a program do to memory.
pub(super) struct Data {
    machine: Machine,
    /// For each instruction, its first access among all; one more at the end.
    first: Vec<u32>,
    accesses: Vec<Shape>,
    dice: Dice,
}

/// An access of an instruction.
#[derive(Clone, Copy)]
struct Shape {
    store: bool,
    pattern: Pattern,
}

/// How an access moves from one execution to the next.
#[derive(Clone, Copy)]
enum Pattern {
    /// By `stride` `trips` times, then again from `base`.
    Strided { base: u64, stride: u64, trips: u32 },
    /// Always the same address.
    Constant { address: u64 },
    /// `period` addresses that have nothing to do with each other, over and over.
    Repeating { seed: u64, period: u32 },
    /// From each node to one that its address leads to, in a region.
    Chained { base: u64, salt: u64 },
    /// Anywhere.
    Random,
}

/// What the accesses of a thread remember.
pub(super) type Memory = Vec<State>;

/// What one access remembers.
#[derive(Clone, Copy, Default)]
pub(super) struct State {
    progress: u32,
    offset: u64,
}

impl Data {
    /// The accesses of this program.
    pub(super) fn new(options: &Options, program: &Program) -> Data {
        let mut dice = Dice::new(options.seed, 2);
        let mut data = Data {
            machine: options.machine,
            first: Vec::with_capacity(program.instructions.len() + 1),
            accesses: Vec::new(),
            dice: Dice::new(options.seed, 3),
        };
        for _ in &program.instructions {
            data.first.push(data.accesses.len() as u32);
            if dice.percent(options.data_accesses.into()) {
                let store = dice.percent(35);
                let count = if dice.percent(3) { dice.between(2, ACCESSES_MAX) } else { 1 };
                for _ in 0..count {
                    data.accesses.push(Shape { store, pattern: pattern(&mut dice) });
                }
            }
        }
        data.first.push(data.accesses.len() as u32);
        data
    }

    /// The memory of a thread before its first instruction.
    pub(super) fn memory(&self) -> Memory {
        vec![State::default(); self.accesses.len()]
    }

    /// Makes the accesses of the instructions that `event` counts, the first of which is `ordinal`.
    pub(super) fn run(
        &mut self,
        ordinal: u32,
        event: &Event,
        program: &Program,
        memory: &mut Memory,
        mut access: impl FnMut(Access),
    ) {
        for executed in 0..event.instructions as u32 {
            let at = (ordinal + executed) as usize;
            let range = self.first[at] as usize..self.first[at + 1] as usize;
            let of_instruction = self.accesses[range.clone()].iter().zip(&mut memory[range]);
            for (Shape { store, pattern }, state) in of_instruction {
                let site = AccessSite {
                    instructions: u64::from(executed) + 1,
                    program_counter: program.instructions[at].address,
                    store: *store,
                    thread: event.thread,
                };
                let address = pattern.next(state, &mut self.dice);
                let mask = u64::MAX >> (64 - self.machine.address_bits);
                access(Access { site, address: address & mask });
            }
        }
    }
}

impl Pattern {
    fn next(self, state: &mut State, dice: &mut Dice) -> u64 {
        match self {
            Pattern::Constant { address } => address,
            Pattern::Random => dice.wide(),
            Pattern::Strided { base, stride, trips } => {
                let address = base.wrapping_add(stride.wrapping_mul(state.progress.into()));
                state.progress = (state.progress + 1) % trips;
                address
            }
            Pattern::Repeating { seed, period } => {
                let address = mixed(seed ^ u64::from(state.progress));
                state.progress = (state.progress + 1) % period;
                address
            }
            Pattern::Chained { base, salt } => {
                state.offset = (mixed(state.offset ^ salt) % CHAIN_BYTES) & !7;
                base.wrapping_add(state.offset)
            }
        }
    }
}

/// Strides around what a field of 8 bits holds, and the common ones.
const STRIDES: [i64; 22] =
    [1, 2, 4, 4, 4, 8, 8, 16, 24, 64, 126, 127, 128, 255, 256, 4096, -1, -4, -8, -128, -129, -4096];

fn pattern(dice: &mut Dice) -> Pattern {
    // Low, anywhere, and at the top, where a stride wraps.
    let base = match dice.below(4) {
        0 => u64::from(dice.below(0x1000)),
        1 => u64::MAX - u64::from(dice.below(0x1000)),
        _ => dice.wide(),
    };
    match dice.below(100) {
        0..50 => {
            let stride = dice.pick(&STRIDES) as u64;
            let trips = dice.pick(&[3, 10, 100, 1000, 100_000]);
            Pattern::Strided { base, stride, trips }
        }
        50..80 => Pattern::Constant { address: base },
        80..90 => Pattern::Repeating { seed: base, period: dice.between(2, 6) },
        90..99 => Pattern::Chained { base, salt: dice.wide() },
        _ => Pattern::Random,
    }
}

/// A number that depends on every bit of `value`.
fn mixed(value: u64) -> u64 {
    let mixed = (value ^ value >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed >> 32
}
