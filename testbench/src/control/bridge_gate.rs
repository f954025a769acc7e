//! The gate of an ATB bridge, with source and bus at random.

use rand::Rng;
use tracewright_sim::control::bridge_gate::{BridgeGate, Inputs};
use tracewright_sim::pins::{module, sinks};

use super::Bench;
use crate::model::Model;
use crate::sinks::Failure;

/// Cycles of a run, and those in which everything happens as often.
const CYCLES: u32 = 20_000;
const PACE_CYCLES: u32 = 200;

/// The gate; it stands still in some cycles where it has a clock enable.
pub fn run(mut bench: Bench) -> Result<Model, Failure> {
    let mut twin = BridgeGate::default();
    let can_stand = bench.inputs.contains_key(module::CLOCK_ENABLE.name);
    let (mut rests, mut waits) = (2, 2);
    for cycle in 0..CYCLES {
        if cycle % PACE_CYCLES == 0 {
            (rests, waits) = (bench.one_of(&[2, 8, 50]), bench.one_of(&[1, 2, 8]));
        }
        let inputs = Inputs {
            is_empty: bench.is_time(rests),
            has_beat: bench.random.random(),
            is_ready: bench.is_time(waits),
            flushes: bench.random.random(),
            has_left: bench.random.random(),
        };
        let runs = !can_stand || bench.random.random();
        bench.set(module::CLOCK_ENABLE.name, runs);
        bench.set("is_empty", inputs.is_empty);
        bench.set("beat_valid", inputs.has_beat);
        bench.set("all_has_left", inputs.has_left);
        bench.set(sinks::ATREADY.name, inputs.is_ready);
        bench.set(sinks::AFVALID.name, inputs.flushes);
        let outputs = twin.outputs(&inputs);
        bench.expect(&[
            ("bridge_is_empty", outputs.is_empty.into()),
            (sinks::ATVALID.name, outputs.offers.into()),
            ("beat_ready", outputs.takes.into()),
            (sinks::AFREADY.name, outputs.has_left.into()),
        ])?;
        if runs {
            twin.clock(&inputs);
        }
    }
    Ok(bench.model)
}
