//! A core that shows its instructions one by one and does anything.

mod core;
mod losses;

use std::convert::Infallible;
use std::sync::Arc;

use core::Core;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::{Generated, Part};
use tracewright_sim::event::ExecutionState;
use tracewright_sim::pins::ingress::OfInstructions;
use tracewright_sim::rvfi::{Config, Retirement, Rvfi, classify};
use tracewright_sim::scheme::Design;
use tracewright_testbench::{InputPort, Library, Model};

use super::outputs::Outputs;
use super::waiting::{Expected, Source, Waiting};
use super::{Adapter, Bench, Show, lane_pin};

impl Adapter for Config {
    fn part<'a>(&'a self, design: &'a Design) -> Part<'a> {
        Part::Rvfi(design, self)
    }

    fn generate(&self, design: &Design) -> Result<Generated, tracewright_hdl::Error> {
        tracewright_hdl::generate_rvfi_adapter(design, self)
    }

    fn bench<'a>(
        &'a self,
        library: &Arc<Library>,
        design: &Design,
        show: Show,
    ) -> tracewright_testbench::Result<Box<dyn Bench + 'a>> {
        let core = RvfiCore::new(library, design, self, show);
        let outputs = Outputs::find(library, design.processor().tells_lengths());
        Ok(match design.protocol().loss_pins {
            true => Box::new(losses::Losing::new(library, core, outputs, show)?),
            false => Box::new(Waiting::new(library, core, outputs, self.queue, show)?),
        })
    }
}

/// The pins of a lane; those that a port does not have are `None`.
#[derive(Clone, Copy)]
struct Lane {
    valid: Option<InputPort>,
    others: [Option<InputPort>; 7],
}

impl Lane {
    fn find(library: &Library, config: &Config, lane: u32) -> Lane {
        let rows = OfInstructions::of(config.port);
        let lanes = config.queue.lanes;
        let pin = |row: &tracewright_sim::pins::Pin<_>| {
            Some(library.input_of_any_width(&lane_pin(row.name, lane, lanes)).ok()?.0)
        };
        let OfInstructions { valid, word, trap, interrupt, pc, next_pc, compressed, number } = rows;
        let others = [word, trap, interrupt, pc, next_pc, compressed, number].map(pin);
        Lane { valid: pin(valid), others }
    }

    /// Shows the instruction of a number, or noise, at times with the address at which the core goes on.
    fn show(
        self,
        model: &mut Model,
        retired: Option<&Retirement>,
        number: u64,
        goes_on: u64,
        noise: u64,
    ) {
        let values = match retired {
            None => {
                let mut values = std::array::from_fn(|at| noise.rotate_left(at as u32 * 7));
                if noise.is_multiple_of(2) {
                    values[3] = goes_on;
                }
                values
            }
            Some(retired) => [
                retired.instruction.into(),
                retired.trap.into(),
                retired.interrupt.into(),
                retired.program_counter,
                retired.next_program_counter,
                retired.compressed.into(),
                number % 8,
            ],
        };
        if let Some(valid) = self.valid {
            model.set(valid, retired.is_some().into());
        }
        for (pin, value) in self.others.into_iter().zip(values) {
            if let Some(pin) = pin {
                model.set(pin, value);
            }
        }
    }
}

/// The core, the lanes to its adapter, and the adapter's model.
struct RvfiCore<'a> {
    config: &'a Config,
    /// In the order of the instructions of this clock.
    lanes: Vec<Lane>,
    core: Core,
    golden: Rvfi,
    tells_lengths: bool,
    is_calm: bool,
    /// An instruction may change the flow: in one lane of a clock of a calm core.
    may_branch: bool,
    /// Instructions so far.
    number: u64,
    /// Something came in this cycle.
    came: bool,
}

impl<'a> RvfiCore<'a> {
    fn new(library: &Library, design: &Design, config: &'a Config, show: Show) -> Self {
        let processor = design.processor();
        let lanes = (0..config.queue.lanes).map(|lane| Lane::find(library, config, lane));
        RvfiCore {
            config,
            lanes: lanes.collect(),
            core: Core::new(processor, *config, !show.seed, show.diversions),
            golden: Rvfi::new(*config, processor, 0),
            tells_lengths: processor.tells_lengths(),
            is_calm: false,
            may_branch: true,
            number: show.seed,
            came: false,
        }
    }

    /// A clock begins: where numbers say the order, it is another one in each.
    fn begin(&mut self, random: &mut ChaCha8Rng) {
        self.came = false;
        if self.config.pins.number {
            self.lanes.shuffle(random);
        }
    }

    /// Shows the next instruction in a lane, or noise.
    fn show_lane(
        &mut self,
        model: &mut Model,
        lane: usize,
        is_valid: bool,
        noise: u64,
    ) -> Option<Retirement> {
        let retired = is_valid.then(|| self.core.retire(self.may_branch));
        let goes_on = self.core.goes_on();
        self.lanes[lane].show(model, retired.as_ref(), self.number, goes_on, noise);
        self.number += u64::from(is_valid);
        self.came |= is_valid;
        retired
    }
}

fn push(
    expected: &mut Expected,
) -> impl FnMut(tracewright_sim::event::Event) -> Result<(), Infallible> {
    |event| {
        expected.push_back((event, ExecutionState::default()));
        Ok(())
    }
}

impl Source for RvfiCore<'_> {
    const HOLDS_LAST: bool = true;
    const HOLDS_PIECES: bool = false;

    /// There has to be room for the reset, and for a piece in front of a branch. Without the next address the instructions in
    /// front of a branch wait in words of their own, so several lanes do not keep up with a branch per cycle.
    fn keeps_up(&self, stall_level: u32) -> bool {
        stall_level >= 4 && (self.config.pins.next || self.config.queue.lanes == 1)
    }

    fn begin_clock(&mut self, random: &mut ChaCha8Rng, is_calm: bool) {
        (self.is_calm, self.may_branch) = (is_calm, true);
        self.begin(random);
    }

    fn may_show(&self, _: u32) -> bool {
        true
    }

    fn show(
        &mut self,
        model: &mut Model,
        lane: u32,
        is_valid: bool,
        random: &mut ChaCha8Rng,
        expected: &mut Expected,
    ) {
        let Some(retired) = self.show_lane(model, lane as usize, is_valid, random.random()) else {
            return;
        };
        let Ok(()) = self.golden.retire(&retired, push(expected));
        let Config { xlen, extensions, .. } = *self.config;
        let branches = classify(retired.instruction, xlen, extensions).kind.is_some();
        self.may_branch &= !(branches && self.is_calm);
    }

    /// What is held leaves in a cycle of a flush in which nothing comes.
    fn end_clock(&mut self, flush: bool, expected: &mut Expected) -> bool {
        if flush && !self.came {
            let Ok(()) = self.golden.flush_cycle(push(expected));
        }
        self.came
    }

    fn flush(&mut self, _: &mut Expected) {}

    fn trailing_instructions(&self) -> u64 {
        self.golden.trailing_instructions()
    }

    fn program_counter(&self) -> u64 {
        self.golden.program_counter()
    }

    fn length(&self) -> Option<u64> {
        self.tells_lengths.then(|| self.golden.length().into())
    }
}
