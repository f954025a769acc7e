//! Faults in Talon: what a tired engineer might write.
//!
//! Those that only show in a small coder or where tables are read through registers are in `talon_registers.rs`.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::Design;

use super::subject::Subject;
use super::traptor::{MACHINE, events};
use crate::straight_runs;

/// talon-xl, which has every structure, with tables so small that branches share entries.
pub fn subject() -> Subject {
    changed(&[])
}

/// talon-xl with small tables, counters that overflow, and `changes`.
pub fn changed(changes: &[(&str, &str)]) -> Subject {
    let mut design = Design::preset("talon-xl").unwrap().for_machine(MACHINE).unwrap();
    let small = [
        ("bimodal_entries", "64"),
        ("gshare_entries", "64"),
        ("gshare_history_bits", "7"),
        ("gshare_path_bits", "8"),
        ("gshare_address_rotation", "2"),
        ("bimodal_counters_per_magnitude", "2"),
        ("gshare_counters_per_magnitude", "2"),
        ("match_history_entries", "64"),
        ("match_pointers", "8"),
        ("confidence_entries", "16"),
        ("loop_entries", "4"),
        ("return_address_stack_depth", "3"),
        ("return_address_stack_wraps", "false"),
        ("target_buffer_sets", "2"),
        ("target_buffer_ages", "false"),
        ("target_buffer_random_victim", "false"),
        ("address_first_chunk", "6"),
        ("targets_per_entry", "2"),
        ("target_buffer_tag_bits", "4"),
        ("target_bits", "14"),
        ("retire_count_bits", "7"),
        ("instruction_count_bits", "8"),
    ];
    for (name, value) in small.iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    let mut programs = [events(21, 12_000), events(22, 12_000)];
    programs[1].extend(straight_runs::straight_runs(530));
    with_programs(design, programs)
}

/// A design of Talon, and programs that come to its limits.
pub fn with_programs(design: Design, mut programs: [Vec<Event>; 2]) -> Subject {
    programs[0].extend(loops(23));
    programs[0].extend(indirect_runs());
    programs[1].extend(indirect_runs());
    programs[1].extend(loops(24));
    // Between two of its flushes there are only escapes, of five bytes each: the second finds the module empty.
    let jump = Event { instructions: 1, ..branch(Kind::DirectJump, 0x8000, true, 0x8000) };
    programs[0].extend([jump; 2_200]);
    for program in &mut programs {
        program.splice(0..0, returns_without_calls());
        program.insert(0, branch(Kind::Exception, 0x8000, true, 0x8400));
        program.extend((0..150).flat_map(interrupt));
        program.extend((0..40).flat_map(interrupt_after_symbol));
        program.extend((0..20).flat_map(returns));
        program.extend(bursts());
        program.extend(far_targets(27));
        program.extend(stale_returns());
        let first = first_region().into_iter().chain(far_targets(28).into_iter().take(300));
        program.splice(0..0, first);
    }
    Subject { design, programs }
}

/// A taken or untaken branch that is of no program.
pub fn branch(kind: Kind, program_counter: u64, taken: bool, target: u64) -> Event {
    Event {
        instructions: 3,
        program_counter,
        target: if taken { target } else { 0 },
        kind,
        call: false,
        is_return: false,
        taken,
        length: 4,
        thread: 0,
    }
}

/// Loops with trip counts around what the loop predictor and the match model count, and a branch at random after each.
fn loops(seed: u64) -> Vec<Event> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut events = Vec::new();
    for (number, trips) in (0..).zip([3, 5, 9, 14, 30, 31, 32, 33, 150]) {
        let place = 0x8000 + 0x54 * number;
        for _ in 0..24 {
            let count = if random.random_range(0..8) == 0 { trips / 2 } else { trips };
            let conditional = |taken| branch(Kind::DirectConditional, place, taken, place - 8);
            events.extend((0..=count).map(|trip| conditional(trip < count)));
            let next = place + 0x10;
            events.push(branch(Kind::DirectConditional, next, random.random(), next + 0x20));
        }
    }
    events
}

/// Runs that end in conditional indirect branches and leave the instruction counter's range before them.
fn indirect_runs() -> Vec<Event> {
    let run = |length: u64| Event {
        instructions: length,
        ..branch(
            Kind::IndirectConditional,
            0x8000 + 16 * (length % 5),
            !length.is_multiple_of(3),
            0x9000 + 0x40 * (length % 7),
        )
    };
    (200..420).map(run).collect()
}

