//! A processor core in Verilator with a trace module on its retirement port.
//!
//! The caller gives the core's Verilog; the module around core and trace module is part of this crate, one for each
//! [`Core`]. Memory and devices are in Rust ([`Board`]) and answer in the next cycle. [`run`] gives what the core's
//! port reports of every instruction, and the bits that leave the trace module. Where it has control registers, it is
//! switched on and off by them, and the memory of a RAM sink is read by them.

mod board;
mod core;
mod registers;
mod system;

use std::sync::Arc;

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::rvfi::{Retirement, Xlen};

pub use self::core::Core;
pub use crate::recording::Trace;
pub use board::{Board, BoardError};
pub use system::build;

use crate::debugger::Ring;
use crate::error::{Error, Result};
use crate::library::Library;
use crate::model::Model;
use crate::recording::Recording;
use crate::stimulus::{Ready, ReadyPattern};
use system::Pins;

/// Cycles with the reset active.
const RESET_CYCLES: u32 = 4;

/// Cycles without an instruction or a beat of the trace after which the core counts as hung. No trace module takes
/// as long to clear its tables.
const PATIENCE: u64 = 200_000;

/// Cycles in which a core that is held comes to rest.
const SETTLE_CYCLES: u64 = 200;

/// Instructions after the program's end within which it jumps to itself.
const LAST_INSTRUCTIONS: u64 = 16;

/// How a program is run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Seed of everything random, the initial registers and memories included.
    pub seed: u64,
    /// When the sink of the trace takes a beat.
    pub ready: Ready,
    /// Instructions after which the core is stopped.
    pub limit: u64,
    /// Stop the core at its first trap.
    pub until_trap: bool,
    /// Stop the core when one instruction has trapped so many times and none has retired in between.
    pub traps_in_a_row: u64,
    /// Bytes of a ring buffer that the trace goes into; `None` keeps all of it.
    pub ring: Option<usize>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The program ended with this status.
    Exit(u32),
    /// The limit was reached.
    Limit,
    /// The core stopped for good, or was stopped, at the trap of this instruction.
    Trap(u64),
    /// The core was stopped because this instruction trapped again and again.
    TrapLoop(u64),
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub end: End,
    /// Instructions that retired.
    pub instructions: u64,
    /// Cycles from the end of the reset to the last instruction.
    pub cycles: u64,
    /// Cycles among them in which the trace module stopped the core, those after the reset included.
    pub stall_cycles: u64,
    /// The trace.
    pub trace: Trace,
    /// What the program wrote to the console.
    pub console: Vec<u8>,
    /// An instruction came that the trace module had no place for.
    pub lost: bool,
}

/// What the testbench does with the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The core is held until tracing is on.
    Starting,
    /// The program runs.
    Running,
    /// The program is over: it may still jump to itself.
    Ending { instructions: u64 },
    /// The core is held, and comes to rest.
    Holding { cycles: u64 },
    /// The trace is flushed.
    Flushing,
}

/// A core at work.
struct Running<'a> {
    core: Core,
    pins: Pins,
    model: Model,
    board: Board,
    options: &'a Options,
    recording: Recording,
    /// What decides when the sink takes a beat.
    random: ChaCha8Rng,
    ready_pattern: ReadyPattern,
    phase: Phase,
    end: End,
    /// Those that trapped included, so that time goes on where every instruction traps.
    instructions: u64,
    /// Instructions that trapped.
    traps: u64,
    /// The last instruction that trapped, and how often it did since one retired.
    trap_loop: (u64, u64),
    cycles: u64,
    stall_cycles: u64,
    /// Cycles without an instruction or a beat of the trace.
    idle: u64,
    /// Instructions of the last cycle.
    retired: Vec<Retirement>,
    /// The address of the last instruction.
    last: u64,
}

