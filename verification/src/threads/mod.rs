//! Threads of a trace for designs that trace one core: each alone, as if it had a core of its own, or all on one core.

mod one_core;

pub use one_core::OneCore;

use tracewright_sim::event::{Access, Event, Item};
use tracewright_sim::scheme::Design;

/// Whether a design traces one core.
pub(crate) fn is_for_one_core(design: &Design) -> bool {
    design.cores() == 1
}

/// The item as that of the only thread of a core.
#[inline]
pub fn alone(item: Item) -> Item {
    match item {
        Item::Event(event) => Item::Event(Event { thread: 0, ..event }),
        Item::Access(Access { mut site, address }) => {
            site.thread = 0;
            Item::Access(Access { site, address })
        }
        other @ (Item::State(_) | Item::Cycles(_)) => other,
    }
}
