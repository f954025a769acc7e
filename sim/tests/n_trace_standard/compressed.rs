//! Random programs of instructions of two and four bytes, of which every instruction is known.

use std::collections::HashMap;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, Isa, Kind, Machine};

/// Instructions of a program.
const INSTRUCTIONS: usize = 4_000;
/// Its first address.
const BASE: u64 = 0x8000_0000;
/// Calls that have not returned at most.
const CALLS_MAX: usize = 20;

/// What a program did.
pub struct Execution {
    pub machine: Machine,
    pub events: Vec<Event>,
    /// The addresses of each event's instructions.
    pub runs: Vec<Vec<u64>>,
    /// The length of every instruction.
    pub lengths: HashMap<u64, u64>,
}

/// An instruction.
#[derive(Clone, Copy)]
struct Instruction {
    address: u64,
    length: u8,
    /// Of a branch or jump: its kind, whether it is a call, and whether it is a return.
    branch: Option<(Kind, bool, bool)>,
    /// The number of the instruction to which it leads, if it is direct.
    target: usize,
}

fn program(random: &mut ChaCha8Rng) -> Vec<Instruction> {
    let mut address = BASE;
    let mut all = Vec::new();
    for _ in 0..INSTRUCTIONS {
        let branch = match random.random_range(0..100) {
            0..16 => Some((Kind::DirectConditional, false, false)),
            16..19 => Some((Kind::DirectJump, false, false)),
            19..23 => Some((Kind::DirectJump, true, false)),
            23..25 => Some((Kind::IndirectJump, true, false)),
            25..27 => Some((Kind::IndirectJump, false, false)),
            27..33 => Some((Kind::IndirectJump, false, true)),
            // A system call.
            33 => Some((Kind::Exception, false, false)),
            _ => None,
        };
        let length = if random.random() { 4 } else { 2 };
        let target = random.random_range(0..INSTRUCTIONS - 1);
        all.push(Instruction { address, length, branch, target });
        address += u64::from(length);
    }
    // The last one jumps back.
    all[INSTRUCTIONS - 1].branch = Some((Kind::DirectJump, false, false));
    all
}

/// Executes a program of this seed for so many events.
pub fn execute(seed: u64, count: usize) -> Execution {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let random = &mut random;
    let address_bits = if seed.is_multiple_of(2) { 32 } else { 64 };
    let machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits };
    let program = program(random);
    let lengths = program.iter().map(|one| (one.address, one.length.into())).collect();
    let mut events = vec![Event::exception(0, 0, BASE)];
    let mut runs = vec![Vec::new()];
    let (mut at, mut run, mut calls) = (0, Vec::new(), Vec::new());
    let mut last = Event { length: 0, ..events[0] };
    while events.len() < count {
        let mut end = |event: Event, run: &mut Vec<u64>| {
            events.push(Event { instructions: run.len() as u64, ..event });
            runs.push(std::mem::take(run));
        };
        if random.random_range(0..150) == 0 && events_are_begun(&last, &run) {
            // Something no instruction explains, such as an interrupt.
            let handler = random.random_range(0..INSTRUCTIONS);
            let target = program[handler].address;
            end(
                Event { length: last.length, ..Event::exception(0, last.program_counter, target) },
                &mut run,
            );
            at = handler;
            continue;
        }
        let Instruction { address, length, branch, target } = program[at];
        run.push(address);
        last = Event { length, ..Event::straight_run(0, address) };
        let Some((kind, call, is_return)) = branch else {
            at += 1;
            continue;
        };
        let next = match kind {
            Kind::Exception => None,
            Kind::DirectConditional => random.random::<bool>().then_some(target),
            Kind::DirectJump => Some(if at == INSTRUCTIONS - 1 { 0 } else { target }),
            _ => Some(match if is_return { calls.pop() } else { None } {
                // Not every return goes where its call came from.
                Some(after) if random.random_range(0..8) > 0 => after,
                _ => random.random_range(0..INSTRUCTIONS),
            }),
        };
        if call && calls.len() < CALLS_MAX {
            calls.push(at + 1);
        }
        let goes_to = next.map_or(0, |next| program[next].address);
        last = Event { kind, call, is_return, taken: next.is_some(), target: goes_to, ..last };
        end(last, &mut run);
        at = next.unwrap_or(at + 1);
    }
    Execution { machine, events, runs, lengths }
}

/// True if an instruction has retired, which an exception comes after.
fn events_are_begun(last: &Event, run: &[u64]) -> bool {
    last.length > 0 || !run.is_empty()
}
