//! Runs a program once and keeps its working set.

use tracewright_sim::event::{Isa, Machine as TracedMachine};

use crate::board::{Board, Effect, Register, World};
use crate::ckb::CkbEmulator;
use crate::emulator::{Emulator, Fault};
use crate::error::Error;
use crate::inputs::{Input, What};
use crate::lines::Beyond;
use crate::machine::{Machine, Sink};
use crate::program::Program;
use crate::registers::Registers;
use crate::working_set::{Line, Totals, WorkingSet};

/// Options of a capture.
#[derive(Clone, Debug)]
pub struct CaptureOptions {
    /// Bytes of a line, a power of two in [`LINE_BYTES`](crate::lines::LINE_BYTES).
    pub line_bytes: u32,
    /// The run ends with the first control-flow instruction after this many instructions.
    pub limit: u64,
    /// The bytes that the input device gives.
    pub input: Vec<u8>,
}

impl Default for CaptureOptions {
    fn default() -> CaptureOptions {
        CaptureOptions { line_bytes: 32, limit: u64::MAX, input: Vec::new() }
    }
}

/// A captured run.
#[derive(Clone, Debug)]
pub struct Captured {
    /// The working set of the run.
    pub working_set: WorkingSet,
    /// The status that the program ended with; `None` if the limit ended the run.
    pub exit: Option<u32>,
    /// What the program wrote to the console.
    pub console: Vec<u8>,
}

/// Instructions between two calls of `progress`.
pub(crate) const SLICE: u64 = 1 << 22;

/// Runs a program, sends its events to the sink, and calls `progress` with the number of newly retired instructions.
///
/// # Errors
/// When the program does what the machine cannot, or the sink fails.
pub fn capture<S: Sink>(
    program: &Program,
    options: &CaptureOptions,
    sink: &mut S,
    progress: impl FnMut(u64),
) -> Result<Captured, S::Error> {
    // One board for each of the two kinds of sinks; the emulator's width is the program's.
    match (program.address_bits, S::DATA) {
        (32, false) => {
            run::<CkbEmulator<u32, Board<_, false>>, S, false>(program, options, sink, progress)
        }
        (32, true) => {
            run::<CkbEmulator<u32, Board<_, true>>, S, true>(program, options, sink, progress)
        }
        (_, false) => {
            run::<CkbEmulator<u64, Board<_, false>>, S, false>(program, options, sink, progress)
        }
        (_, true) => {
            run::<CkbEmulator<u64, Board<_, true>>, S, true>(program, options, sink, progress)
        }
    }
}

fn run<E, S: Sink, const DATA: bool>(
    program: &Program,
    options: &CaptureOptions,
    sink: &mut S,
    mut progress: impl FnMut(u64),
) -> Result<Captured, S::Error>
where
    E: Emulator<Bus = Board<Outside, DATA>>,
{
    let CaptureOptions { line_bytes, limit, input } = options;
    if *limit == 0 {
        return Err(Error::NoInstructions.into());
    }
    let registers = Registers::after_reset(program.entry);
    let board = Board::new(*line_bytes, Outside::new(program.clone(), input.clone()));
    let mut machine = Machine::<E>::new(board, &registers, *limit);
    machine.reset(sink)?;
    let mut until = 0u64;
    loop {
        let begin = until;
        until += SLICE;
        let over = machine.run(sink, until)?;
        progress(machine.board().time - begin);
        if over {
            break;
        }
    }
    let last = machine.registers();
    let board = machine.into_board();
    let totals = Totals {
        instructions: board.time,
        loads: board.loads,
        stores: board.stores,
        registers: last.checksum(),
    };
    let Outside { mut lines, inputs, .. } = board.world;
    lines.sort_unstable_by_key(|line| line.address);
    let machine =
        TracedMachine { isa: Isa::RiscV, alignment: 1, address_bits: program.address_bits };
    Ok(Captured {
        working_set: WorkingSet {
            machine,
            line_bytes: *line_bytes,
            registers,
            lines,
            inputs,
            totals,
        },
        exit: board.exit,
        console: board.console,
    })
}

/// The environment of a captured program: its memory image and the devices.
struct Outside {
    program: Program,
    lines: Vec<Line>,
    inputs: Vec<Input>,
    input: std::vec::IntoIter<u8>,
    block_address: u64,
    block_length: u32,
    /// The time at which the timer's interrupt becomes pending, if it is set.
    timer: Option<u64>,
}

impl Outside {
    fn new(program: Program, input: Vec<u8>) -> Outside {
        Outside {
            program,
            lines: Vec::new(),
            inputs: Vec::new(),
            input: input.into_iter(),
            block_address: 0,
            block_length: 0,
            timer: None,
        }
    }

    fn record(&mut self, time: u64, what: What) {
        self.inputs.push(Input { time, what });
    }

    fn timer_is_due(&self, time: u64) -> bool {
        self.timer.is_some_and(|due| due <= time)
    }
}

impl Beyond for Outside {
    fn first_touch(&mut self, address: u64, line: &mut [u8]) -> Result<(), Box<Error>> {
        self.program.read(address, line);
        self.lines.push(Line { address, bytes: line.to_vec() });
        Ok(())
    }
}

impl World for Outside {
    fn load(&mut self, register: Register, time: u64) -> Result<u32, Fault> {
        let value = match register {
            Register::Input => self.input.next().map_or(u32::MAX, u32::from),
            Register::BlockAddress => self.block_address as u32,
            Register::BlockLength => self.block_length,
            Register::Time => time as u32,
            Register::Console | Register::Exit | Register::Timer => 0,
        };
        self.record(time, What::Value(value));
        Ok(value)
    }

    fn store(&mut self, register: Register, value: u32, time: u64) -> Result<Effect, Fault> {
        match register {
            Register::BlockAddress => self.block_address = value.into(),
            Register::BlockLength => {
                let bytes: Vec<u8> = self.input.by_ref().take(value as usize).collect();
                self.block_length = bytes.len() as u32;
                let address = self.block_address;
                self.record(time, What::Block { address, bytes: bytes.clone() });
                return Ok(Effect::Block { address, bytes });
            }
            Register::Timer => {
                self.timer = (value != 0).then(|| time.saturating_add(value.into()));
            }
            Register::Console | Register::Exit | Register::Input | Register::Time => {}
        }
        Ok(Effect::None)
    }

    fn is_pending(&mut self, time: u64) -> Result<bool, Fault> {
        let pending = self.timer_is_due(time);
        self.record(time, What::Value(pending.into()));
        Ok(pending)
    }

    fn interrupts(&mut self, time: u64, enabled: bool) -> Result<bool, Fault> {
        let interrupts = enabled && self.timer_is_due(time);
        if interrupts {
            self.record(time, What::Interrupt);
        }
        Ok(interrupts)
    }

    /// A pending interrupt that is not enabled waits for the instruction that enables it, after which
    /// the machine asks anyway.
    fn next_interrupt(&self, enabled: bool) -> u64 {
        self.timer.filter(|_| enabled).unwrap_or(u64::MAX)
    }
}
