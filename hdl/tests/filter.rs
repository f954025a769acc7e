//! The filter, in RustHDL's simulation, against its twin in the golden model.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::filter::Filter;
use tracewright_sim::config::{Processor, Protocol, mask};
use tracewright_sim::event::ExecutionState;
use tracewright_sim::filter::{self, Mode, Range, Settings, Window};
use tracewright_sim::packet::header::Next;

/// Addresses are this wide, so that ranges are met often.
const ADDRESS_BITS: u32 = 32;
const MOST: u64 = 0x7f;

fn word(width: u32, value: u64) -> Word {
    Word::new(width as usize, value & mask(width))
}

fn settings(random: &mut ChaCha8Rng, protocol: &Protocol) -> Settings {
    let ranges = (0..random.random_range(0..=protocol.filter_ranges)).map(|_| {
        let low = random.random_range(0..=MOST);
        let high = random.random_range(low..=MOST);
        let mode = if random.random() { Mode::Include } else { Mode::Exclude };
        Range { low, high, mode }
    });
    let ranges = ranges.collect();
    let is_set = |has: bool| has && random.random();
    let [privileges, context, window] =
        [protocol.filter_privilege, protocol.filter_context, protocol.filter_window].map(is_set);
    Settings {
        ranges,
        privileges: privileges.then(|| random.random::<u8>() & 0xf),
        context: context.then(|| random.random_range(0..4)),
        window: window.then(|| Window {
            start: random.random_range(0..=MOST),
            stop: random.random_range(0..=MOST),
        }),
    }
}

#[test]
fn decisions() {
    let mut random = ChaCha8Rng::seed_from_u64(16);
    let mut passed = [0u32; 2];
    for turn in 0..60 {
        let alignment = turn % 3;
        let protocol = Protocol {
            filter_ranges: [0, 1, 3, 8][turn as usize % 4],
            filter_privilege: random.random(),
            filter_context: random.random(),
            filter_window: turn % 5 < 3,
            context_bits: 2,
            privilege_bits: 2,
            ..Protocol::default()
        };
        let processor =
            Processor { address_width: ADDRESS_BITS, alignment, ..Processor::default() };
        let settings = settings(&mut random, &protocol);
        let mut model = filter::Filter::new(settings.clone(), alignment);
        let mut hardware = Simulator::new(Filter::new(&processor, &protocol)).unwrap();
        hardware.poke(|block| show(block, &settings, &protocol));
        for _ in 0..300 {
            let [last, next] = [0; 2].map(|_| random.random_range(0..=MOST) >> alignment);
            let [last, next] = [last << alignment, next << alignment];
            let state = ExecutionState {
                context: random.random_range(0..4),
                privilege: random.random_range(0..4),
                cause: None,
            };
            let ends: bool = random.random();
            hardware.poke(|block| {
                block.ends_run.next = ends.into();
                block.begins_at.next = word(ADDRESS_BITS - alignment, next >> alignment);
                if protocol.filter_window {
                    block.last.next = word(ADDRESS_BITS, last);
                }
                if protocol.filter_context {
                    block.next_context.next = word(2, state.context);
                }
                if protocol.filter_privilege {
                    block.next_privilege.next = word(2, state.privilege.into());
                }
            });
            let passes = |value: &Word| value.any();
            let now = hardware.peek(|block| passes(&block.passes.val()));
            assert_eq!(now, model.traces(), "{settings:?}");
            if ends {
                let place = if random.random() { Next::At(next) } else { Next::After(next) };
                model.decide(last, place, &state);
                let next = hardware.peek(|block| passes(&block.next_passes.val()));
                assert_eq!(next, model.traces(), "{settings:?}, {place:?}, {state}");
                passed[usize::from(next)] += 1;
            }
            hardware.clock();
        }
    }
    assert!(passed.iter().all(|count| *count > 2_000), "{passed:?}");
}

fn show(block: &mut Filter, settings: &Settings, protocol: &Protocol) {
    let mask_of = |mode| {
        let ranges = settings.ranges.iter().enumerate();
        ranges.fold(0, |mask, (place, range)| mask | u64::from(range.mode == mode) << place)
    };
    let ranges = protocol.filter_ranges;
    if ranges > 0 {
        block.pins.includes.next = word(ranges, mask_of(Mode::Include));
        block.pins.excludes.next = word(ranges, mask_of(Mode::Exclude));
    }
    for (place, range) in settings.ranges.iter().enumerate() {
        block.low[place].next = word(ADDRESS_BITS, range.low);
        block.high[place].next = word(ADDRESS_BITS, range.high);
    }
    if protocol.filter_privilege {
        let levels = settings.privileges.map_or(0, |levels| u64::from(!levels));
        block.pins.privilege_excludes.next = word(4, levels);
    }
    if protocol.filter_context {
        block.pins.has_context.next = settings.context.is_some().into();
        block.pins.context.next = word(2, settings.context.unwrap_or(0));
    }
    if protocol.filter_window {
        block.pins.has_window.next = settings.window.is_some().into();
        let window = settings.window.unwrap_or(Window { start: 0, stop: 0 });
        block.pins.start.next = word(ADDRESS_BITS, window.start);
        block.pins.stop.next = word(ADDRESS_BITS, window.stop);
    }
}
