//! A processor core in Verilator with a trace module on its retirement port.
//!
//! The core's Verilog is given by the caller; the module around core and trace module is ours, one a core
//! ([`Core`]). Memory and devices are in Rust ([`Board`]) and answer in the next clock. [`run`] hands out
//! what the core says of every instruction, directly from its port, and the bits that leave the trace module.

mod board;

use std::fmt;
use std::sync::Arc;

use tracewright_hdl::Generated;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::rvfi::Retirement;

pub use board::{Board, BoardError};

use crate::error::{Error, Result};
use crate::library::{InputPort, Library, OutputPort};
use crate::model::Model;
use crate::stimulus::{Ready, ReadyPattern};
use crate::{BuildOptions, ModelSource, Port, VerilogFile};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Where PicoRV32 goes for an interrupt: no program decides that.
const INTERRUPT_ADDRESS: u32 = 0x1_0010;

/// Clocks with the reset active.
const RESET_CLOCKS: u32 = 4;

/// Clocks without an instruction after which the core counts as hung: more than any trace module clears its
/// tables.
const PATIENCE: u64 = 200_000;

/// Clocks in which a core that is held comes to rest.
const SETTLE_CLOCKS: u64 = 200;

/// Instructions after the program's end within which it jumps to itself.
const LAST_INSTRUCTIONS: u64 = 16;

/// A core that can be simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Core {
    /// PicoRV32: RV32IMC, several clocks an instruction, interrupts of its own kind.
    Picorv32,
    /// Ibex: RV32IMC, three pipeline stages, an instruction in most clocks, machine-mode traps.
    Ibex,
}

impl Core {
    /// Every core.
    pub const ALL: [Core; 2] = [Core::Picorv32, Core::Ibex];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Core::Picorv32 => "picorv32",
            Core::Ibex => "ibex",
        }
    }

    /// The package of PyPI with its Verilog.
    pub fn package(self) -> &'static str {
        match self {
            Core::Picorv32 => "pythondata-cpu-picorv32",
            Core::Ibex => "pythondata-cpu-ibex",
        }
    }

    /// The files of the package that are needed, below the folder of its data.
    pub fn files(self) -> impl Iterator<Item = &'static str> {
        let list = match self {
            Core::Picorv32 => "picorv32.v",
            // Packages before their users.
            Core::Ibex => include_str!("../../live/ibex.files"),
        };
        list.lines()
    }

    /// Where it begins to run.
    pub fn boot_address(self) -> u32 {
        // Ibex begins 0x80 behind a multiple of 0x100.
        0xff80
    }

    /// The module around core and trace module: its name, the file's, and the text.
    fn system(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Core::Picorv32 => {
                ("live_picorv32", "live_picorv32.v", include_str!("../../live/picorv32.v"))
            }
            Core::Ibex => ("live_ibex", "live_ibex.sv", include_str!("../../live/ibex.sv")),
        }
    }
}

impl fmt::Display for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Builds the model of a core with the trace module `trace`, whose top has the RVFI pins of one core.
///
/// `files` are those of [`Core::files`].
///
/// # Errors
/// When a tool is missing or fails.
pub fn build(
    core: Core,
    files: Vec<VerilogFile>,
    trace: &Generated,
    options: &BuildOptions,
) -> Result<Arc<Library>> {
    let width = |name: &str| {
        trace.ports.iter().find(|port| port.name == name).map_or(0, |port| port.width as u32)
    };
    let reset = if width("reset_n") == 1 { ("reset_n", "!") } else { ("reset", "") };
    let trace_width = width("trace_data");
    let defines = format!(
        "`define RISCV_FORMAL\n\
         `define RVFI\n\
         `define SYNTHESIS\n\
         `define TRACE_MODULE {}\n\
         `define TRACE_WIDTH {trace_width}\n\
         `define RESET_PORT {}\n\
         `define RESET_LEVEL {}\n\
         `define BOOT_ADDRESS 32'h{:x}\n\
         `define INTERRUPT_ADDRESS 32'h{INTERRUPT_ADDRESS:x}\n",
        trace.top,
        reset.0,
        reset.1,
        core.boot_address()
    );
    let (top, file, system) = core.system();
    let traced = trace.files.iter().map(|(name, text)| VerilogFile::new(name, text));
    let mut all = vec![VerilogFile::new("live_defines.v", defines)];
    all.extend(files);
    all.extend(traced);
    all.push(VerilogFile::new(file, system));
    let inputs = [
        ("clock", 1),
        ("reset", 1),
        ("hold", 1),
        ("fetch_data", 32),
        ("data_read", 32),
        ("data_error", 1),
        ("timer_interrupt", 1),
        ("flush", 1),
        ("trace_ready", 1),
    ];
    let outputs = [
        ("fetch_request", 1),
        ("fetch_address", 32),
        ("data_request", 1),
        ("data_address", 32),
        ("data_strobe", 4),
        ("data_written", 32),
        ("rvfi_valid", 1),
        ("rvfi_insn", 32),
        ("rvfi_trap", 1),
        ("rvfi_intr", 1),
        ("rvfi_pc_rdata", 32),
        ("rvfi_pc_wdata", 32),
        ("stall", 1),
        ("lost", 1),
        ("flushed", 1),
        ("trace_data", trace_width),
        ("trace_valid", 1),
    ];
    let ports = inputs.map(|(name, width)| Port::input(name, width)).into_iter();
    let ports = ports.chain(outputs.map(|(name, width)| Port::output(name, width)));
    let source = ModelSource {
        files: all,
        top: top.into(),
        clock: Some("clock".into()),
        ports: ports.collect(),
    };
    source.build(options)
}

