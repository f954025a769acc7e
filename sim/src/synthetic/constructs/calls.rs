//! Calls, early returns and coroutines.

use super::*;

impl Writer<'_, '_> {
    pub(super) fn call(&mut self) {
        self.plain();
        let callee = Goal::Label(self.draft.dice.pick(self.callees));
        if self.draft.options.predicated && self.draft.dice.percent(15) {
            let decision = self.decision();
            self.draft.linked(Kind::DirectConditional, true, false, decision, callee);
        } else {
            self.draft.linked(Kind::DirectJump, true, false, Decision::Always, callee);
        }
    }

    pub(super) fn table_call(&mut self) {
        self.plain();
        let goal = self.table_of_callees();
        self.indirect(true, goal);
    }

    pub(super) fn guarded_call(&mut self, callee: Label, skipped_percent: u32) {
        self.plain();
        let end = self.draft.label();
        let limit = self.draft.options.recursion_depth;
        let decision = Decision::Deep { limit, threshold: threshold(skipped_percent) };
        self.draft.branch(Kind::DirectConditional, decision, Goal::Label(end));
        self.plain();
        self.draft.linked(Kind::DirectJump, true, false, Decision::Always, Goal::Label(callee));
        self.draft.place(end);
    }

    /// A return in the middle: predicated, or jumped over.
    pub(super) fn early_return(&mut self, nesting: u32) {
        self.plain();
        if self.draft.options.predicated {
            let decision = self.decision();
            self.draft.linked(Kind::IndirectConditional, false, true, decision, Goal::Caller);
            return;
        }
        let end = self.draft.label();
        let decision = self.decision();
        self.draft.branch(Kind::DirectConditional, decision, Goal::Label(end));
        self.body(nesting + 1);
        self.draft.linked(Kind::IndirectJump, false, true, Decision::Always, Goal::Caller);
        self.draft.place(end);
    }

    /// Starts another half of a coroutine, which swaps back, and swaps to it once more.
    pub(super) fn coroutine(&mut self) {
        self.plain();
        let other = self.draft.label();
        self.coroutines.push(other);
        self.draft.linked(Kind::DirectJump, true, false, Decision::Always, Goal::Label(other));
        self.plain();
        self.draft.linked(Kind::IndirectJump, true, true, Decision::Always, Goal::Caller);
    }

    pub(super) fn coroutine_half(&mut self, label: Label) {
        self.draft.begin(label);
        self.plain();
        self.draft.linked(Kind::IndirectJump, true, true, Decision::Always, Goal::Caller);
        self.plain();
        self.draft.linked(Kind::IndirectJump, false, true, Decision::Always, Goal::Caller);
    }
}
