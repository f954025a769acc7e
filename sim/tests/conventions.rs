//! Cores whose ports follow any conventions: the trace of an adapter is decoded to every instruction that retired.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::code::{Branch, Code, Instruction};
use tracewright_sim::config::Processor;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::program::Program;
use tracewright_sim::rvfi::{Compressed, Config, Pins, Port, Retirement, Rvfi, Trapped, Xlen};
use tracewright_sim::scheme::Design;

use crate::crashes::core::{HANDLERS, Holes, RESET, mixed, target, word};
use crate::crashes::{MACHINE, Shown, check_design, keep};

/// Where the core enters debug mode.
const DEBUG: u64 = 0x1300;

/// What a port says of the next address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Where the instruction leads.
    True,
    /// The address of the next row, also if that is a handler.
    Delayed,
    /// The following address, also of a branch that is taken as predicted.
    Predicted,
    /// The following address, also of a return from a trap.
    AfterReturn,
    /// There is no such pin.
    Missing,
}

/// When a port marks the first instruction of a handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interrupt {
    Never,
    Sometimes,
    Always,
    Missing,
}

/// What a port does with an instruction that traps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trap {
    /// It is shown, and marked.
    Marked,
    /// It is not shown.
    Hidden,
    /// The mark is also at instructions that retired before an entry to debug mode.
    WithDebug,
}

/// The conventions of a port.
#[derive(Clone, Copy, Debug)]
struct Conventions {
    next: Next,
    interrupt: Interrupt,
    trap: Trap,
    compressed: Compressed,
}

impl Conventions {
    fn draw(random: &mut ChaCha8Rng) -> Conventions {
        loop {
            let next =
                [Next::True, Next::Delayed, Next::Predicted, Next::AfterReturn, Next::Missing];
            let interrupt =
                [Interrupt::Never, Interrupt::Sometimes, Interrupt::Always, Interrupt::Missing];
            let trap = [Trap::Marked, Trap::Hidden, Trap::WithDebug];
            let compressed = [Compressed::Raw, Compressed::Expanded, Compressed::Pin];
            let drawn = Conventions {
                next: next[random.random_range(0..next.len())],
                interrupt: interrupt[random.random_range(0..interrupt.len())],
                trap: trap[random.random_range(0..trap.len())],
                compressed: compressed[random.random_range(0..compressed.len())],
            };
            if drawn.can_be_traced() {
                return drawn;
            }
        }
    }

    /// False where two executions look alike: docs/live_core.md says so.
    fn can_be_traced(&self) -> bool {
        let knows_handlers = self.interrupt == Interrupt::Always && self.trap != Trap::WithDebug;
        let knows_next = !matches!(self.next, Next::Missing | Next::Delayed);
        let checks = self.trap == Trap::WithDebug;
        (self.compressed != Compressed::Expanded || knows_handlers || knows_next)
            && (!checks || self.next == Next::True)
    }

    fn config(&self) -> Config {
        let pins = Pins {
            trap: self.trap != Trap::Hidden,
            interrupt: self.interrupt != Interrupt::Missing,
            next: self.next != Next::Missing,
            number: false,
        };
        let checks = self.trap == Trap::WithDebug;
        Config {
            port: if pins == Pins::RVFI { Port::Rvfi } else { Port::Retired },
            pins,
            compressed: self.compressed,
            trap: if checks { Trapped::Checked } else { Trapped::NotRetired },
            ..Config::new(Xlen::Rv32, 1)
        }
    }
}

/// An instruction that was executed, or attempted.
#[derive(Clone, Copy, Debug)]
struct Step {
    address: u64,
    found: Option<Instruction>,
    /// Where it leads.
    next: u64,
    traps: bool,
    /// It was followed by an entry to debug mode.
    debugged: bool,
    begins_handler: bool,
}

/// What a core does in so many steps, with interrupts after any instruction.
fn execute(random: &mut ChaCha8Rng, count: usize, debugs: bool) -> Vec<Step> {
    let (mut address, mut begins_handler) = (RESET, false);
    let mut steps = Vec::new();
    for _ in 0..count {
        let found = Holes.instruction(address).filter(|_| address % 2 == 0);
        let behind = address + found.map_or(4, |found| u64::from(found.length));
        let branch = found.and_then(|found| found.branch);
        let next = match branch.map(|branch| (branch.kind, branch.target)) {
            None => behind,
            Some((Kind::DirectConditional, _)) if random.random() => behind,
            Some((Kind::IndirectJump, _)) => target(random.random()) & !1,
            Some((_, target)) => target,
        };
        // With a pin that also marks entries to debug mode, a jump by a register that traps looks as one that retired.
        let is_certain = !debugs || !branch.is_some_and(|branch| branch.kind.is_indirect());
        let traps = found.is_none() || is_certain && random.random_range(0..30) == 0;
        let debugged = !traps && debugs && random.random_range(0..10) == 0;
        let interrupted = !traps && !debugged && random.random_range(0..12) == 0;
        let handler = HANDLERS[random.random_range(0..HANDLERS.len())];
        steps.push(Step { address, found, next, traps, debugged, begins_handler });
        (address, begins_handler) = match (traps || interrupted, debugged) {
            (true, _) => (handler, true),
            (_, true) => (DEBUG, false),
            _ => (next, false),
        };
    }
    steps
}

