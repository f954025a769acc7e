//! Faults in the module of E-Trace.

use tracewright_sim::event::{Event, Isa, Item, Kind, Machine};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_testbench::stimulus::Stimulus;

use super::bench::{Bench, runs};
use super::subject::Subject;

pub const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// One core with exceptions, and with conditional indirect branches, which RISC-V does not have.
pub fn subject() -> Subject {
    let mut design = Design::preset("etrace-base").unwrap().for_machine(MACHINE).unwrap();
    design.set("retire_count_bits", "3").unwrap();
    let programs = [events(41, 1 << 21), events(42, 0xffc0_0000)];
    Subject { design, programs: programs.map(|program| with_distances(&program)) }
}

/// Every fault of E-Trace's own modules, with short programs besides.
pub fn bench(name: &'static str, subject: Subject) -> Bench<'static> {
    let mut runs = runs(&subject.programs);
    let all: Vec<Event> = starts().concat();
    let programs = starts().into_iter().map(|program| (None, program));
    let flushed = (1..=7).map(|interval| (Some(interval), all.clone()));
    runs.extend(programs.chain(flushed).map(|(flush_interval, program)| {
        let stimulus = Stimulus { flush_interval, ..Stimulus::default() };
        (stimulus, program.into_iter().map(Item::Event).collect())
    }));
    Bench::of_design(name, subject.design, runs)
}

/// The address of the events of short programs.
const AT: u64 = 0x000f_0000;

/// An event at this address that leads there again.
pub fn taken(kind: Kind, instructions: u64) -> Event {
    Event {
        instructions,
        program_counter: AT,
        target: AT,
        kind,
        call: false,
        is_return: false,
        taken: true,
        length: 2,
        thread: 0,
    }
}

/// Programs of a few events: nothing at all, exceptions before the first instruction and at the targets of jumps, system
/// calls that come back at once, and jumps up to the limit of their counter.
fn starts() -> Vec<Vec<Event>> {
    let exception = |instructions| taken(Kind::Exception, instructions);
    let returned = Event { taken: false, target: 0, ..exception(2) };
    let jump = taken(Kind::DirectJump, 1);
    let indirect = taken(Kind::IndirectJump, 1);
    let branch = taken(Kind::DirectConditional, 2);
    let mut programs = vec![
        vec![],
        vec![exception(0)],
        vec![exception(0), exception(0)],
        vec![exception(0), exception(0), jump],
        vec![exception(0), exception(3), jump, indirect, jump],
        vec![exception(0), branch, indirect, branch],
        vec![returned],
        vec![returned, exception(0), jump],
        vec![returned, returned, exception(0), exception(0), indirect],
        vec![jump, indirect, exception(0)],
        vec![jump, indirect, exception(0), exception(0), branch],
        vec![indirect, indirect, exception(0)],
        vec![indirect, indirect, exception(0), jump, jump, exception(0), jump],
        vec![indirect, indirect, exception(0), exception(0), jump, exception(2), jump],
    ];
    for jumps in 1..=9 {
        let loops = vec![jump; jumps];
        let last = [indirect, jump, Event { instructions: 2, ..jump }];
        programs.push([&[jump, indirect, branch], &loops[..], &last].concat());
        programs.push([&loops[..], &[indirect, Event { instructions: 2, ..jump }]].concat());
    }
    programs
}

/// A program with exceptions, and loops that random programs do not have.
pub fn events(seed: u64, code_span: u64) -> Vec<Event> {
    let options = Options {
        machine: MACHINE,
        events: 12_000,
        functions: 24,
        predicated: true,
        exceptions: true,
        branch_every_instruction: false,
        code_base: 0x000f_0000,
        code_span,
        threads: 1,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).unwrap().chain(loops()).collect()
}

/// The program, and jumps at every distance from the address before, each after some branches.
pub fn with_distances(program: &[Event]) -> Vec<Event> {
    let mut at = 0x0555_5554;
    let mut jump = |(bit, branches): (u32, u64)| {
        let program_counter = at;
        let event = move |kind, taken, target| Event {
            instructions: 1,
            program_counter,
            target,
            kind,
            call: false,
            is_return: false,
            taken,
            length: 4,
            thread: 0,
        };
        let branch = move |number: u64| {
            let taken = (7 * number + u64::from(bit)).is_multiple_of(3);
            event(Kind::DirectConditional, taken, if taken { program_counter } else { 0 })
        };
        let target = program_counter ^ ((1 << bit) & !1);
        let last = event(Kind::IndirectJump, true, target);
        at = target;
        (0..branches).map(branch).chain([last]).collect::<Vec<_>>()
    };
    // The first branch is in the map of the jump before it.
    let counts = [0, 31, 1, 2, 3, 4, 8, 16, 30];
    let pairs = (0..64).flat_map(|bit| counts.map(|branches| (bit % 32, branches)));
    program.iter().copied().chain(pairs.flat_map(&mut jump)).collect()
}

/// A loop of direct jumps that an exception leaves, later and right after one that is reported, and in the handler a loop of
/// branches that another leaves when the map is full; an exception one instruction after a jump.
fn loops() -> impl Iterator<Item = Event> {
    let event = |kind, instructions, target| Event {
        instructions,
        program_counter: 0x000f_0000,
        target,
        kind,
        call: false,
        is_return: false,
        taken: true,
        length: 0,
        thread: 0,
    };
    let jump = event(Kind::DirectJump, 1, 0x000f_0000);
    let first = event(Kind::Exception, 0, 0x000f_0000);
    // The first branch is in the trap.
    let branch = event(Kind::DirectConditional, 1, 0x000f_0000);
    let second = event(Kind::Exception, 0, 0x000f_0100);
    let loops = [jump; 7].into_iter().chain([first]).chain([jump; 4]).chain([first]);
    let loops = loops.chain([branch; 32]).chain([second]);
    let indirect = event(Kind::IndirectJump, 1, 0x000f_0100);
    let third = event(Kind::Exception, 1, 0x000f_0000);
    loops.chain([indirect, third, jump])
}
