//! What is recorded of the blocks, and when.
//!
//! A payload with an address says too whether the instruction there is a taken branch, so an address that the trace
//! needs is sent with the first block that retires there.

use super::branch_count::{BranchCount, Step};
use super::calls::Calls;
use super::config::Config;
use super::extensions::Extensions;
use super::jump_target_cache::JumpTargetCache;
use super::layout::Word;
use super::payload::{BEHIND_JUMP, Depth, Ending, PRIVILEGE_BITS, TrapValue};
use super::resync::Resync;
use crate::event::{Event, Kind};

mod ends;

/// What the last block leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    /// Nothing: the program says where the next instruction is.
    Nothing,
    /// Nothing has retired since reset.
    Reset,
    /// The trace was ended, and goes on.
    Ended,
    /// The same, and it goes on here, where no instruction has retired.
    Entry(u64),
    /// A start at the first instruction after reset.
    First(u64),
    /// A trap, whose handler is here.
    Handler(u64),
    /// A start at the handler of an exception that the trace has.
    Start(u64),
    /// The address after a jump.
    Target(u64),
}

/// Where an event leads, in the bits of the trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct After {
    /// Privilege level and context.
    pub state: u64,
    /// The cause, if it is an exception.
    pub cause: u64,
    /// What the exception says beside it.
    pub trap_value: u64,
    /// When its block retired.
    pub time: u64,
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
    /// The trace is switched off and on, so no payload says that it begins where the program does.
    begins_anywhere: bool,
    /// A start was asked for.
    is_requested: bool,
    resync: Resync,
    /// A start is due, because it was asked for before the end of the last event, which may change the flow.
    is_due: bool,
    /// The last instruction is in the trace, and a start comes next.
    starts_next: bool,
    /// Privilege level and context in which the next block runs, as the trace says them.
    state: u64,
    /// What the last event leads to.
    after: After,
    /// The cause of the exception that is pending.
    cause: u64,
    /// What it says beside it.
    trap_value: u64,
    trap_value_bits: u32,
    /// Privilege level and context before it.
    interrupted: u64,
    /// Bits of time and context in the trace.
    told_bits: u32,
    /// Direct jumps and inferred returns since the last branch or address.
    passes: u64,
    most_passes: u64,
    last_address: u64,
    program_counter: u64,
    calls: Calls,
    targets: JumpTargetCache,
    extensions: Extensions,
}

impl RecordFormer {
    /// The registers as reset leaves them.
    pub fn new(config: &Config) -> Self {
        let begins_anywhere = config.protocol.switches_alone();
        Self {
            alignment: config.processor.alignment,
            address_bits: config.address_bits(),
            cause_bits: config.trap_cause_bits,
            pending: if begins_anywhere { Pending::Ended } else { Pending::Reset },
            has_run: false,
            is_reported: false,
            is_marked: false,
            branches: BranchCount::new(config),
            is_predicted: false,
            begins_anywhere,
            is_requested: false,
            resync: Resync::new(config),
            is_due: false,
            starts_next: false,
            state: config.reset_state(),
            after: After::default(),
            cause: 0,
            trap_value: 0,
            trap_value_bits: config.trap_value_bits(),
            interrupted: 0,
            told_bits: config.told_bits(),
            passes: 0,
            most_passes: config.most_passes(),
            last_address: 0,
            program_counter: 0,
            calls: Calls::new(config),
            targets: JumpTargetCache::new(config.jump_target_cache_entries),
            extensions: Extensions::new(config),
        }
    }

