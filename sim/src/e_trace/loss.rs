//! The record that says that blocks are lost, made of the one at the end of a trace.

use super::layout::Word;

impl Word {
    /// The record where blocks are lost, of the one that would end the trace there.
    ///
    /// A start or a trap, at which nothing has retired, is lost too: it would say a state that may have changed since then. An
    /// idle byte says what `alone` says at an end, or that of the start or the trap.
    #[must_use]
    pub fn of_loss(self) -> Word {
        let lost = Word { flush: false, supports: true, whole: false, alone: true, ..self };
        if self.sends_payload && !self.synchronises {
            return lost;
        }
        let is_marked = if self.synchronises { self.idle } else { self.alone };
        let nothing = Word { supports: true, alone: true, ..Word::default() };
        nothing.after_idle(is_marked.into())
    }
}
