//! What switches a funnel as the registers say, with registers, sources and funnel at random.

use rand::Rng;
use tracewright_sim::control::funnel_switch::{FunnelSwitch, Inputs};
use tracewright_sim::pins::module;

use super::Bench;
use crate::model::Model;
use crate::sinks::Failure;

/// Cycles of a run, and those in which everything happens as often.
const CYCLES: u32 = 20_000;
const PACE_CYCLES: u32 = 200;

/// The switch of a funnel of so many sources, which stands still in some cycles if it has a clock enable.
pub fn run(mut bench: Bench, sources: u32) -> Result<Model, Failure> {
    let mut twin = FunnelSwitch::new(sources);
    let is_gated = bench.inputs.contains_key(module::CLOCK_ENABLE.name);
    let all = 1 << sources;
    let (mut off, mut left, mut disabled) = (2, 2, 0);
    for cycle in 0..CYCLES {
        if cycle % PACE_CYCLES == 0 {
            (off, left) = (bench.one_of(&[2, 20, 500]), bench.one_of(&[1, 2, 20]));
        }
        if bench.is_time(4) {
            disabled = bench.random.random_range(0..all);
        }
        let inputs = Inputs {
            is_active: !bench.is_time(off),
            enable: !bench.is_time(off),
            disabled,
            offered: bench.random.random_range(0..all),
            room: bench.random.random_range(0..all),
            flush: bench.is_time(4),
            is_flushed: bench.is_time(left),
        };
        let runs = !is_gated || bench.random.random();
        bench.set("active", inputs.is_active);
        bench.set(module::ENABLE.name, inputs.enable);
        bench.set("disabled", inputs.disabled);
        bench.set("offered", inputs.offered);
        bench.set("room", inputs.room);
        bench.set(module::FLUSH.name, inputs.flush);
        bench.set(module::FLUSHED.name, inputs.is_flushed);
        bench.set(module::CLOCK_ENABLE.name, runs);
        let outputs = twin.outputs(&inputs);
        bench.expect(&[
            ("shown", outputs.shown.into()),
            ("accepted", outputs.accepted.into()),
            ("funnel_flush", outputs.flush.into()),
            ("is_empty", outputs.is_empty.into()),
        ])?;
        if runs {
            twin.clock(&inputs);
        }
    }
    Ok(bench.model)
}
