//! A run that can be taken to any of its instructions.

use std::fmt;
use std::sync::Arc;

use crate::board::{self, Board};
use crate::ckb::CkbEmulator;
use crate::emulator::Emulator;
use crate::error::Error;
use crate::lines::Lines;
use crate::machine::Machine;
use crate::registers::Registers;
use crate::replay::Recorded;
use crate::working_set::WorkingSet;

/// The most bytes of the states that are kept.
const KEPT_BYTES: usize = 1 << 27;

/// Instructions between two states that are kept at first.
const FIRST_INTERVAL: u64 = 1 << 20;

/// Instructions before the place at hand from which it is run again, so that what is shortly before it is near.
const NEAR: u64 = 1 << 13;

/// The state of a machine.
#[derive(Clone, Debug)]
struct State {
    time: u64,
    registers: Registers,
    reserved: u64,
    inputs: usize,
    lines: Lines,
}

/// A machine of either width.
trait Moves {
    /// Runs until so many instructions have retired.
    fn run(&mut self, until: u64) -> Result<(), Error>;

    fn time(&self) -> u64;

    fn registers(&self) -> Registers;

    fn byte(&self, address: u64) -> Option<u8>;

    fn state(&self) -> State;
}

impl<E: Emulator<Bus = Board<'static, false>>> Moves for Machine<E> {
    fn run(&mut self, until: u64) -> Result<(), Error> {
        Machine::run(self, &mut (), until).map(|_| ())
    }

    fn time(&self) -> u64 {
        self.board().time
    }

    fn registers(&self) -> Registers {
        Machine::registers(self)
    }

    fn byte(&self, address: u64) -> Option<u8> {
        self.board().lines().byte(address)
    }

    fn state(&self) -> State {
        let board = self.board();
        State {
            time: board.time,
            registers: Machine::registers(self),
            reserved: self.reserved(),
            inputs: board.world.taken().inputs,
            lines: board.lines().clone(),
        }
    }
}

/// A run of a working set, at one of its instructions.
pub struct Rerun {
    working_set: Arc<WorkingSet>,
    machine: Box<dyn Moves>,
    /// States in the order of time, the first of which is the beginning.
    kept: Vec<State>,
    interval: u64,
    /// A state shortly before the place at hand.
    near: Option<State>,
}

impl fmt::Debug for Rerun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a run at instruction {}", self.machine.time())
    }
}

impl Rerun {
    /// The run at its beginning.
    pub fn new(working_set: WorkingSet) -> Rerun {
        let working_set = Arc::new(working_set);
        let first = State {
            time: 0,
            registers: working_set.registers.clone(),
            reserved: u64::MAX,
            inputs: 0,
            lines: board::untouched(&working_set.layout, working_set.line_bytes),
        };
        let machine = machine_at(&working_set, first.clone());
        Rerun { working_set, machine, kept: vec![first], interval: FIRST_INTERVAL, near: None }
    }

    /// Goes to the place before which so many instructions have retired.
    ///
    /// # Errors
    /// When the working set does not hold what the run needs.
    pub fn go_to(&mut self, time: u64) -> Result<(), Error> {
        let time = time.min(self.working_set.totals.instructions);
        let now = self.machine.time();
        let is_before = |state: &&State| state.time <= time;
        let kept = self.kept.iter().rev().find(is_before);
        let near = self.near.as_ref().filter(is_before);
        let best = kept.into_iter().chain(near).max_by_key(|state| state.time);
        if let Some(best) = best.filter(|best| now > time || best.time > now) {
            self.machine = machine_at(&self.working_set, best.clone());
        }
        loop {
            let now = self.machine.time();
            let next = self.kept.last().map_or(0, |last| last.time) + self.interval;
            let near = time.saturating_sub(NEAR);
            let until = if now < next && next <= time { next } else { time };
            let is_near_next = now < near && until > near && near - now > NEAR;
            let until = if is_near_next { near } else { until };
            if now >= until {
                return Ok(());
            }
            self.machine.run(until)?;
            if self.machine.time() == now {
                return Ok(());
            }
            if is_near_next {
                self.near = Some(self.machine.state());
            }
            if until == next {
                self.keep();
            }
        }
    }

    fn keep(&mut self) {
        self.kept.push(self.machine.state());
        let bytes: usize = self.kept.iter().map(|state| state.lines.size()).sum();
        if bytes > KEPT_BYTES {
            let mut place = 0;
            self.kept.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.interval *= 2;
        }
    }

    /// The registers there.
    pub fn registers(&self) -> Registers {
        self.machine.registers()
    }

    /// The byte at an address there, if the run has anything to do with it.
    pub fn byte(&self, address: u64) -> Option<u8> {
        self.machine.byte(address).or_else(|| {
            // What is not touched yet is as it will be touched.
            let lines = &self.working_set.lines;
            let next = lines.partition_point(|line| line.address <= address);
            let line = lines[..next].last()?;
            line.bytes.get(usize::try_from(address - line.address).ok()?).copied()
        })
    }
}

fn machine_at(working_set: &Arc<WorkingSet>, state: State) -> Box<dyn Moves> {
    match working_set.machine.address_bits {
        32 => Box::new(machine::<CkbEmulator<u32, Board<'static, false>>>(working_set, state)),
        _ => Box::new(machine::<CkbEmulator<u64, Board<'static, false>>>(working_set, state)),
    }
}

fn machine<E: Emulator<Bus = Board<'static, false>>>(
    working_set: &Arc<WorkingSet>,
    state: State,
) -> Machine<E> {
    let world = Box::new(Recorded::new(Arc::clone(working_set), state.inputs));
    let board = Board::at(working_set.layout.clone(), state.lines, world, state.time);
    let mut machine = Machine::new(board, &state.registers, u64::MAX);
    machine.reserve(state.reserved);
    machine
}
