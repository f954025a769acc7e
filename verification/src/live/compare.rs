//! A decoded trace against the log of the core, instruction by instruction.

use std::iter::Peekable;
use std::sync::Arc;

use tracewright_sim::code::Code;
use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::packet::header::MOST_LOST;
use tracewright_sim::packet::part::{Gap, Part, Reason};
use tracewright_sim::program::{Place, Program, TooMuchCode};
use tracewright_sim::scheme::{self, Design, DesignError};

use super::{LiveProgram, Log, Trace};

/// What a trace has of an execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Taken exceptions, the reset included.
    pub exceptions: u64,
    /// Instructions that were compared.
    pub instructions: u64,
    /// Instructions that the trace says were lost, after the first one that it has.
    pub lost_instructions: u64,
    /// Gaps, that before the first instruction in a ring buffer included.
    pub gaps: u64,
}

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
    /// The trace has a gap that no trace module makes.
    #[error("after {after} instructions of the trace: {reason}")]
    Gap {
        /// The number of instructions before the gap.
        after: u64,
        /// Why the execution is not known.
        reason: Reason,
    },
    /// The trace does not say how many instructions were lost.
    #[error(
        "more than {MOST_LOST} instructions were lost in one gap, so what follows cannot be compared"
    )]
    TooManyLost,
    /// The trace has no instruction.
    #[error(
        "no packet in the {0} bytes of the trace can be decoded; expected a synchronisation in them: set sync_interval"
    )]
    Nothing(usize),
    /// The trace does not show that an instruction was attempted.
    #[error(
        "after {after} instructions that at {address:#x} was attempted and trapped, and the trace has no exception there"
    )]
    Attempted {
        /// Instructions that had retired before.
        after: u64,
        /// Its address.
        address: u64,
    },
    /// The trace does not show that a handler begins.
    #[error("instruction {0} begins a handler, and the trace does not say so")]
    Handler(u64),
}

/// Decodes a trace against the code and compares it with the log.
///
/// A ring buffer has the end of the execution, and a trace of packets may have gaps of as many instructions as it says.
pub(super) fn compare(
    design: &Design,
    program: &LiveProgram,
    trace: &Trace,
    log: &Log,
) -> Result<Agreement, Disagreement> {
    let code = Arc::clone(&program.code) as Arc<_>;
    let decoder = Program::of_code(program.machine(), code, None)?;
    let mut bytes = trace.bytes.clone();
    bytes.rotate_left(trace.write_pointer.unwrap_or(0));
    let all = log.program_counters.len() as u64;
    let is_ring = trace.write_pointer.is_some();
    let mut begin = 0;
    if is_ring {
        let nothing = |_| Ok::<(), Disagreement>(());
        let mut bits = BitUnpacker::new(bytes.as_slice());
        let recovered = scheme::decode_packets(design, &decoder, &mut bits, all, nothing)?;
        if recovered.events == 0 && recovered.instructions == 0 {
            return Err(Disagreement::Nothing(bytes.len()));
        }
        // What a ring buffer has ends where the execution does.
        begin = all.saturating_sub(recovered.instructions + recovered.lost_instructions);
    }
    let mut follower = Follower {
        code: &*program.code,
        log,
        is_ring,
        next: None,
        retired: begin,
        found: Agreement::default(),
        handlers: log.handlers.iter().copied().peekable(),
        attempted: log.attempted.iter().copied().peekable(),
    };
    follower.agrees(design, &decoder, &bytes)?;
    Ok(follower.found)
}

/// Compares a decoded trace with the log.
struct Follower<'a, H: Iterator<Item = u64>, A: Iterator<Item = (u64, u64)>> {
    code: &'a dyn Code,
    log: &'a Log,
    /// The beginning of the trace may be missing.
    is_ring: bool,
    /// The address of the next instruction; `None` before the reset.
    next: Option<u64>,
    /// Instructions of the log that have been passed.
    retired: u64,
    found: Agreement,
    handlers: Peekable<H>,
    attempted: Peekable<A>,
}

impl<H: Iterator<Item = u64>, A: Iterator<Item = (u64, u64)>> Follower<'_, H, A> {
    /// Follows the trace to its end.
    fn agrees(
        &mut self,
        design: &Design,
        program: &Program,
        trace: &[u8],
    ) -> Result<(), Disagreement> {
        let (mut bits, most) = (BitUnpacker::new(trace), self.log.program_counters.len() as u64);
        let trailing = match design.framing() {
            None => {
                let each = |event: Event| self.event(&event);
                scheme::decode(design, program, &mut bits, most, each)?.trailing_instructions
            }
            Some(_) => {
                let each = |part| match part {
                    Part::State(_) | Part::Time(_) | Part::Unverified => Ok(()),
                    Part::Event(event) => self.event(&event),
                    Part::Gap(gap) => self.gap(gap),
                };
                scheme::decode_packets(design, program, &mut bits, most, each)?
                    .trailing_instructions
            }
        };
        self.retire(trailing)?;
        let expected = self.log.program_counters.len() as u64;
        if self.retired != expected {
            return Err(Disagreement::TooFew { found: self.retired, expected });
        }
        if let Some((after, address)) = self.attempted.next() {
            return Err(Disagreement::Attempted { after, address });
        }
        match self.handlers.next() {
            Some(handler) => Err(Disagreement::Handler(handler)),
            None => Ok(()),
        }
    }

    /// Passes over the instructions of a gap.
    fn gap(&mut self, gap: Gap) -> Result<(), Disagreement> {
        self.retire(gap.trailing_instructions)?;
        match gap.reason {
            Reason::Lost(loss) if loss.instructions >= MOST_LOST => {
                return Err(Disagreement::TooManyLost);
            }
            Reason::Lost(loss) => {
                self.retired += loss.instructions;
                self.found.lost_instructions += loss.instructions;
            }
            _ if self.is_ring && gap.reason.name() == "beginning" && self.found.gaps == 0 => {}
            reason => return Err(Disagreement::Gap { after: self.found.instructions, reason }),
        }
        self.found.gaps += 1;
        // An exception after the last instruction of the gap is lost with it.
        while self.handlers.next_if(|handler| *handler <= self.retired).is_some() {}
        while self.attempted.next_if(|(after, _)| *after <= self.retired).is_some() {}
        self.next = match gap.goes_on {
            None | Some(Place::Start(_)) => None,
            Some(Place::At(address)) => Some(address),
            Some(Place::After(address)) => Some(self.after(address)),
        };
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), Disagreement> {
        let last = self.retire(event.instructions)?;
        if last.is_some_and(|last| last != event.program_counter) {
            return Err(Disagreement::Event { number: self.retired, event: *event });
        }
        if event.kind == Kind::Exception && event.taken {
            self.found.exceptions += 1;
            self.handlers.next_if_eq(&self.retired);
            // The flow leads to what is attempted, which an exception leaves out.
            if let Some(next) = self.next {
                self.attempted.next_if_eq(&(self.retired, next));
            }
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
            let expected = self.log.program_counters.get(number as usize).copied();
            let (Some(expected), Some(found)) = (expected, self.next) else {
                return Err(Disagreement::TooMany(number));
            };
            if found != expected {
                return Err(Disagreement::Address { number, expected, found });
            }
            self.next = Some(self.after(expected));
            self.retired += 1;
            self.found.instructions += 1;
            last = Some(expected);
        }
        Ok(last)
    }

    /// The address after an instruction.
    fn after(&self, address: u64) -> u64 {
        let length = self.code.instruction(address).map_or(4, |instruction| instruction.length);
        address + u64::from(length)
    }
}
