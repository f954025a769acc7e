//! A core that speaks RVFI and does anything, in front of the adapter, and a trace module that is not
//! always ready after it.

mod core;
mod losses;

use std::collections::VecDeque;
use std::sync::Arc;

use core::Core;
pub use losses::run_losses;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::rvfi::{Config, Retirement, Rvfi};
use tracewright_sim::scheme::Design;
use tracewright_testbench::{InputPort, Library, Model, OutputPort};

/// What is shown to the adapter.
#[derive(Clone, Copy, Debug)]
pub struct Show {
    pub seed: u64,
    pub clocks: u64,
    /// Clocks of a channel without an instruction, in percent.
    pub bubbles: u32,
    /// Clocks in which the trace module takes nothing, in percent.
    pub stalls: u32,
    /// Instructions in a thousand after which the flow is diverted.
    pub diversions: u32,
    /// Clocks in a thousand in which a flush begins.
    pub flushes: u32,
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

struct Pins {
    channels: Vec<Channel>,
    flush: InputPort,
    drained: OutputPort,
    retire_valid: OutputPort,
    count: OutputPort,
    pc: OutputPort,
    length: OutputPort,
    kind: OutputPort,
    call: OutputPort,
    is_return: OutputPort,
    taken: OutputPort,
    target: OutputPort,
}

impl Pins {
    fn find(library: &Library, lanes: u32) -> Pins {
        let input = |name: &str| library.input_of_any_width(name).unwrap().0;
        let output = |name: &str| library.output_of_any_width(name).unwrap().0;
        let channel = |lane| {
            let of_lane = |name| input(&lane_pin(name, lane, lanes));
            Channel {
                valid: of_lane("rvfi_valid"),
                insn: of_lane("rvfi_insn"),
                trap: of_lane("rvfi_trap"),
                intr: of_lane("rvfi_intr"),
                pc_rdata: of_lane("rvfi_pc_rdata"),
                pc_wdata: of_lane("rvfi_pc_wdata"),
            }
        };
        Pins {
            channels: (0..lanes).map(channel).collect(),
            flush: input("flush"),
            drained: output("drained"),
            retire_valid: output("retire_valid"),
            count: output("retire_count"),
            pc: output("retire_pc"),
            length: output("retire_length"),
            kind: output("retire_kind"),
            call: output("retire_call"),
            is_return: output("retire_return"),
            taken: output("retire_taken"),
            target: output("retire_target"),
        }
    }
}

/// The name of a pin of an adapter's lane; the only lane has no number.
pub fn lane_pin(name: &str, lane: u32, lanes: u32) -> String {
    if lanes == 1 { name.into() } else { format!("{name}_lane{lane}") }
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

/// A core, its adapter in hardware and in the golden model, and what is between them.
struct Bench<'a> {
    config: &'a Config,
    show: Show,
    pins: Pins,
    retire_stall: InputPort,
    stall: OutputPort,
    lost: OutputPort,
    model: Model,
    random: ChaCha8Rng,
    core: Core,
    golden: Rvfi,
    expected: VecDeque<Event>,
    /// Instructions of pieces since the last event.
    pieces: u64,
    /// The last instruction's address and length.
    last: (u64, u64),
    /// The adapter says the length of every block's last instruction.
    tells_lengths: bool,
    /// Instructions that retired since `stall` rose.
    retired_since: u32,
    /// The pins of a block that was not taken.
    stalled: Option<[u64; 9]>,
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
        let processor = design.processor();
        let mut model = Model::new(library, show.seed)?;
        model.reset(2)?;
        Ok(Bench {
            config,
            show,
            pins: Pins::find(library, config.queue.lanes),
            retire_stall: library.input("retire_stall", 1)?,
            stall: library.output("stall", 1)?,
            lost: library.output("lost", 1)?,
            model,
            random: ChaCha8Rng::seed_from_u64(show.seed),
            core: Core::new(processor, !show.seed, show.diversions),
            golden: Rvfi::new(config.xlen, processor, 0),
            expected: VecDeque::new(),
            pieces: 0,
            last: (0, 0),
            tells_lengths: processor.tells_lengths(),
            retired_since: 0,
            stalled: None,
            flush: false,
            was_drained: false,
        })
    }