/// How a program is run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Seed of everything random, the initial registers and memories included.
    pub seed: u64,
    /// When the sink of the trace takes a beat.
    pub ready: Ready,
    /// Instructions after which the core is stopped.
    pub limit: u64,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The program ended with this status.
    Exit(u32),
    /// The limit was reached.
    Limit,
    /// The core stopped for good at the trap of this instruction.
    Trap(u64),
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub end: End,
    /// Instructions, those that trapped included.
    pub instructions: u64,
    /// Clocks from the end of the reset to the last instruction.
    pub cycles: u64,
    /// Clocks among them in which the trace module stopped the core, those after the reset included.
    pub stall_cycles: u64,
    /// The trace.
    pub trace: Vec<u8>,
    /// Its bits, the padding at its end included.
    pub trace_bits: u64,
    /// What the program wrote to the console.
    pub console: Vec<u8>,
    /// An instruction came that the trace module had no place for.
    pub lost: bool,
}

struct Pins {
    hold: InputPort,
    fetch_data: InputPort,
    data_read: InputPort,
    data_error: InputPort,
    timer_interrupt: InputPort,
    flush: InputPort,
    trace_ready: InputPort,
    fetch_request: OutputPort,
    fetch_address: OutputPort,
    data_request: OutputPort,
    data_address: OutputPort,
    data_strobe: OutputPort,
    data_written: OutputPort,
    valid: OutputPort,
    insn: OutputPort,
    trap: OutputPort,
    intr: OutputPort,
    pc_rdata: OutputPort,
    pc_wdata: OutputPort,
    stall: OutputPort,
    lost: OutputPort,
    flushed: OutputPort,
    trace_data: OutputPort,
    trace_valid: OutputPort,
    trace_width: u32,
}

impl Pins {
    fn find(library: &Library) -> Result<Pins> {
        let (trace_data, trace_width) = library.output_of_any_width("trace_data")?;
        Ok(Pins {
            hold: library.input("hold", 1)?,
            fetch_data: library.input("fetch_data", 32)?,
            data_read: library.input("data_read", 32)?,
            data_error: library.input("data_error", 1)?,
            timer_interrupt: library.input("timer_interrupt", 1)?,
            flush: library.input("flush", 1)?,
            trace_ready: library.input("trace_ready", 1)?,
            fetch_request: library.output("fetch_request", 1)?,
            fetch_address: library.output("fetch_address", 32)?,
            data_request: library.output("data_request", 1)?,
            data_address: library.output("data_address", 32)?,
            data_strobe: library.output("data_strobe", 4)?,
            data_written: library.output("data_written", 32)?,
            valid: library.output("rvfi_valid", 1)?,
            insn: library.output("rvfi_insn", 32)?,
            trap: library.output("rvfi_trap", 1)?,
            intr: library.output("rvfi_intr", 1)?,
            pc_rdata: library.output("rvfi_pc_rdata", 32)?,
            pc_wdata: library.output("rvfi_pc_wdata", 32)?,
            stall: library.output("stall", 1)?,
            lost: library.output("lost", 1)?,
            flushed: library.output("flushed", 1)?,
            trace_data,
            trace_valid: library.output("trace_valid", 1)?,
            trace_width,
        })
    }
}

