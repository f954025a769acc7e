//! Runs a program once and keeps its working set.

use std::path::PathBuf;

use tracewright_sim::event::{Isa, Machine as TracedMachine};

use crate::board::Board;
use crate::boards::{self, Assembled, BoardDescription};
use crate::ckb::CkbEmulator;
use crate::emulator::Emulator;
use crate::error::Error;
use crate::machine::{Machine, Sink};
use crate::outside::Outside;
use crate::program::Program;
use crate::progress::{self, Stuck};
use crate::receiver::{Receive, Receiver, Stop, send_to};
use crate::registers::Registers;
use crate::working_set::{Totals, WorkingSet};

/// Options of a capture.
#[derive(Clone, Debug)]
pub struct CaptureOptions {
    /// Bytes of a line, a power of two in [`LINE_BYTES`](crate::lines::LINE_BYTES).
    pub line_bytes: u32,
    /// The run ends with the first control-flow instruction after this many instructions.
    pub limit: u64,
    /// The bytes that the input device gives.
    pub input: Vec<u8>,
    /// The board; `None` takes the one that the program seems to be for.
    pub board: Option<BoardDescription>,
    /// The folder whose files calls of semihosting may open; `None` has them fail.
    pub folder: Option<PathBuf>,
    /// The command line that a call of semihosting gives.
    pub arguments: Option<String>,
}

impl Default for CaptureOptions {
    fn default() -> CaptureOptions {
        CaptureOptions {
            line_bytes: 32,
            limit: u64::MAX,
            input: Vec::new(),
            board: None,
            folder: None,
            arguments: None,
        }
    }
}

/// A captured run.
#[derive(Clone, Debug)]
pub struct Captured {
    /// The working set of the run.
    pub working_set: WorkingSet,
    /// The status that the program ended with; `None` if the limit or an endless loop ended the run.
    pub exit: Option<u32>,
    /// The loop that does nothing more, in which the run was ended.
    pub endless: Option<Stuck>,
    /// What the program wrote to the console.
    pub console: Vec<u8>,
}

/// The most instructions between two calls of `progress`.
pub(crate) const SLICE: u64 = 1 << 22;

/// Instructions until the first look at whether a program does something new.
const FIRST_SLICE: u64 = 1 << 12;

/// Runs a program, sends its events to the sink, and calls `progress` with the number of newly retired instructions.
///
/// # Errors
/// When the program does what the machine cannot, or the sink fails.
pub fn capture<S: Sink>(
    program: &Program,
    options: &CaptureOptions,
    sink: &mut S,
    mut progress: impl FnMut(u64),
) -> Result<Captured, S::Error> {
    send_to(sink, |receiver| capture_to(receiver, S::DATA, program, options, &mut progress))
}

fn capture_to(
    receiver: &mut dyn Receive,
    data: bool,
    program: &Program,
    options: &CaptureOptions,
    progress: &mut dyn FnMut(u64),
) -> Result<Captured, Stop> {
    // One board for each of the two kinds of sinks; the emulator's width is the program's.
    match (program.address_bits, data) {
        (32, false) => {
            run::<CkbEmulator<u32, Board<'_, false>>, false>(program, options, receiver, progress)
        }
        (32, true) => {
            run::<CkbEmulator<u32, Board<'_, true>>, true>(program, options, receiver, progress)
        }
        (_, false) => {
            run::<CkbEmulator<u64, Board<'_, false>>, false>(program, options, receiver, progress)
        }
        (_, true) => {
            run::<CkbEmulator<u64, Board<'_, true>>, true>(program, options, receiver, progress)
        }
    }
}

fn run<'w, E, const DATA: bool>(
    program: &Program,
    options: &CaptureOptions,
    receiver: &mut dyn Receive,
    progress: &mut dyn FnMut(u64),
) -> Result<Captured, Stop>
where
    E: Emulator<Bus = Board<'w, DATA>>,
{
    let sink = &mut Receiver::<DATA>(receiver);
    let CaptureOptions { line_bytes, limit, .. } = options;
    if *limit == 0 {
        return Err(Error::NoInstructions.into());
    }
    let Assembled { mut layout, devices, reset, vector, stack } = assembled(program, options)?;
    layout.records_calls |= options.folder.is_some() || options.arguments.is_some();
    let mut registers = Registers::after_reset(reset).on(&layout);
    registers.control[2] = vector;
    registers.integers[2] = stack;
    let outside = Outside::new(program.clone(), &layout, devices, options);
    let board = Board::new(layout.clone(), *line_bytes, Box::new(outside));
    let mut machine = Machine::<E>::new(board, &registers, *limit);
    machine.reset(sink)?;
    let mut until = 0u64;
    let mut endless = None;
    loop {
        let begin = until;
        // What a program does after it has come to nothing is a small part of the run.
        until += (until / 16).clamp(FIRST_SLICE, SLICE);
        let over = machine.run(sink, until)?;
        progress(machine.board().time - begin);
        if over {
            break;
        }
        if let Some(stuck) = progress::stuck(&mut machine, sink, &mut until)? {
            let what = stuck.polled(program, machine.board());
            if let Some(what) = what {
                return Err(what.into());
            }
            machine.end();
            machine.run(sink, u64::MAX)?;
            endless = Some(stuck);
            break;
        }
    }
    let last = machine.registers();
    let mut board = machine.into_board();
    let totals = Totals {
        instructions: board.time,
        loads: board.loads,
        stores: board.stores,
        registers: last.checksum(),
    };
    let (lines, inputs) = board.world.recorded();
    let (exit, console) = (board.exit, board.console);
    let (alignment, address_bits) = (layout.alignment(), program.address_bits);
    let machine = TracedMachine { isa: Isa::RiscV, alignment, address_bits };
    let working_set =
        WorkingSet { machine, layout, line_bytes: *line_bytes, registers, lines, inputs, totals };
    Ok(Captured { working_set, exit, endless, console })
}

/// The board that the options name, or that the program seems to be for.
fn assembled(program: &Program, options: &CaptureOptions) -> Result<Assembled, Error> {
    match &options.board {
        Some(board) => board.assemble(program),
        None => boards::detected(program).0.assemble(program),
    }
}
