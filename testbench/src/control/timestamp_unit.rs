//! The counter of the time, with what registers say of it at random.

use rand::Rng;
use tracewright_sim::control::timestamp_unit::{Inputs, TimestampUnit};
use tracewright_sim::pins::module;

use super::Bench;
use crate::model::Model;
use crate::sinks::Failure;

/// Cycles of a run, and those in which the registers stay mostly as they are.
const CYCLES: u32 = 20_000;
const PACE_CYCLES: u32 = 100;

/// A counter of so many bits.
pub fn run(mut bench: Bench, bits: u32) -> Result<Model, Failure> {
    let mut twin = TimestampUnit::new(bits);
    let (mut prescale, mut rests) = (0, 8);
    for cycle in 0..CYCLES {
        if cycle % PACE_CYCLES == 0 {
            prescale = bench.random.random_range(0..4);
            rests = bench.one_of(&[2, 8, 1000]);
        }
        let inputs = Inputs {
            is_active: !bench.is_time(40 * rests),
            counts: !bench.is_time(rests),
            resets: bench.is_time(50 * rests),
            prescale,
        };
        bench.set("active", inputs.is_active);
        bench.set("counts", inputs.counts);
        bench.set("resets", inputs.resets);
        bench.set("prescale", inputs.prescale);
        bench.expect(&[
            (module::TIMESTAMP.name, twin.time()),
            ("reset_done", inputs.resets.into()),
        ])?;
        twin.clock(&inputs);
    }
    Ok(bench.model)
}
