//! Regenerating a run from its working set.

use std::fmt;
use std::ops::Deref;

use crate::board::{Board, Effect, Taken, World};
use crate::capture::SLICE;
use crate::ckb::CkbEmulator;
use crate::emulator::{Emulator, Fault};
use crate::error::Error;
use crate::host::{Answer, Call};
use crate::inputs::{Input, What};
use crate::lines::Beyond;
use crate::machine::{Machine, Sink};
use crate::receiver::{Receive, Receiver, Stop, send_to};
use crate::trap_unit::TIMER_INTERRUPT;
use crate::working_set::{Totals, WorkingSet};

/// Runs a working set again, hands its events on, and tells `progress` how many more instructions have
/// retired.
///
/// # Errors
/// When the working set does not hold what the run needs, or the sink fails.
pub fn replay<S: Sink>(
    working_set: &WorkingSet,
    sink: &mut S,
    mut progress: impl FnMut(u64),
) -> Result<(), S::Error> {
    send_to(sink, |receiver| replay_to(receiver, S::DATA, working_set, &mut progress))
}

fn replay_to(
    receiver: &mut dyn Receive,
    data: bool,
    working_set: &WorkingSet,
    progress: &mut dyn FnMut(u64),
) -> Result<(), Stop> {
    match (working_set.machine.address_bits, data) {
        (32, false) => {
            run::<CkbEmulator<u32, Board<'_, false>>, false>(working_set, receiver, progress)
        }
        (32, true) => {
            run::<CkbEmulator<u32, Board<'_, true>>, true>(working_set, receiver, progress)
        }
        (_, false) => {
            run::<CkbEmulator<u64, Board<'_, false>>, false>(working_set, receiver, progress)
        }
        (_, true) => {
            run::<CkbEmulator<u64, Board<'_, true>>, true>(working_set, receiver, progress)
        }
    }
}

fn run<'a, E, const DATA: bool>(
    working_set: &'a WorkingSet,
    receiver: &mut dyn Receive,
    progress: &mut dyn FnMut(u64),
) -> Result<(), Stop>
where
    E: Emulator<Bus = Board<'a, DATA>>,
{
    let sink = &mut Receiver::<DATA>(receiver);
    let Totals { instructions, loads, stores, registers } = working_set.totals;
    let world = Box::new(Recorded::new(working_set, 0));
    let board = Board::new(working_set.layout.clone(), working_set.line_bytes, world);
    let mut machine = Machine::<E>::new(board, &working_set.registers, instructions);
    machine.reset(sink)?;
    let mut until = 0u64;
    loop {
        let begin = until;
        until = until.saturating_add(SLICE);
        let over = machine.run(sink, until)?;
        let time = machine.board().time;
        progress(time - begin);
        if over {
            break;
        }
        if time > instructions {
            // No event at the end of the run: only a straight run that was not captured.
            return Err(other_end("instructions", time, instructions).into());
        }
    }
    let board = machine.board();
    for (what, found, expected) in [
        ("instructions", board.time, instructions),
        ("loads", board.loads, loads),
        ("stores", board.stores, stores),
        ("checksum of the registers", machine.registers().checksum().into(), registers.into()),
    ] {
        if found != expected {
            return Err(other_end(what, found, expected).into());
        }
    }
    Ok(())
}

fn other_end(what: &'static str, found: u64, expected: u64) -> Error {
    Error::OtherEnd { what, found, expected }
}

/// The world as it was when the run was captured.
#[derive(Debug)]
pub(crate) struct Recorded<W> {
    working_set: W,
    /// The inputs that have come.
    taken: usize,
}

impl<W: Deref<Target = WorkingSet>> Recorded<W> {
    /// The world after so many inputs.
    pub(crate) fn new(working_set: W, taken: usize) -> Recorded<W> {
        Recorded { working_set, taken }
    }

    /// The next input.
    fn next(&self) -> Option<&Input> {
        self.working_set.inputs.get(self.taken)
    }

    /// The next input, if it is of this time and kind.
    fn take(&mut self, time: u64, is_it: impl Fn(&What) -> bool) -> Option<&What> {
        let first = self.working_set.inputs.get(self.taken)?;
        if first.time != time || !is_it(&first.what) {
            return None;
        }
        self.taken += 1;
        Some(&first.what)
    }

    fn value(&mut self, what: &'static str, time: u64) -> Result<u64, Fault> {
        if let Some(What::Value(value)) = self.take(time, |what| matches!(what, What::Value(_))) {
            return Ok(*value);
        }
        Err(self.unexpected(what, time))
    }

    fn unexpected(&self, what: &'static str, time: u64) -> Fault {
        let recorded = match self.next() {
            Some(Input { time, what }) => format!("a {} at instruction {}", what.name(), time + 1),
            None => "none: there are no more".into(),
        };
        Fault::Stop(Box::new(Error::Input { what, number: time + 1, recorded }))
    }
}

impl<W: Deref<Target = WorkingSet>> Beyond for Recorded<W> {
    fn first_touch(&mut self, address: u64, line: &mut [u8]) -> Result<(), Box<Error>> {
        let lines = &self.working_set.lines;
        match lines.binary_search_by_key(&address, |line| line.address) {
            Ok(place) => {
                line.copy_from_slice(&lines[place].bytes);
                Ok(())
            }
            // The machine knows which instruction it is.
            Err(_) => Err(Box::new(Error::MissingLine { address, program_counter: 0, number: 0 })),
        }
    }
}

impl<W: Deref<Target = WorkingSet> + fmt::Debug> World for Recorded<W> {
    fn load(&mut self, _: u64, _: usize, time: u64) -> Result<u64, Fault> {
        self.value("a load from a device", time)
    }

    fn store(&mut self, _: u64, _: usize, _: u64, time: u64) -> Result<Effect, Fault> {
        match self.take(time, |what| matches!(what, What::Block { .. })) {
            Some(What::Block { address, bytes }) => {
                Ok(Effect::Block { address: *address, bytes: bytes.clone() })
            }
            _ => Ok(Effect::None),
        }
    }

    fn call(&mut self, _: Call, time: u64) -> Result<Answer, Fault> {
        let mut blocks = Vec::new();
        while let Some(What::Block { address, bytes }) =
            self.take(time, |what| matches!(what, What::Block { .. }))
        {
            blocks.push((*address, bytes.clone()));
        }
        let value = self.value("a call of semihosting", time)?;
        Ok(Answer { value, blocks, printed: Vec::new() })
    }

    fn wrote(&mut self, _: u64, _: &[u8], _: u64) {}

    fn pending(&mut self, time: u64) -> Result<u64, Fault> {
        let pending = self.value("a look at pending interrupts", time)?;
        match self.working_set.layout.records_calls {
            true => Ok(pending),
            false => Ok(u64::from(pending != 0) << TIMER_INTERRUPT),
        }
    }

    fn interrupt(&mut self, time: u64, enabled: u64) -> Result<Option<u64>, Fault> {
        match self.take(time, |what| matches!(what, What::Interrupt(_))) {
            Some(What::Interrupt(number)) if enabled >> (number & 63) & 1 == 1 => Ok(Some(*number)),
            Some(_) => Err(self.unexpected("an interrupt that is not enabled", time)),
            None => Ok(None),
        }
    }

    fn next_interrupt(&self, _: u64) -> u64 {
        match self.next() {
            Some(Input { time, what: What::Interrupt(_) }) => *time,
            _ => u64::MAX,
        }
    }

    fn taken(&self) -> Taken {
        Taken { clock_reads: 0, inputs: self.taken }
    }
}
