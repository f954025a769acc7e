//! Passes over a stream: for all items, or for what is to be learned from it.

use std::convert::Infallible;

use super::plain::Taker;
use super::*;
use crate::bits_file::Fingerprint;
use crate::trace_io::learner::{Learner, Repeated};
use crate::trace_io::marks::Marks;
use crate::trace_io::validate::Run;

impl Decoder {
    /// Appends the next items until there are so many in all, or the stream ends. On an error those before it are there.
    pub(in crate::trace_io) fn read(
        &mut self,
        items: &mut Vec<Item>,
        most: usize,
        mut marks: Option<&mut Marks>,
    ) -> Result<(), Error> {
        while items.len() < most {
            let Ok(()) = match &mut marks {
                Some(marks) => {
                    let fingerprint = &mut marks.fingerprint;
                    self.plain_events(&mut Reading::<true> { items, most, fingerprint })
                }
                None => {
                    let fingerprint = &mut Fingerprint::default();
                    self.plain_events(&mut Reading::<false> { items, most, fingerprint })
                }
            };
            if items.len() < most {
                let Some(item) = self.next_item()? else { break };
                if let Some(marks) = &mut marks {
                    marks.add(&item);
                }
                items.push(item);
            }
        }
        Ok(())
    }

    /// Gives the items that are left to a learner.
    pub(in crate::trace_io) fn learn<L: Learner>(
        &mut self,
        learner: &mut L,
    ) -> Result<(), L::Error> {
        loop {
            self.plain_events(&mut Learning { learner, told: Run::default() })?;
            match self.next_item()? {
                Some(item) => learner.item(&item)?,
                None => return Ok(()),
            }
        }
    }
}

/// Takes all events, and with `MARKED` their fingerprint.
struct Reading<'r, const MARKED: bool> {
    items: &'r mut Vec<Item>,
    most: usize,
    fingerprint: &'r mut Fingerprint,
}

impl<const MARKED: bool> Taker for Reading<'_, MARKED> {
    type Error = Infallible;

    #[inline(always)]
    fn is_hungry(&self) -> bool {
        self.items.len() < self.most
    }

    #[inline(always)]
    fn takes_each(&self, _: &Event) -> bool {
        false
    }

    #[inline(always)]
    fn known(&mut self, known: &Known) {
        if MARKED {
            self.fingerprint.take(known.event.thread, known.mix);
        }
        self.items.push(Item::Event(known.event));
    }

    #[inline(always)]
    fn fresh(&mut self, _: &Run, _: Option<&Event>, known: &Known) -> Result<(), Infallible> {
        self.known(known);
        Ok(())
    }

    #[inline(always)]
    fn end(&mut self, _: &Run, _: &Event) {}
}

/// Takes what is new.
struct Learning<'l, L> {
    learner: &'l mut L,
    /// What the learner knows of the run.
    told: Run,
}

impl<L: Learner> Learning<'_, L> {
    /// Tells what came before.
    fn tell(&mut self, run: &Run, last: Option<&Event>) {
        let events = run.events - self.told.events;
        if let Some(last) = last.filter(|_| events > 0) {
            let instructions = run.instructions - self.told.instructions;
            self.learner.repeated(&Repeated { events, instructions, last: *last });
        }
        self.told = *run;
    }
}

impl<L: Learner> Taker for Learning<'_, L> {
    type Error = L::Error;

    #[inline(always)]
    fn is_hungry(&self) -> bool {
        true
    }

    #[inline(always)]
    fn takes_each(&self, event: &Event) -> bool {
        self.learner.takes_each(event)
    }

    #[inline(always)]
    fn known(&mut self, _: &Known) {}

    #[inline(never)]
    fn fresh(&mut self, run: &Run, last: Option<&Event>, known: &Known) -> Result<(), L::Error> {
        self.tell(run, last);
        self.learner.item(&Item::Event(known.event))?;
        self.told.add(&known.event);
        Ok(())
    }

    fn end(&mut self, run: &Run, last: &Event) {
        self.tell(run, Some(last));
    }
}
