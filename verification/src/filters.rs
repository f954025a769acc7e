//! Filters for co-simulations, drawn from what a workload runs, so that they let a part of it through.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::{Protocol, mask};
use tracewright_sim::event::{Event, ExecutionState, Item};
use tracewright_sim::filter::{Mode, Range, Settings, Window};
use tracewright_sim::scheme::Design;

use crate::error::{Error, Result};
use crate::source::Workload;

/// Events from which addresses are taken.
const EVENTS: usize = 4_000;

/// Bytes of a range after its first address: one run, some, a function, much of the program.
const SIZES: [u64; 6] = [0, 4, 64, 256, 4096, 1 << 16];

/// Settings for the pins that a design has. One in eight lets everything through.
pub(crate) fn drawn(seed: u64, design: &Design, workload: &Workload) -> Result<Settings> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let Protocol { filter_ranges, .. } = *design.protocol();
    if !design.protocol().filters() || random.random_range(0..8) == 0 {
        return Ok(Settings::default());
    }
    let (mut events, mut states): (Vec<Event>, Vec<ExecutionState>) = Default::default();
    for item in workload.items_for(design)?.take(EVENTS) {
        match item.map_err(Error::Items)? {
            Item::Event(event) if event.taken => events.push(event),
            Item::State(state) => states.push(state),
            Item::Event(_) | Item::Access(_) | Item::Cycles(_) => {}
        }
    }
    let most = mask(design.processor().address_width);
    let some = |random: &mut ChaCha8Rng| {
        events.choose(random).map_or((0, 0), |event| (event.target, event.program_counter))
    };
    let ranges = (0..random.random_range(0..=filter_ranges)).map(|_| {
        let begin = some(&mut random).0;
        let size = *SIZES.choose(&mut random).unwrap_or(&0);
        let before = random.random_range(0..=size);
        let mode = if random.random() { Mode::Include } else { Mode::Exclude };
        Range {
            low: begin.saturating_sub(before),
            high: begin.saturating_add(size).min(most),
            mode,
        }
    });
    let ranges = ranges.collect();
    let protocol = design.protocol();
    let has = |random: &mut ChaCha8Rng, is_there: bool| is_there && random.random_range(0..4) > 0;
    let privileges = has(&mut random, protocol.filter_privilege).then(|| random.random::<u8>());
    let privileges = privileges.map(|levels| levels & mask(1 << protocol.privilege_bits) as u8);
    let context = has(&mut random, protocol.filter_context).then(|| {
        let state = states.choose(&mut random);
        state.map_or(0, |state| state.context & mask(protocol.context_bits))
    });
    let window = has(&mut random, protocol.filter_window)
        .then(|| Window { start: some(&mut random).0, stop: some(&mut random).1 });
    Ok(Settings { ranges, privileges, context, window })
}
