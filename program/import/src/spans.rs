//! Whether the instructions of each event fit between the addresses where it begins and ends: where an event is missing, they
//! mostly do not.

use tracewright_sim::event::{Event, Isa, Machine};

/// An event that does not follow from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "event {number} ({event}): {} instructions of {} to {} bytes cannot be from {from:#x} to {:#x}",
    event.instructions, lengths.0, lengths.1, event.program_counter
)]
pub struct Misfit {
    /// Its number, from 0.
    pub number: u64,
    /// The event.
    pub event: Event,
    /// Where it begins.
    pub from: u64,
    /// Bytes of the shortest and of the longest instruction.
    pub lengths: (u64, u64),
}

/// The events of a trace, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Spans {
    lengths: (u64, u64),
    /// Where each thread goes on, if the event before says that.
    begins: [Option<u64>; 8],
    events: u64,
}

impl Spans {
    /// A trace of this machine.
    pub fn new(machine: Machine) -> Self {
        let longest = if machine.isa == Isa::X86 { 15 } else { 4 };
        Self { lengths: (1 << machine.alignment, longest), begins: [None; 8], events: 0 }
    }

    /// Passes over events of one thread, the last one of which is given, that were taken before, each right after the same
    /// event.
    pub fn pass_over(&mut self, events: u64, last: &Event) {
        self.begins[usize::from(last.thread & 7)] = last.taken.then_some(last.target);
        self.events += events;
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// Its instructions do not fit.
    #[inline]
    pub fn check(&mut self, event: &Event) -> Result<(), Misfit> {
        let begin = &mut self.begins[usize::from(event.thread & 7)];
        let from = std::mem::replace(begin, event.taken.then_some(event.target));
        self.events += 1;
        let (Some(from), Some(steps)) = (from, event.instructions.checked_sub(1)) else {
            return Ok(());
        };
        let (shortest, longest) = self.lengths;
        let bytes = event.program_counter.checked_sub(from);
        let fits = bytes.is_some_and(|bytes| {
            steps.saturating_mul(shortest) <= bytes && bytes <= steps.saturating_mul(longest)
        });
        match fits {
            true => Ok(()),
            false => {
                let (number, lengths) = (self.events - 1, self.lengths);
                Err(Misfit { number, event: *event, from, lengths })
            }
        }
    }
}
