//! What is recorded of the blocks, and when.
//!
//! A payload with an address says too whether the instruction there is a taken branch, so an address that the trace
//! needs is sent with the first block that retires there.

use super::branch_count::{BranchCount, Step};
use super::config::Config;
use super::extensions::Extensions;
use super::jump_target_cache::JumpTargetCache;
use super::layout::Word;
use super::payload::{BEHIND_JUMP, Depth, Ending};
use super::return_stack::ReturnStack;
use crate::event::{Event, Kind};

/// What the last block leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    /// Nothing: the program says where the next instruction is.
    Nothing,
    /// Nothing has retired since reset.
    Reset,
    /// The trace was ended, and goes on.
    Ended,
    /// A start at the first instruction after reset.
    First(u64),
    /// A trap, whose handler is here.
    Handler(u64),
    /// A start at the handler of an exception that the trace has.
    Start(u64),
    /// The address after a jump.
    Target(u64),
}

/// Decides what is recorded.
#[derive(Clone, Debug)]
pub struct RecordFormer {
    alignment: u32,
    address_bits: u32,
    cause_bits: u32,
    pending: Pending,
    /// Instructions have retired since the trace began or was ended, and it has no address of them.
    has_run: bool,
    /// The last payload has the address of the last instruction, or ends at it.
    is_reported: bool,
    /// One instruction has retired between the last address and the exception that is pending.
    is_marked: bool,
    branches: BranchCount,
    /// The branch that retires was predicted.
    is_predicted: bool,
    /// Direct jumps and inferred returns since the last branch or address.
    passes: u64,
    most_passes: u64,
    last_address: u64,
    program_counter: u64,
    stack: ReturnStack,
    depth_bits: u32,
    /// The jump that is pending is a return to another address than that on the stack.
    is_failed: bool,
    /// The last instruction is a return that was inferred.
    has_just_returned: bool,
    /// A return was inferred since the last call, branch or address.
    has_returned: bool,
    /// The depth that a report of the last instruction has, so that a decoder stops in the right call.
    last_depth: Option<u64>,
    targets: JumpTargetCache,
    extensions: Extensions,
}

impl RecordFormer {
    /// The registers as reset leaves them.
    pub fn new(config: &Config) -> Self {
        Self {
            alignment: config.processor.alignment,
            address_bits: config.address_bits(),
            cause_bits: config.trap_cause_bits,
            pending: Pending::Reset,
            has_run: false,
            is_reported: false,
            is_marked: false,
            branches: BranchCount::new(config),
            is_predicted: false,
            passes: 0,
            most_passes: config.most_passes(),
            last_address: 0,
            program_counter: 0,
            stack: ReturnStack::new(config.return_stack_entries),
            depth_bits: config.depth_bits(),
            is_failed: false,
            has_just_returned: false,
            has_returned: false,
            last_depth: None,
            targets: JumpTargetCache::new(config.jump_target_cache_entries),
            extensions: Extensions::new(config),
        }
    }

    /// An event, with the instructions before it.
    #[inline]
    pub fn event(&mut self, event: &Event, record: &mut impl FnMut(Word)) {
        self.is_predicted = event.kind.is_conditional()
            && self.branches.learn(event.program_counter >> self.alignment, event.taken);
        let is_sent = self.arrive(event, record);
        if event.instructions > 0 {
            self.program_counter = event.program_counter;
            self.retire(event);
        }
        let is_inferred = self.infers(event);
        match event.kind {
            Kind::DirectConditional | Kind::IndirectConditional => {
                self.passes = 0;
                if !is_sent {
                    self.branch(event, record);
                }
            }
            Kind::IndirectJump if !is_inferred => {}
            Kind::DirectJump | Kind::IndirectJump if self.passes == self.most_passes => {
                record(self.report(event.program_counter, Ending::Notified, None, None));
            }
            Kind::DirectJump | Kind::IndirectJump => self.passes += 1,
            Kind::Exception if event.taken => self.exception(event.target, record),
            Kind::Exception => {}
        }
        if event.kind.is_indirect() && event.taken && !is_inferred {
            self.pending = Pending::Target(event.target);
        }
        self.follow_calls(event, is_inferred);
    }

