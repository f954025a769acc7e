//! No event takes more bits than its design's bound, whatever the program.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::bound::MostBits;
use tracewright_sim::encode::fifo::Fifo;
use tracewright_sim::event::Event;
use tracewright_sim::field::Account;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{Design, Encoder, Scheme};
use tracewright_sim::synthetic::script::MACHINE;
use tracewright_sim::synthetic::{Options, Synthetic};

use crate::scripts::{EVERYTHING, events};

/// The worst programs that are known, and random ones.
fn bad_programs() -> Vec<Vec<Event>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../workloads/worst");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut programs: Vec<Vec<Event>> = paths
        .map(|path| events(&std::fs::read_to_string(path).unwrap(), 3_000))
        .chain([events(EVERYTHING, 10_000)])
        .collect();
    assert!(programs.len() > 20);
    let options = |seed| Options { machine: MACHINE, events: 5_000, ..Options::from_seed(seed) };
    programs
        .extend((0..20).map(|seed| Synthetic::new(within_range(options(seed))).unwrap().collect()));
    programs
}

/// No event of bad programs takes more bits than any can take. Through so many pins a buffer of so many bits is enough, as
/// every event has a cycle.
#[test]
fn no_event_takes_more_than_the_bound() {
    let programs = bad_programs();
    let designs = bounded_presets();
    assert!(designs.len() > 40);
    for (design, most) in &designs {
        for events in &programs {
            stays_within(design, most, events);
        }
    }
}

/// The same of designs whose parameters are drawn at random.
#[test]
fn no_event_of_a_random_design_takes_more_than_the_bound() {
    let programs = bad_programs();
    let mut random = ChaCha8Rng::seed_from_u64(57);
    let mut tried = 0;
    for scheme in Scheme::all().iter().cycle().take(1_000) {
        let scheme = scheme.arbitrary(&mut random, 1, 32);
        let design = Design::new("random", scheme);
        let Ok(design) = design.and_then(|design| design.for_machine(MACHINE)) else { continue };
        let Some(most) = design.most_bits_of_event() else { continue };
        tried += 1;
        stays_within(&design, &most, programs.choose(&mut random).unwrap());
    }
    assert!(tried > 300, "{tried}");
}

/// Encodes events, and compares the bits of each with the bound.
fn stays_within(design: &Design, most: &MostBits, events: &[Event]) {
    let mut counted = 0;
    let bounds: Vec<u64> = events
        .iter()
        .map(|event| {
            counted += event.instructions;
            most.of(event, counted)
        })
        .collect();
    let dearest = bounds.iter().max().unwrap() + u64::from(most.beginning);
    let (mut fifo, mut clock) = (Fifo::new(dearest, dearest as u32), 0);
    let (mut encoder, mut account) = (Encoder::new(design).unwrap(), Account::default());
    for (event, bound) in events.iter().zip(bounds) {
        let before = account.bits;
        encoder.event(event, &mut account).unwrap();
        let bits = account.bits - before;
        let bound = bound + if before == 0 { u64::from(most.beginning) } else { 0 };
        assert!(bits <= bound, "{}: {event} takes {bits} of {bound} bits", design.name);
        clock += event.instructions.max(1);
        fifo.push(clock, bits);
    }
    assert!(fifo.needed_bits <= dearest && fifo.stall_cycles == 0, "{}", design.name);
}

/// The presets of which a bound is proven, for the programs' processor, and the bound.
fn bounded_presets() -> Vec<(Design, MostBits)> {
    let designs =
        Scheme::presets().into_iter().map(|(preset, _)| Design::preset(preset.name).unwrap());
    let designs = designs.filter_map(|design| design.for_machine(MACHINE).ok());
    designs.filter_map(|design| Some((design.clone(), design.most_bits_of_event()?))).collect()
}

/// The page has the bounds of every preset of one core.
#[test]
fn the_page_has_the_bounds() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/worst_case.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows = bounded_presets()
        .into_iter()
        .filter(|(design, _)| design.cores() == 1 && !design.name.ends_with("-fpga"));
    let missing = rows.filter_map(|(design, most)| {
        let MostBits { direct_jump, conditional, indirect, exception, .. } = most;
        let row = format!("{conditional} | {indirect} | {exception} |");
        let of_jumps = format!("| `{}` | {direct_jump} | {row}", design.name);
        let plain = format!("| `{}` | {row}", design.name);
        let is_said = page.contains(&of_jumps) || direct_jump == 0 && page.contains(&plain);
        (!is_said).then_some(of_jumps)
    });
    let missing: Vec<String> = missing.collect();
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

fn within_range(options: Options) -> Options {
    Options { code_base: 0x1000, code_span: 1 << 20, ..options }
}
