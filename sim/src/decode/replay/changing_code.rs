//! Replaying a program whose code changes.

use super::Replay;
use crate::program::{Block, BlockIndex, Place};

impl<'a> Replay<'a> {
    /// Starts at a place of the program, after so many events of the thread.
    pub fn start_at(&mut self, place: Place, events_before: u64) {
        (self.place, self.events_before, self.is_placed) = (place, events_before, true);
        if let Some(code) = &mut self.code {
            code.advance(events_before);
            self.next_change = code.next_change().saturating_sub(events_before);
        }
        self.at = self.block_at(place);
    }

    /// Begins with the code that another replay of the same thread has reached: to go on from there takes less time than to
    /// make all changes again.
    pub fn take_code_of(&mut self, other: &Replay<'a>) {
        self.code.clone_from(&other.code);
    }

    /// The block after another one, at the target of its last instruction if that was taken.
    pub(super) fn changing_successor(
        &self,
        index: BlockIndex,
        target: Option<u64>,
    ) -> Option<(BlockIndex, &'a Block)> {
        let next = self.program.changing_successor(index, target, self.code.as_ref()?)?;
        Some((next, self.program.block(next)))
    }

    /// Goes on to the code that the next event finds.
    #[cold]
    #[inline(never)]
    pub(super) fn change(&mut self) {
        let Some(code) = &mut self.code else { return };
        // The length of the last instruction is that of the code which ran.
        let address = self.program.changing_address(self.place, code);
        code.advance(self.events_before + self.summary.events);
        self.next_change = code.next_change().saturating_sub(self.events_before);
        let index = address.and_then(|address| self.program.changing_block(address, code));
        self.at = index.map(|index| (index, self.program.block(index)));
    }
}