    /// Says what a report of this instruction would have, before it is followed.
    fn retire(&mut self, event: &Event) {
        let is_after = self.has_just_returned && event.instructions == 1;
        // A branch is found by its outcome, whatever call it is in.
        let may_repeat = self.has_returned && !event.kind.is_conditional();
        let depth = self.stack.depth() + u64::from(is_after);
        self.last_depth = (is_after || may_repeat).then_some(depth);
        self.has_just_returned = false;
    }

    /// True if this is a return to the address on the stack.
    fn infers(&mut self, event: &Event) -> bool {
        let is_return = event.kind == Kind::IndirectJump && event.is_return && !event.call;
        let expected = self.stack.top().filter(|_| is_return);
        let is_inferred = expected == Some(event.target);
        self.is_failed = expected.is_some() && !is_inferred
            || self.is_failed && matches!(self.pending, Pending::Target(_));
        is_inferred
    }

    /// Keeps the stack, after the event was recorded.
    fn follow_calls(&mut self, event: &Event, is_inferred: bool) {
        if is_inferred {
            self.stack.pop();
            (self.has_just_returned, self.has_returned) = (true, true);
        }
        if event.kind.is_conditional() || event.call {
            self.has_returned = false;
        }
        if event.call && event.taken {
            self.stack.push(event.program_counter.wrapping_add(event.length.into()));
        }
        if event.kind == Kind::Exception && event.taken {
            self.forget();
        }
    }

    /// A decoder of the standard forgets the stack and the tables with a start or a trap.
    fn forget(&mut self) {
        self.stack.clear();
        self.targets.clear();
        self.branches.forget();
        (self.has_just_returned, self.has_returned, self.last_depth) = (false, false, None);
    }

    /// Sends the address at which the instructions of an event begin, if it is due; true if that has the event's outcome.
    #[inline]
    fn arrive(&mut self, event: &Event, record: &mut impl FnMut(Word)) -> bool {
        if event.instructions == 0 && !self.has_run {
            return false;
        }
        let is_single = event.instructions == 1;
        let is_branch = event.kind.is_conditional();
        let is_there = is_branch && is_single;
        let pending = self.pending;
        self.pending = Pending::Nothing;
        self.is_reported = is_single;
        match pending {
            Pending::Nothing => {
                self.is_reported = false;
                false
            }
            // The pins do not say where a block begins, so the trace starts at the first event.
            Pending::Reset | Pending::Ended if event.kind == Kind::Exception && !event.taken => {
                self.pending = pending;
                self.is_reported = false;
                self.has_run = true;
                false
            }
            Pending::Reset | Pending::Ended => {
                let word = self.start(event.program_counter, is_branch && event.taken);
                record(word.after_idle((pending == Pending::Reset).into()));
                self.is_reported = true;
                self.has_run = false;
                is_branch
            }
            Pending::First(address) | Pending::Start(address) => {
                record(self.start(address, is_there && event.taken));
                is_there
            }
            Pending::Handler(address) => {
                record(self.trap(address, true, is_there && event.taken));
                is_there
            }
            Pending::Target(address) => {
                if is_there {
                    self.branches.add(event.taken, self.is_predicted);
                }
                record(self.target(address, Ending::Plain));
                is_there
            }
        }
    }

    fn exception(&mut self, handler: u64, record: &mut impl FnMut(Word)) {
        let pending = self.pending;
        self.pending = Pending::Handler(handler);
        match pending {
            Pending::Nothing if self.is_reported => self.is_marked = true,
            Pending::Nothing => record(self.last()),
            Pending::Reset => self.pending = Pending::First(handler),
            Pending::Ended => {}
            Pending::First(address) => record(self.start(address, false)),
            Pending::Handler(address) | Pending::Start(address) => {
                record(self.trap(address, false, false));
            }
            Pending::Target(address) => {
                let is_marked = self.is_reported;
                if !is_marked {
                    record(self.last());
                }
                // Behind a return that was reported, a decoder would not know that it was not inferred.
                let is_failed = std::mem::take(&mut self.is_failed);
                let mark = match is_marked {
                    true => 1 + u64::from(is_failed),
                    false if self.depth_bits > 0 => BEHIND_JUMP,
                    false => 0,
                };
                record(self.trap(address, false, false).after_idle(mark));
                self.pending = Pending::Start(handler);
            }
        }
        self.is_reported = false;
    }

