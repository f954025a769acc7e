//! What is between an APB and the units of a system, with bus and units at random.

use rand::Rng;
use tracewright_sim::config::{index_bits, mask};
use tracewright_sim::control::apb::Outputs;
use tracewright_sim::control::apb_split::Split;
use tracewright_sim::pins::control;

use super::Bench;
use crate::model::Model;
use crate::sinks::Failure;

/// Cycles of a run.
const CYCLES: u32 = 5_000;

/// It has no registers, so every cycle is for itself.
pub fn run(mut bench: Bench, units: u32) -> Result<Model, Failure> {
    for _ in 0..CYCLES {
        let answer = |bench: &mut Bench| Outputs {
            is_ready: bench.random.random(),
            data: bench.data(),
            is_error: bench.random.random(),
        };
        let all: Vec<Outputs> = (0..units).map(|_| answer(&mut bench)).collect();
        let bits = |of: fn(&Outputs) -> bool| -> u64 {
            all.iter().zip(0..).map(|(unit, at)| u64::from(of(unit)) << at).sum()
        };
        bench.set("unit_ready", bits(|unit| unit.is_ready));
        bench.set("unit_error", bits(|unit| unit.is_error));
        for (at, unit) in all.iter().enumerate() {
            bench.set(&format!("unit_read_{at}"), unit.data);
        }
        let high = bench.random.random::<u64>() & mask(index_bits(units));
        let (is_selected, is_enabled): (bool, bool) =
            (bench.random.random(), bench.random.random());
        bench.set("address_high", high);
        bench.set(control::PSEL.name, is_selected);
        bench.set(control::PENABLE.name, is_enabled);
        let Split { selects, outputs } =
            Split::of(&all, is_selected.then_some(high as u32), is_enabled);
        bench.expect(&[
            ("unit_select", selects.into()),
            (control::PREADY.name, outputs.is_ready.into()),
            (control::PRDATA.name, outputs.data.into()),
            (control::PSLVERR.name, outputs.is_error.into()),
        ])?;
    }
    Ok(bench.model)
}
