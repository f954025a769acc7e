//! The hardware of control registers in Verilator against its models, cycle by cycle, with everything at random.

mod apb_split;
mod bridge_gate;
mod bus;
mod funnel_switch;
mod registers;
mod switch;
mod timestamp_unit;
mod triggers;

use std::collections::HashMap;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::control::ControlPart;
use tracewright_sim::control::Bus;
use tracewright_sim::control::access::{Access, Answer};

use crate::error::Result as SimulationResult;
use crate::library::{InputPort, Library, OutputPort};
use crate::model::Model;
use crate::sinks::Failure;

/// A module of the control registers, its ports by their names, and the random numbers that decide what it is told.
struct Bench {
    model: Model,
    inputs: HashMap<String, InputPort>,
    outputs: HashMap<String, OutputPort>,
    random: ChaCha8Rng,
    cycle: u64,
}

impl Bench {
    fn new(library: &Arc<Library>, seed: u64) -> SimulationResult<Bench> {
        let mut model = Model::new(library, seed)?;
        // The front end of an APB and what splits one have no registers.
        if library.reset_port().is_ok() {
            model.reset(2)?;
        }
        let input = |name: &String| Some((name.clone(), library.input_of_any_width(name).ok()?.0));
        let output =
            |name: &String| Some((name.clone(), library.output_of_any_width(name).ok()?.0));
        Ok(Bench {
            inputs: library.inputs().iter().filter_map(|port| input(&port.name)).collect(),
            outputs: library.outputs().iter().filter_map(|port| output(&port.name)).collect(),
            model,
            random: ChaCha8Rng::seed_from_u64(seed),
            cycle: 0,
        })
    }

    /// Drives an input, if the module has it.
    fn set(&mut self, name: &str, value: impl Into<u64>) {
        if let Some(port) = self.inputs.get(name) {
            self.model.set(*port, value.into());
        }
    }

    /// Goes through a cycle, in which each of these outputs that the module has must have this value.
    fn expect(&mut self, outputs: &[(&str, u64)]) -> Result<(), Failure> {
        self.model.cycle()?;
        let differs = outputs.iter().find(|(name, expected)| {
            self.outputs.get(*name).is_some_and(|port| self.model.get(*port) != *expected)
        });
        if let Some((name, expected)) = differs {
            let found = self.model.get(self.outputs[*name]);
            let what = format!("{name} is {found:#x} and not {expected:#x}");
            return Err(Failure::Difference { cycle: self.cycle, what });
        }
        self.cycle += 1;
        Ok(())
    }

    /// True once in so many cycles.
    fn is_time(&mut self, cycles: u32) -> bool {
        self.random.random_range(0..cycles) == 0
    }

    fn one_of(&mut self, values: &[u32]) -> u32 {
        values[self.random.random_range(0..values.len())]
    }

    /// Data of which many bits are alike.
    fn data(&mut self) -> u32 {
        let (any, bit) = (self.random.random(), 1 << self.random.random_range(0..32));
        self.one_of(&[any, any, u32::MAX, 0, bit, !bit])
    }

    /// A front end drives these of an access.
    fn expected_access(access: &Access) -> [(&'static str, u64); 5] {
        [
            ("access_valid", access.is_valid.into()),
            ("access_write", access.is_write.into()),
            ("access_address", access.address.into()),
            ("access_written", access.data.into()),
            ("access_strobes", access.strobes.into()),
        ]
    }

    fn set_access(&mut self, access: &Access) {
        for (name, value) in Self::expected_access(access) {
            self.set(name, value);
        }
    }

    /// Registers drive these of an answer.
    fn expected_answer(answer: &Answer) -> [(&'static str, u64); 3] {
        [
            ("access_ready", answer.is_ready.into()),
            ("access_read", answer.data.into()),
            ("access_outside", answer.is_outside.into()),
        ]
    }

    fn set_answer(&mut self, answer: &Answer) {
        for (name, value) in Self::expected_answer(answer) {
            self.set(name, value);
        }
    }
}

/// Does everything at random with a part. Gives the hardware as it is then.
///
/// # Errors
/// What differs between hardware and model.
pub fn run_at_random(
    library: &Arc<Library>,
    part: ControlPart<'_>,
    seed: u64,
) -> Result<Model, Failure> {
    let bench = Bench::new(library, seed)?;
    match part {
        ControlPart::FrontEnd(Bus::Apb) => bus::run_apb(bench),
        ControlPart::RegisteredApb => bus::run_registered_apb(bench),
        ControlPart::FrontEnd(Bus::AxiLite) => bus::run_axi_lite(bench),
        ControlPart::Registers(map) => registers::run(bench, map),
        ControlPart::Switch(config) => switch::run(bench, *config, seed),
        ControlPart::BridgeGate => bridge_gate::run(bench),
        ControlPart::TimestampUnit(bits) => timestamp_unit::run(bench, bits),
        ControlPart::TriggerInputs(triggers, is_gated) => {
            triggers::run_inputs(bench, triggers, is_gated)
        }
        ControlPart::TriggerOutputs(triggers, is_gated) => {
            triggers::run_outputs(bench, triggers, is_gated)
        }
        ControlPart::FunnelSwitch(sources) => funnel_switch::run(bench, sources),
        ControlPart::ApbSplit(units) => apb_split::run(bench, units),
        ControlPart::AxiLiteToApb(bits) => bus::run_axi_lite_to_apb(bench, bits),
    }
}
