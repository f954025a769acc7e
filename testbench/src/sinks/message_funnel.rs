//! The funnel of whole messages in Verilator against its model, cycle by cycle.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::message_funnel::{Config, MessageFunnel, Source};
use tracewright_sim::pins::{module, sinks};

use super::Failure;
use crate::library::Library;
use crate::model::Model;

/// Cycles of a run.
const CYCLES: u64 = 60_000;

/// Cycles after which the pace changes.
const PACE_CYCLES: u64 = 512;

/// How often a source has a byte, one discards, and the sink is ready, in percent.
struct Pace {
    shows: u32,
    discards: u32,
    ready: u32,
}

impl Pace {
    fn random(random: &mut ChaCha8Rng) -> Pace {
        let mut pick = |of: [u32; 3]| of[random.random_range(0..3)];
        Pace { shows: pick([2, 30, 100]), discards: pick([0, 0, 20]), ready: pick([5, 50, 100]) }
    }
}

/// Runs the funnel with sources that come, go and discard, and a sink that is not always ready. Gives the bytes that were
/// taken.
///
/// # Errors
/// What differs between hardware and model.
pub fn run_at_random(library: &Arc<Library>, config: &Config, seed: u64) -> Result<u64, Failure> {
    let mut model = Model::new(library, seed)?;
    model.reset(3)?;
    let input = |name: &str| library.input_of_any_width(name).map(|(pin, _)| pin);
    let output = |name: &str| library.output_of_any_width(name).map(|(pin, _)| pin);
    let numbers = 0..config.sources as usize;
    let pins: Vec<_> = numbers
        .map(|at| {
            let data = input(&sinks::SOURCE_DATA.numbered(at))?;
            let valid = input(&sinks::SOURCE_VALID.numbered(at))?;
            Ok::<_, crate::Error>((data, valid, output(&sinks::SOURCE_READY.numbered(at))?))
        })
        .collect::<Result<_, _>>()?;
    let (discards, ready) = (input(sinks::FUNNEL_DISCARDS.name)?, input(module::TRACE_READY.name)?);
    let (data, valid) = (output(module::TRACE_DATA.name)?, output(module::TRACE_VALID.name)?);
    let is_empty = output(sinks::FUNNEL_IS_EMPTY.name)?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut golden = MessageFunnel::new(*config);
    let (mut pace, mut taken) = (Pace::random(&mut random), 0);
    let mut sources = vec![Source::default(); config.sources as usize];
    for cycle in 0..CYCLES {
        if cycle.is_multiple_of(PACE_CYCLES) {
            pace = Pace::random(&mut random);
        }
        let mut mask = 0;
        for (at, source) in sources.iter_mut().enumerate() {
            if source.byte.is_none() && random.random_range(0..100) < pace.shows {
                source.byte = Some(random.random());
            }
            source.discards = random.random_range(0..100) < pace.discards;
            mask |= u64::from(source.discards) << at;
            model.set(pins[at].0, source.byte.unwrap_or_else(|| random.random()).into());
            model.set(pins[at].1, source.byte.is_some().into());
        }
        let is_ready = random.random_range(0..100) < pace.ready;
        model.set(discards, mask);
        model.set(ready, is_ready.into());
        model.cycle()?;
        let fails = |what: String| Err(Failure::Difference { cycle, what });
        let found = (model.get(valid) == 1).then_some(model.get(data) as u8);
        if found != golden.offered() {
            return fails(format!("{found:?} is sent, not {:?}", golden.offered()));
        }
        if (model.get(is_empty) == 1) != golden.is_empty() {
            return fails(format!("is_empty is not {}", golden.is_empty()));
        }
        let expected = golden.takes(&sources, is_ready);
        if let Some(at) = (0..sources.len()).find(|at| {
            let is_taken = model.get(pins[*at].2) == 1 && sources[*at].byte.is_some();
            is_taken != (expected == Some(*at) && sources[*at].byte.is_some())
        }) {
            return fails(format!("whether the byte of source {at} is taken differs"));
        }
        if let Some(at) = golden.clock(&sources, is_ready) {
            sources[at].byte = None;
            taken += 1;
        }
    }
    Ok(taken)
}
