//! Faults in T-raptor and in the back end: what a tired engineer might write.
//!
//! Those that only show where tables are read through registers are in `traptor_registers.rs`.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};

use super::subject::Subject;
use crate::straight_runs;

/// The processor of every subject here.
pub const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// traptor-m4 with a buffer so small that it fills up.
pub fn subject() -> Subject {
    changed(&[])
}

/// traptor-m4 with `changes` and counters so small that they overflow.
pub fn changed(changes: &[(&str, &str)]) -> Subject {
    let mut design = Design::preset("traptor-m4").unwrap().for_machine(MACHINE).unwrap();
    let small = [
        ("branch_count_bits", "5"),
        ("instruction_count_bits", "9"),
        ("retire_count_bits", "8"),
        ("outcome_bit_for_jumps", "true"),
    ];
    for (name, value) in small.iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    let mut programs = [events(11, 6_000), events(12, 6_000)];
    programs[0].extend(targets(13));
    programs[0].extend(predicted_runs());
    programs[1].extend(straight_runs::runs_around(&[256, 512, 1024]));
    programs[1].extend(exceptions_at_limits());
    for program in &mut programs {
        program.extend(aliases());
    }
    programs[1].extend(overflows_before_flushes());
    programs[0].splice(0..0, jumps_to_zero(0x140));
    programs[1].splice(0..0, jumps_to_zero(0x340));
    Subject { design, programs }
}

fn taken(kind: Kind, program_counter: u64, target: u64) -> Event {
    Event {
        instructions: 2,
        program_counter,
        target,
        kind,
        call: false,
        is_return: false,
        taken: true,
        length: 2,
        thread: 0,
    }
}

/// A jump from `place` and returns to address 0, which is what tables and stack predict right after they are cleared;
/// then targets with few bits.
fn jumps_to_zero(place: u64) -> Vec<Event> {
    let jump = taken(Kind::IndirectJump, place, 0);
    let back = Event { is_return: true, ..jump };
    let near = [0x1000, 0x2000].map(|target| taken(Kind::Exception, place, target));
    [jump].into_iter().chain([back; 9]).chain(near).collect()
}

/// Runs of branches that are predicted until their counter is full, and an outcome that is not.
fn predicted_runs() -> Vec<Event> {
    let round = taken(Kind::DirectConditional, 0x9000, 0x8ffc);
    let last = Event { taken: false, target: 0, ..round };
    (25..60).flat_map(|rounds| std::iter::repeat_n(round, rounds).chain([last])).collect()
}

/// Exceptions around the limit of the instruction counter, each after another one.
fn exceptions_at_limits() -> Vec<Event> {
    let exception = |instructions| Event { instructions, ..taken(Kind::Exception, 0x8000, 0x8400) };
    let lengths = (500..520).chain(1_012..1_032);
    lengths.flat_map(|length| [exception(3), exception(length)]).collect()
}

/// Groups of five events that fill the queue of records, the last one by an overflow, which leaves something to count.
fn overflows_before_flushes() -> Vec<Event> {
    let exception = Event { instructions: 3, ..taken(Kind::Exception, 0x8000, 0x8400) };
    let jump = |instructions| Event { instructions, ..taken(Kind::DirectJump, 0x8000, 0x8400) };
    let group = |number: u64| [exception, exception, exception, jump(1), jump(400 + number % 3)];
    (0..80).flat_map(group).collect()
}

/// Indirect jumps whose addresses, targets, or paths to them differ in one bit.
fn aliases() -> Vec<Event> {
    let path = [taken(Kind::DirectConditional, 0x8_8000, 0x9000); 8];
    let jump = |place, target| path.into_iter().chain([taken(Kind::IndirectJump, place, target)]);
    let pair = |bit: u64| {
        let place = 0xa000 + 0x40 * bit;
        let target = 0x0550_5540;
        let first =
            jump(place, target).chain(jump(place, target)).chain(jump(place ^ 1 << bit, target));
        first.chain(jump(place, target)).chain(jump(place, target ^ 1 << bit))
    };
    let other_path = |bit: u64| {
        let (place, target) = (0xc000 + 0x40 * bit, 0x0660_6640);
        let last = [taken(Kind::DirectConditional, 0x8_8000 ^ 1 << bit, 0x9000)];
        let first = jump(place, target).chain(jump(place, target));
        first.chain(path.into_iter().chain(last).chain([taken(Kind::IndirectJump, place, target)]))
    };
    (1..32).flat_map(pair).chain((4..18).flat_map(other_path)).collect()
}

/// Exceptions, whose targets are always sent, at every distance from the last. They are of no program.
fn targets(seed: u64) -> Vec<Event> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut target = 0u32;
    let mut next = || {
        let bits = random.random_range(1..32);
        let distance = if random.random_range(0..4) == 0 {
            1 << bits
        } else {
            random.random::<u32>() >> (32 - bits)
        };
        let moved = if random.random() {
            target.wrapping_add(distance)
        } else {
            target.wrapping_sub(distance)
        };
        target = moved & !1;
        Event {
            instructions: 1,
            program_counter: 0x8000,
            target: target.into(),
            kind: Kind::Exception,
            call: false,
            is_return: false,
            taken: true,
            length: 4,
            thread: 0,
        }
    };
    (0..3_000).map(|_| next()).collect()
}

/// A synthetic program with exceptions and predicated branches.
pub fn events(seed: u64, events: u64) -> Vec<Event> {
    let options = Options {
        machine: MACHINE,
        events,
        functions: 24,
        predicated: true,
        exceptions: true,
        branch_every_instruction: false,
        predictability: 92,
        code_base: 0x000f_0000,
        code_span: 1 << 21,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).unwrap().collect()
}