    /// Runs a cycle, in which the core retires nothing if the run is `ending`.
    fn clock(&mut self, ending: bool) -> Result<(), String> {
        let show = self.show;
        if !self.flush && (ending || self.random.random_range(0..1000) < show.flushes) {
            (self.flush, self.was_drained) = (true, false);
        } else if self.flush && self.was_drained && !ending && self.random.random() {
            self.flush = false;
        }
        self.model.set(self.pins.flush, self.flush.into());
        self.model.settle().map_err(|error| error.to_string())?;
        let stall = self.model.get(self.stall) != 0;
        self.retired_since = if stall { self.retired_since } else { 0 };
        let mut may_branch = true;
        for lane in 0..self.pins.channels.len() {
            let may = !stall || self.retired_since < self.config.queue.slack;
            let valid = !ending && may && self.random.random_range(0..100) >= show.bubbles;
            may_branch &= !(self.retire(lane, valid, may_branch) && self.is_calm());
            self.retired_since += u32::from(valid && stall);
        }
        let retire_stall = !ending && self.random.random_range(0..100) < show.stalls;
        self.model.set(self.retire_stall, retire_stall.into());
        self.model.cycle().map_err(|error| error.to_string())?;

        // Room for the reset, and for a piece in front of a branch.
        let roomy = self.config.queue.stall_level() >= 4;
        if stall && roomy && !ending && self.is_calm() {
            return Err("`stall` though nothing waits".into());
        }
        if self.flush && !stall {
            return Err("no `stall` with `flush`".into());
        }
        if self.model.get(self.lost) != 0 {
            return Err("`lost`".into());
        }
        self.check_stalled(retire_stall)?;
        if self.model.get(self.pins.retire_valid) != 0 {
            self.follow_flush();
            if !retire_stall {
                self.take_block()?;
            }
        }
        self.check_drained()
    }

    /// Nothing disturbs the flow, and the adapter has to keep up with a jump or branch in each cycle.
    fn is_calm(&self) -> bool {
        self.show.stalls + self.show.diversions + self.show.flushes == 0
    }

    /// Shows an instruction to a channel of the adapter and to its twin, or noise. True if it can change the flow.
    fn retire(&mut self, lane: usize, valid: bool, may_branch: bool) -> bool {
        let noise: u64 = self.random.random();
        let channel = self.pins.channels[lane];
        if !valid {
            show_channel(&mut self.model, channel, None, noise);
            return false;
        }
        let retired = self.core.retire(self.config.xlen, may_branch);
        show_channel(&mut self.model, channel, Some(&retired), noise);
        let Ok(()) = self.golden.retire(&retired, |event| {
            self.expected.push_back(event);
            Ok::<(), std::convert::Infallible>(())
        });
        tracewright_sim::rvfi::classify(retired.instruction, self.config.xlen).kind.is_some()
    }

    /// Tells the model where a flush has shown a trap or a return from one, which does not wait for the next
    /// instruction then.
    fn follow_flush(&mut self) {
        let kind = self.model.get(self.pins.kind);
        if self.flush && self.expected.is_empty() && kind != 0 {
            flush_golden(&mut self.golden, &mut self.expected);
        }
    }

    /// Checks that a block which is not taken stays as it is.
    fn check_stalled(&mut self, retire_stall: bool) -> Result<(), String> {
        let Pins { retire_valid, count, pc, length, kind, call, is_return, taken, target, .. } =
            self.pins;
        let pins = [retire_valid, count, pc, length, kind, call, is_return, taken, target];
        let shown = pins.map(|pin| self.model.get(pin));
        if self.stalled.is_some_and(|stalled| stalled != shown) {
            return Err("a block that is stalled has changed".into());
        }
        self.stalled = (shown[0] != 0 && retire_stall).then_some(shown);
        Ok(())
    }

