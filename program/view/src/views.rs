//! Makes all views of an execution in one pass.

use std::io::Write;
use std::sync::Arc;

use tracewright_image::Image;
use tracewright_sim::code::Code;
use tracewright_sim::event::{Event, ExecutionState};
use tracewright_sim::packet::part::Gap;

use crate::blocks::Blocks;
use crate::call_graph::CallGraph;
use crate::calls::{Calls, Matching};
use crate::contexts::{ContextCount, Contexts};
use crate::error::Error;
use crate::follower::{Follower, Wanted};
use crate::listing::Listing;
use crate::names::Names;
use crate::observers::Observers;
use crate::profile::{Counts, Profile};
use crate::questions::{Answers, Asked, Questions};
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
    /// The contexts, if the trace has them.
    contexts: Option<Contexts>,
    instructions: u64,
    wanted: Wanted,
    follower: Option<&'a mut dyn Follower>,
}

/// A program of an execution.
#[derive(Clone, Debug)]
pub struct OfContext {
    /// The context in which it runs; `None` for all that have no program of their own.
    pub context: Option<u64>,
    /// Its files.
    pub image: Arc<Image>,
    /// The first address of a trace that does not have it.
    pub entry: u64,
}

/// The results at the end of an execution.
#[derive(Debug)]
pub struct Seen<L, T> {
    /// The counts of instructions and branches of each program.
    pub counts: Vec<Counts>,
    /// The contexts in which instructions retired, if the trace has contexts.
    pub contexts: Vec<ContextCount>,
    /// The instructions of each function itself, by its index; 0 for those beyond the end.
    pub own: Vec<u64>,
    /// How calls and returns match.
    pub matching: Matching,
    /// Instructions by stack.
    pub tree: Tree,
    /// The call graph, if it is wanted.
    pub graph: Option<CallGraph>,
    /// The functions in the tree.
    pub names: Names,
    /// Number of events of the last run.
    pub events: u64,
    /// Number of retired instructions of all runs.
    pub instructions: u64,
    /// The writer of the listing.
    pub listing: Option<L>,
    /// The timeline, to be finished.
    pub timeline: Option<Timeline<T>>,
    /// The answers to what was asked.
    pub answers: Option<Answers>,
}

impl<'a, L: Write, T: Write> Views<'a, L, T> {
    /// Starts at the beginning of an execution of programs, the first of which is that of all contexts that have none of
    /// their own. `has_contexts` is true if the trace says in which context the execution goes on.
    pub fn new(
        programs: &[OfContext],
        has_contexts: bool,
        listing: Option<Listing<'a, L>>,
        timeline: Option<Timeline<T>>,
    ) -> Self {
        let code = programs.iter().map(|program| {
            let code: Arc<dyn Code> = program.image.clone();
            (code, Some(program.entry))
        });
        let mut views = Self {
            walker: Walker::of_programs(code),
            names: Names::new(programs.iter().map(|program| program.image.clone())),
            profile: Profile::default(),
            calls: Calls::default(),
            observers: Observers { tree: Tree::default(), graph: None, timeline, questions: None },
            listing,
            contexts: None,
            instructions: 0,
            wanted: Wanted::default(),
            follower: None,
        };
        if has_contexts {
            let mut contexts = Contexts::new(programs.iter().map(|program| program.context));
            views.walker.go_on_in(contexts.enter(0).1);
            views.observers.add_context(0);
            views.contexts = Some(contexts);
        }
        views
    }

    /// Answers questions, too; to be called before the first event.
    pub fn ask(&mut self, asked: Asked) {
        let questions = self.observers.questions.insert(Questions::new(asked));
        if self.contexts.is_some() {
            questions.add_context(0);
        }
    }

    /// Makes only what is wanted, which takes less time.
    #[must_use]
    pub fn only(mut self, wanted: Wanted) -> Self {
        self.observers.graph = wanted.graph.then(CallGraph::default);
        self.wanted = wanted;
        self
    }

    /// Passes every step on.
    #[must_use]
    pub fn followed_by(mut self, follower: &'a mut dyn Follower) -> Self {
        self.follower = Some(follower);
        self
    }

    /// Begins another run of the same programs, all of which are counted together.
    pub fn next_run(&mut self) {
        self.end_of_known();
        self.walker.restart();
        self.go_on_in(0);
    }

    /// Events of this run so far.
    pub fn events(&self) -> u64 {
        self.walker.events()
    }

    /// Ends what is open where the execution is no longer known.
    fn end_of_known(&mut self) {
        self.calls.close(&mut self.observers);
        if let Some(follower) = &mut self.follower {
            follower.gap();
        }
        if let Some(questions) = &mut self.observers.questions {
            questions.gap();
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
        self.instructions += step.event.instructions;
        if let Some(follower) = &mut self.follower {
            follower.step(blocks, step);
        }
        if self.wanted.counts {
            self.profile.step(blocks, step);
        }
        let number = match &mut self.contexts {
            None => step.event.thread.into(),
            Some(contexts) => contexts.count(step.event.instructions),
        };
        if let Some(questions) = &mut self.observers.questions {
            questions.begin(blocks, &self.names, number, step);
        }
        if self.wanted.calls {
            self.calls.step(blocks, &mut self.names, (number, step), &mut self.observers);
        }
        if let Some(questions) = &mut self.observers.questions {
            questions.end(number, step);
        }
        if let Some(listing) = &mut self.listing {
            listing.step(blocks, step)?;
        }
        Ok(())
    }

    /// Takes in what the execution goes on.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn state(&mut self, state: &ExecutionState) -> Result<(), Error> {
        self.go_on_in(state.context);
        if let Some(listing) = &mut self.listing {
            listing.state(state, self.walker.program())?;
        }
        Ok(())
    }

    /// Goes on in a context, with its program and its stack.
    fn go_on_in(&mut self, context: u64) {
        let Some(contexts) = &mut self.contexts else { return };
        let from = contexts.current();
        let known = contexts.len();
        let (to, program) = contexts.enter(context);
        if contexts.len() > known {
            self.observers.add_context(context);
        }
        self.walker.go_on_in(program);
        if from != to {
            let way = (from, to, self.walker.next());
            self.calls.go_on_in(self.walker.blocks(), &mut self.names, way, &mut self.observers);
        }
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
        self.end_of_known();
        self.walker.gap(None);
        self.go_on_in(gap.context);
        self.walker.gap(gap.goes_on);
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
        self.end_of_known();
        let blocks = self.walker.blocks();
        if let Some(follower) = self.follower {
            follower.finish(blocks);
        }
        let listing = self.listing.map(|listing| listing.finish(blocks)).transpose()?;
        Ok(Seen {
            counts: self.profile.finish(self.walker.blocks()),
            contexts: self.contexts.map_or_else(Vec::new, Contexts::finish),
            own: self.calls.own().to_vec(),
            matching: self.calls.matching(),
            tree: self.observers.tree,
            graph: self.observers.graph,
            names: self.names,
            events: self.walker.events(),
            instructions: self.instructions,
            listing,
            timeline: self.observers.timeline,
            answers: self.observers.questions.map(Questions::finish),
        })
    }
}
