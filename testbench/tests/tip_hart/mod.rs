//! A hart with a trace ingress port that does anything, in front of the adapter, and a trace module that is not always
//! ready after it.

mod hart;
mod losses;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;

use crate::rvfi_core::lane_pin;
use hart::Hart;
pub use losses::run_losses;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, ExecutionState, Kind};
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{Config, Cycle, Tip};
use tracewright_testbench::{InputPort, Library, Model, OutputPort};

/// What is shown to the adapter.
#[derive(Clone, Copy, Debug)]
pub struct Show {
    pub seed: u64,
    pub clocks: u64,
    /// Clocks in which a lane of the hart says nothing, in percent.
    pub bubbles: u32,
    /// Clocks in which the trace module takes nothing, in percent.
    pub stalls: u32,
    /// Blocks in a thousand that end in an exception or interrupt, or after which the flow is changed otherwise.
    pub diversions: u32,
    /// Clocks in a thousand in which a flush begins.
    pub flushes: u32,
}

/// Pins by name; those that a design does not have are not there.
struct Pins {
    inputs: Vec<(String, InputPort)>,
    outputs: Vec<(&'static str, OutputPort)>,
}

impl Pins {
    fn find(library: &Library, lanes: u32) -> Pins {
        const OF_LANE: [&str; 5] =
            ["tip_itype", "tip_iaddr", "tip_iretire", "tip_ilastsize", "tip_icount"];
        const SHARED: [&str; 5] = ["tip_cause", "tip_priv", "tip_context", "flush", "retire_stall"];
        const OUTPUTS: [&str; 17] = [
            "stall",
            "lost",
            "drained",
            "retire_valid",
            "retire_count",
            "retire_pc",
            "retire_length",
            "retire_kind",
            "retire_call",
            "retire_return",
            "retire_taken",
            "retire_target",
            "retire_context",
            "retire_privilege",
            "retire_cause",
            "retire_lost",
            "retire_lost_count",
        ];
        let input = |name: String| {
            let (port, _) = library.input_of_any_width(&name).ok()?;
            Some((name, port))
        };
        let of_lanes = (0..lanes).flat_map(|lane| OF_LANE.map(|name| lane_pin(name, lane, lanes)));
        let output = |name| Some((name, library.output_of_any_width(name).ok()?.0));
        Pins {
            inputs: of_lanes.chain(SHARED.map(str::to_owned)).filter_map(input).collect(),
            outputs: OUTPUTS.into_iter().filter_map(output).collect(),
        }
    }

    fn set(&self, model: &mut Model, name: &str, value: u64) {
        if let Some((_, port)) = self.inputs.iter().find(|(known, _)| *known == name) {
            model.set(*port, value);
        }
    }

    /// Shows a block to one of the lanes of an adapter, and to all what the port says once.
    fn say(&self, model: &mut Model, lane: u32, lanes: u32, cycle: &Cycle, shared: &Cycle) {
        let of_lane = [
            ("tip_itype", cycle.itype.into()),
            ("tip_iaddr", cycle.address),
            ("tip_iretire", cycle.retired),
            ("tip_ilastsize", cycle.last_size.into()),
            ("tip_icount", cycle.instructions),
        ];
        for (name, value) in of_lane {
            self.set(model, &lane_pin(name, lane, lanes), value);
        }
        self.set(model, "tip_cause", shared.cause);
        self.set(model, "tip_priv", shared.privilege.into());
        self.set(model, "tip_context", shared.context);
    }

    /// The value of an output, `None` if the design does not have it.
    fn get(&self, model: &Model, name: &str) -> Option<u64> {
        let (_, port) = self.outputs.iter().find(|(known, _)| *known == name)?;
        Some(model.get(*port))
    }
}

/// Runs the adapter of `design`; the first thing that is wrong.
pub fn run(
    library: &Arc<Library>,
    design: &Design,
    config: &Config,
    show: Show,
) -> Result<(), String> {
    let mut bench = Bench::new(library, design, config, show).map_err(|error| error.to_string())?;
    for clock in 0..show.clocks {
        // The last clocks are for what is left.
        let ending = clock + 200 > show.clocks;
        bench.clock(ending).map_err(|what| format!("cycle {clock}: {what}"))?;
    }
    if bench.was_drained { Ok(()) } else { Err("`drained` never came".into()) }
}

/// A hart, its adapter in hardware and in the golden model, and what is between them.
struct Bench<'a> {
    config: &'a Config,
    show: Show,
    pins: Pins,
    model: Model,
    random: ChaCha8Rng,
    hart: Hart,
    golden: Tip,
    expected: VecDeque<(Event, ExecutionState)>,
    /// Instructions of pieces since the last event.
    pieces: u64,
    /// The last piece's address.
    last_pc: u64,
    /// Blocks that came since `stall` rose.
    came_since: u32,
    /// The pins of a block that was not taken.
    stalled: Option<Vec<u64>>,
    flush: bool,
    was_drained: bool,
}

