//! E-Trace without packets, with starts in the middle, ends and losses anywhere: the decoder follows all of it.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::{Protocol, mask};
use tracewright_sim::e_trace::arbitrary;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, ExecutionState, Kind, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{Design, Encoder, Scheme};
use tracewright_sim::session::{Detail, Session, Synchronisation, Turn};

use crate::common::{described, learn};
use crate::streams::{decode, design, synthetic};

/// A design that is switched without packets; most begin anew after few jumps and branches.
fn switched(random: &mut ChaCha8Rng, machine: Machine) -> Design {
    let (alignment, bits) = (machine.alignment.into(), machine.address_bits.into());
    loop {
        let design = design(Scheme::ETrace(arbitrary::config(random, alignment, bits)));
        if design.protocol().switches_alone() {
            return design;
        }
    }
}

/// What happens beside the events: an event in so many asks for a start, ends the trace, and leads to another state.
struct Periods {
    starts: u32,
    ends: u32,
    changes: u32,
}

impl Periods {
    fn arbitrary(random: &mut ChaCha8Rng) -> Self {
        let mut pick = |all: &[u32]| *all.choose(random).unwrap();
        Periods { starts: pick(&[1, 4, 50]), ends: pick(&[1, 2, 7, 90]), changes: pick(&[3, 40]) }
    }
}

fn comes(random: &mut ChaCha8Rng, period: u32) -> bool {
    random.random_range(0..period) == 0
}

/// Encodes an event, and perhaps asks for a start before it and leads to another state after it.
fn encode(
    (encoder, bits): (&mut Encoder, &mut BitPacker),
    event: &Event,
    (design, periods): (&Design, &Periods),
    random: &mut ChaCha8Rng,
) {
    if comes(random, periods.starts) {
        encoder.turn(Turn::Synchronise(Synchronisation::Periodic), bits);
    }
    encoder.event(event, bits).unwrap();
    let excepts = event.kind == Kind::Exception && event.taken;
    if excepts || comes(random, periods.changes) {
        let Protocol { privilege_bits, context_bits, cause_bits, .. } = *design.protocol();
        let cause = excepts.then(|| random.random::<u64>() & mask(cause_bits));
        let privilege = random.random_range(0..4) & mask(privilege_bits) as u8;
        let context = random.random_range(0..2) & mask(context_bits);
        let state = ExecutionState { privilege, context, cause };
        encoder.detail(Detail::State(state), bits).unwrap();
    }
}

#[test]
fn starts_in_the_middle_and_ends_anywhere_are_followed() {
    for seed in 0..1_000 {
        let (machine, mut events) = synthetic(seed, 600);
        let program = learn(machine, &mut events);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (design, periods) = (switched(&mut random, machine), Periods::arbitrary(&mut random));
        let (mut encoder, mut bits) = (Encoder::new(&design).unwrap(), BitPacker::new());
        for event in &events {
            encode((&mut encoder, &mut bits), event, (&design, &periods), &mut random);
            if comes(&mut random, periods.ends) {
                encoder.flush(&mut bits);
            }
        }
        encoder.flush(&mut bits);
        let decoded = decode(&design, &program, &bits.finish());
        let (decoded, _) = decoded.unwrap_or_else(|error| panic!("{seed}: {design:?}: {error}"));
        let (decoded, events) = (decoded.iter().map(described), events.iter().map(described));
        let same = decoded.clone().zip(events.clone()).take_while(|(one, other)| one == other);
        let same = same.count();
        let ends = (decoded.clone().nth(same), events.clone().nth(same));
        assert_eq!(ends.0, ends.1, "{seed}: event {same}: {design:?}");
    }
}