    /// Checks a block that the trace module takes.
    fn take_block(&mut self) -> Result<(), String> {
        let count = self.model.get(self.pins.count);
        let pc = self.model.get(self.pins.pc);
        let kind = self.model.get(self.pins.kind);
        self.pieces += count;
        self.last = (pc, self.model.get(self.pins.length));
        if kind == 0 {
            return if count == 0 { Err("a piece of no instructions".into()) } else { Ok(()) };
        }
        let Some(event) = self.expected.pop_front() else {
            return Err("an event too many".into());
        };
        // There is no instruction before the first exception.
        if self.tells_lengths && event.length > 0 && self.last.1 != u64::from(event.length) {
            return Err(format!("{} bytes; it is {event:?}", self.last.1));
        }
        check(&self.model, &self.pins, kind, self.pieces, &event)?;
        self.pieces = 0;
        Ok(())
    }

    /// Checks that `drained` is high exactly while everything has been shown and `flush` is high.
    fn check_drained(&mut self) -> Result<(), String> {
        let drained = self.model.get(self.pins.drained) != 0;
        if drained && !self.was_drained {
            if !self.flush {
                return Err("`drained` without `flush`".into());
            }
            let (golden, expected) = (&mut self.golden, &mut self.expected);
            flush_golden(golden, expected);
            let pieces = self.pieces;
            if !expected.is_empty() || pieces != golden.trailing_instructions() {
                return Err(format!(
                    "`drained` with {} events to come and {pieces} of {} instructions shown",
                    expected.len(),
                    golden.trailing_instructions()
                ));
            }
            if pieces > 0 && self.last.0 != golden.program_counter() {
                return Err(format!("a piece at {:#x}", self.last.0));
            }
            if pieces > 0 && self.tells_lengths && self.last.1 != u64::from(golden.length()) {
                return Err(format!("a piece that ends in {} bytes", self.last.1));
            }
        } else if self.was_drained && self.flush && !drained {
            return Err("`drained` fell".into());
        }
        self.was_drained = drained;
        Ok(())
    }
}

/// Shows an instruction to a channel of an adapter, or noise.
fn show_channel(model: &mut Model, pins: Channel, retired: Option<&Retirement>, noise: u64) {
    model.set(pins.valid, retired.is_some().into());
    let Some(retired) = retired else {
        let inputs = [pins.insn, pins.trap, pins.intr, pins.pc_rdata, pins.pc_wdata];
        for (at, pin) in inputs.into_iter().enumerate() {
            model.set(pin, noise.rotate_left(at as u32 * 7));
        }
        return;
    };
    model.set(pins.insn, retired.instruction.into());
    model.set(pins.trap, retired.trap.into());
    model.set(pins.intr, retired.interrupt.into());
    model.set(pins.pc_rdata, retired.program_counter);
    model.set(pins.pc_wdata, retired.next_program_counter);
}

/// A trap or a return from one does not wait for the next instruction any more.
fn flush_golden(golden: &mut Rvfi, expected: &mut VecDeque<Event>) {
    let Ok(()) = golden.flush(|event| {
        expected.push_back(event);
        Ok::<(), std::convert::Infallible>(())
    });
}

/// Compares an event with the pins on which it is shown.
fn check(
    model: &Model,
    pins: &Pins,
    kind: u64,
    instructions: u64,
    event: &Event,
) -> Result<(), String> {
    let exception = event.kind == Kind::Exception;
    let wanted_kind = match event.kind {
        Kind::DirectJump => 1,
        Kind::DirectConditional => 2,
        Kind::IndirectJump => 3,
        Kind::IndirectConditional => 4,
        Kind::Exception => 5,
    };
    let shown = |pin| model.get(pin);
    let equal = kind == wanted_kind
        && instructions == event.instructions
        && shown(pins.pc) == event.program_counter
        && (!event.taken || shown(pins.target) == event.target)
        && (exception
            || shown(pins.taken) == u64::from(event.taken)
                && shown(pins.call) == u64::from(event.call)
                && shown(pins.is_return) == u64::from(event.is_return)
                && (!event.call || shown(pins.length) == u64::from(event.length)));
    if equal {
        return Ok(());
    }
    Err(format!(
        "kind {kind}, {instructions} instructions, at {:#x} to {:#x}; it is {event}",
        shown(pins.pc),
        shown(pins.target)
    ))
}
