//! Programs that come to the limits of Talon.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, Kind};

use super::talon::branch;

/// Loops with trip counts around what the loop predictor and the match model count, and a branch at random after each.
pub fn loops(seed: u64, rounds: usize) -> Vec<Event> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut events = Vec::new();
    for (number, trips) in (0..).zip([3, 5, 9, 14, 30, 31, 32, 33, 150]) {
        let place = 0x8000 + 0x54 * number;
        for _ in 0..rounds {
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
pub fn indirect_runs() -> Vec<Event> {
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
pub fn bursts(count: usize) -> Vec<Event> {
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
    (0..count).flat_map(|_| burst()).collect()
}

/// Jumps from two places to the lowest addresses, which all regions are after reset, and to another region.
pub fn first_region() -> [Event; 8] {
    [0, 1, 0, 2, 0, 3, 0, 4].map(|region| {
        let place = if region == 0 { 0x8200 } else { 0x8340 };
        Event { instructions: 2, ..branch(Kind::IndirectJump, place, true, 0x1000 | region << 28) }
    })
}

/// Calls, jumps to a few regions, and returns to new ones that have the low bits of the return address.
pub fn stale_returns() -> Vec<Event> {
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
pub fn interrupt(number: u64) -> impl Iterator<Item = Event> {
    let place = 0x8000 + 4 * (number % 16);
    let jumps = (0..9).map(move |_| branch(Kind::DirectJump, place, true, place));
    let handler = if number % 6 < 4 { 0x8400 } else { 0x8480 };
    jumps.chain([branch(Kind::Exception, place, true, handler)])
}

/// Runs without a branch over so many halves of an instruction counter of 8 bits, around every limit of the count of
/// them, up to an exception or a branch.
pub fn overflows() -> Vec<Event> {
    let jump = Event { instructions: 128, ..branch(Kind::DirectJump, 0x8000, true, 0x8000) };
    let run = |halves: usize| {
        let exception = branch(Kind::Exception, 0x8000, true, 0x8400);
        let symbol = branch(Kind::DirectConditional, 0x8040, false, 0);
        let ends = if halves.is_multiple_of(3) { [symbol, exception] } else { [exception, symbol] };
        std::iter::repeat_n(jump, halves).chain(ends)
    };
    [1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 62, 63, 64, 65, 66, 129]
        .into_iter()
        .flat_map(run)
        .collect()
}

/// Jumps whose instructions leave the range of that counter, or end in it, at every place of a block, up to an exception with
/// few or with many instructions of its own.
pub fn overflows_anywhere() -> Vec<Event> {
    let of = |instructions, event: Event| Event { instructions, ..event };
    let jump = branch(Kind::DirectJump, 0x8000, true, 0x8000);
    let exception = branch(Kind::Exception, 0x8000, true, 0x8400);
    let mut events = Vec::new();
    for size in [1, 2, 5, 41, 125, 126, 127, 128, 129, 130, 131] {
        for own in [0, 1, 2, 3, 5, 7, 60, 124, 127, 128, 129, 133, 255, 256, 257] {
            let jumps = 128u64.div_ceil(size).min(6);
            for count in [jumps, jumps + 1, 2 * jumps] {
                events.extend(std::iter::repeat_n(of(size, jump), count as usize));
                events.push(of(own, exception));
            }
        }
    }
    events
}

/// Blocks that end at the limits of an instruction counter of 8 bits, and around them, while the count of its overflows is at
/// its beginning or at its end: jumps, branches and exceptions, after which an exception tells both counts.
pub fn overflows_at_limits() -> Vec<Event> {
    let of = |instructions, event: Event| Event { instructions, ..event };
    let jump = branch(Kind::DirectJump, 0x8000, true, 0x8000);
    let exception = branch(Kind::Exception, 0x8000, true, 0x8400);
    let symbol = branch(Kind::DirectConditional, 0x8040, false, 0);
    let target = branch(Kind::IndirectJump, 0x8060, true, 0x9000);
    let mut events = Vec::new();
    for halves in [0, 62, 63] {
        for lead in [0, 1, 127] {
            for size in [1, 127, 128, 129, 130, 255, 256, 257, 258] {
                for last in [jump, exception, symbol, target] {
                    events.extend(std::iter::repeat_n(of(128, jump), halves));
                    events.extend((lead > 0).then(|| of(lead, jump)));
                    events.push(of(size, last));
                    events.push(of(u64::from(lead == 1), exception));
                    events.push(symbol);
                }
            }
        }
    }
    events
}

/// A conditional branch, which has a symbol, and an exception right after it.
pub fn interrupt_after_symbol(number: u64) -> [Event; 2] {
    let place = 0x8000 + 4 * (number % 4);
    let interrupted = branch(Kind::Exception, place + 4, true, 0x8400);
    [
        branch(Kind::DirectConditional, place, number % 8 < 4, place - 8),
        Event { instructions: 1, ..interrupted },
    ]
}

/// Returns before the first call.
pub fn returns_without_calls() -> [Event; 4] {
    [0, 1, 2, 3].map(|number| Event {
        is_return: true,
        ..branch(Kind::IndirectJump, 0x8030 + 0x40 * number, true, 0x8000 + 0x20 * number)
    })
}

/// Two calls, a return from both at once, and one to an address that no call left.
pub fn returns(number: u64) -> [Event; 4] {
    let place = 0x8000 + 0x40 * number;
    let call = |place| Event { call: true, ..branch(Kind::DirectJump, place, true, place + 0x10) };
    let back = |target| Event {
        is_return: true,
        ..branch(Kind::IndirectJump, place + 0x30, true, target)
    };
    [call(place), call(place + 0x10), back(place + 4), back(place + 0x20)]
}

/// A jump that goes to two targets in turn, seldom to a third one, and now and then a direct one at its address.
pub fn choice(number: u64) -> impl Iterator<Item = Event> {
    let jump = |kind, target| branch(kind, 0x8a00, true, target);
    let target = if number % 50 == 49 { 0x9080 } else { 0x9000 + 0x40 * (number % 2) };
    let direct = (number % 20 == 19).then(|| jump(Kind::DirectJump, 0x9000));
    [jump(Kind::IndirectJump, target)].into_iter().chain(direct)
}

/// Three calls and a return from two of them; and three, a jump to where the second one returns to, and a return to where no
/// call was.
pub fn nested_returns(number: u64) -> Vec<Event> {
    let place = 0x8000 + 0x60 * number;
    let call = |step: u64| Event {
        call: true,
        ..branch(Kind::DirectJump, place + 0x10 * step, true, place + 0x10 * (step + 1))
    };
    let back = |target| Event {
        is_return: true,
        ..branch(Kind::IndirectJump, place + 0x40, true, place + target)
    };
    let calls = [0, 1, 2].map(call);
    let [first, second, third] = calls;
    let jump = branch(Kind::DirectJump, place + 0x30, true, place + 0x14);
    // The stack begins elsewhere in every round.
    let begin = vec![first; number as usize % 3];
    let before = [first, second, third, back(0x14), back(4), first];
    let after = [second, third, jump, back(8), back(0x14), back(4)];
    [begin, before.into(), after.into()].concat()
}

/// Jumps and exceptions at the highest addresses, to one another and to low ones.
pub fn high_addresses(number: u64) -> [Event; 2] {
    let place = 0xffff_8000 + 0x10 * (number % 4);
    let target = if number.is_multiple_of(3) { 0x9000 } else { 0xffff_9000 + 0x40 * (number % 2) };
    [
        branch(Kind::IndirectJump, place, true, target),
        branch(Kind::Exception, place, true, 0xffff_8400),
    ]
}

/// An exception to a handler that is known, so long after a symbol that the coder cannot hold the instructions back.
pub fn late_exception(number: u64) -> [Event; 3] {
    let place = 0x8000 + 4 * (number % 4);
    let jump = Event { instructions: 40, ..branch(Kind::DirectJump, place, true, place) };
    [jump, jump, branch(Kind::Exception, place, true, 0x8400)]
}
