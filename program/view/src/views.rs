//! Makes all views of an execution in one pass.

use std::io::Write;
use std::sync::Arc;

use tracewright_image::Image;
use tracewright_sim::event::Event;
use tracewright_sim::packet::part::Gap;

use crate::blocks::Blocks;
use crate::calls::{Calls, Matching, Observer};
use crate::error::Error;
use crate::listing::Listing;
use crate::names::{FunctionIndex, Names};
use crate::profile::{Counts, Profile};
use crate::timeline::Timeline;
use crate::tree::Tree;
use crate::walker::{Step, Walker};

/// The views of an execution; `L` and `T` are the writers of listing and timeline.
#[derive(Debug)]
pub struct Views<'a, L, T> {
    walker: Walker,
    names: Names,
    profile: Profile,
    calls: Calls,
    observers: Observers<T>,
    listing: Option<Listing<'a, L>>,
}

#[derive(Debug)]
struct Observers<T> {
    tree: Tree,
    timeline: Option<Timeline<T>>,
}

impl<T: Write> Observer for Observers<T> {
    #[inline]
    fn enter(&mut self, names: &Names, thread: u8, function: FunctionIndex, clock: u64) {
        self.tree.enter(names, thread, function, clock);
        if let Some(timeline) = &mut self.timeline {
            timeline.enter(names, thread, function, clock);
        }
    }

    #[inline]
    fn leave(&mut self, thread: u8, clock: u64) {
        self.tree.leave(thread, clock);
        if let Some(timeline) = &mut self.timeline {
            timeline.leave(thread, clock);
        }
    }

    #[inline]
    fn run(&mut self, thread: u8, instructions: u64, inlined: &[FunctionIndex]) {
        self.tree.run(thread, instructions, inlined);
    }
}

/// The results at the end of an execution.
#[derive(Debug)]
pub struct Seen<L, T> {
    /// The counts of instructions and branches.
    pub counts: Counts,
    /// The instructions of each function itself, by its index; 0 for those beyond the end.
    pub own: Vec<u64>,
    /// How calls and returns match.
    pub matching: Matching,
    /// Instructions by stack.
    pub tree: Tree,
    /// The functions in the tree.
    pub names: Names,
    /// Number of events.
    pub events: u64,
    /// The writer of the listing.
    pub listing: Option<L>,
    /// The timeline, to be finished.
    pub timeline: Option<Timeline<T>>,
}

impl<'a, L: Write, T: Write> Views<'a, L, T> {
    /// Starts at the beginning of an execution of an image; `entry` is the first address of a trace that does not have it.
    pub fn new(
        image: &'a Arc<Image>,
        entry: u64,
        listing: Option<Listing<'a, L>>,
        timeline: Option<Timeline<T>>,
    ) -> Self {
        Self {
            walker: Walker::new(image.clone(), Some(entry)),
            names: Names::with_inlined(image.clone()),
            profile: Profile::default(),
            calls: Calls::default(),
            observers: Observers { tree: Tree::default(), timeline },
            listing,
        }
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// When the image cannot produce the event, or a file cannot be written.
    #[inline]
    pub fn event(&mut self, event: &Event) -> Result<(), Error> {
        let step = self.walker.step(event)?;
        self.step(&step)
    }

    #[inline]
    fn step(&mut self, step: &Step) -> Result<(), Error> {
        let blocks: &Blocks = self.walker.blocks();
        self.profile.step(blocks, step);
        self.calls.step(blocks, &mut self.names, step, &mut self.observers);
        if let Some(listing) = &mut self.listing {
            listing.step(blocks, step)?;
        }
        Ok(())
    }

    /// Takes the instructions after the last event of the only thread, at the end of what is known.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn trail(&mut self, instructions: u64) -> Result<(), Error> {
        match self.walker.trail(instructions) {
            Some(step) => self.step(&step),
            None => Ok(()),
        }
    }

    /// Takes a part of the execution that is not known, after the instructions before it that have no event: nothing is
    /// counted for it, and calls begin anew.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn gap(&mut self, gap: &Gap) -> Result<(), Error> {
        self.trail(gap.trailing_instructions)?;
        self.walker.gap(gap.goes_on);
        self.calls.close(&mut self.observers);
        if let Some(listing) = &mut self.listing {
            listing.gap(gap)?;
        }
        Ok(())
    }

    /// The results.
    ///
    /// # Errors
    /// When the end of a listing cannot be written.
    pub fn finish(mut self) -> Result<Seen<L, T>, Error> {
        self.calls.close(&mut self.observers);
        let blocks = self.walker.blocks();
        let listing = self.listing.map(|listing| listing.finish(blocks)).transpose()?;
        Ok(Seen {
            counts: self.profile.finish(self.walker.blocks()),
            own: self.calls.own().to_vec(),
            matching: self.calls.matching(),
            tree: self.observers.tree,
            names: self.names,
            events: self.walker.events(),
            listing,
            timeline: self.observers.timeline,
        })
    }
}
