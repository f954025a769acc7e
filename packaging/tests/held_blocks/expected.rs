//! What a core shows, and the trace that has all of it.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::rvfi::{Retirement, Rvfi};
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::{Detail, Session};
use tracewright_sim::tip::{Cycle, EXCEPTION, INTERRUPT, Tip};

use super::{Port, TIP};
use crate::{execution, wander};

/// Instructions that the core retires.
const INSTRUCTIONS: usize = 30_000;

/// What the core shows in a cycle.
pub struct Entry {
    pub values: Vec<u64>,
    /// Nothing comes in some cycles after it: the core fetches the first instruction of a handler, or works at a change of
    /// level.
    pub pauses: bool,
}

pub struct Shown {
    /// Names of the pins.
    pub names: Vec<&'static str>,
    pub entries: Vec<Entry>,
    /// The golden encoder's trace.
    pub expected: Vec<u8>,
}

impl Shown {
    pub fn new(port: Port, design: &Design, seed: u64, has_interrupts: bool) -> Shown {
        let retired = wander::retirements(seed, INSTRUCTIONS, has_interrupts);
        let golden = Golden::new(design);
        match port {
            Port::Rvfi => {
                let diverts = |pair: &[Retirement]| {
                    pair[0].trap || pair[0].next_program_counter != pair[1].program_counter
                };
                let pauses = retired.windows(2).map(diverts).chain([false]);
                let values = retired.iter().map(execution::on_rvfi);
                let (names, expected) = (execution::RVFI_PINS.to_vec(), golden.of_rvfi(&retired));
                Shown { names, entries: entries(values, pauses), expected }
            }
            Port::Tip => {
                let cycles = with_levels(execution::cycles(&retired), seed, has_interrupts);
                let changes = |pair: &[Cycle]| {
                    matches!(pair[0].itype, EXCEPTION | INTERRUPT)
                        || pair[0].privilege != pair[1].privilege
                };
                let pauses = cycles.windows(2).map(changes).chain([false]);
                let on_pins = |cycle: &Cycle| {
                    let states = [cycle.privilege.into(), cycle.cause];
                    [execution::on_tip(cycle), states.to_vec()].concat()
                };
                let names = [&execution::TIP_PINS[..], &["tip_priv", "tip_cause"]].concat();
                let entries = entries(cycles.iter().map(on_pins), pauses);
                Shown { names, entries, expected: golden.of_tip(&cycles) }
            }
            Port::Block => {
                let blocks = execution::blocks(&retired);
                let excepts = |block: &Vec<u64>| block[4] == Kind::Exception.pin_code();
                let pauses: Vec<bool> = blocks.iter().map(excepts).collect();
                let (names, expected) = (execution::BLOCK_PINS.to_vec(), golden.of_blocks(&blocks));
                Shown { names, entries: entries(blocks.into_iter(), pauses.into_iter()), expected }
            }
        }
    }
}

fn entries(
    values: impl Iterator<Item = Vec<u64>>,
    pauses: impl Iterator<Item = bool>,
) -> Vec<Entry> {
    values.zip(pauses).map(|(values, pauses)| Entry { values, pauses }).collect()
}

/// Handlers run in the highest level, and some jumps lead to another one.
fn with_levels(mut cycles: Vec<Cycle>, seed: u64, changes: bool) -> Vec<Cycle> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut privilege = 3;
    for cycle in &mut cycles {
        (cycle.privilege, cycle.cause) = (privilege, random.random_range(0..64));
        match cycle.itype {
            EXCEPTION | INTERRUPT => privilege = 3,
            0 | 4 => {}
            _ if changes && random.random_range(0..20) == 0 => {
                privilege = [0, 1, 3][random.random_range(0..3)];
            }
            _ => {}
        }
    }
    cycles
}

/// The golden encoder, and what it has made.
struct Golden {
    design: Design,
    encoder: Encoder,
    trace: BitPacker,
}

impl Golden {
    fn new(design: &Design) -> Golden {
        let encoder = Encoder::new(design).expect("an encoder");
        Golden { design: design.clone(), encoder, trace: BitPacker::new() }
    }

    /// Instructions without a branch after them, and the end of the trace.
    fn end(mut self, instructions: u64, program_counter: u64) -> Vec<u8> {
        self.run(instructions, program_counter);
        self.encoder.flush(&mut self.trace);
        self.trace.finish()
    }

    fn run(&mut self, instructions: u64, program_counter: u64) {
        let run = Event::straight_run(instructions, program_counter);
        if instructions > 0 {
            self.encoder.event(&run, &mut self.trace).expect("a good run");
        }
    }

    fn of_rvfi(mut self, retired: &[Retirement]) -> Vec<u8> {
        let mut model = Rvfi::new(execution::of_queue(super::QUEUE), self.design.processor(), 0);
        for one in retired {
            let encode = |event| self.encoder.event(&event, &mut self.trace);
            model.retire(one, encode).expect("a good event");
        }
        model.flush(|event| self.encoder.event(&event, &mut self.trace)).expect("a good event");
        self.end(model.trailing_instructions(), model.program_counter())
    }

    /// The adapter shows sequential instructions by themselves, when the next one comes.
    fn of_tip(mut self, cycles: &[Cycle]) -> Vec<u8> {
        let mut model = Tip::new(TIP, self.design.processor(), self.design.protocol(), 0);
        let mut early = 0;
        for cycle in cycles {
            let (encoder, trace, mut has_event) = (&mut self.encoder, &mut self.trace, false);
            let encode = |event: Event, state| {
                has_event = true;
                let instructions = event.instructions - std::mem::take(&mut early);
                encoder.event(&Event { instructions, ..event }, &mut *trace)?;
                encoder.detail(Detail::State(state), &mut *trace)
            };
            model.cycle(cycle, encode).expect("a good event");
            let waiting = model.trailing_instructions();
            if !has_event && waiting > early {
                self.run(waiting - early, model.program_counter());
                early = waiting;
            }
        }
        let (encoder, trace) = (&mut self.encoder, &mut self.trace);
        let encode = |event: Event, state| {
            let instructions = event.instructions - std::mem::take(&mut early);
            encoder.event(&Event { instructions, ..event }, &mut *trace)?;
            encoder.detail(Detail::State(state), &mut *trace)
        };
        model.flush(encode).expect("a good event");
        self.end(model.trailing_instructions() - early, model.program_counter())
    }

    fn of_blocks(mut self, blocks: &[Vec<u64>]) -> Vec<u8> {
        for block in blocks {
            let (instructions, program_counter) = (block[1], block[2]);
            let taken = block[7] != 0;
            match Kind::ALL.into_iter().find(|kind| kind.pin_code() == block[4]) {
                None => self.run(instructions, program_counter),
                Some(kind) => {
                    let target = if taken { block[8] } else { 0 };
                    let event = Event::exception(instructions, program_counter, target);
                    let event = Event { kind, taken, ..event };
                    self.encoder.event(&event, &mut self.trace).expect("a good event");
                }
            }
        }
        self.end(0, 0)
    }
}
