//! The programs of an execution: one for each context, or one for all of them.

use super::Program;
use crate::config::mask;

/// Programs by the context in which they run. The same address in two contexts may be different code.
#[derive(Clone, Debug)]
pub struct Programs<'a> {
    /// The program of all other contexts.
    other: &'a Program,
    of_contexts: Vec<(u64, &'a Program)>,
}

/// Programs that a decoder cannot follow by context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContextError {
    /// Nothing says in which context an instruction runs.
    #[error("context {context:#x} has a program of its own, expected a trace with contexts")]
    Untraced {
        /// The context.
        context: u64,
    },
    /// No header can say this context.
    #[error("context {context:#x} does not fit context_bits = {context_bits}")]
    Wide {
        /// The context.
        context: u64,
        /// Bits of a context.
        context_bits: u32,
    },
    /// Two programs are for the same context.
    #[error("context {context:#x} has two programs, expected one")]
    Twice {
        /// The context.
        context: u64,
    },
    /// Changes of code are counted by the events of a program, and a trace of several does not count those.
    #[error(
        "the code of a program changes while it runs, expected fixed code where contexts have programs"
    )]
    Changing,
}

impl<'a> Programs<'a> {
    /// The programs of some contexts, and that of all `other` ones; a trace's contexts have `context_bits`, 0 if it has
    /// none.
    ///
    /// # Errors
    /// When a context has two programs or cannot be in the trace, or code changes while it runs.
    pub fn new(
        other: &'a Program,
        of_contexts: impl IntoIterator<Item = (u64, &'a Program)>,
        context_bits: u32,
    ) -> Result<Self, ContextError> {
        let mut programs = Self::from(other);
        for (context, program) in of_contexts {
            if context_bits == 0 {
                return Err(ContextError::Untraced { context });
            }
            if context > mask(context_bits) {
                return Err(ContextError::Wide { context, context_bits });
            }
            if programs.of_contexts.iter().any(|(known, _)| *known == context) {
                return Err(ContextError::Twice { context });
            }
            if program.changing(0).is_some() || other.changing(0).is_some() {
                return Err(ContextError::Changing);
            }
            programs.of_contexts.push((context, program));
        }
        Ok(programs)
    }

    /// The program that runs in a context.
    pub fn of(&self, context: u64) -> &'a Program {
        let own = self.of_contexts.iter().find(|(known, _)| *known == context);
        own.map_or(self.other, |(_, program)| program)
    }

    /// The program of the contexts that have none of their own.
    pub fn other(&self) -> &'a Program {
        self.other
    }
}

impl<'a> From<&'a Program> for Programs<'a> {
    /// One program for all contexts.
    fn from(other: &'a Program) -> Self {
        Self { other, of_contexts: Vec::new() }
    }
}
