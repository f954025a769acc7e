//! Going on, in both directions.

use super::{Debuggee, prediction};
use crate::error::Error;

/// How the execution goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// To the next breakpoint.
    Continue,
    /// By one instruction of a thread.
    Step(usize),
    /// By instructions of a thread, as long as it is at these addresses.
    Range(usize, u64, u64),
    /// Back to the last breakpoint.
    Back,
    /// Back by one instruction of a thread.
    StepBack(usize),
}

/// The reason for a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A thread has come to a breakpoint.
    Breakpoint(usize),
    /// A thread has made its step.
    Step(usize),
    /// There is nothing before.
    Begin,
    /// There is nothing after.
    End,
}

/// Steps between looks at what the debugger sends.
const STEPS: u64 = 1 << 16;

impl Debuggee<'_> {
    /// Goes on; gives nothing if it is not done yet.
    ///
    /// # Errors
    /// When the recording cannot be read.
    pub fn run(&mut self) -> Result<Option<Stop>, Error> {
        self.complete()?;
        let stop = match self.action {
            Action::Continue => match self.predicted_step() {
                Some(number) => Some(self.step(number)?),
                None => Some(self.forward()?),
            },
            Action::Step(number) => Some(self.step(number)?),
            Action::Range(number, start, end) => self.range(number, start, end)?,
            Action::Back => Some(self.back()?),
            Action::StepBack(number) => Some(self.step_back(number)?),
        };
        if let Some(stop) = stop {
            self.reported = match stop {
                Stop::Breakpoint(number) | Stop::Step(number) => number,
                Stop::Begin | Stop::End => self.player.here().number,
            };
            self.last_set = None;
        }
        Ok(stop)
    }

    /// The thread that a stop is of.
    pub fn thread_of(&self, stop: Stop) -> usize {
        match stop {
            Stop::Breakpoint(number) | Stop::Step(number) => number,
            Stop::Begin | Stop::End => self.player.here().number,
        }
    }

    /// The first position at which a breakpoint counts: the debugger knows where the thread that it was told of is.
    fn begin(&self) -> u64 {
        let is_told = self.player.here().number == self.reported;
        self.player.position() + u64::from(is_told)
    }

    fn end(&self) -> u64 {
        self.player.recording().instructions()
    }

    fn forward(&mut self) -> Result<Stop, Error> {
        let begin = self.begin();
        match self.player.find(begin, &mut self.breakpoints)? {
            Some(found) => {
                self.go_to(found.position)?;
                Ok(Stop::Breakpoint(found.number))
            }
            None => {
                self.go_to(self.end())?;
                Ok(Stop::End)
            }
        }
    }

    fn back(&mut self) -> Result<Stop, Error> {
        match self.player.find_back(self.player.position(), &mut self.breakpoints)? {
            Some(found) => {
                self.go_to(found.position)?;
                Ok(Stop::Breakpoint(found.number))
            }
            None => {
                self.go_to(0)?;
                Ok(Stop::Begin)
            }
        }
    }

    fn step(&mut self, number: usize) -> Result<Stop, Error> {
        let position = self.player.position();
        if position >= self.end() {
            return Ok(Stop::End);
        }
        if self.player.here().number == number {
            self.go_to(position + 1)?;
            return Ok(Stop::Step(number));
        }
        let Some(next) = self.player.next_of(number, position)? else { return self.forward() };
        let begin = self.begin();
        if let Some(found) = self.player.find(begin, &mut self.breakpoints)?
            && found.position < next
        {
            self.go_to(found.position)?;
            return Ok(Stop::Breakpoint(found.number));
        }
        self.go_to(next + 1)?;
        Ok(Stop::Step(number))
    }

    fn range(&mut self, number: usize, start: u64, end: u64) -> Result<Option<Stop>, Error> {
        for _ in 0..STEPS {
            let stop = self.step(number)?;
            if stop != Stop::Step(number) {
                return Ok(Some(stop));
            }
            let address = self.player.program_counter(number);
            let address = address.map(|address| self.program_of(number).byte_address(address));
            match address {
                Some(address) if self.breakpoints.contains(address) => {
                    return Ok(Some(Stop::Breakpoint(number)));
                }
                Some(address) if (start..end).contains(&address) => {}
                _ => return Ok(Some(stop)),
            }
        }
        Ok(None)
    }

    fn step_back(&mut self, number: usize) -> Result<Stop, Error> {
        let position = self.player.position();
        let last = match self.player.here().step {
            Some(_) if self.player.here().number == number && self.player.here().before > 0 => {
                Some(position - 1)
            }
            _ => self.player.last_of(number, position)?,
        };
        let Some(last) = last else { return self.back() };
        if last + 1 < position
            && let Some(found) = self.player.find_back(position, &mut self.breakpoints)?
            && found.position > last
        {
            self.go_to(found.position)?;
            return Ok(Stop::Breakpoint(found.number));
        }
        self.go_to(last)?;
        Ok(Stop::Step(number))
    }

    /// The thread that GDB steps by a breakpoint of its own where it expects the next instruction.
    ///
    /// GDB does so for RISC-V on Linux, whatever the server can do, and finds the place by the values of registers. As
    /// they are not known, the breakpoint may be on the wrong side of a branch, so that the step would never end. The
    /// breakpoint is the one that is set last before the execution goes on.
    fn predicted_step(&mut self) -> Option<usize> {
        let last_set = self.last_set?;
        let number = self.reported;
        if !self.program_of(number).is_stepped_by_breakpoints() {
            return None;
        }
        let address = self.player.program_counter(number)?;
        let registers = self.known(number).registers.clone();
        let image = &self.program_of(number).of.image;
        let bytes = image.bytes_at(address)?;
        let is_64_bit = image.instruction_set().address_bits() == 64;
        let mask = if is_64_bit { u64::MAX } else { 0xffff_ffff };
        let value = |register: u32| registers.get(&(register as u16)).copied().unwrap_or(0);
        (prediction::next(address, bytes, value)? & mask == last_set).then_some(number)
    }
}
