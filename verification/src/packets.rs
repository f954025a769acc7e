//! What a trace of packets decodes to: all that retired but what its headers say was lost.

use std::io::Read;

use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Item, Kind};
use tracewright_sim::packet::header::MOST_LOST;
use tracewright_sim::packet::part::{Gap, Part, Reason};
use tracewright_sim::program::Program;
use tracewright_sim::scheme::{self, Design};

use crate::cosimulation::comparable;
use crate::error::{Error, Result};
use crate::source::{Items, Workload};

/// True if every event of the trace is the next one of the workload, after as many instructions as each gap has lost.
///
/// After a gap of at least [`MOST_LOST`] instructions nothing more is compared, as it does not say how many are missing.
pub(crate) fn decodes_packets<R: Read>(
    design: &Design,
    program: &Program,
    workload: &Workload,
    bits: &mut BitUnpacker<R>,
) -> Result<bool> {
    let mut input = Input { items: workload.items(false)?, behind_loss: false };
    let (mut equal, mut is_known) = (true, true);
    let emit = |part| {
        if !is_known {
            return Ok(());
        }
        match part {
            Part::Event(event) => equal &= input.has(event)?,
            Part::Gap(Gap { reason: Reason::Lost(loss), trailing_instructions, .. }) => {
                is_known = loss.instructions < MOST_LOST;
                equal &= !is_known || input.loses(trailing_instructions + loss.instructions)?;
            }
            Part::Gap(_) => equal = false,
        }
        Ok::<(), Error>(())
    };
    let most_instructions = workload.learned().instructions;
    scheme::decode_packets(design, program, bits, most_instructions, emit)?;
    if is_known && equal {
        equal = input.is_over()?;
    }
    Ok(equal)
}

/// What retired.
struct Input {
    items: Items,
    /// Exceptions after no instruction may have been lost with those before.
    behind_loss: bool,
}

impl Input {
    fn next(&mut self) -> Result<Option<Event>> {
        for item in self.items.by_ref() {
            if let Item::Event(event) = item.map_err(Error::Items)? {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// True if this event is next.
    fn has(&mut self, event: Event) -> Result<bool> {
        let wanted = comparable(Item::Event(event));
        while let Some(mut next) = self.next()? {
            if self.behind_loss && event.instructions == 0 && next.kind == Kind::Exception {
                // Of the instruction before it nothing is known.
                next.program_counter = event.program_counter;
            }
            if comparable(Item::Event(next)) == wanted {
                self.behind_loss = false;
                return Ok(true);
            }
            if !self.behind_loss || next.instructions > 0 {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Passes over these instructions; false if they end within an event.
    fn loses(&mut self, instructions: u64) -> Result<bool> {
        let mut left = instructions;
        while left > 0 {
            let Some(event) = self.next()? else { return Ok(false) };
            match left.checked_sub(event.instructions) {
                Some(rest) => left = rest,
                None => return Ok(false),
            }
        }
        self.behind_loss = true;
        Ok(true)
    }

    /// True if only exceptions that were lost are left.
    fn is_over(&mut self) -> Result<bool> {
        Ok(match self.next()? {
            None => true,
            Some(event) => self.behind_loss && event.instructions == 0,
        })
    }
}