    /// An event, with the instructions before it.
    #[inline]
    pub fn event(&mut self, event: &Event, after: After, record: &mut impl FnMut(Word)) {
        self.settle(record);
        self.after = after;
        self.is_predicted = event.kind.is_conditional()
            && self.branches.learn(event.program_counter >> self.alignment, event.taken);
        let is_sent = self.arrive(event, record);
        if event.instructions > 0 {
            self.program_counter = event.program_counter;
            self.calls.retire(event);
        }
        let is_target = matches!(self.pending, Pending::Target(_));
        let is_inferred = self.calls.infers(event, is_target);
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
                self.is_reported = true;
            }
            Kind::DirectJump | Kind::IndirectJump => self.passes += 1,
            Kind::Exception if event.taken => self.exception(event.target, record),
            Kind::Exception => {}
        }
        if event.kind.is_indirect() && event.taken && !is_inferred {
            self.pending = Pending::Target(event.target);
        }
        self.calls.follow(event, is_inferred);
        if event.kind == Kind::Exception && event.taken {
            self.forget();
        }
        // An exception is told by a trap, which has the state, and a straight run goes on to an event that tells it.
        self.is_due = event.kind != Kind::Exception && self.starts_after();
        if event.kind != Kind::Exception {
            self.is_requested |= self.resync.pass();
        }
        if event.kind != Kind::Exception || event.taken {
            self.pass(after.state);
        }
    }

    /// A decoder of the standard forgets the stack and the tables with a start or a trap.
    fn forget(&mut self) {
        self.calls.forget();
        self.targets.clear();
        self.branches.forget();
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
        let (pending, starts_next) = (self.pending, std::mem::take(&mut self.starts_next));
        self.pending = Pending::Nothing;
        self.is_reported = is_single;
        match pending {
            Pending::Nothing if !starts_next => {
                self.is_reported = false;
                false
            }
            // The pins do not say where a block begins, so the trace starts at the first event.
            Pending::Nothing | Pending::Reset | Pending::Ended
                if event.kind == Kind::Exception && !event.taken =>
            {
                (self.pending, self.starts_next) = (pending, starts_next);
                self.is_reported = false;
                self.has_run = true;
                false
            }
            Pending::Nothing | Pending::Reset | Pending::Ended => {
                let is_marked = pending == Pending::Reset || std::mem::take(&mut self.is_marked);
                let word = self.start(event.program_counter, is_branch && event.taken);
                record(word.after_idle(is_marked.into()));
                self.is_reported = true;
                self.has_run = false;
                is_branch
            }
            Pending::First(address) => {
                record(self.first(address, is_there && event.taken));
                is_there
            }
            Pending::Start(address) | Pending::Entry(address) => {
                record(self.start(address, is_there && event.taken));
                is_there
            }
            Pending::Handler(address) => {
                record(self.trap(address, true, is_there && event.taken));
                is_there
            }
            Pending::Target(address) if starts_next => {
                let mark = std::mem::take(&mut self.is_marked).into();
                record(self.start(address, is_there && event.taken).after_idle(mark));
                is_there
            }
            Pending::Target(address) => {
                if is_there {
                    self.branches.add(event.taken, self.is_predicted);
                }
                // Else a decoder of the standard would take it for the last instruction, if it is on the way.
                let excepts = event.kind == Kind::Exception && event.taken;
                let synchronises = event.kind != Kind::Exception && self.starts_after();
                let is_last = is_single && (excepts || synchronises);
                let ending = if is_last { Ending::Unfollowed } else { Ending::Plain };
                record(self.target(address, ending));
                is_there
            }
        }
    }

    fn exception(&mut self, handler: u64, record: &mut impl FnMut(Word)) {
        let (pending, starts_next) = (self.pending, std::mem::take(&mut self.starts_next));
        self.pending = Pending::Handler(handler);
        match pending {
            Pending::Nothing if starts_next => {}
            Pending::Nothing if self.is_reported => self.is_marked = true,
            Pending::Nothing => record(self.last()),
            Pending::Reset => self.pending = Pending::First(handler),
            // A decoder of the standard knows no exception before the first instruction.
            Pending::Ended | Pending::Entry(_) if self.begins_anywhere => {
                self.pending = Pending::First(handler);
            }
            Pending::Ended | Pending::Entry(_) => {}
            Pending::First(address) => record(self.first(address, false)),
            Pending::Handler(address) | Pending::Start(address) => {
                record(self.trap(address, false, false));
            }
            Pending::Target(address) => {
                let is_marked = if starts_next {
                    std::mem::take(&mut self.is_marked)
                } else {
                    self.is_reported
                };
                if !is_marked && !starts_next {
                    record(self.last());
                }
                // After a return that was reported, a decoder would not know that it was not inferred.
                let is_failed = self.calls.take_failed();
                self.keep_cause();
                let mark = match is_marked {
                    true => 1 + u64::from(is_failed),
                    false if self.calls.has_stack() => BEHIND_JUMP,
                    false => 0,
                };
                record(self.trap(address, false, false).after_idle(mark));
                self.pending = Pending::Start(handler);
            }
        }
        self.is_reported = false;
        self.keep_cause();
    }

    /// Keeps why the exception at hand was taken, and from which state.
    fn keep_cause(&mut self) {
        let After { cause, trap_value, .. } = self.after;
        (self.cause, self.trap_value, self.interrupted) = (cause, trap_value, self.state);
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
        (self.passes, self.is_requested) = (0, false);
        self.last_address = address;
        let units = address >> self.alignment;
        let word = Word::start(units, self.address_bits, self.told_bits, taken);
        self.telling(self.state, word)
    }

    /// The same with a state, and the time.
    fn telling(&self, state: u64, word: Word) -> Word {
        let time = self.after.time;
        Word { level: state, context: state >> PRIVILEGE_BITS, time, ..word }
    }

    /// A trap, to or instead of its handler.
    fn trap(&mut self, address: u64, handler: bool, taken: bool) -> Word {
        (self.passes, self.is_requested) = (0, false);
        self.last_address = address;
        let (units, is_interrupt) = (address >> self.alignment, self.cause >> self.cause_bits != 0);
        let widths = (self.address_bits, self.cause_bits + self.told_bits);
        let value = TrapValue::new(self.trap_value, self.trap_value_bits, is_interrupt);
        let word = Word::trap(units, widths, value, handler, taken);
        // A change of level comes into force with the handler's first instruction.
        let level = if handler { self.state } else { self.interrupted };
        let word = self.telling(level, Word { cause: self.cause, ..word });
        word.after_idle(std::mem::take(&mut self.is_marked).into())
    }

    /// The address of the last instruction.
    fn last(&mut self) -> Word {
        let passes = self.passes;
        let (address, depth) = (self.program_counter, self.calls.last_depth());
        self.report(address, Ending::Plain, depth, None).after_idle(passes)
    }

    /// The target of a jump.
    fn target(&mut self, address: u64, ending: Ending) -> Word {
        let is_failed = self.calls.take_failed();
        let passes = if is_failed { self.passes } else { 0 };
        let depth = is_failed.then(|| self.calls.depth());
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
        depth: Option<Depth>,
        index: Option<u64>,
    ) -> Word {
        let difference = address.wrapping_sub(self.last_address) >> self.alignment;
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
        self.calls.report();
        self.branches.clear();
        word
    }
}
