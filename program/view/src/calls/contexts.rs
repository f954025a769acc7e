//! Stacks of contexts, which go on in turns.

use super::{Calls, Frame, Observer, Stack, Thread, Way};
use crate::blocks::{BlockIndex, Blocks};
use crate::names::Names;

impl Calls {
    /// Goes on in another context, each with a stack as a thread has, at the address to which the last step has led, if
    /// there was one.
    pub fn go_on_in(
        &mut self,
        blocks: &Blocks,
        names: &mut Names,
        (from, to, next): (usize, usize, Option<BlockIndex>),
        observer: &mut impl Observer,
    ) {
        let most = from.max(to);
        if most >= self.threads.len() {
            self.threads.resize(most + 1, Thread::default());
        }
        let own = &mut self.own;
        let thread = &mut self.threads[from];
        let is_exception = thread.is_interrupted;
        Stack { number: from, thread, own, observer }.leave_context();
        let thread = &mut self.threads[to];
        thread.clock = self.clock;
        let mut stack = Stack { number: to, thread, own, observer };
        if let Some(next) = next.filter(|_| is_exception) {
            stack.enter_by_exception(blocks, names, next);
        }
        (stack.thread.next, stack.thread.is_interrupted) = (next, false);
    }
}

impl<O: Observer> Stack<'_, O> {
    /// Another context goes on. An exception that leads to it is no call here, and an indirect jump that leads to it ends the
    /// handler that it is in.
    fn leave_context(&mut self) {
        let Thread { frames, is_elsewhere, is_interrupted, has_jumped, resumes, .. } = self.thread;
        if !*is_interrupted {
            *resumes = None;
        }
        let is_over = resumes.is_some() || *has_jumped;
        (*is_elsewhere, *is_interrupted, *has_jumped) = (false, false, false);
        let handler = frames.iter().rposition(|frame| frame.is_handler);
        if let Some(depth) = handler.filter(|_| is_over) {
            self.unwind(depth);
        }
    }

    /// An exception leads here from another context: to a handler, or to where this context was interrupted.
    fn enter_by_exception(&mut self, blocks: &Blocks, names: &mut Names, next: BlockIndex) {
        let target = blocks.get(next).start;
        let back = self.thread.resumes.or(self.thread.next.map(|next| blocks.get(next).start));
        let is_open = !self.thread.frames.is_empty();
        let is_resumed = is_open && back == Some(target) || self.leave_handler(target);
        if !is_resumed {
            let function = self.entered(blocks, names, next, target);
            let frame = Frame { function, back: back.unwrap_or(0), is_handler: true };
            self.push(names, frame, Way::Exception(self.thread.last));
        }
    }
}
