//! The funnel of whole messages in Verilator against its model, cycle by cycle.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::message_funnel::{Config, MessageFunnel, Source};
use tracewright_sim::pins::{module, sinks};

use super::Failure;
use crate::library::{InputPort, Library, OutputPort};
use crate::model::Model;

/// Cycles of a run.
const CYCLES: u64 = 60_000;

/// Cycles after which the pace changes.
const PACE_CYCLES: u64 = 512;

/// How often a source has a byte, one discards or is empty, and the sink is ready, in percent; and the sources that are off.
struct Pace {
    shows: u32,
    discards: u32,
    empty: u32,
    ready: u32,
    is_on: bool,
    disabled: u32,
}

impl Pace {
    fn random(random: &mut ChaCha8Rng) -> Pace {
        let mut pick = |of: [u32; 3]| of[random.random_range(0..3)];
        Pace {
            shows: pick([2, 30, 100]),
            discards: pick([0, 0, 20]),
            empty: pick([20, 90, 100]),
            ready: pick([5, 50, 100]),
            is_on: pick([0, 1, 1]) == 1,
            disabled: pick([0, 0, 1]) * random.random::<u32>(),
        }
    }
}

/// Data, valid and ready of a source.
type OfSource = (InputPort, InputPort, OutputPort);

/// The pins of a funnel.
struct Pins {
    sources: Vec<OfSource>,
    enable: InputPort,
    disabled: InputPort,
    discards: InputPort,
    source_is_empty: InputPort,
    ready: InputPort,
    data: OutputPort,
    valid: OutputPort,
    is_empty: OutputPort,
    all_has_left: OutputPort,
}

impl Pins {
    fn find(library: &Library, config: &Config) -> Result<Pins, crate::Error> {
        let input = |name: &str| library.input_of_any_width(name).map(|(pin, _)| pin);
        let output = |name: &str| library.output_of_any_width(name).map(|(pin, _)| pin);
        let source = |at| {
            let data = input(&sinks::SOURCE_DATA.numbered(at))?;
            let valid = input(&sinks::SOURCE_VALID.numbered(at))?;
            Ok((data, valid, output(&sinks::SOURCE_READY.numbered(at))?))
        };
        Ok(Pins {
            sources: (0..config.sources as usize)
                .map(source)
                .collect::<Result<_, crate::Error>>()?,
            enable: input(sinks::FUNNEL_ENABLE.name)?,
            disabled: input(sinks::FUNNEL_DISABLED.name)?,
            discards: input(sinks::FUNNEL_DISCARDS.name)?,
            source_is_empty: input(sinks::FUNNEL_SOURCE_IS_EMPTY.name)?,
            ready: input(module::TRACE_READY.name)?,
            data: output(module::TRACE_DATA.name)?,
            valid: output(module::TRACE_VALID.name)?,
            is_empty: output(sinks::FUNNEL_IS_EMPTY.name)?,
            all_has_left: output(sinks::FUNNEL_ALL_HAS_LEFT.name)?,
        })
    }

    /// Shows the sources of a cycle at such a pace.
    fn show(
        &self,
        model: &mut Model,
        sources: &mut [Source],
        (pace, random): (&Pace, &mut ChaCha8Rng),
    ) {
        let (mut discards, mut are_empty) = (0, 0);
        let happens = |percent: u32, random: &mut ChaCha8Rng| random.random_range(0..100) < percent;
        for (at, source) in sources.iter_mut().enumerate() {
            if source.byte.is_none() && happens(pace.shows, random) {
                source.byte = Some(random.random());
            }
            source.discards = happens(pace.discards, random);
            source.is_empty = happens(pace.empty, random);
            source.is_off = !pace.is_on || pace.disabled >> at & 1 == 1;
            discards |= u64::from(source.discards) << at;
            are_empty |= u64::from(source.is_empty) << at;
            let (data, valid, _) = self.sources[at];
            model.set(data, source.byte.unwrap_or_else(|| random.random()).into());
            model.set(valid, source.byte.is_some().into());
        }
        model.set(self.discards, discards);
        model.set(self.source_is_empty, are_empty);
        model.set(self.enable, pace.is_on.into());
        model.set(self.disabled, u64::from(pace.disabled) & ((1 << sources.len()) - 1));
    }

    /// What differs in a cycle in which the sink is ready or not.
    fn difference(
        &self,
        model: &Model,
        golden: &MessageFunnel,
        (sources, is_ready): (&[Source], bool),
    ) -> Option<String> {
        let found = (model.get(self.valid) == 1).then_some(model.get(self.data) as u8);
        if found != golden.offered() {
            return Some(format!("{found:?} is sent, not {:?}", golden.offered()));
        }
        if (model.get(self.is_empty) == 1) != golden.is_empty() {
            return Some(format!("is_empty is not {}", golden.is_empty()));
        }
        if (model.get(self.all_has_left) == 1) != golden.all_has_left(sources) {
            return Some(format!("all_has_left is not {}", golden.all_has_left(sources)));
        }
        let expected = golden.takes(sources, is_ready);
        let differs = |at: &usize| {
            let has_byte = sources[*at].byte.is_some();
            let is_taken = model.get(self.sources[*at].2) == 1 && has_byte;
            is_taken != (expected == Some(*at) && has_byte)
        };
        let at = (0..sources.len()).find(differs)?;
        Some(format!("whether the byte of source {at} is taken differs"))
    }
}

/// Runs the funnel with sources that come, go and discard, are switched off and on, and a sink that is not always ready. Gives
/// the bytes that were taken.
///
/// # Errors
/// What differs between hardware and model.
pub fn run_at_random(library: &Arc<Library>, config: &Config, seed: u64) -> Result<u64, Failure> {
    let mut model = Model::new(library, seed)?;
    model.reset(3)?;
    let pins = Pins::find(library, config)?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut golden = MessageFunnel::new(*config);
    let (mut pace, mut taken) = (Pace::random(&mut random), 0);
    let mut sources = vec![Source::default(); config.sources as usize];
    for cycle in 0..CYCLES {
        if cycle.is_multiple_of(PACE_CYCLES) {
            pace = Pace::random(&mut random);
        }
        pins.show(&mut model, &mut sources, (&pace, &mut random));
        let is_ready = random.random_range(0..100) < pace.ready;
        model.set(pins.ready, is_ready.into());
        model.cycle()?;
        if let Some(what) = pins.difference(&model, &golden, (&sources, is_ready)) {
            return Err(Failure::Difference { cycle, what });
        }
        if let Some(at) = golden.clock(&sources, is_ready) {
            sources[at].byte = None;
            taken += 1;
        }
    }
    Ok(taken)
}