/// Runs the program that is on the board from reset to its end, and gives `log` every instruction.
///
/// # Errors
/// When the core hangs, the model fails, or `log` does.
pub fn run<E: From<Error>>(
    core: Core,
    library: &Arc<Library>,
    board: Board,
    options: &Options,
    mut log: impl FnMut(&Retirement) -> Result<(), E>,
) -> Result<Run, E> {
    let mut running = Running::from_reset(core, library, board, options)?;
    let mut debugger = running.debugger(library)?;
    if let Some(debugger) = &mut debugger {
        running.begin_by_registers(debugger)?;
    }
    loop {
        running.cycle()?;
        running.retired.iter().try_for_each(&mut log)?;
        if running.idle > PATIENCE {
            let what = format!("nothing happens after the instruction at {:#x}", running.last);
            return Err(Error::Core { core: core.name(), what }.into());
        }
        running.access_memory();
        match running.next_phase() {
            Some(phase) => running.phase = phase,
            None => break,
        }
    }
    let ring = match &mut debugger {
        Some(debugger) => running.end_by_registers(debugger)?,
        None => None,
    };
    Ok(running.finish(ring))
}

impl<'a> Running<'a> {
    fn from_reset(
        core: Core,
        library: &Arc<Library>,
        board: Board,
        options: &'a Options,
    ) -> Result<Self> {
        let mut model = Model::new(library, options.seed)?;
        let pins = Pins::find(core, library)?;
        // It is released when the trace module is ready for it, if registers say so.
        let phase = if pins.flush.is_some() { Phase::Running } else { Phase::Starting };
        model.set(pins.hold, (phase == Phase::Starting).into());
        model.reset(RESET_CYCLES)?;
        Ok(Self {
            core,
            pins,
            model,
            board,
            options,
            recording: Recording::new(options.ring),
            random: ChaCha8Rng::seed_from_u64(options.seed),
            ready_pattern: ReadyPattern::new(options.ready),
            phase,
            end: End::Limit,
            instructions: 0,
            traps: 0,
            trap_loop: (0, 0),
            cycles: 0,
            stall_cycles: 0,
            idle: 0,
            retired: Vec::new(),
            last: 0,
        })
    }

    /// One cycle, in which instructions may retire and a beat of the trace may leave.
    fn cycle(&mut self) -> Result<()> {
        let ready = self.ready_pattern.next(self.random.next_u64());
        let Self { pins, model, .. } = self;
        let held = !matches!(self.phase, Phase::Running | Phase::Ending { .. });
        model.set(pins.hold, held.into());
        if let Some((flush, _)) = pins.flush {
            model.set(flush, (self.phase == Phase::Flushing).into());
        }
        if let Some(beats) = pins.beats {
            model.set(beats.ready, ready.into());
        }
        model.set(pins.timer_interrupt, self.board.timer_interrupt(self.instructions).into());
        model.cycle()?;

        self.idle += 1;
        if let Some(beats) = pins.beats
            && model.get(beats.valid) != 0
            && ready
        {
            self.recording.beat(model.get(beats.data), beats.width);
            self.idle = 0;
        }
        if !held {
            self.cycles += 1;
            self.stall_cycles += model.get(pins.stall);
        }
        self.retired.clear();
        for (index, channel) in pins.channels.iter().enumerate() {
            let bit = |port| model.get(port) >> index & 1 != 0;
            if bit(pins.valid) {
                self.retired.push(Retirement {
                    instruction: model.get(channel.insn) as u32,
                    program_counter: model.get(channel.pc_rdata),
                    next_program_counter: model.get(channel.pc_wdata),
                    trap: bit(pins.trap),
                    interrupt: bit(pins.intr),
                    ..Retirement::default()
                });
            }
        }
        for retired in &self.retired {
            self.trap_loop = match (retired.trap, self.trap_loop) {
                (true, (address, count)) if address == retired.program_counter => {
                    (address, count + 1)
                }
                (true, _) => (retired.program_counter, 1),
                (false, _) => (0, 0),
            };
        }
        if let Some(retired) = self.retired.last() {
            self.instructions += self.retired.len() as u64;
            self.traps += self.retired.iter().filter(|retired| retired.trap).count() as u64;
            self.idle = 0;
            self.last = retired.program_counter;
        }
        Ok(())
    }

