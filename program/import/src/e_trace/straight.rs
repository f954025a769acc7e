//! Straight runs of instructions, through which a hart goes without a look at each.

use std::cell::Cell;

use super::code::Known;

/// Runs that are remembered.
const SLOTS: usize = 1 << 12;

/// The most instructions of a run.
const INSTRUCTIONS_MAX: u64 = 1 << 8;

/// Instructions, one after the other, none of which may change the flow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Straight {
    /// How many they are; there may be none.
    pub count: u64,
    /// The first one's address.
    pub first: u64,
    /// That of the one before the last.
    pub before_last: u64,
    /// That of the last one.
    pub last: u64,
    /// Where it leads.
    pub next: u64,
}

/// Runs after instructions.
pub(crate) struct Straights {
    slots: Vec<Cell<Option<(u64, Straight)>>>,
}

impl Straights {
    /// No run is known.
    pub(crate) fn new() -> Self {
        Self { slots: vec![Cell::new(None); SLOTS] }
    }

    /// The run after the instruction at an address, none if that may change the flow; `at` gives instructions, and
    /// addresses have only the bits of a mask.
    pub(crate) fn after(
        &self,
        address: u64,
        address_mask: u64,
        at: impl Fn(u64) -> Option<Known>,
    ) -> Straight {
        let slot = &self.slots[(address >> 1) as usize % SLOTS];
        if let Some((of, straight)) = slot.get()
            && of == address
        {
            return straight;
        }
        let length = |at: Option<Known>| {
            at.filter(goes_straight).map(|known| u64::from(known.instruction.length))
        };
        let next = length(at(address)).map(|length| address.wrapping_add(length));
        let mut run = Straight {
            count: 0,
            first: next.unwrap_or(address),
            before_last: address,
            last: address,
            next: next.unwrap_or(address),
        };
        while next.is_some()
            && run.count < INSTRUCTIONS_MAX
            && run.next & address_mask == run.next
            && let Some(length) = length(at(run.next))
        {
            run.count += 1;
            (run.before_last, run.last) = (run.last, run.next);
            run.next = run.next.wrapping_add(length);
        }
        slot.set(Some((address, run)));
        run
    }
}

/// True for an instruction after which the next one comes, whatever a trace says.
fn goes_straight(known: &Known) -> bool {
    known.instruction.branch.is_none() && !known.returns_from_trap
}