/// What the testbench does with the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The program runs.
    Running,
    /// The program is over: it may still jump to itself.
    Ending { instructions: u64 },
    /// The core is held, and comes to rest.
    Holding { clocks: u64 },
    /// The trace is flushed.
    Flushing,
}

/// Runs the program that is on the board from reset to its end, and gives `log` every instruction.
///
/// # Errors
/// When the core hangs, the model fails, or `log` does.
pub fn run<E: From<Error>>(
    core: Core,
    library: &Arc<Library>,
    mut board: Board,
    options: &Options,
    mut log: impl FnMut(&Retirement) -> Result<(), E>,
) -> Result<Run, E> {
    let pins = Pins::find(library)?;
    let mut model = Model::new(library, options.seed)?;
    model.reset(RESET_CLOCKS)?;
    let mut random = ChaCha8Rng::seed_from_u64(options.seed);
    let mut ready_pattern = ReadyPattern::new(options.ready);
    let mut packer = BitPacker::default();
    let (mut phase, mut end) = (Phase::Running, End::Limit);
    let (mut instructions, mut cycles, mut stall_cycles, mut idle) = (0u64, 0u64, 0u64, 0u64);
    let mut last = 0;
    loop {
        let ready = ready_pattern.next(random.next_u64());
        let held = matches!(phase, Phase::Holding { .. } | Phase::Flushing);
        model.set(pins.trace_ready, ready.into());
        model.set(pins.hold, held.into());
        model.set(pins.flush, (phase == Phase::Flushing).into());
        model.set(pins.timer_interrupt, board.timer_interrupt(instructions).into());
        model.cycle()?;

        let get = |pin| model.get(pin);
        if get(pins.trace_valid) != 0 && ready {
            packer.push(get(pins.trace_data), pins.trace_width);
            idle = 0;
        }
        let valid = get(pins.valid) != 0;
        let retired = Retirement {
            instruction: get(pins.insn) as u32,
            program_counter: get(pins.pc_rdata),
            next_program_counter: get(pins.pc_wdata),
            trap: get(pins.trap) != 0,
            interrupt: get(pins.intr) != 0,
        };
        if !held {
            cycles += 1;
            stall_cycles += get(pins.stall);
        }
        if valid {
            instructions += 1;
            last = retired.program_counter;
            idle = 0;
            log(&retired)?;
        }
        idle += 1;
        if idle > PATIENCE {
            let what = format!("nothing happens after the instruction at {last:#x}");
            return Err(Error::Core { core: core.name(), what }.into());
        }

        if get(pins.fetch_request) != 0 {
            let word = board.fetch(get(pins.fetch_address) as u32);
            model.set(pins.fetch_data, word.into());
        }
        if model.get(pins.data_request) != 0 {
            let address = model.get(pins.data_address) as u32;
            let strobe = model.get(pins.data_strobe) as u32;
            let written = model.get(pins.data_written) as u32;
            let read = board.access(address, strobe, written, instructions);
            model.set(pins.data_read, read.unwrap_or(0).into());
            model.set(pins.data_error, read.is_none().into());
        }

        phase = match phase {
            Phase::Running if valid && retired.trap && core == Core::Picorv32 => {
                end = End::Trap(retired.program_counter);
                Phase::Holding { clocks: 0 }
            }
            Phase::Running if instructions >= options.limit => Phase::Holding { clocks: 0 },
            Phase::Running => match board.exit_status() {
                None => Phase::Running,
                Some(status) => {
                    end = End::Exit(status);
                    Phase::Ending { instructions }
                }
            },
            // The jump to itself is the last instruction.
            Phase::Ending { instructions: at }
                if valid && retired.next_program_counter == retired.program_counter
                    || instructions >= at + LAST_INSTRUCTIONS =>
            {
                Phase::Holding { clocks: 0 }
            }
            Phase::Ending { .. } => phase,
            Phase::Holding { clocks } if clocks >= SETTLE_CLOCKS => Phase::Flushing,
            Phase::Holding { clocks } => Phase::Holding { clocks: clocks + 1 },
            Phase::Flushing if model.get(pins.flushed) != 0 => break,
            Phase::Flushing => Phase::Flushing,
        };
    }
    let lost = model.get(pins.lost) != 0;
    let trace_bits = packer.bits();
    let trace = packer.finish();
    let console = board.into_console();
    Ok(Run { end, instructions, cycles, stall_cycles, trace, trace_bits, console, lost })
}
