//! Triggers from and to outside, with what they are for at random.

use rand::Rng;
use tracewright_sim::control::{trigger_inputs, trigger_outputs};
use tracewright_sim::pins::{control as pins, module};

use super::Bench;
use crate::model::Model;
use crate::sinks::Failure;

/// Cycles of a run, and those in which the registers stay as they are.
const CYCLES: u32 = 20_000;
const PACE_CYCLES: u32 = 100;

/// Triggers from outside.
pub fn run_inputs(mut bench: Bench, triggers: u32, is_gated: bool) -> Result<Model, Failure> {
    let mut twin = trigger_inputs::TriggerInputs::new(is_gated);
    let names: Vec<_> = (0..triggers).map(|trigger| format!("action_{trigger}")).collect();
    let mut actions = vec![0; triggers as usize];
    let (mut level, mut changes) = (0, 2);
    for cycle in 0..CYCLES {
        if cycle % PACE_CYCLES == 0 {
            for (name, action) in names.iter().zip(&mut actions) {
                *action = bench.one_of(&[0, 2, 3, 4, 2, 3, 4, 1, 5, 6, 7, 8, 10, 11, 12, 15]);
                bench.set(name, *action);
            }
            changes = bench.one_of(&[1, 2, 8]);
        }
        for trigger in 0..triggers {
            level ^= u32::from(bench.is_time(changes)) << trigger;
        }
        let inputs = trigger_inputs::Inputs {
            triggers: level,
            may_switch: !bench.is_time(4),
            is_tracing: !bench.is_time(4),
            runs: bench.is_time(3),
        };
        bench.set(pins::TRIGGER_IN.name, inputs.triggers);
        bench.set("may_switch", inputs.may_switch);
        bench.set("is_tracing", inputs.is_tracing);
        bench.set("runs", inputs.runs);
        let outputs = twin.outputs(&actions, &inputs);
        bench.expect(&[
            ("starts", outputs.starts.into()),
            ("stops", outputs.stops.into()),
            ("notifies", outputs.notifies.into()),
        ])?;
        twin.clock(&actions, &inputs);
    }
    Ok(bench.model)
}

/// Triggers to outside.
pub fn run_outputs(mut bench: Bench, triggers: u32, is_gated: bool) -> Result<Model, Failure> {
    let mut twin = trigger_outputs::TriggerOutputs::new(is_gated);
    let names: Vec<_> = (0..triggers).map(|trigger| format!("event_{trigger}")).collect();
    let mut events = vec![0; triggers as usize];
    let mut inputs = trigger_outputs::Inputs::default();
    for cycle in 0..CYCLES {
        if cycle % PACE_CYCLES == 0 {
            for (name, event) in names.iter().zip(&mut events) {
                *event = bench.one_of(&[0, 1, 2, 4, 8, 1, 2, 4, 8, 3, 12, 15]);
                bench.set(name, *event);
            }
        }
        inputs = trigger_outputs::Inputs {
            traces: inputs.traces ^ bench.is_time(4),
            synchronised: bench.is_time(4),
            lacks_room: inputs.lacks_room ^ bench.is_time(4),
            runs: bench.random.random(),
        };
        bench.set("tracing", inputs.traces);
        bench.set(module::SYNCHRONISED.name, inputs.synchronised);
        bench.set("lacks_room", inputs.lacks_room);
        bench.set("runs", inputs.runs);
        bench.expect(&[(pins::TRIGGER_OUT.name, twin.fired().into())])?;
        twin.clock(&events, &inputs);
    }
    Ok(bench.model)
}
