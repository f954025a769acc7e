//! What is made of the calls of an execution.

use std::io::Write;

use crate::call_graph::CallGraph;
use crate::calls::{Entry, Observer};
use crate::names::{FunctionIndex, Names};
use crate::questions::Questions;
use crate::timeline::Timeline;
use crate::tree::Tree;

/// All that is told of calls.
#[derive(Debug)]
pub(crate) struct Observers<T> {
    pub tree: Tree,
    pub graph: Option<CallGraph>,
    pub timeline: Option<Timeline<T>>,
    pub questions: Option<Questions>,
}

impl<T: Write> Observers<T> {
    /// Begins the stacks of another context.
    pub(crate) fn add_context(&mut self, context: u64) {
        self.tree.add_context(context);
        if let Some(timeline) = &mut self.timeline {
            timeline.add_context(context);
        }
        if let Some(questions) = &mut self.questions {
            questions.add_context(context);
        }
    }
}

impl<T: Write> Observer for Observers<T> {
    #[inline]
    fn enter(&mut self, names: &Names, entry: Entry) {
        self.tree.enter(names, entry);
        if let Some(graph) = &mut self.graph {
            graph.enter(names, entry);
        }
        if let Some(timeline) = &mut self.timeline {
            timeline.enter(names, entry);
        }
        if let Some(questions) = &mut self.questions {
            questions.enter(names, entry);
        }
    }

    #[inline]
    fn leave(&mut self, thread: usize, clock: u64) {
        self.tree.leave(thread, clock);
        if let Some(graph) = &mut self.graph {
            graph.leave(thread, clock);
        }
        if let Some(timeline) = &mut self.timeline {
            timeline.leave(thread, clock);
        }
        if let Some(questions) = &mut self.questions {
            questions.leave(thread, clock);
        }
    }

    #[inline]
    fn replace(&mut self, names: &Names, entry: Entry) {
        self.tree.replace(names, entry);
        if let Some(graph) = &mut self.graph {
            graph.replace(names, entry);
        }
        if let Some(timeline) = &mut self.timeline {
            timeline.replace(names, entry);
        }
        if let Some(questions) = &mut self.questions {
            questions.replace(names, entry);
        }
    }

    #[inline]
    fn run(&mut self, thread: usize, instructions: u64, inlined: &[FunctionIndex]) {
        self.tree.run(thread, instructions, inlined);
        if let Some(questions) = &mut self.questions {
            questions.run(thread, instructions, inlined);
        }
    }
}