    /// Ends the trace, or a part of it.
    pub fn flush(&mut self, record: &mut impl FnMut(Word)) {
        let word = match self.pending {
            Pending::Reset if self.has_run => self.start(self.program_counter, false).after_idle(1),
            Pending::Ended if self.has_run => self.start(self.program_counter, false),
            Pending::Nothing if !self.is_reported => self.last(),
            Pending::Nothing | Pending::Reset | Pending::Ended => {
                Word { alone: true, ..Word::default() }
            }
            Pending::First(address) => self.start(address, false),
            Pending::Handler(address) | Pending::Start(address) => self.trap(address, false, false),
            Pending::Target(address) => self.target(address, Ending::Unfollowed),
        };
        record(word.ending());
        self.pending = Pending::Ended;
        // A start or a trap comes next, and forgets the rest.
        self.has_run = false;
        self.forget();
    }

    /// A branch that no payload has yet.
    fn branch(&mut self, event: &Event, record: &mut impl FnMut(Word)) {
        let word = match self.branches.step(event.taken, self.is_predicted) {
            Step::Collected => return,
            Step::FullCount => self.report(event.program_counter, Ending::Notified, None, None),
            Step::FullMap => Word::full_map(self.branches.map().1),
            Step::Failed(count) => self.extensions.count(count),
        };
        record(word);
        self.branches.clear();
        // It ends at this branch, as an address would.
        self.is_reported = true;
    }

    /// A start at an address.
    fn start(&mut self, address: u64, taken: bool) -> Word {
        self.passes = 0;
        self.last_address = address;
        Word::start(address >> self.alignment, self.address_bits, taken)
    }

    /// A trap, to or instead of its handler.
    fn trap(&mut self, address: u64, handler: bool, taken: bool) -> Word {
        self.passes = 0;
        self.last_address = address;
        let (units, cause_bits) = (address >> self.alignment, self.cause_bits);
        let word = Word::trap(units, self.address_bits, cause_bits, handler, taken);
        word.after_idle(std::mem::take(&mut self.is_marked).into())
    }

    /// The address of the last instruction.
    fn last(&mut self) -> Word {
        let passes = self.passes;
        let (address, depth) = (self.program_counter, self.last_depth);
        self.report(address, Ending::Plain, depth, None).after_idle(passes)
    }

    /// The target of a jump.
    fn target(&mut self, address: u64, ending: Ending) -> Word {
        let is_failed = std::mem::take(&mut self.is_failed);
        let passes = if is_failed { self.passes } else { 0 };
        let depth = is_failed.then(|| self.stack.depth());
        let index = self.targets.keep(address >> self.alignment);
        // An index goes without the bits that say more of an address.
        let index = index.filter(|_| ending == Ending::Plain && depth.is_none());
        self.report(address, ending, depth, index).after_idle(passes)
    }

    /// An address, with the branches before it; its place in the jump target cache instead, unless that is longer.
    fn report(
        &mut self,
        address: u64,
        ending: Ending,
        depth: Option<u64>,
        index: Option<u64>,
    ) -> Word {
        let difference = address.wrapping_sub(self.last_address) >> self.alignment;
        let depth = depth.map(|depth| Depth { depth, bits: self.depth_bits });
        let (width, map, extensions) = (self.address_bits, self.branches.map(), self.extensions);
        let word = match (self.branches.counted(), index) {
            (Some(count), _) => extensions.counted(difference, width, count, ending, depth),
            (None, None) => Word::report(difference, width, map, ending, depth),
            (None, Some(index)) => {
                let plain = Word::report(difference, width, map, ending, depth);
                let index = extensions.index(index, map);
                if index.bytes <= plain.bytes { index } else { plain }
            }
        };
        self.last_address = address;
        self.passes = 0;
        self.has_returned = false;
        self.branches.clear();
        word
    }
}
