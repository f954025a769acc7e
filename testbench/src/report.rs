//! What a co-simulation found.

use std::fmt;
use std::time::Duration;

use tracewright_sim::field::Location;

/// Up to 64 bits of a trace, the first one sent least significant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    /// The bits.
    pub bits: u64,
    /// How many, 0 to 64.
    pub count: u32,
}

impl Bits {
    /// Appends as much of `count` bits as there is room for.
    pub(crate) fn push(&mut self, bits: u64, count: u32) {
        let count = count.min(64 - self.count);
        if count > 0 {
            self.bits |= (bits & crate::port::mask(count)) << self.count;
            self.count += count;
        }
    }
}

impl fmt::Display for Bits {
    /// In the order they are sent, `nothing` if there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count == 0 {
            return f.pad("nothing");
        }
        let text: String = (0..self.count)
            .map(|place| if self.bits >> place & 1 == 0 { '0' } else { '1' })
            .collect();
        f.pad(&text)
    }
}

/// The first bit of the trace on which the model and the golden encoder differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Clocks after reset to the beat that holds the bit, from 0.
    pub cycle: u64,
    /// The bit's place in the trace, from 0.
    pub bit: u64,
    /// What the golden encoder sent from that bit on; nothing if the model sent too much.
    pub expected: Bits,
    /// What the model sent from that bit on; nothing if it flushed too early.
    pub actual: Bits,
    /// The event, or access where those are traced, whose record holds the expected bit, from 0; `None` for a flush record and padding.
    pub event: Option<u64>,
    /// The event or access on the input pins at the time, from 0.
    pub event_at_input: u64,
    /// The field that the expected bit belongs to, where the comparison knows it: with several cores,
    /// whose records have an order of their own in every simulation.
    pub location: Option<Location>,
}

/// Why a co-simulation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The bits differ.
    Mismatch(Mismatch),
    /// A rule of the pins is broken.
    Protocol {
        /// Clocks after reset, from 0.
        cycle: u64,
        /// The event or access on the input pins at the time, from 0.
        event_at_input: u64,
        /// The rule.
        rule: &'static str,
    },
    /// Nothing went in or out for too long.
    Hang {
        /// Clocks after reset, from 0.
        cycle: u64,
        /// The event or access on the input pins at the time, from 0.
        event_at_input: u64,
        /// What was waited for.
        waiting_for: &'static str,
    },
}

impl Failure {
    /// Clocks after reset, from 0.
    pub fn cycle(&self) -> u64 {
        match self {
            Failure::Mismatch(mismatch) => mismatch.cycle,
            Failure::Protocol { cycle, .. } | Failure::Hang { cycle, .. } => *cycle,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Mismatch(mismatch) => {
                let Mismatch { cycle, bit, expected, actual, event, event_at_input, .. } = mismatch;
                write!(f, "cycle {cycle}, trace bit {bit}: expected {expected}, found {actual}")?;
                match event {
                    Some(event) => write!(f, " (record of event {event},")?,
                    None => f.write_str(" (flush record or padding,")?,
                }
                write!(f, " event {event_at_input} at the input)")
            }
            Failure::Protocol { cycle, event_at_input, rule } => {
                write!(f, "cycle {cycle}, event {event_at_input} at the input: {rule}")
            }
            Failure::Hang { cycle, event_at_input, waiting_for } => write!(
                f,
                "cycle {cycle}, event {event_at_input} at the input: nothing happened while waiting for {waiting_for}"
            ),
        }
    }
}

/// What a co-simulation found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Events shown.
    pub events: u64,
    /// Instructions in them.
    pub instructions: u64,
    /// Blocks taken.
    pub blocks: u64,
    /// Instructions in blocks that were not taken and did not wait.
    pub lost_instructions: u64,
    /// Instructions of blocks that did not pass the filter.
    pub filtered_instructions: u64,
    /// Packets that began with a synchronisation, or after a loss.
    pub synchronisations: u64,
    /// Flushes that ended with what was in the module discarded.
    pub discards: u64,
    /// Memory accesses taken, where they are traced.
    pub accesses: u64,
    /// Trace bits received, flush records and padding included.
    pub bits: u64,
    /// Clocks after reset.
    pub cycles: u64,
    /// Clocks after reset until `stall` first fell.
    pub reset_cycles: u64,
    /// Clocks after that in which a block or an access was held by `stall`.
    pub stall_cycles: u64,
    /// The most bits that were in the output FIFO.
    pub fifo_high_water_bits: u64,
    /// The cycles whose waves were written as activity, and the instructions that were shown in them.
    pub activity: (u64, u64),
    /// Why it failed; `None` if every bit was right.
    pub failure: Option<Failure>,
    /// How long it took.
    pub elapsed: Duration,
}

impl Report {
    /// True if every bit was right.
    pub fn passed(&self) -> bool {
        self.failure.is_none()
    }

    /// Clocks simulated a second, golden encoder, stimulus and comparison included.
    pub fn cycles_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.cycles as f64 / seconds } else { 0.0 }
    }

    /// True if two runs did the same, however fast.
    pub fn same_as(&self, other: &Report) -> bool {
        Report { elapsed: other.elapsed, ..self.clone() } == *other
    }
}
