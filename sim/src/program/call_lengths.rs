//! The lengths of calls in a trace that does not give them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::event::{Event, Isa, Item, Kind, Machine};

/// Learns the lengths of calls from the targets of returns.
///
/// An encoder needs nothing else of the program. So, unlike a [`ProgramBuilder`](super::ProgramBuilder), this takes
/// traces of code that changes.
#[derive(Clone, Debug)]
pub struct CallLengths {
    machine: Machine,
    calls: FxHashMap<u64, Kind>,
    return_targets: FxHashSet<u64>,
}

impl CallLengths {
    /// Nothing learned yet.
    pub fn new(machine: Machine) -> Self {
        Self { machine, calls: FxHashMap::default(), return_targets: FxHashSet::default() }
    }

    /// Learns the events among these items.
    pub fn items(&mut self, items: &[Item]) {
        for item in items {
            if let Item::Event(event) = item {
                self.event(event);
            }
        }
    }

    /// Learns one event.
    #[inline]
    pub fn event(&mut self, event: &Event) {
        if event.call && event.length == 0 {
            self.calls.insert(event.program_counter, event.kind);
        }
        if event.is_return && event.taken {
            self.return_targets.insert(event.target);
        }
    }

    /// Gives the events among these items the lengths of their calls.
    pub fn complete_items(&self, items: &mut [Item]) {
        for item in items {
            if let Item::Event(event) = item
                && event.call
                && event.length == 0
            {
                *event = self.complete(*event);
            }
        }
    }

    /// The event with the length of its call.
    #[inline]
    pub fn complete(&self, mut event: Event) -> Event {
        if event.call && event.length == 0 {
            let Event { program_counter, kind, .. } = event;
            let kind = self.calls.get(&program_counter).copied().unwrap_or(kind);
            event.length = infer_length(self.machine, program_counter, kind, &self.return_targets);
        }
        event
    }
}

/// The length of a call that the trace does not give, from where returns went.
///
/// A call is as long as the shortest length whose return address some return went to, unless the
/// usual length has one too.
pub(super) fn infer_length(
    machine: Machine,
    program_counter: u64,
    kind: Kind,
    return_targets: &FxHashSet<u64>,
) -> u8 {
    let returns_to =
        |length: u8| return_targets.contains(&program_counter.wrapping_add(length.into()));
    let compressed = |may_be: bool| if may_be && returns_to(2) && !returns_to(4) { 2 } else { 4 };
    match machine.isa {
        Isa::RiscV => {
            compressed(machine.alignment < 2 && (kind.is_indirect() || machine.address_bits == 32))
        }
        Isa::Arm => compressed(machine.alignment < 2 && kind.is_indirect()),
        Isa::X86 if !kind.is_indirect() => 5,
        Isa::X86 => (2..=7).find(|length| returns_to(*length)).unwrap_or(2),
    }
}
