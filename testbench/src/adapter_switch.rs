//! What switches a trace module after adapters in Verilator against its model, cycle by cycle.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::ingress::switch::{Config, Inputs, Switch};
use tracewright_sim::pins::{Pin, ingress, module};

use crate::error::Result as SimulationResult;
use crate::library::Library;
use crate::model::Model;
use crate::sinks::Failure;

/// Cycles of a run.
const CYCLES: u64 = 150_000;

/// Cycles in which everything happens as often, which are more than adapters may take to drain.
const PACE_CYCLES: u64 = 5_000;

/// Cycles in which tracing is on before it is switched off for the rest of a pace.
const ON_CYCLES: u64 = 50;

/// How often things happen: one in so many cycles.
struct Pace {
    /// `None` if tracing is switched off once.
    switches: Option<u32>,
    discards: u32,
    drained: u32,
    beats: u32,
    takes: u32,
    /// No beat is taken: what is ready has none.
    is_dead: bool,
}

impl Pace {
    fn random(random: &mut ChaCha8Rng) -> Pace {
        let mut one_of = |all: [u32; 4]| all[random.random_range(0..4)];
        Pace {
            switches: Some(one_of([4, 30, 0, 0])).filter(|cycles| *cycles > 0),
            discards: one_of([20, 10_000, 10_000, 10_000]),
            drained: one_of([2, 10_000, 10_000, 10_000]),
            beats: one_of([1, 1, 2, 2]),
            takes: one_of([2, 100, 700, 700]),
            is_dead: one_of([0, 0, 1, 1]) == 1,
        }
    }
}

fn set<C>(model: &mut Model, pin: &Pin<C>, value: bool) {
    // A switch does not have every pin.
    if let Ok((pin, _)) = model.library().input_of_any_width(pin.name) {
        model.set(pin, value.into());
    }
}

/// The first output that is not as the model has it.
fn difference(
    model: &Model,
    expected: &[(Pin<()>, bool)],
) -> SimulationResult<Option<&'static str>> {
    for (pin, expected) in expected {
        let (output, _) = model.library().output_of_any_width(pin.name)?;
        if (model.get(output) == 1) != *expected {
            return Ok(Some(pin.name));
        }
    }
    Ok(None)
}

/// Does everything at random. Gives the hardware as it is then.
///
/// # Errors
/// What differs between hardware and model.
pub fn run_at_random(library: &Arc<Library>, config: Config, seed: u64) -> Result<Model, Failure> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut model = Model::new(library, seed)?;
    model.reset(2)?;
    let mut twin = Switch::new(config);
    let mut inputs = Inputs::default();
    let mut pace = Pace::random(&mut random);
    for cycle in 0..CYCLES {
        if cycle % PACE_CYCLES == 0 {
            pace = Pace::random(&mut random);
        }
        let mut is_time = |cycles: u32| random.random_range(0..cycles) == 0;
        inputs = Inputs {
            enable: match pace.switches {
                Some(cycles) => inputs.enable ^ is_time(cycles),
                None => cycle % PACE_CYCLES < ON_CYCLES,
            },
            discard: is_time(pace.discards),
            flush: pace.switches.is_some_and(|cycles| inputs.flush ^ is_time(2 * cycles)),
            drained: is_time(pace.drained),
            has_beat: is_time(pace.beats),
            takes: is_time(pace.takes),
            is_flushed: is_time(3),
            drops: is_time(pace.beats + 1),
            is_full: is_time(3),
        };
        inputs.takes &= !(pace.is_dead && inputs.has_beat);
        set(&mut model, &module::ENABLE, inputs.enable);
        set(&mut model, &module::DISCARD, inputs.discard);
        set(&mut model, &module::FLUSH, inputs.flush);
        set(&mut model, &module::FLUSHED, inputs.is_flushed);
        set(&mut model, &ingress::ALL_DRAINED, inputs.drained);
        set(&mut model, &module::TRACE_VALID, inputs.has_beat);
        set(&mut model, &module::TRACE_READY, inputs.takes);
        set(&mut model, &ingress::MODULE_DROPS, inputs.drops);
        set(&mut model, &ingress::ADAPTER_STALL, inputs.is_full);
        model.cycle()?;
        let outputs = twin.outputs(&inputs);
        let expected = [
            (ingress::ADAPTER_FLUSH, outputs.flushes_adapters),
            (ingress::MODULE_ENABLE, outputs.enables),
            (ingress::MODULE_DISCARD, outputs.discards),
            (ingress::MODULE_FLUSH, outputs.flushes),
            (ingress::ADAPTER_HOLDS, outputs.holds),
        ];
        // A switch has the last one only where it can be high.
        let expected = &expected[..4 + usize::from(config.holds)];
        if let Some(name) = difference(&model, expected)? {
            let what = format!("{name} is not as the model has it");
            return Err(Failure::Difference { cycle, what });
        }
        twin.clock(&inputs);
    }
    Ok(model)
}
