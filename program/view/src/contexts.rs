//! The contexts of an execution: which program runs in each, and how much.

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::tree::MOST_CONTEXTS;

/// The instructions of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ContextCount {
    /// The context.
    pub context: u64,
    /// Instructions that retired in it.
    pub instructions: u64,
}

/// Contexts, numbered in the order in which they occur.
#[derive(Clone, Debug)]
pub(crate) struct Contexts {
    numbers: FxHashMap<u64, usize>,
    counts: Vec<ContextCount>,
    /// The number of the context at hand.
    current: usize,
    /// The numbers of the programs of contexts.
    programs: FxHashMap<u64, usize>,
}

impl Contexts {
    /// No context; the programs are given by their contexts, those of all others by `None`.
    pub(crate) fn new(programs: impl IntoIterator<Item = Option<u64>>) -> Self {
        let programs = programs.into_iter().enumerate();
        Self {
            numbers: FxHashMap::default(),
            counts: Vec::new(),
            current: 0,
            programs: programs.filter_map(|(number, context)| Some((context?, number))).collect(),
        }
    }

    /// Goes on in a context; gives its number and that of its program.
    pub(crate) fn enter(&mut self, context: u64) -> (usize, usize) {
        let counts = &mut self.counts;
        let number = *self.numbers.entry(context).or_insert_with(|| {
            if counts.len() < MOST_CONTEXTS {
                counts.push(ContextCount { context, instructions: 0 });
            }
            counts.len() - 1
        });
        self.current = number;
        (number, self.programs.get(&context).copied().unwrap_or(0))
    }

    /// Counts instructions of the context at hand; gives its number.
    #[inline]
    pub(crate) fn count(&mut self, instructions: u64) -> usize {
        self.counts[self.current].instructions += instructions;
        self.current
    }

    /// The number of the context at hand.
    pub(crate) fn current(&self) -> usize {
        self.current
    }

    /// How many contexts have a number of their own.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// The contexts in which instructions retired.
    pub(crate) fn finish(self) -> Vec<ContextCount> {
        self.counts.into_iter().filter(|count| count.instructions > 0).collect()
    }
}
