//! A decoded trace against the log of the core, instruction by instruction.

use std::iter::Peekable;
use std::sync::Arc;

use tracewright_sim::code::Code;
use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::program::{Program, TooMuchCode};
use tracewright_sim::scheme::{self, Design, DesignError};

use super::{LiveProgram, Log};

/// Where a trace is not what the core executed.
#[derive(Debug, thiserror::Error)]
pub enum Disagreement {
    /// The core retired an instruction that the trace module had no place for.
    #[error("the core did not stop when the trace module stalled, so instructions were lost")]
    Lost,
    /// The program's code cannot be followed.
    #[error(transparent)]
    Program(#[from] TooMuchCode),
    /// The trace does not decode.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The design has no control flow to decode.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// An event is of another instruction.
    #[error("instruction {number} is {event}")]
    Event {
        /// The number of the instruction, from 0.
        number: u64,
        /// The event that the trace has there.
        event: Event,
    },
    /// The trace has more instructions than the core retired.
    #[error("the trace has an instruction {0}, the core has none")]
    TooMany(u64),
    /// The trace has fewer instructions than the core retired.
    #[error("the trace ends after {found} of {expected} instructions")]
    TooFew {
        /// Instructions in the trace.
        found: u64,
        /// Instructions that the core retired.
        expected: u64,
    },
    /// An instruction is at another address.
    #[error("instruction {number} is at {expected:#x}, the trace says {found:#x}")]
    Address {
        /// The number of the instruction, from 0.
        number: u64,
        /// Its address by the core.
        expected: u64,
        /// Its address by the trace.
        found: u64,
    },
    /// The trace does not show that a handler begins.
    #[error("instruction {0} begins a handler, and the trace does not say so")]
    Handler(u64),
}

/// Decodes a trace against the code and compares it with the log. Gives the number of taken exceptions, the reset
/// included.
pub(super) fn compare(
    design: &Design,
    program: &LiveProgram,
    trace: &[u8],
    log: &Log,
) -> Result<u64, Disagreement> {
    let code = Arc::clone(&program.code) as Arc<_>;
    let decoder = Program::of_code(program.machine(), code, None)?;
    let mut follower = Follower {
        code: &*program.code,
        log,
        next: None,
        retired: 0,
        exceptions: 0,
        handlers: log.handlers.iter().copied().peekable(),
    };
    let expected = log.program_counters.len() as u64;
    let mut bits = BitUnpacker::new(trace);
    let follow = |event| follower.event(&event);
    let summary = scheme::decode(design, &decoder, &mut bits, expected, follow)?;
    follower.retire(summary.trailing_instructions)?;
    if follower.retired != expected {
        return Err(Disagreement::TooFew { found: follower.retired, expected });
    }
    match follower.handlers.next() {
        Some(handler) => Err(Disagreement::Handler(handler)),
        None => Ok(follower.exceptions),
    }
}

/// Compares a decoded trace with the log.
struct Follower<'a, H: Iterator<Item = u64>> {
    code: &'a dyn Code,
    log: &'a Log,
    /// The address of the next instruction; `None` before the reset.
    next: Option<u64>,
    retired: u64,
    exceptions: u64,
    handlers: Peekable<H>,
}

impl<H: Iterator<Item = u64>> Follower<'_, H> {
    fn event(&mut self, event: &Event) -> Result<(), Disagreement> {
        let last = self.retire(event.instructions)?;
        if last.is_some_and(|last| last != event.program_counter) {
            return Err(Disagreement::Event { number: self.retired, event: *event });
        }
        if event.kind == Kind::Exception && event.taken {
            self.exceptions += 1;
            self.handlers.next_if_eq(&self.retired);
        }
        if event.taken {
            self.next = Some(event.target);
        }
        Ok(())
    }

    /// Takes this many sequential instructions; gives the address of the last.
    fn retire(&mut self, count: u64) -> Result<Option<u64>, Disagreement> {
        let mut last = None;
        for _ in 0..count {
            let number = self.retired;
            let expected = self.log.program_counters.get(number as usize).map(|pc| u64::from(*pc));
            let (Some(expected), Some(found)) = (expected, self.next) else {
                return Err(Disagreement::TooMany(number));
            };
            if found != expected {
                return Err(Disagreement::Address { number, expected, found });
            }
            let length =
                self.code.instruction(expected).map_or(4, |instruction| instruction.length);
            self.next = Some(expected + u64::from(length));
            self.retired += 1;
            last = Some(expected);
        }
        Ok(last)
    }
}
