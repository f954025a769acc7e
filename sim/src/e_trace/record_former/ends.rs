//! Where the trace, or a part of it, ends and begins.

use super::{Pending, RecordFormer};
use crate::e_trace::layout::Word;
use crate::e_trace::payload::Ending;

impl RecordFormer {
    /// A start is due after an event that may change the flow.
    pub(super) fn starts_after(&self) -> bool {
        self.is_requested || self.after.state != self.state
    }

    /// The execution goes on in another state.
    pub fn pass(&mut self, state: u64) {
        self.state = state;
    }

    /// Asks for a start after the next event that may change the flow; nothing is done if one comes before that anyway.
    pub fn request(&mut self) {
        self.is_requested = self.begins_anywhere;
    }

    /// The trace goes on at an address to which a run leads that was left out.
    pub fn enter(&mut self, address: u64) {
        self.pending = Pending::Entry(address);
    }

    /// Forgets what was not sent; the trace goes on with a start or a trap.
    pub fn discard(&mut self) {
        self.flush(&mut |_| {});
        self.resync.restart();
    }

    /// Blocks are lost: what decoders can know of those before is sent, and a start comes next.
    pub fn lose(&mut self, record: &mut impl FnMut(Word)) {
        let mut last = Word::default();
        self.flush(&mut |word| match word.flush {
            true => last = word,
            false => record(word),
        });
        record(last.of_loss());
    }

    /// What comes next is left out: a part of the trace ends, and a start comes next.
    pub fn leave_off(&mut self, record: &mut impl FnMut(Word)) {
        self.flush(&mut |word| record(Word { flush: false, ..word }));
    }

    /// Sends what is due after the last event.
    #[inline]
    pub fn settle(&mut self, record: &mut impl FnMut(Word)) {
        if self.is_due {
            self.synchronise(record);
        }
    }

    /// Reports the last instruction of an event, where decoders that know the trace before go on to the start that comes next.
    fn synchronise(&mut self, record: &mut impl FnMut(Word)) {
        self.is_due = false;
        if self.is_reported {
            self.is_marked = true;
        } else {
            record(self.last());
        }
        (self.starts_next, self.is_reported) = (true, true);
        self.forget();
    }

    /// Ends the trace, or a part of it.
    pub fn flush(&mut self, record: &mut impl FnMut(Word)) {
        self.settle(record);
        let word = if std::mem::take(&mut self.starts_next) {
            let is_marked = std::mem::take(&mut self.is_marked);
            match self.pending {
                Pending::Target(address) => self.start(address, false).after_idle(is_marked.into()),
                _ if self.has_run => {
                    self.start(self.program_counter, false).after_idle(is_marked.into())
                }
                _ => Word { alone: is_marked, ..Word::default() },
            }
        } else {
            self.end()
        };
        record(word.ending());
        (self.pending, self.is_requested) = (Pending::Ended, false);
        // A start or a trap comes next, and forgets the rest.
        self.has_run = false;
        self.forget();
    }

    /// The payload at the end of the trace, or of a part of it.
    fn end(&mut self) -> Word {
        match self.pending {
            Pending::Reset if self.has_run => self.start(self.program_counter, false).after_idle(1),
            Pending::Ended if self.has_run => self.start(self.program_counter, false),
            Pending::Nothing if !self.is_reported => self.last(),
            // Nothing was traced: a decoder of the standard would go on from the address before the end.
            Pending::Ended | Pending::Entry(_) if self.begins_anywhere => Word::default(),
            Pending::Nothing | Pending::Reset | Pending::Ended | Pending::Entry(_) => {
                Word { alone: true, ..Word::default() }
            }
            Pending::First(address) => self.first(address, false),
            Pending::Handler(address) | Pending::Start(address) => self.trap(address, false, false),
            Pending::Target(address) => self.target(address, Ending::Unfollowed),
        }
    }

    /// A start where an exception leads that came before all instructions.
    pub(super) fn first(&mut self, address: u64, taken: bool) -> Word {
        let idle = self.begins_anywhere.into();
        self.start(address, taken).after_idle(idle)
    }
}
