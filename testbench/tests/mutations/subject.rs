//! A design, and what it is shown to find the faults in it.

use tracewright_sim::event::{Event, Item};
use tracewright_sim::scheme::Design;

use super::bench::{Bench, runs};

/// A design, and two programs of events or accesses.
pub struct Subject<T = Event> {
    /// The design.
    pub design: Design,
    /// What it is shown: the first with random back-pressure, bubbles and flushes, the second without a pause and at
    /// one instruction per cycle.
    pub programs: [Vec<T>; 2],
}

impl<T: Copy + Into<Item>> Subject<T> {
    /// Every fault of the design, under this name in `survivors.txt`.
    pub fn bench(self, name: &'static str) -> Bench<'static> {
        Bench::of_design(name, self.design, runs(&self.programs))
    }
}
