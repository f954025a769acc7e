//! What is recorded of the blocks, and when.
//!
//! A payload with an address says too whether the instruction there is a taken branch, so an address that the trace
//! needs is sent with the first block that retires there.

use super::config::Config;
use super::layout::Word;
use super::payload::{Ending, FULL_MAP, MOST_PASSES};
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
    branches: u32,
    map: u64,
    /// Direct jumps since the last branch or address.
    passes: u64,
    last_address: u64,
    program_counter: u64,
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
            branches: 0,
            map: 0,
            passes: 0,
            last_address: 0,
            program_counter: 0,
        }
    }

    /// An event, with the instructions before it.
    #[inline]
    pub fn event(&mut self, event: &Event, record: &mut impl FnMut(Word)) {
        let is_sent = self.arrive(event, record);
        if event.instructions > 0 {
            self.program_counter = event.program_counter;
        }
        match event.kind {
            Kind::DirectConditional | Kind::IndirectConditional => {
                if !is_sent {
                    self.branch(event.taken);
                }
                self.passes = 0;
                if self.branches == FULL_MAP {
                    record(Word::full_map(self.map));
                    self.clear_map();
                    // It ends at this branch, as an address would.
                    self.is_reported = true;
                }
            }
            Kind::DirectJump if self.passes == MOST_PASSES => {
                record(self.report(event.program_counter, Ending::Notified));
            }
            Kind::DirectJump => self.passes += 1,
            Kind::IndirectJump => {}
            Kind::Exception if event.taken => self.exception(event.target, record),
            Kind::Exception => {}
        }
        if event.kind.is_indirect() && event.taken {
            self.pending = Pending::Target(event.target);
        }
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
                    self.branch(event.taken);
                }
                record(self.report(address, Ending::Plain));
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
                if self.is_reported {
                    self.is_marked = true;
                } else {
                    record(self.last());
                }
                record(self.trap(address, false, false));
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
            Pending::Target(address) => self.report(address, Ending::Unfollowed),
        };
        record(word.ending());
        self.pending = Pending::Ended;
        // A start or a trap comes next, and forgets the rest.
        self.has_run = false;
    }

    fn branch(&mut self, taken: bool) {
        self.map |= u64::from(!taken) << self.branches;
        self.branches += 1;
    }

    fn clear_map(&mut self) {
        (self.branches, self.map) = (0, 0);
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
        self.report(self.program_counter, Ending::Plain).after_idle(passes)
    }

    /// An address, with the branches before it.
    fn report(&mut self, address: u64, ending: Ending) -> Word {
        let difference = address.wrapping_sub(self.last_address) >> self.alignment;
        let word = Word::report(difference, self.address_bits, self.branches, self.map, ending);
        self.last_address = address;
        self.passes = 0;
        self.clear_map();
        word
    }
}
