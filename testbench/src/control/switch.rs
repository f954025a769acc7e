//! What switches a trace module as the registers say, with registers and module at random.

use rand::Rng;
use tracewright_sim::control::trace_switch::{CYCLES_BITS, Config, Inputs, TraceSwitch};
use tracewright_sim::pins::module;

use super::Bench;
use crate::model::Model;
use crate::sinks::Failure;

/// Cycles of a run, and those in which everything happens as often.
const CYCLES: u32 = 60_000;
const PACE_CYCLES: u32 = 3_000;

/// The seed of the run at whose end cycles are counted up to the last one.
const LONG: u64 = 1;

/// How often things happen: one in so many cycles.
struct Pace {
    off: u32,
    changes: u32,
    full: u32,
    packets: u32,
    stands: u32,
    flushed: u32,
}

impl Pace {
    /// Nothing happens.
    const QUIET: Pace = Pace {
        off: u32::MAX,
        changes: u32::MAX,
        full: u32::MAX,
        packets: u32::MAX,
        stands: u32::MAX,
        flushed: 2,
    };

    fn random(bench: &mut Bench) -> Pace {
        Pace {
            off: bench.one_of(&[2, 20, 500]),
            changes: bench.one_of(&[5, 100, 2_000]),
            full: bench.one_of(&[2, 20, 2_000]),
            packets: bench.one_of(&[10, 100, 2_000, 100_000]),
            stands: bench.one_of(&[2, 20, 1_000]),
            flushed: bench.one_of(&[1, 2, 20]),
        }
    }
}

impl Bench {
    /// What the switch is told, after what it was told before.
    fn inputs(&mut self, config: &Config, before: &Inputs, pace: &Pace) -> Inputs {
        let mut kept = *before;
        if self.is_time(pace.changes) {
            kept.sync_max = self.one_of(&[0, 1, 2, 5, 8, 9, 15]);
            kept.sync_mode = self.one_of(&[0, 1, 2, 2, 3]);
            kept.mode = self.one_of(&[0, 1, 2, 4, 7, 7]);
        }
        let ranges = 1 << config.filter_ranges;
        Inputs {
            is_active: !self.is_time(pace.off),
            enable: !self.is_time(pace.off),
            traces: !self.is_time(pace.off),
            sink_enable: !self.is_time(pace.off),
            filters: self.random.random_range(0..ranges),
            filter_enables: self.random.random_range(0..ranges),
            is_flushed: self.is_time(pace.flushed),
            answers: if self.is_time(pace.full) {
                self.random.random_range(0..1 << config.answers)
            } else {
                0
            },
            is_filtered: self.random.random(),
            synchronised: self.is_time(pace.packets),
            runs: !self.is_time(pace.stands),
            ..kept
        }
    }

    /// A cycle.
    fn step(&mut self, twin: &mut TraceSwitch, inputs: &Inputs) -> Result<(), Failure> {
        self.set("active", inputs.is_active);
        self.set(module::ENABLE.name, inputs.enable);
        self.set("tracing", inputs.traces);
        self.set("mode", inputs.mode);
        self.set("sink_enable", inputs.sink_enable);
        self.set("sync_mode", inputs.sync_mode);
        self.set("sync_max", inputs.sync_max);
        self.set("filters", inputs.filters);
        self.set("filter_enables", inputs.filter_enables);
        self.set(module::FLUSHED.name, inputs.is_flushed);
        self.set("answers", inputs.answers);
        self.set(module::FILTERED.name, inputs.is_filtered);
        self.set(module::SYNCHRONISED.name, inputs.synchronised);
        self.set("runs", inputs.runs);
        self.set(module::CLOCK_ENABLE.name, inputs.runs);
        let outputs = twin.outputs(inputs);
        self.expect(&[
            ("module_enable", outputs.enables.into()),
            ("module_discard", outputs.discards.into()),
            ("sync_is_due", outputs.is_due.into()),
            (module::FILTER_INCLUDES.name, outputs.includes.into()),
            ("is_empty", outputs.is_empty.into()),
            ("takes_blocks", outputs.takes_blocks.into()),
            ("lacks_room", outputs.lacks_room.into()),
        ])?;
        twin.clock(inputs);
        Ok(())
    }
}

/// A switch, in whose longest run cycles are counted up to the last one.
pub fn run(mut bench: Bench, config: Config, seed: u64) -> Result<Model, Failure> {
    let mut twin = TraceSwitch::new(config);
    let mut inputs = Inputs::default();
    let mut pace = Pace::random(&mut bench);
    for cycle in 0..CYCLES {
        if cycle % PACE_CYCLES == 0 {
            pace = Pace::random(&mut bench);
        }
        inputs = bench.inputs(&config, &inputs, &pace);
        bench.step(&mut twin, &inputs)?;
    }
    if seed == LONG {
        inputs = Inputs { mode: 1, sync_mode: 2, sync_max: 15, ..inputs };
        for _ in 0..(1 << (CYCLES_BITS - 1)) + 100 {
            inputs = bench.inputs(&config, &inputs, &Pace::QUIET);
            bench.step(&mut twin, &inputs)?;
        }
    }
    Ok(bench.model)
}
