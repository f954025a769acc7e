//! A core that speaks RVFI and does anything.

mod core;
mod losses;

use std::convert::Infallible;
use std::sync::Arc;

use core::Core;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::{Generated, Part};
use tracewright_sim::event::ExecutionState;
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
        let core = RvfiCore::new(library, design, self, show)?;
        let outputs = Outputs::find(library, design.processor().tells_lengths());
        Ok(match design.protocol().loss_pins {
            true => Box::new(losses::Losing::new(library, design, core, outputs, show)?),
            false => Box::new(Waiting::new(library, core, outputs, self.queue, show)?),
        })
    }
}

/// The pins of a channel.
#[derive(Clone, Copy)]
struct Channel {
    valid: InputPort,
    insn: InputPort,
    trap: InputPort,
    intr: InputPort,
    pc_rdata: InputPort,
    pc_wdata: InputPort,
}

impl Channel {
    fn find(library: &Library, lane: u32, lanes: u32) -> tracewright_testbench::Result<Channel> {
        let pin = |name| library.input_of_any_width(&lane_pin(name, lane, lanes));
        Ok(Channel {
            valid: pin("rvfi_valid")?.0,
            insn: pin("rvfi_insn")?.0,
            trap: pin("rvfi_trap")?.0,
            intr: pin("rvfi_intr")?.0,
            pc_rdata: pin("rvfi_pc_rdata")?.0,
            pc_wdata: pin("rvfi_pc_wdata")?.0,
        })
    }

    /// Shows an instruction, or noise.
    fn show(self, model: &mut Model, retired: Option<&Retirement>, noise: u64) {
        model.set(self.valid, retired.is_some().into());
        let Some(retired) = retired else {
            let inputs = [self.insn, self.trap, self.intr, self.pc_rdata, self.pc_wdata];
            for (at, pin) in inputs.into_iter().enumerate() {
                model.set(pin, noise.rotate_left(at as u32 * 7));
            }
            return;
        };
        model.set(self.insn, retired.instruction.into());
        model.set(self.trap, retired.trap.into());
        model.set(self.intr, retired.interrupt.into());
        model.set(self.pc_rdata, retired.program_counter);
        model.set(self.pc_wdata, retired.next_program_counter);
    }
}

/// The core, the channels to its adapter, and the adapter's model.
struct RvfiCore<'a> {
    config: &'a Config,
    channels: Vec<Channel>,
    core: Core,
    golden: Rvfi,
    tells_lengths: bool,
    is_calm: bool,
    /// An instruction may change the flow: in one channel of a clock of a calm core.
    may_branch: bool,
}

impl<'a> RvfiCore<'a> {
    fn new(
        library: &Library,
        design: &Design,
        config: &'a Config,
        show: Show,
    ) -> tracewright_testbench::Result<Self> {
        let processor = design.processor();
        let lanes = config.queue.lanes;
        let channels = (0..lanes).map(|lane| Channel::find(library, lane, lanes));
        Ok(RvfiCore {
            config,
            channels: channels.collect::<Result<_, _>>()?,
            core: Core::new(processor, !show.seed, show.diversions),
            golden: Rvfi::new(config.xlen, processor, 0).with_extensions(config.extensions),
            tells_lengths: processor.tells_lengths(),
            is_calm: false,
            may_branch: true,
        })
    }

    /// The model has one more instruction.
    fn learn(&mut self, retired: &Retirement, expected: &mut Expected) {
        let Ok(()) = self.golden.retire(retired, |event| {
            expected.push_back((event, ExecutionState::default()));
            Ok::<(), Infallible>(())
        });
    }
}

impl Source for RvfiCore<'_> {
    /// Room for the reset, and for a piece in front of a branch.
    const CALM_LEVEL: u32 = 4;
    const HOLDS_PIECES: bool = false;

    fn begin_clock(&mut self, _: &mut ChaCha8Rng, is_calm: bool) {
        (self.is_calm, self.may_branch) = (is_calm, true);
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
        let noise: u64 = random.random();
        let channel = self.channels[lane as usize];
        if !is_valid {
            return channel.show(model, None, noise);
        }
        let retired = self.core.retire(self.config, self.may_branch);
        channel.show(model, Some(&retired), noise);
        self.learn(&retired, expected);
        let branches =
            classify(retired.instruction, self.config.xlen, self.config.extensions).kind.is_some();
        self.may_branch &= !(branches && self.is_calm);
    }

    fn flush(&mut self, expected: &mut Expected) {
        let Ok(()) = self.golden.flush(|event| {
            expected.push_back((event, ExecutionState::default()));
            Ok::<(), Infallible>(())
        });
    }

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
