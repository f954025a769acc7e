//! A hart with a trace ingress port that does anything.

mod hart;
mod losses;

use std::convert::Infallible;
use std::sync::Arc;

use hart::Hart;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::{Generated, Part};
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{Config, Cycle, Tip};
use tracewright_testbench::{InputPort, Library, Model};

use super::outputs::Outputs;
use super::waiting::{Expected, Source, Waiting};
use super::{Adapter, Bench, Show, lane_pin};

impl Adapter for Config {
    fn part<'a>(&'a self, design: &'a Design) -> Part<'a> {
        Part::Tip(design, self)
    }

    fn generate(&self, design: &Design) -> Result<Generated, tracewright_hdl::Error> {
        tracewright_hdl::generate_tip_adapter(design, self)
    }

    fn bench<'a>(
        &'a self,
        library: &Arc<Library>,
        design: &Design,
        show: Show,
    ) -> tracewright_testbench::Result<Box<dyn Bench + 'a>> {
        let hart = TipHart::new(library, design, self, show);
        let outputs = Outputs::find(library, true);
        Ok(match design.protocol().loss_pins {
            true => Box::new(losses::Losing::new(library, design, hart, outputs, show)?),
            false => Box::new(Waiting::new(library, hart, outputs, self.queue, show)?),
        })
    }
}

/// The pins of the port; those that a design does not have are `None`.
struct Pins {
    lanes: Vec<[Option<InputPort>; 5]>,
    cause: Option<InputPort>,
    privilege: Option<InputPort>,
    context: Option<InputPort>,
}

impl Pins {
    fn find(library: &Library, lanes: u32) -> Pins {
        const OF_LANE: [&str; 5] =
            ["tip_itype", "tip_iaddr", "tip_iretire", "tip_ilastsize", "tip_icount"];
        let input = |name: &str| Some(library.input_of_any_width(name).ok()?.0);
        Pins {
            lanes: (0..lanes)
                .map(|lane| OF_LANE.map(|name| input(&lane_pin(name, lane, lanes))))
                .collect(),
            cause: input("tip_cause"),
            privilege: input("tip_priv"),
            context: input("tip_context"),
        }
    }

    /// Shows a block to one of the lanes of an adapter, and to all what the port says once.
    fn show(&self, model: &mut Model, lane: u32, cycle: &Cycle, shared: &Cycle) {
        let of_lane = [
            cycle.itype.into(),
            cycle.address,
            cycle.retired,
            cycle.last_size.into(),
            cycle.instructions,
        ];
        let of_all = [
            (self.cause, shared.cause),
            (self.privilege, shared.privilege.into()),
            (self.context, shared.context),
        ];
        let pins = self.lanes[lane as usize].into_iter().zip(of_lane).chain(of_all);
        for (pin, value) in pins.filter_map(|(pin, value)| Some((pin?, value))) {
            model.set(pin, value);
        }
    }
}

/// The hart, the port to its adapter, and the adapter's model.
struct TipHart<'a> {
    config: &'a Config,
    pins: Pins,
    hart: Hart,
    golden: Tip,
    /// The lane of this clock in which a calm hart may show a block. The adapter has to keep up with one per cycle.
    only: Option<u32>,
}

impl<'a> TipHart<'a> {
    fn new(library: &Library, design: &Design, config: &'a Config, show: Show) -> Self {
        TipHart {
            config,
            pins: Pins::find(library, config.queue.lanes),
            hart: Hart::new(design, config, &show),
            golden: Tip::new(*config, design.processor(), design.protocol(), 0),
            only: None,
        }
    }

    /// Shows the next block, or what is there without one.
    fn show_block(&mut self, model: &mut Model, lane: u32, is_valid: bool) -> Cycle {
        let cycle = if is_valid { self.hart.cycle() } else { self.hart.silence() };
        self.pins.show(model, lane, &cycle, &self.hart.shared());
        cycle
    }

    /// The model has one more block.
    fn learn(&mut self, cycle: &Cycle, expected: &mut Expected) {
        let Ok(()) = self.golden.cycle(cycle, |event, state| {
            expected.push_back((event, state));
            Ok::<(), Infallible>(())
        });
    }
}

impl Source for TipHart<'_> {
    const HOLDS_LAST: bool = false;
    const HOLDS_PIECES: bool = true;

    fn keeps_up(&self, stall_level: u32) -> bool {
        stall_level >= 2
    }

    fn begin_clock(&mut self, random: &mut ChaCha8Rng, is_calm: bool) {
        self.hart.begin_cycle();
        self.only = is_calm.then(|| random.random_range(0..self.config.queue.lanes));
    }

    fn may_show(&self, lane: u32) -> bool {
        self.only.is_none_or(|only| only == lane)
    }

    fn show(
        &mut self,
        model: &mut Model,
        lane: u32,
        is_valid: bool,
        _: &mut ChaCha8Rng,
        expected: &mut Expected,
    ) {
        let cycle = self.show_block(model, lane, is_valid);
        self.learn(&cycle, expected);
    }

    /// What is held stays until the next block.
    fn end_clock(&mut self, _: bool, _: &mut Expected) -> bool {
        true
    }

    fn flush(&mut self, expected: &mut Expected) {
        let Ok(()) = self.golden.flush(|event, state| {
            expected.push_back((event, state));
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
        None
    }
}
