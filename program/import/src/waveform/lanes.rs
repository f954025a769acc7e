//! The instructions that retire at an edge of the clock.

use super::header::{Declared, Header};
use super::names::{Core, Edge, SignalName};
use super::signals::{Part, Signals, State};
use crate::error::Problem;
use crate::flow::DataAccess;
use crate::follower::{Follower, Logged};

/// Bits of the widest number.
const NUMBER_BITS: u32 = 64;

/// A signal with its name, for messages.
struct Named {
    part: Part,
    name: String,
}

/// The signals of one instruction.
struct Lane {
    valid: Part,
    program_counter: Named,
    instruction: Option<Named>,
    trap: Option<Part>,
    interrupt: Option<Part>,
    next_program_counter: Option<Named>,
    memory_address: Option<Named>,
    memory_read: Option<Part>,
    memory_write: Option<Part>,
}

/// The signals of a core.
pub(super) struct Lanes {
    clock: Part,
    /// What the clock is before and after the edge.
    edge: [State; 2],
    lanes: Vec<Lane>,
    /// Those of an instruction.
    accesses: Vec<DataAccess>,
}

/// Finds signals in a waveform.
struct Finder<'a> {
    scope: &'a str,
    header: &'a Header,
    signals: &'a mut Signals,
}

impl Finder<'_> {
    fn named(&mut self, signal: &SignalName) -> Result<Named, Problem> {
        let path = match self.scope {
            "" => signal.name.clone(),
            scope => format!("{scope}.{}", signal.name),
        };
        let Declared { identifier, bits: (highest, lowest), .. } = self.header.signal(&path)?;
        let (high, low) = signal.bits.unwrap_or((*highest, *lowest));
        if low < *lowest || high > *highest {
            return Err(Problem::NoBits {
                path,
                declared: (*highest, *lowest),
                asked: (high, low),
            });
        }
        let width = high - low + 1;
        if width > NUMBER_BITS {
            return Err(Problem::WideSignal { path, width });
        }
        let part = Part { signal: self.signals.add(identifier), low: low - lowest, width };
        Ok(Named { part, name: path })
    }

    /// A signal that is 0 or 1.
    fn bit(&mut self, signal: &SignalName) -> Result<Part, Problem> {
        let Named { part, name: path } = self.named(signal)?;
        match part.width {
            1 => Ok(part),
            width => Err(Problem::ManyBits { path, width }),
        }
    }

    fn part(&mut self, signal: &SignalName) -> Result<Part, Problem> {
        self.named(signal).map(|named| named.part)
    }

    fn optional(&mut self, signal: Option<&SignalName>) -> Result<Option<Named>, Problem> {
        signal.map(|signal| self.named(signal)).transpose()
    }

    fn flag(&mut self, signal: Option<&SignalName>) -> Result<Option<Part>, Problem> {
        signal.map(|signal| self.part(signal)).transpose()
    }
}

impl Lanes {
    /// Finds the signals of a core.
    pub(super) fn new(
        core: &Core,
        header: &Header,
        signals: &mut Signals,
    ) -> Result<Lanes, Problem> {
        let mut find = Finder { scope: &core.scope, header, signals };
        let clock = find.bit(&core.clock)?;
        let edge = match core.edge {
            Edge::Rising => [State::Zero, State::One],
            Edge::Falling => [State::One, State::Zero],
        };
        let mut lane = |lane: &super::names::Lane| {
            Ok(Lane {
                valid: find.bit(&lane.valid)?,
                program_counter: find.named(&lane.program_counter)?,
                instruction: find.optional(lane.instruction.as_ref())?,
                trap: find.flag(lane.trap.as_ref())?,
                interrupt: find.flag(lane.interrupt.as_ref())?,
                next_program_counter: find.optional(lane.next_program_counter.as_ref())?,
                memory_address: find.optional(lane.memory_address.as_ref())?,
                memory_read: find.flag(lane.memory_read.as_ref())?,
                memory_write: find.flag(lane.memory_write.as_ref())?,
            })
        };
        let lanes = core.lanes.iter().map(&mut lane).collect::<Result<Vec<_>, Problem>>()?;
        Ok(Lanes { clock, edge, lanes, accesses: Vec::new() })
    }

    /// True if every lane says what traps and where a handler begins.
    pub(super) fn mark_exceptions(&self) -> bool {
        self.lanes.iter().all(|lane| {
            lane.trap.is_some() && lane.interrupt.is_some() && lane.next_program_counter.is_some()
        })
    }

    /// True if the clock has its edge at the time that is being read.
    pub(super) fn is_edge(&self, signals: &Signals) -> bool {
        [signals.bit(self.clock), signals.next_bit(self.clock)] == self.edge
    }

    /// Takes the instructions of the cycle that the edge ends.
    pub(super) fn retire(
        &mut self,
        signals: &Signals,
        follower: &mut Follower<'_>,
    ) -> Result<(), Problem> {
        let Lanes { lanes, accesses, .. } = self;
        for lane in lanes.iter().filter(|lane| signals.bit(lane.valid) == State::One) {
            follower.lines += 1;
            let Some(thread) = follower.thread(0)? else { continue };
            let is_set = |part: Option<Part>| part.is_some_and(|part| is_not_zero(signals, part));
            let known = |named: &Option<Named>| {
                named.as_ref().map(|named| number(signals, named)).transpose()
            };
            let traps = is_set(lane.trap);
            accesses.clear();
            for (part, store) in [(lane.memory_read, false), (lane.memory_write, true)] {
                if is_set(part)
                    && !traps
                    && let Some(address) = known(&lane.memory_address)?
                {
                    accesses.push(DataAccess { store, address });
                }
            }
            // What could not be fetched has no word.
            let word = if traps { None } else { known(&lane.instruction)? };
            let leads_to = match known(&lane.next_program_counter) {
                Err(_) if traps => None,
                leads_to => leads_to?,
            };
            let logged = Logged {
                program_counter: number(signals, &lane.program_counter)?,
                word: word.map(|word| word as u32),
                leads_to,
                traps,
                is_handler: is_set(lane.interrupt),
                accesses,
            };
            follower.instruction(thread, &logged)?;
        }
        Ok(())
    }
}

/// True if a bit of a part is 1.
fn is_not_zero(signals: &Signals, part: Part) -> bool {
    let bit = |low| signals.bit(Part { low, width: 1, ..part });
    (part.low..part.low + part.width).any(|low| bit(low) == State::One)
}

/// A signal as a number.
fn number(signals: &Signals, named: &Named) -> Result<u64, Problem> {
    signals.number(named.part).ok_or_else(|| Problem::UnknownBits(named.name.clone()))
}
