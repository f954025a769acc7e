//! Everything that can be shown of an execution, in one pass.

use std::io::Write;
use std::sync::Arc;

use tracewright_image::Image;
use tracewright_sim::event::Event;

use crate::blocks::Blocks;
use crate::calls::{Calls, Matching, Observer};
use crate::error::Error;
use crate::listing::Listing;
use crate::names::{FunctionIndex, Names};
use crate::profile::{Counts, Profile};
use crate::timeline::Timeline;
use crate::tree::Tree;
use crate::walker::Walker;

/// An execution that is looked at; `L` and `T` are where listing and timeline go.
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
    fn run(&mut self, thread: u8, instructions: u64) {
        self.tree.run(thread, instructions);
    }
}

/// What is known at the end of an execution.
#[derive(Debug)]
pub struct Seen<L, T> {
    /// How often everything ran.
    pub counts: Counts,
    /// How calls and returns match.
    pub matching: Matching,
    /// Instructions by stack.
    pub tree: Tree,
    /// The functions that the tree speaks of.
    pub names: Names,
    /// Events.
    pub events: u64,
    /// Where the listing went.
    pub listing: Option<L>,
    /// The timeline, to be finished.
    pub timeline: Option<Timeline<T>>,
}

impl<'a, L: Write, T: Write> Views<'a, L, T> {
    /// Looks at an execution of an image from its beginning on; `entry` is where a trace begins that does not say so.
    pub fn new(
        image: &'a Arc<Image>,
        entry: u64,
        listing: Option<Listing<'a, L>>,
        timeline: Option<Timeline<T>>,
    ) -> Self {
        Self {
            walker: Walker::new(image.clone(), Some(entry)),
            names: Names::new(image.clone()),
            profile: Profile::default(),
            calls: Calls::default(),
            observers: Observers { tree: Tree::default(), timeline },
            listing,
        }
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// When the image does not do what the event says, or something cannot be written.
    #[inline]
    pub fn event(&mut self, event: &Event) -> Result<(), Error> {
        let step = self.walker.step(event)?;
        let blocks: &Blocks = self.walker.blocks();
        self.profile.step(blocks, &step);
        self.calls.step(blocks, &mut self.names, &step, &mut self.observers);
        if let Some(listing) = &mut self.listing {
            listing.step(blocks, &step)?;
        }
        Ok(())
    }

    /// What was seen.
    pub fn finish(mut self) -> Seen<L, T> {
        self.calls.finish(&mut self.observers);
        Seen {
            counts: self.profile.finish(self.walker.blocks()),
            matching: self.calls.matching(),
            tree: self.observers.tree,
            names: self.names,
            events: self.walker.events(),
            listing: self.listing.map(Listing::finish),
            timeline: self.observers.timeline,
        }
    }
}
