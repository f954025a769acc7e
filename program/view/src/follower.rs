//! What else is made of the steps of an execution, and what is not needed of the views.

use std::fmt;

use crate::blocks::Blocks;
use crate::walker::Step;

/// A receiver of the steps of an execution.
pub trait Follower: fmt::Debug {
    /// Takes a step.
    fn step(&mut self, blocks: &Blocks, step: &Step);
    /// The execution ends here, or is not known from here on.
    fn gap(&mut self);
    /// There are no more steps.
    fn finish(&mut self, blocks: &Blocks);
}

/// What is made of an execution besides what a [`Follower`] makes.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The counts of instructions and branches.
    pub counts: bool,
    /// Calls, and what comes of them: the call tree and the numbers of functions.
    pub calls: bool,
    /// The call graph, for which calls are needed.
    pub graph: bool,
}

impl Default for Wanted {
    fn default() -> Self {
        Self { counts: true, calls: true, graph: false }
    }
}
