//! Entries into handlers, until a return leaves them.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::convention::Evidence;

/// Entries that are remembered: more than handlers nest.
const ENTRIES_MAX: usize = 64;

/// Addresses of handlers that are told apart.
const HANDLERS_MAX: usize = 1024;

/// An instruction with a trap, of which it is not known whether it retired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Suspect {
    /// Its place in the log.
    pub place: u64,
    /// Its address.
    pub program_counter: u64,
    /// Where it leads if it retired.
    pub leads_to: u64,
}

/// How a handler is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// The first row of the handler is marked as such.
    Marked,
    /// Nothing marks it.
    Unmarked,
    /// After an instruction with a trap.
    Trap(Option<Suspect>),
}

/// An entry into a handler.
#[derive(Clone, Copy, Debug)]
struct Entry {
    handler: u64,
    suspect: Option<Suspect>,
}

/// What is known of the handlers of a log.
#[derive(Clone, Debug, Default)]
pub(super) struct Handlers {
    entered: VecDeque<Entry>,
    /// Entries by the address of their handler; those that nothing marks are apart from the others.
    entries: FxHashMap<(u64, bool), Evidence>,
    /// Handlers that `dret` leaves.
    debug: FxHashSet<u64>,
    /// Instructions with a trap after which the flow went on as if they had retired.
    pub retired: Evidence,
    /// Instructions with a trap that were executed again.
    pub again: Evidence,
    /// Instructions with a trap whose handler was not left.
    pub open: Evidence,
}

impl Handlers {
    /// The flow is diverted to a handler, by a row at this place.
    pub(super) fn enter(&mut self, handler: u64, place: u64, how: How) {
        let suspect = match how {
            How::Trap(suspect) => suspect,
            How::Marked | How::Unmarked => None,
        };
        if self.entered.len() == ENTRIES_MAX {
            self.entered.pop_front();
        }
        self.entered.push_back(Entry { handler, suspect });
        let key = (handler, how == How::Unmarked);
        if self.entries.len() < HANDLERS_MAX || self.entries.contains_key(&key) {
            self.entries.entry(key).or_default().add(place);
        }
    }

    /// A return from a trap leads to an address.
    pub(super) fn leave(&mut self, to: u64, leaves_debug: bool) {
        let Some(Entry { handler, suspect }) = self.entered.pop_back() else { return };
        if leaves_debug && self.debug.len() < HANDLERS_MAX {
            self.debug.insert(handler);
        }
        match suspect {
            Some(suspect) if suspect.leads_to == to => self.retired.add(suspect.place),
            Some(suspect) if suspect.program_counter == to => self.again.add(suspect.place),
            _ => {}
        }
    }

    /// The log has a gap, or has ended: no entry is left by the returns that follow.
    pub(super) fn forget(&mut self) {
        for suspect in self.entered.drain(..).filter_map(|entry| entry.suspect) {
            self.open.add(suspect.place);
        }
    }

    /// The entries of handlers that `dret` leaves.
    pub(super) fn debug_entries(&self) -> Evidence {
        self.entries_of(|handler, _| self.debug.contains(&handler))
    }

    /// The entries of other handlers that nothing marks.
    pub(super) fn unmarked_entries(&self) -> Evidence {
        self.entries_of(|handler, unmarked| unmarked && !self.debug.contains(&handler))
    }

    fn entries_of(&self, is_one: impl Fn(u64, bool) -> bool) -> Evidence {
        let mut all = Evidence::default();
        let entries = self.entries.iter().filter(|((handler, how), _)| is_one(*handler, *how));
        entries.for_each(|(_, evidence)| all.merge(evidence));
        all
    }
}
