//! A core that speaks RVFI and does anything, in front of the adapter, and a trace module that is not
//! always ready behind it.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::mask;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::rvfi::{Config, Retirement, Rvfi, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_testbench::{InputPort, Library, Model, OutputPort};

/// What is shown to the adapter.
#[derive(Clone, Copy, Debug)]
pub struct Show {
    pub seed: u64,
    pub clocks: u64,
    /// Clocks without an instruction, in percent.
    pub bubbles: u32,
    /// Clocks in which the trace module takes nothing, in percent.
    pub stalls: u32,
    /// Instructions in a thousand behind which the flow is diverted.
    pub diversions: u32,
    /// Clocks in a thousand in which a flush begins.
    pub flushes: u32,
}

struct Pins {
    valid: InputPort,
    insn: InputPort,
    trap: InputPort,
    intr: InputPort,
    pc_rdata: InputPort,
    pc_wdata: InputPort,
    flush: InputPort,
    retire_stall: InputPort,
    stall: OutputPort,
    lost: OutputPort,
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
    fn find(library: &Library) -> Pins {
        let input = |name: &str| library.input_of_any_width(name).unwrap().0;
        let output = |name: &str| library.output_of_any_width(name).unwrap().0;
        Pins {
            valid: input("rvfi_valid"),
            insn: input("rvfi_insn"),
            trap: input("rvfi_trap"),
            intr: input("rvfi_intr"),
            pc_rdata: input("rvfi_pc_rdata"),
            pc_wdata: input("rvfi_pc_wdata"),
            flush: input("flush"),
            retire_stall: input("retire_stall"),
            stall: output("stall"),
            lost: output("lost"),
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

/// A core that executes random instructions.
struct Core {
    random: ChaCha8Rng,
    mask: u64,
    /// Bytes that instructions begin at multiples of.
    unit: u64,
    pc: u64,
    intr: bool,
    diversions: u32,
    /// Sequential instructions to come.
    run: u32,
}

impl Core {
    /// A word: any, or one of those that matter, with registers that matter.
    fn word(&mut self) -> u32 {
        let random = &mut self.random;
        if self.run > 0 {
            self.run -= 1;
            return 0x13;
        }
        if random.random_range(0..100) == 0 {
            self.run = 40;
        }
        let register = |random: &mut ChaCha8Rng| [0, 1, 5, 6, 31][random.random_range(0..5)];
        let (one, other) = (register(random), register(random));
        let any: u32 = random.random();
        let compressed = |word: u32| word & 0xffff;
        // Returns from traps are where traps are.
        let word = match random.random_range(0..12) {
            4 if self.diversions == 0 => 0x13,
            0 => any & !0xfff | one << 7 | 0x6f,
            1 | 2 => any & !0x7f | 0x63,
            3 => any & 0xfff0_0000 | other << 15 | one << 7 | 0x67,
            4 => [
                0x0020_0073,
                0x1020_0073,
                0x3020_0073,
                0x7b20_0073,
                0x3020_00f3,
                0x3020_0073 ^ 1 << 28,
            ][random.random_range(0..6)],
            5 => compressed(any & !3 | 1),
            6 => compressed(4 << 13 | (any & 1) << 12 | one << 7 | 2),
            7 => compressed(any & !3 | 2),
            8 => compressed(any & !3),
            9 => any | 3,
            _ => 0x13,
        };
        if self.unit == 4 { word | 3 } else { word }
    }

    fn retire(&mut self, xlen: Xlen) -> Retirement {
        let instruction = self.word();
        let class = tracewright_sim::rvfi::classify(instruction, xlen);
        let behind = self.pc.wrapping_add(class.length.into()) & self.mask;
        let elsewhere = match self.random.random_range(0..4) {
            0 => self.pc,
            1 => behind.wrapping_add(self.unit) & self.mask,
            2 => self.random.random_range(0..64) * self.unit,
            _ => self.random.random::<u64>() & self.mask & !(self.unit - 1),
        };
        let next = match class.kind {
            None => behind,
            Some(Kind::DirectConditional) if self.random.random() => behind,
            Some(_) => elsewhere,
        };
        let trap = self.random.random_range(0..1000) < self.diversions;
        let retired = Retirement {
            instruction,
            program_counter: self.pc,
            // Some cores say what is behind a return from a trap.
            next_program_counter: if class.trap_return && self.random.random() {
                behind
            } else {
                next
            },
            trap,
            interrupt: std::mem::take(&mut self.intr),
        };
        self.pc = next;
        if trap || self.random.random_range(0..1000) < self.diversions {
            // A handler, which may be where the program would have gone on, and which a core that
            // knows no `rvfi_intr` does not tell.
            self.intr = self.random.random();
            if self.random.random_range(0..4) != 0 {
                self.pc = self.random.random::<u64>() & self.mask & !(self.unit - 1);
            }
        }
        retired
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

/// A core, its adapter in hardware and in the golden model, and what is between them.
struct Bench<'a> {
    config: &'a Config,
    show: Show,
    pins: Pins,
    model: Model,
    random: ChaCha8Rng,
    core: Core,
    golden: Rvfi,
    expected: VecDeque<Event>,
    /// Instructions of pieces since the last event.
    pieces: u64,
    /// The last instruction's address.
    last_pc: u64,
    /// Instructions that retired since `stall` rose.
    retired_since: u32,
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
            pins: Pins::find(library),
            model,
            random: ChaCha8Rng::seed_from_u64(show.seed),
            core: Core {
                random: ChaCha8Rng::seed_from_u64(!show.seed),
                mask: mask(processor.address_width),
                unit: 1 << processor.alignment,
                pc: 0x100,
                intr: false,
                diversions: show.diversions,
                run: 0,
            },
            golden: Rvfi::new(config.xlen, processor.address_width, 0),
            expected: VecDeque::new(),
            pieces: 0,
            last_pc: 0,
            retired_since: 0,
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
        let stall = self.model.get(self.pins.stall) != 0;
        self.retired_since = if stall { self.retired_since } else { 0 };
        let may = !stall || self.retired_since < self.config.slack;
        let valid = !ending && may && self.random.random_range(0..100) >= show.bubbles;
        self.retire(valid);
        self.retired_since += u32::from(valid && stall);
        let retire_stall = !ending && self.random.random_range(0..100) < show.stalls;
        self.model.set(self.pins.retire_stall, retire_stall.into());
        self.model.cycle().map_err(|error| error.to_string())?;

        // Room for the reset, and for a piece in front of a branch.
        let roomy = self.config.queue_depth - self.config.slack >= 4;
        if stall && roomy && !ending && show.stalls + show.diversions + show.flushes == 0 {
            return Err("`stall` though nothing waits".into());
        }
        if self.flush && !stall {
            return Err("no `stall` with `flush`".into());
        }
        if self.model.get(self.pins.lost) != 0 {
            return Err("`lost`".into());
        }
        if self.model.get(self.pins.retire_valid) != 0 && !retire_stall {
            self.take_block()?;
        }
        self.check_drained()
    }

    /// Shows an instruction to the adapter and its twin, or noise.
    fn retire(&mut self, valid: bool) {
        let (model, pins) = (&mut self.model, &self.pins);
        let noise: u64 = self.random.random();
        model.set(pins.valid, valid.into());
        if !valid {
            let inputs = [pins.insn, pins.trap, pins.intr, pins.pc_rdata, pins.pc_wdata];
            for (at, pin) in inputs.into_iter().enumerate() {
                model.set(pin, noise.rotate_left(at as u32 * 7));
            }
            return;
        }
        let retired = self.core.retire(self.config.xlen);
        model.set(pins.insn, retired.instruction.into());
        model.set(pins.trap, retired.trap.into());
        model.set(pins.intr, retired.interrupt.into());
        model.set(pins.pc_rdata, retired.program_counter);
        model.set(pins.pc_wdata, retired.next_program_counter);
        let Ok(()) = self.golden.retire(&retired, |event| {
            self.expected.push_back(event);
            Ok::<(), std::convert::Infallible>(())
        });
    }

    /// Checks a block that the trace module takes.
    fn take_block(&mut self) -> Result<(), String> {
        let count = self.model.get(self.pins.count);
        let pc = self.model.get(self.pins.pc);
        let kind = self.model.get(self.pins.kind);
        self.pieces += count;
        self.last_pc = pc;
        if kind == 0 {
            return if count == 0 { Err("a piece of no instructions".into()) } else { Ok(()) };
        }
        if self.expected.is_empty() && self.flush {
            flush_golden(&mut self.golden, &mut self.expected);
        }
        let Some(event) = self.expected.pop_front() else {
            return Err("an event too many".into());
        };
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
            if pieces > 0 && self.last_pc != golden.program_counter() {
                return Err(format!("a piece at {:#x}", self.last_pc));
            }
        } else if self.was_drained && self.flush && !drained {
            return Err("`drained` fell".into());
        }
        self.was_drained = drained;
        Ok(())
    }
}

/// A return from a trap does not wait for the next instruction any more.
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