    /// Answers the core's requests in the next cycle.
    fn access_memory(&mut self) {
        let Self { pins, model, board, .. } = self;
        if let Some(fetch) = &pins.fetch
            && model.get(fetch.request) != 0
        {
            let (mut data, mut errors) = (0, 0);
            for index in 0..fetch.words {
                let address = (model.get(fetch.address) as u32).wrapping_add(4 * index);
                // What is not there is 0, which is no instruction.
                let word = board.fetch(address);
                data |= u64::from(word.unwrap_or(0)) << (32 * index);
                errors |= u64::from(word.is_none()) << index;
            }
            model.set(fetch.data, data);
            if let Some(error) = fetch.error {
                model.set(error, errors);
            }
        }
        if model.get(pins.data_request) != 0 {
            let address = model.get(pins.data_address);
            let strobe = model.get(pins.data_strobe) as u32;
            let written = model.get(pins.data_written);
            let read = match self.core.xlen() {
                Xlen::Rv64 => board.access_wide(address, strobe, written, self.instructions),
                Xlen::Rv32 => board
                    .access(address as u32, strobe, written as u32, self.instructions)
                    .map(u64::from),
            };
            model.set(pins.data_read, read.unwrap_or(0));
            model.set(pins.data_error, read.is_none().into());
        }
    }

    /// The phase of the next cycle; `None` when the trace is flushed, or is to be by registers.
    fn next_phase(&mut self) -> Option<Phase> {
        let holding = Phase::Holding { cycles: 0 };
        let phase = match self.phase {
            Phase::Starting => Phase::Running,
            Phase::Running => match self.retired.iter().find(|retired| retired.trap) {
                Some(retired) if self.core.stops_at_traps() || self.options.until_trap => {
                    self.end = End::Trap(retired.program_counter);
                    holding
                }
                _ if self.trap_loop.1 >= self.options.traps_in_a_row => {
                    self.end = End::TrapLoop(self.trap_loop.0);
                    holding
                }
                _ if self.instructions >= self.options.limit => holding,
                _ => match self.board.exit_status() {
                    None => Phase::Running,
                    Some(status) => {
                        self.end = End::Exit(status);
                        Phase::Ending { instructions: self.instructions }
                    }
                },
            },
            Phase::Ending { instructions } => {
                // The jump to itself is the last instruction.
                let jumps_to_itself =
                    |retired: &Retirement| retired.next_program_counter == retired.program_counter;
                let over = self.retired.iter().any(jumps_to_itself)
                    || self.instructions >= instructions + LAST_INSTRUCTIONS;
                if over { holding } else { self.phase }
            }
            Phase::Holding { cycles } => match self.pins.flush {
                _ if cycles < SETTLE_CYCLES => Phase::Holding { cycles: cycles + 1 },
                Some(_) => Phase::Flushing,
                None => return None,
            },
            Phase::Flushing => match self.pins.flush {
                Some((_, flushed)) if self.model.get(flushed) == 0 => Phase::Flushing,
                _ => return None,
            },
        };
        Some(phase)
    }

    /// The result; `ring` is what a RAM sink has.
    fn finish(self, ring: Option<Ring>) -> Run {
        let trace = match ring {
            None => self.recording.finish(),
            Some(ring) => {
                let bits = 8 * ring.oldest_first.len() as u64;
                Trace { bytes: ring.in_memory(), bits, write_pointer: ring.write_pointer }
            }
        };
        Run {
            end: self.end,
            instructions: self.instructions - self.traps,
            cycles: self.cycles,
            stall_cycles: self.stall_cycles,
            trace,
            console: self.board.into_console(),
            lost: self.model.get(self.pins.lost) != 0,
        }
    }
}
