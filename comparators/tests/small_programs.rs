//! Random programs of a few instructions, with exceptions in every place: back to back, at the targets of jumps, after one
//! instruction, and before the first.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, Isa, Kind, Machine};

use crate::common::{Execution, execution};
use crate::e_trace_full::{EXTENSIONS, is_followed};
use crate::e_trace_scheme::{PRESETS, is_read_by_the_crate};

const BASE: u64 = 0x1000;

/// An instruction of two bytes.
#[derive(Clone, Copy)]
enum Instruction {
    Plain,
    Branch(u64),
    Indirect,
}

fn event(kind: Kind, instructions: u64, program_counter: u64, target: Option<u64>) -> Event {
    Event {
        instructions,
        program_counter,
        target: target.unwrap_or(0),
        kind,
        call: false,
        is_return: false,
        taken: target.is_some(),
        length: 0,
        thread: 0,
    }
}

/// An address of a program of so many instructions; not this one, at which the crate's tracer would stop.
fn another(random: &mut impl Rng, size: u64, address: u64) -> u64 {
    let place = random.random_range(1..size);
    BASE + (address - BASE + 2 * place) % (2 * size)
}

fn program(random: &mut impl Rng) -> Vec<Instruction> {
    let size = random.random_range(6..46);
    let weights: [u32; 2] = std::array::from_fn(|_| random.random_range(0..60));
    let mut program: Vec<_> = (0..size)
        .map(|place| match random.random_range(0..100) {
            dice if dice < weights[0] => {
                Instruction::Branch(another(random, size, BASE + 2 * place))
            }
            dice if dice < weights[0] + weights[1] / 2 => Instruction::Indirect,
            _ => Instruction::Plain,
        })
        .collect();
    program.push(Instruction::Indirect);
    program
}

/// An execution of a program. Direct jumps are left out: with them a decoder of the standard cannot always tell one time round
/// a loop from the next (docs/e_trace.md).
pub fn run(seed: u64) -> Execution {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let program = program(&mut random);
    let size = program.len() as u64;
    let between_exceptions = [3, 10, 40, 200][random.random_range(0..4)];
    let most = random.random_range(4..80);
    let mut events = vec![event(Kind::Exception, 0, 0, Some(BASE))];
    let (mut at, mut last, mut instructions) = (BASE, BASE, 0);
    while events.len() < most {
        let is_first = events.len() == 1 && instructions == 0;
        if !is_first && random.random_range(0..between_exceptions) == 0 {
            let handler = BASE + 2 * random.random_range(0..size);
            events.push(event(Kind::Exception, instructions, last, Some(handler)));
            (at, instructions) = (handler, 0);
            continue;
        }
        (last, instructions) = (at, instructions + 1);
        let (kind, target) = match program[((at - BASE) / 2) as usize] {
            Instruction::Plain => {
                at += 2;
                continue;
            }
            Instruction::Branch(target) => {
                (Kind::DirectConditional, random.random::<bool>().then_some(target))
            }
            Instruction::Indirect => (Kind::IndirectJump, Some(another(&mut random, size, at))),
        };
        events.push(event(kind, instructions, last, target));
        (at, instructions) = (target.unwrap_or(at + 2), 0);
    }
    execution(Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 }, events)
}

#[test]
fn exceptions_in_every_place_are_read_by_decoders_of_the_standard() {
    let mut addresses = 0;
    for seed in 0..2_000 {
        let (execution, what) = (run(seed), format!("small program {seed}"));
        for preset in PRESETS {
            is_read_by_the_crate(execution.clone(), preset, &what);
        }
        for extensions in EXTENSIONS {
            addresses += is_followed(&execution, extensions, &what);
        }
    }
    assert!(addresses > 300_000, "{addresses} addresses");
}