/// Indirect jumps in successive cycles to a module that has nothing else to do, from few places to few targets.
fn bursts() -> Vec<Event> {
    let mut random = ChaCha8Rng::seed_from_u64(25);
    let mut burst = || {
        let idle = Event { instructions: 1, ..branch(Kind::DirectJump, 0x8000, true, 0x8000) };
        let jumps = [(); 6].map(|()| {
            let place = 0x8000 + 2 * random.random_range(0..12);
            let target = 0x9000 + 0x40 * random.random_range(0..2);
            Event { instructions: 1, ..branch(Kind::IndirectJump, place, true, target) }
        });
        [idle; 120].into_iter().chain(jumps)
    };
    (0..100).flat_map(|_| burst()).collect()
}

/// Jumps from two places to the lowest addresses, which all regions are after reset, and to another region.
pub fn first_region() -> [Event; 8] {
    [0, 1, 0, 2, 0, 3, 0, 4].map(|region| {
        let place = if region == 0 { 0x8200 } else { 0x8340 };
        Event { instructions: 2, ..branch(Kind::IndirectJump, place, true, 0x1000 | region << 28) }
    })
}

/// Calls, jumps to a few regions, and returns to new ones that have the low bits of the return address.
fn stale_returns() -> Vec<Event> {
    let mut regions = (1..).map(|number| (number * 0x0107_0000) & 0xffff_0000);
    let mut fresh = || regions.next().unwrap_or_default() + 0x1000;
    let jump = |target| branch(Kind::IndirectJump, 0x8000, true, target);
    let mut events = Vec::new();
    for between in 0..40 {
        let caller = fresh();
        events.push(jump(caller));
        let call = branch(Kind::DirectJump, caller, true, caller + 0x40);
        events.push(Event { call: true, ..call });
        events.extend((0..between % 8).map(|_| jump(fresh())));
        events.push(Event { is_return: true, ..jump(fresh() + 4) });
    }
    events
}

/// Jumps, calls and returns from few places to the same places of many regions; mostly where the last one went.
pub fn far_targets(seed: u64) -> Vec<Event> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut last, mut last_number) = ([0x1000; 8], [0; 8]);
    let mut next = || {
        let place = random.random_range(0..last.len());
        // Two targets that are its own, and seldom any other.
        let number = match random.random_range(0..16) {
            0 => random.random_range(0..21),
            1..=4 => 2 * place as u64 + random.random_range(0..2),
            _ => last_number[place],
        };
        last_number[place] = number;
        last[place] = (number % 7 * 0x2345_0000) + 0x1000 + 0x40 * (number / 7);
        let kind = match random.random_range(0..8) {
            0 => Kind::IndirectConditional,
            _ => Kind::IndirectJump,
        };
        let taken = kind == Kind::IndirectJump || random.random();
        let call = taken && random.random_range(0..5) == 0;
        let is_return = taken && !call && random.random_range(0..5) == 0;
        let jump = branch(kind, 0x8000 + 0x12 * place as u64, taken, last[place]);
        Event { instructions: 2, call, is_return, ..jump }
    };
    (0..2_500).map(|_| next()).collect()
}

/// Jumps, which have no symbol, and an exception to one of two handlers near the code.
fn interrupt(number: u64) -> impl Iterator<Item = Event> {
    let place = 0x8000 + 4 * (number % 16);
    let jumps = (0..9).map(move |_| branch(Kind::DirectJump, place, true, place));
    let handler = if number % 6 < 4 { 0x8400 } else { 0x8480 };
    jumps.chain([branch(Kind::Exception, place, true, handler)])
}

/// A conditional branch, which has a symbol, and an exception right after it.
fn interrupt_after_symbol(number: u64) -> [Event; 2] {
    let place = 0x8000 + 4 * (number % 4);
    let interrupted = branch(Kind::Exception, place + 4, true, 0x8400);
    [
        branch(Kind::DirectConditional, place, number % 8 < 4, place - 8),
        Event { instructions: 1, ..interrupted },
    ]
}

/// Returns before the first call.
fn returns_without_calls() -> [Event; 4] {
    [0, 1, 2, 3].map(|number| Event {
        is_return: true,
        ..branch(Kind::IndirectJump, 0x8030 + 0x40 * number, true, 0x8000 + 0x20 * number)
    })
}

/// Two calls, a return from both at once, and one to an address that no call left.
fn returns(number: u64) -> [Event; 4] {
    let place = 0x8000 + 0x40 * number;
    let call = |place| Event { call: true, ..branch(Kind::DirectJump, place, true, place + 0x10) };
    let back = |target| Event {
        is_return: true,
        ..branch(Kind::IndirectJump, place + 0x30, true, target)
    };
    [call(place), call(place + 0x10), back(place + 4), back(place + 0x20)]
}
