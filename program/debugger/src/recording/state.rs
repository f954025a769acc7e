//! Where an execution is between two events.

use tracewright_view::Step;
use tracewright_view::blocks::{BlockIndex, Blocks};
use tracewright_view::calls::Calls;
use tracewright_view::names::Names;

use super::{Jump, Unseen};

/// Where a thread, or a context that has a stack as threads have, goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The block; `None` before the first event and after a gap.
    pub block: Option<BlockIndex>,
    /// The address, if it is known; that of a context that another one has interrupted is not that of its block.
    pub address: Option<u64>,
    /// Events so far.
    pub events: u64,
    /// Instructions that retired so far.
    pub instructions: u64,
}

/// Where all threads are.
#[derive(Clone, Debug, Default)]
pub struct Moment {
    /// The places by the numbers of threads or contexts.
    pub places: Vec<Place>,
    /// The number of the one whose events come.
    pub current: usize,
    /// Events before.
    pub events: u64,
    /// Instructions before.
    pub instructions: u64,
    /// The open calls, where they are followed.
    pub calls: Option<Calls>,
}

impl Moment {
    /// The beginning, with or without calls.
    pub(super) fn beginning(calls: Option<Calls>) -> Moment {
        Moment { places: vec![Place::default()], calls, ..Moment::default() }
    }

    /// The same without calls.
    pub(super) fn without_calls(&self) -> Moment {
        Moment { places: self.places.clone(), calls: None, ..*self }
    }

    /// The events after it are of another thread.
    #[inline]
    pub(super) fn enter(&mut self, number: usize) {
        if number >= self.places.len() {
            self.places.resize(number + 1, Place::default());
        }
        self.current = number;
    }

    /// The place of the current thread.
    #[inline]
    pub(super) fn here(&self) -> &Place {
        &self.places[self.current]
    }

    /// Takes a step of the current thread.
    #[inline]
    pub(super) fn step(&mut self, blocks: &Blocks, names: &mut Names, step: &Step) {
        if let Some(calls) = &mut self.calls {
            calls.step(blocks, names, (self.current, step), &mut Unseen);
        }
        self.pass(blocks, step);
    }

    /// Takes a step of the current thread, without its calls.
    #[inline]
    pub(super) fn pass(&mut self, blocks: &Blocks, step: &Step) {
        let place = &mut self.places[self.current];
        place.block = Some(step.next);
        place.address = Some(blocks.get(step.next).start);
        place.events += u64::from(!step.is_trailing);
        place.instructions += step.event.instructions;
        self.events += 1;
        self.instructions += step.event.instructions;
    }

    /// Goes on in another context.
    pub(super) fn context(&mut self, blocks: &Blocks, names: &mut Names, jump: &Jump) {
        let from = self.current;
        if let Some(calls) = &mut self.calls {
            calls.go_on_in(blocks, names, (from, jump.to, jump.block), &mut Unseen);
        }
        self.pass_context(blocks, jump);
    }

    /// Goes on in another context, without calls.
    pub(super) fn pass_context(&mut self, blocks: &Blocks, jump: &Jump) {
        if jump.left.is_some() {
            self.places[self.current].address = jump.left;
        }
        self.enter(jump.to);
        self.goes_on(blocks, jump);
    }

    /// Goes on after a gap.
    pub(super) fn gap(&mut self, blocks: &Blocks, jump: &Jump) {
        if let Some(calls) = &mut self.calls {
            calls.close(&mut Unseen);
        }
        self.enter(jump.to);
        self.goes_on(blocks, jump);
    }

    fn goes_on(&mut self, blocks: &Blocks, jump: &Jump) {
        let place = &mut self.places[jump.to];
        place.block = jump.block;
        place.address = jump.block.map(|block| blocks.get(block).start).or(place.address);
    }
}
