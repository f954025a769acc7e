//! The instructions that retire at an edge of the clock.

use super::header::{Declared, Header};
use super::names::{Core, Edge, SignalName};
use super::signals::{Part, Signals, State};
use crate::error::Problem;
use crate::flow::DataAccess;
use crate::port::row::{Kind, Port, Row, TakeRows};

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
    compressed: Option<Part>,
    number: Option<Named>,
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
    stall: Option<Part>,
    /// Edges of the clock so far.
    cycle: u64,
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
        let signal = self.signals.add(identifier, highest - lowest + 1);
        let part = Part { signal, low: low - lowest, width };
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
                compressed: find.flag(lane.compressed.as_ref())?,
                number: find.optional(lane.number.as_ref())?,
                memory_address: find.optional(lane.memory_address.as_ref())?,
                memory_read: find.flag(lane.memory_read.as_ref())?,
                memory_write: find.flag(lane.memory_write.as_ref())?,
            })
        };
        let lanes = core.lanes.iter().map(&mut lane).collect::<Result<Vec<_>, Problem>>()?;
        let stall = find.flag(core.stall.as_ref())?;
        Ok(Lanes { clock, edge, lanes, stall, cycle: 0, accesses: Vec::new() })
    }

    /// The pins that every lane has.
    pub(super) fn port(&self, core: &Core) -> Port {
        let all = |has: fn(&Lane) -> bool| self.lanes.iter().all(has);
        let is_named = |prefix: &str| {
            core.lanes.iter().all(|lane| {
                let name = &lane.program_counter.name;
                name.rsplit('.').next().is_some_and(|name| name.starts_with(prefix))
            })
        };
        let next = all(|lane| lane.next_program_counter.is_some());
        let is_rvfi = is_named("rvfi_") || (next && !is_named("retired_"));
        Port {
            kind: if is_rvfi { Kind::Rvfi } else { Kind::Retired },
            lanes: self.lanes.len() as u32,
            word: all(|lane| lane.instruction.is_some()),
            next,
            trap: all(|lane| lane.trap.is_some()),
            interrupt: all(|lane| lane.interrupt.is_some()),
            compressed: all(|lane| lane.compressed.is_some()),
            number: all(|lane| lane.number.is_some()),
            stall: self.stall.is_some(),
        }
    }

    /// True if the clock has its edge at the time that is being read.
    pub(super) fn is_edge(&self, signals: &Signals) -> bool {
        [signals.bit(self.clock), signals.next_bit(self.clock)] == self.edge
    }

    /// Takes the instructions of the cycle that the edge at this time ends.
    pub(super) fn retire(
        &mut self,
        signals: &Signals,
        time: u64,
        sink: &mut dyn TakeRows,
    ) -> Result<(), Problem> {
        self.cycle += 1;
        let Lanes { lanes, accesses, cycle, stall, .. } = self;
        let stalled = record(signals, *stall) != 0;
        let mut retires = false;
        let numbered = (0..).zip(&*lanes);
        for (number, lane) in numbered.filter(|(_, one)| signals.bit(one.valid) == State::One) {
            retires = true;
            let known = |named: &Option<Named>| {
                named.as_ref().map(|named| self::number(signals, named)).transpose()
            };
            let mut row = Row {
                place: time,
                cycle: Some(*cycle),
                lane: number,
                program_counter: self::number(signals, &lane.program_counter)?,
                trap: record(signals, lane.trap),
                interrupt: record(signals, lane.interrupt),
                compressed: lane.compressed.map(|part| record(signals, Some(part)) != 0),
                number: known(&lane.number)?,
                stalled,
                ..Row::default()
            };
            let traps = row.traps();
            accesses.clear();
            for (part, store) in [(lane.memory_read, false), (lane.memory_write, true)] {
                if record(signals, part) != 0
                    && !traps
                    && let Some(address) = known(&lane.memory_address)?
                {
                    accesses.push(DataAccess { store, address });
                }
            }
            let mut told = |named: &Option<Named>| match known(named) {
                Err(problem) if !traps => sink.unknown(problem).map(|()| None),
                // What could not be fetched has no word.
                value => Ok(value.unwrap_or_default()),
            };
            row.word = told(&lane.instruction)?.map(|word| word as u32);
            row.next = told(&lane.next_program_counter)?;
            sink.row(&row, accesses)?;
        }
        if !retires {
            sink.idle(stalled);
        }
        Ok(())
    }
}

/// The bits of a part that are 1; 0 for a part that is not there.
fn record(signals: &Signals, part: Option<Part>) -> u64 {
    let Some(part) = part else { return 0 };
    let bit = |number| {
        let bit = Part { low: part.low + number, width: 1, ..part };
        u64::from(signals.bit(bit) == State::One) << number
    };
    (0..part.width).map(bit).sum()
}

/// A signal as a number.
fn number(signals: &Signals, named: &Named) -> Result<u64, Problem> {
    signals.number(named.part).ok_or_else(|| Problem::UnknownBits(named.name.clone()))
}
