//! An instruction and the next row.

use super::row::Row;
use super::word::{Leads, Traps, Word};

/// An instruction and the next row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<'a> {
    pub row: &'a Row,
    pub word: Word,
    pub next: &'a Row,
    /// Where the next row is.
    pub to: u64,
}

impl<'a> Step<'a> {
    pub(super) fn new(row: &'a Row, word: Word, next: &'a Row) -> Self {
        Step { row, word, next, to: next.program_counter }
    }

    /// The first row of a handler is next, as the port says.
    pub(super) fn is_marked(&self) -> bool {
        self.next.is_handler()
    }

    /// The address two bytes on.
    fn half(&self) -> u64 {
        self.row.program_counter.wrapping_add(2)
    }

    fn goes_on(&self) -> bool {
        matches!(self.word.leads, Leads::On | Leads::Either(_))
    }

    /// A word of 32 bits is that of a compressed instruction, as the addresses say.
    pub(super) fn is_expanded(&self) -> bool {
        let is_half = self.row.next == Some(self.half()) || self.to == self.half();
        self.word.length == 4 && self.goes_on() && is_half
    }

    /// The instruction is compressed or not, if the addresses or the word say so.
    pub(super) fn is_compressed(&self) -> Option<bool> {
        if self.is_expanded() || self.word.length == 2 {
            return Some(true);
        }
        let is_whole = self.goes_on() && self.to == self.word.following(self.row.program_counter);
        is_whole.then_some(false)
    }

    /// The following instruction is at an address.
    pub(super) fn is_followed_by(&self, to: u64) -> bool {
        let following = self.word.following(self.row.program_counter);
        to == following || to == self.half() && self.is_expanded()
    }

    /// The same for a jump, which does not say how long it is where it is expanded.
    pub(super) fn may_be_followed_by(&self, to: u64) -> bool {
        self.is_followed_by(to) || self.word.length == 4 && to == self.half()
    }

    /// The word can lead to an address.
    pub(super) fn leads(&self, to: u64) -> bool {
        match self.word.leads {
            Leads::On => self.is_followed_by(to),
            Leads::To(target) => to == target,
            Leads::Either(target) => to == target || self.is_followed_by(to),
            Leads::Jump | Leads::Return => true,
        }
    }

    /// The word can lead to some addresses alone.
    pub(super) fn is_direct(&self) -> bool {
        !matches!(self.word.leads, Leads::Jump | Leads::Return)
    }

    /// Where a return from a trap leads: its next pc may be the following address, and the next row that of a handler.
    pub(super) fn returns_to(&self) -> u64 {
        self.row.next.filter(|next| !self.is_followed_by(*next)).unwrap_or(self.to)
    }

    /// The next pc of an instruction with a trap if it is where the word leads, and not the handler.
    pub(super) fn own_next(&self) -> Option<u64> {
        self.row.next.filter(|said| *said != self.to && self.leads(*said))
    }

    /// Where an instruction with a trap leads if it has retired, as the port or the word says.
    pub(super) fn leads_to(&self) -> Option<u64> {
        match (self.row.next, self.word.leads) {
            (None, Leads::On) => Some(self.word.following(self.row.program_counter)),
            (None, Leads::To(target)) => Some(target),
            _ => self.own_next(),
        }
    }

    /// The last instruction once more, which is marked as the first one of a handler.
    pub(super) fn repeats(&self) -> bool {
        let is_same = self.row.program_counter == self.to && self.row.word == self.next.word;
        let is_loop = self.leads(self.to);
        self.is_marked() && is_same && !self.row.traps() && !is_loop
    }

    /// An instruction that does not trap by what it does.
    pub(super) fn never_traps(&self) -> bool {
        self.word.traps == Traps::Never
    }

    /// A system call, a breakpoint, or no instruction.
    pub(super) fn always_traps(&self) -> bool {
        self.word.traps == Traps::Always
    }
}
