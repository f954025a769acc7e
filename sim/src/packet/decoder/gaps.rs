//! Gaps between packets.

use std::ops::Range;

use super::Decoder;
use crate::packet::joint::{Before, Joint};
use crate::packet::part::{Gap, Part, Reason};
use crate::packet::reader::Damage;
use crate::program::Place;

impl<D, F, E> Decoder<'_, '_, D, F>
where
    F: FnMut(Part) -> Result<(), E>,
{
    /// Counts bits that cannot be used; those of several packets in a row are one gap, with the reason of the first.
    pub(super) fn lose(&mut self, bits: Range<u64>, reason: Reason) -> Result<(), E> {
        let is_twice = |reason: &Reason| matches!(reason, Reason::Damaged(Damage::Repeated { .. }));
        if !is_twice(&reason) {
            self.events = None;
            self.keeps_over_gap = false;
        }
        // What a gap says of packets that are missing, needed or there twice holds for all of it.
        let goes_on = |gap: &Gap| {
            let needs_tables = gap.reason == Reason::TablesUnknown;
            needs_tables == (reason == Reason::TablesUnknown)
                && (!is_twice(&gap.reason) || is_twice(&reason))
        };
        match &mut self.gap {
            Some(gap) if goes_on(gap) => {
                gap.bits.end = bits.end;
                return Ok(());
            }
            _ => self.end_gap(None)?,
        }
        let whole = matches!(self.before, Before::Packet(Joint { instructions: 0, .. }));
        self.keeps_over_gap = is_twice(&reason) && whole;
        self.begin_gap(bits, reason);
        Ok(())
    }

    pub(super) fn begin_gap(&mut self, bits: Range<u64>, reason: Reason) {
        let trailing_instructions = match self.before {
            Before::Packet(joint) => joint.instructions,
            Before::Nothing | Before::Gap => 0,
        };
        self.before = Before::Gap;
        // Only the last packet can be unverified.
        let unverified_events = self.recovered.unverified_events;
        let (goes_on, context, missing_packets) = (None, 0, 0);
        self.gap = Some(Gap {
            bits,
            reason,
            trailing_instructions,
            unverified_events,
            goes_on,
            context,
            missing_packets,
        });
    }

    /// Emits the gap, if there is one, with the place and the context in which the execution goes on.
    pub(super) fn end_gap(&mut self, goes_on: Option<(Place, u64)>) -> Result<(), E> {
        let Some(gap) = self.gap.take() else { return Ok(()) };
        self.recovered.gaps += 1;
        self.recovered.filtered_gaps += u64::from(gap.reason.is_filter());
        self.recovered.gap_bits += gap.bits.end - gap.bits.start;
        let (goes_on, context) = goes_on.unzip();
        (self.emit)(Part::Gap(Gap { goes_on, context: context.unwrap_or(0), ..gap }))
    }
}