impl<'a> Bench<'a> {
    fn new(
        library: &Arc<Library>,
        design: &Design,
        config: &'a Config,
        show: Show,
    ) -> tracewright_testbench::Result<Self> {
        let mut model = Model::new(library, show.seed)?;
        model.reset(2)?;
        Ok(Bench {
            config,
            show,
            pins: Pins::find(library, config.queue.lanes),
            model,
            random: ChaCha8Rng::seed_from_u64(show.seed),
            hart: Hart::new(design, config, &show),
            golden: Tip::new(*config, design.processor(), design.protocol(), 0),
            expected: VecDeque::new(),
            pieces: 0,
            last_pc: 0,
            came_since: 0,
            stalled: None,
            flush: false,
            was_drained: false,
        })
    }

    fn get(&self, name: &str) -> u64 {
        self.pins.get(&self.model, name).unwrap_or(0)
    }

    /// Runs a cycle, in which the hart says nothing if the run is `ending`.
    fn clock(&mut self, ending: bool) -> Result<(), String> {
        let show = self.show;
        if !self.flush && (ending || self.random.random_range(0..1000) < show.flushes) {
            (self.flush, self.was_drained) = (true, false);
        } else if self.flush && self.was_drained && !ending && self.random.random() {
            self.flush = false;
        }
        self.pins.set(&mut self.model, "flush", self.flush.into());
        self.model.settle().map_err(|error| error.to_string())?;
        let stall = self.get("stall") != 0;
        self.came_since = if stall { self.came_since } else { 0 };
        self.hart.begin_cycle();
        let lanes = self.config.queue.lanes;
        let calm = show.stalls + show.diversions + show.flushes == 0;
        // The adapter has to keep up with a block in each cycle.
        let only = calm.then(|| self.random.random_range(0..lanes));
        for lane in 0..lanes {
            let may = !stall || self.came_since < self.config.queue.slack;
            let valid = !ending
                && may
                && only.is_none_or(|only| only == lane)
                && self.random.random_range(0..100) >= show.bubbles;
            let cycle = if valid { self.hart.cycle() } else { self.hart.silence() };
            self.say(lane, &cycle);
            self.came_since += u32::from(valid && stall);
        }
        let retire_stall = !ending && self.random.random_range(0..100) < show.stalls;
        self.pins.set(&mut self.model, "retire_stall", retire_stall.into());
        self.model.cycle().map_err(|error| error.to_string())?;

        if stall && calm && !ending && self.config.queue.stall_level() >= 2 {
            return Err("`stall` though nothing waits".into());
        }
        if self.flush && !stall {
            return Err("no `stall` with `flush`".into());
        }
        if self.get("lost") != 0 {
            return Err("`lost`".into());
        }
        self.check_stalled(retire_stall)?;
        if self.get("retire_valid") != 0 {
            self.follow_flush();
            if !retire_stall {
                self.take_block()?;
            }
        }
        self.check_drained()
    }

    /// Shows a block to a lane of the adapter and to its twin.
    fn say(&mut self, lane: u32, cycle: &Cycle) {
        let lanes = self.config.queue.lanes;
        self.pins.say(&mut self.model, lane, lanes, cycle, &self.hart.shared());
        let expected = &mut self.expected;
        let Ok(()) = self.golden.cycle(cycle, |event, state| {
            expected.push_back((event, state));
            Ok::<(), Infallible>(())
        });
    }

    /// A block that is not taken does not wait for the next one any more.
    fn flush_golden(&mut self) {
        let expected = &mut self.expected;
        let Ok(()) = self.golden.flush(|event, state| {
            expected.push_back((event, state));
            Ok::<(), Infallible>(())
        });
    }