/// The word at the port.
fn word_of(step: &Step, compressed: Compressed, random: &mut ChaCha8Rng) -> u32 {
    let Some(found) = step.found else { return [0, 0xffff_ffff, 0x73][random.random_range(0..3)] };
    // With a pin the word may be either.
    let is_expanded = match compressed {
        Compressed::Raw => false,
        Compressed::Expanded => true,
        Compressed::Pin => random.random(),
    };
    let length = if is_expanded { 4 } else { found.length };
    match found.branch {
        None if length == 4 => 0x13,
        None => 1,
        Some(Branch { kind: Kind::IndirectJump, call: false, is_return: false, .. })
            if found.length == 4 && mixed(step.address) >> 40 & 1 == 1 =>
        {
            0x3020_0073
        }
        Some(branch) => word(branch, length, step.address),
    }
}

/// What the port says of the steps.
fn port(steps: &[Step], conventions: &Conventions, random: &mut ChaCha8Rng) -> Vec<Retirement> {
    let mut rows = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        if step.traps && conventions.trap == Trap::Hidden {
            continue;
        }
        let instruction = word_of(step, conventions.compressed, random);
        let length = step.found.map_or(4, |found| u64::from(found.length));
        let behind = step.address + length;
        let end = if step.traps { HANDLERS[0] } else { step.next };
        let after = steps.get(at + 1).map_or(end, |next| next.address);
        let is_branch = step.found.and_then(|found| found.branch);
        let is_branch = is_branch.is_some_and(|branch| branch.kind == Kind::DirectConditional);
        let next = match conventions.next {
            Next::Delayed => after,
            _ if step.traps => after,
            Next::Predicted if is_branch && random.random() => behind,
            Next::AfterReturn if instruction == 0x3020_0073 => behind,
            _ => step.next,
        };
        rows.push(Retirement {
            instruction,
            program_counter: step.address,
            next_program_counter: next & 0xffff_ffff,
            trap: step.traps || step.debugged && conventions.trap == Trap::WithDebug,
            interrupt: step.begins_handler
                && match conventions.interrupt {
                    Interrupt::Never | Interrupt::Missing => false,
                    Interrupt::Sometimes => random.random(),
                    Interrupt::Always => true,
                },
            compressed: length == 2,
        });
    }
    rows
}

/// The addresses of the instructions that events tell of; a direct branch leads to its target or to the following address.
fn addresses(shown: &Shown) -> Vec<u64> {
    let mut found = Vec::new();
    let mut at = None;
    let mut retire = |at: &mut Option<u64>, count: u64| {
        for _ in 0..count {
            let address = at.expect("a beginning");
            found.push(address);
            // What is no code differs from what was executed.
            let length = Holes.instruction(address).map_or(0, |found| found.length);
            *at = Some(address + u64::from(length));
        }
    };
    for event in &shown.events {
        let Event { instructions, program_counter, kind, taken, target, .. } = *event;
        retire(&mut at, instructions);
        if matches!(kind, Kind::DirectJump | Kind::DirectConditional) && taken {
            let branch = Holes.instruction(program_counter).and_then(|found| found.branch);
            assert_eq!(branch.map(|branch| branch.target), Some(target), "{event}");
        }
        at = if taken { Some(target) } else { at };
    }
    retire(&mut at, shown.trailing);
    found
}

fn design(name: &str, conventions: &Conventions) -> Design {
    let mut design = Design::preset(name).unwrap().for_machine(MACHINE).unwrap();
    if conventions.compressed == Compressed::Expanded {
        design.set("expanded_words", "true").unwrap();
    }
    design
}

#[test]
fn ports_of_every_convention_are_traced() {
    let program = Program::of_code(MACHINE, Arc::new(Holes), Some(RESET)).unwrap();
    let processor = Processor { alignment: 1, ..Processor::default() };
    for seed in 0..10_000 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let conventions = Conventions::draw(&mut random);
        let steps = execute(&mut random, 150, conventions.trap == Trap::WithDebug);
        let rows = port(&steps, &conventions, &mut random);
        let (mut adapter, mut events) =
            (Rvfi::new(conventions.config(), &processor, 0), Vec::new());
        for row in &rows {
            adapter.retire(row, keep(&mut events)).unwrap();
            // A flush may come after any instruction.
            if random.random_range(0..40) == 0 {
                adapter.flush(keep(&mut events)).unwrap();
            }
        }
        adapter.flush(keep(&mut events)).unwrap();
        let (trailing, last) = (adapter.trailing_instructions(), adapter.program_counter());
        let shown = Shown { events, trailing, last };
        let mut wanted: Vec<u64> =
            steps.iter().filter(|step| !step.traps).map(|step| step.address).collect();
        let found = addresses(&shown);
        // The last one may wait for the next.
        wanted.truncate(wanted.len().min(found.len().max(wanted.len() - 1)));
        let differs = found.iter().zip(&wanted).position(|(one, other)| one != other);
        if let Some(at) = differs {
            let rows: Vec<_> = rows.iter().filter(|row| !row.trap).collect();
            panic!(
                "seed {seed}: {conventions:x?}: {:x?} after {:x?}, {:x?}",
                found[at],
                rows[at.saturating_sub(2)],
                &rows[at - 1..=at]
            );
        }
        assert_eq!(found.len(), wanted.len(), "seed {seed}: {conventions:?}");
        let name = ["traptor-m4", "talon-m", "etrace-base"][seed as usize % 3];
        check_design(&design(name, &conventions), &shown, &program);
    }
}