    /// Tells the model where a flush has shown the block that was held.
    fn follow_flush(&mut self) {
        let shown = self.pieces + self.get("retire_count");
        let is_held = self.get("retire_kind") != 0 || shown > self.golden.trailing_instructions();
        if self.flush && self.expected.is_empty() && is_held {
            self.flush_golden();
        }
    }

    /// Checks that a block which is not taken stays as it is.
    fn check_stalled(&mut self, retire_stall: bool) -> Result<(), String> {
        let pins = self.pins.outputs.iter().filter(|(name, _)| name.starts_with("retire_"));
        let shown: Vec<u64> = pins.map(|(_, port)| self.model.get(*port)).collect();
        if self.stalled.as_ref().is_some_and(|stalled| *stalled != shown) {
            return Err("a block that is stalled has changed".into());
        }
        let is_stalled = self.get("retire_valid") != 0 && retire_stall;
        self.stalled = is_stalled.then_some(shown);
        Ok(())
    }

    /// Checks a block that the trace module takes.
    fn take_block(&mut self) -> Result<(), String> {
        let (count, kind) = (self.get("retire_count"), self.get("retire_kind"));
        self.pieces += count;
        self.last_pc = self.get("retire_pc");
        if kind == 0 {
            if self.expected.is_empty() && self.pieces > self.golden.trailing_instructions() {
                return Err("a block is shown before the next one".into());
            }
            return if count == 0 { Err("a piece of no instructions".into()) } else { Ok(()) };
        }
        let Some((event, state)) = self.expected.pop_front() else {
            return Err("an event too many".into());
        };
        self.check(kind, &event, &state)?;
        self.pieces = 0;
        Ok(())
    }

    /// Checks that `drained` is high exactly while everything has been shown and `flush` is high.
    fn check_drained(&mut self) -> Result<(), String> {
        let drained = self.get("drained") != 0;
        if drained && !self.was_drained {
            if !self.flush {
                return Err("`drained` without `flush`".into());
            }
            self.flush_golden();
            let (pieces, trailing) = (self.pieces, self.golden.trailing_instructions());
            if !self.expected.is_empty() || pieces != trailing {
                return Err(format!(
                    "`drained` with {} events to come and {pieces} of {trailing} instructions shown",
                    self.expected.len(),
                ));
            }
            if pieces > 0 && self.last_pc != self.golden.program_counter() {
                return Err(format!("a piece at {:#x}", self.last_pc));
            }
        } else if self.was_drained && self.flush && !drained {
            return Err("`drained` fell".into());
        }
        self.was_drained = drained;
        Ok(())
    }

    /// Compares an event with the pins on which it is shown.
    fn check(&self, kind: u64, event: &Event, state: &ExecutionState) -> Result<(), String> {
        let what = self.pins.compare(&self.model, event, state, true);
        what.map_err(|what| format!("{what}: kind {kind}, {event}"))?;
        if self.pieces != event.instructions {
            return Err(format!("{} instructions; it is {event}", self.pieces));
        }
        Ok(())
    }
}

impl Pins {
    /// Compares an event with the pins on which it is shown; what is lost says only where the execution goes on.
    fn compare(
        &self,
        model: &Model,
        event: &Event,
        state: &ExecutionState,
        is_traced: bool,
    ) -> Result<(), String> {
        let says_all = is_traced && event.kind != Kind::Exception;
        let wanted = [
            ("retire_kind", event.kind.pin_code(), true),
            ("retire_pc", event.program_counter, true),
            ("retire_target", event.target, event.taken),
            ("retire_taken", event.taken.into(), event.kind != Kind::Exception),
            ("retire_call", event.call.into(), says_all),
            ("retire_return", event.is_return.into(), says_all),
            ("retire_length", event.length.into(), is_traced && event.length > 0),
            ("retire_context", state.context, true),
            ("retire_privilege", state.privilege.into(), true),
            ("retire_cause", state.cause.unwrap_or(0), is_traced && event.kind == Kind::Exception),
        ];
        let differs = wanted.iter().find(|(name, value, matters)| {
            *matters && self.get(model, name).is_some_and(|shown| shown != *value)
        });
        match differs {
            Some((name, value, _)) => {
                let shown = self.get(model, name).unwrap_or(0);
                Err(format!("`{name}` is {shown:#x}, not {value:#x}"))
            }
            None => Ok(()),
        }
    }
}
