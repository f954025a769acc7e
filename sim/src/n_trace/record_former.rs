//! What is recorded of the blocks, and when.

use super::config::Config;
use super::layout::{HISTORY_FULL, Word};
use crate::config::mask;
use crate::e_trace::return_stack::ReturnStack;
use crate::event::{Event, Kind};

/// Decides what is recorded.
#[derive(Clone, Debug)]
pub struct RecordFormer {
    unit_shift: u32,
    least_units: u64,
    count_bits: u32,
    address_mask: u64,
    history_bits: u32,
    has_history: bool,
    /// The trace has begun.
    is_known: bool,
    /// Instructions have retired since the last event that may change the flow.
    has_run: bool,
    /// Of the last of these.
    program_counter: u64,
    /// Where the code begins that is not counted, in units.
    from: u64,
    /// The code since the last message, in units.
    count: u64,
    /// Outcomes after a first 1, the newest lowest.
    history: u64,
    /// The last address in a message.
    last_address: u64,
    stack: ReturnStack,
}

impl RecordFormer {
    /// The registers as reset leaves them.
    pub fn new(config: &Config) -> Self {
        Self {
            unit_shift: config.unit_shift(),
            least_units: config.least_units(),
            count_bits: config.count_bits,
            address_mask: mask(config.address_bits()),
            history_bits: config.history_bits,
            has_history: config.branch_history,
            is_known: false,
            has_run: false,
            program_counter: 0,
            from: 0,
            count: 0,
            history: 1,
            last_address: 0,
            stack: ReturnStack::new(config.return_stack_entries),
        }
    }

    /// An event, with the instructions before it.
    #[inline]
    pub fn event(&mut self, event: &Event, record: &mut impl FnMut(Word)) {
        if event.kind == Kind::Exception && !event.taken {
            if event.instructions > 0 {
                (self.has_run, self.program_counter) = (true, event.program_counter);
            }
            return;
        }
        let has_run = std::mem::take(&mut self.has_run) || event.instructions > 0;
        if !has_run && !self.is_known {
            self.begin(event.target >> self.unit_shift, true, record);
            return;
        }
        let address = event.program_counter >> self.unit_shift;
        if !self.is_known {
            self.begin(address, false, record);
        }
        let units =
            if event.call { u64::from(event.length) >> self.unit_shift } else { self.least_units };
        if has_run {
            self.add(address, units, record);
        }
        self.follow(event, address.wrapping_add(units), record);
    }

    /// What an event does, whose code is counted; `after` is the address after it.
    #[inline]
    fn follow(&mut self, event: &Event, after: u64, record: &mut impl FnMut(Word)) {
        if event.kind.is_conditional() {
            self.history = self.history << 1 | u64::from(event.taken);
        }
        let target = event.target >> self.unit_shift;
        let next = if event.taken { target } else { after };
        let is_inferred = self.infers(event, after << self.unit_shift);
        self.from = next & self.address_mask;
        let is_jump = event.kind.is_indirect() && event.taken && !is_inferred;
        if is_jump || event.kind == Kind::Exception {
            self.indirect(target, event.kind == Kind::Exception, record);
        } else if !self.has_history {
            if event.kind == Kind::DirectConditional && event.taken {
                let count = std::mem::take(&mut self.count);
                record(Word { direct: true, count, ..Word::default() });
            }
        } else if self.history >> self.history_bits != 0 {
            let history = std::mem::replace(&mut self.history, 1);
            record(Word { full: true, code: HISTORY_FULL, history, ..Word::default() });
        }
    }

    /// Follows a call or a return on the stack; true if it is a return to the address on top.
    fn infers(&mut self, event: &Event, after: u64) -> bool {
        let Event { kind, target, call, is_return, taken, .. } = *event;
        if kind == Kind::Exception || !taken {
            return false;
        }
        let expected = self.stack.top().filter(|_| is_return);
        match (call, expected) {
            // A decoder that replaces the address on top knows more addresses, and never another one.
            (true, _) if is_return => self.stack.clear(),
            (true, _) => self.stack.push(after & self.address_mask << self.unit_shift),
            (false, Some(_)) => self.stack.pop(),
            (false, None) => {}
        }
        !call && kind == Kind::IndirectJump && expected == Some(target)
    }

    /// Counts the code up to an address, and the instruction there.
    fn add(&mut self, address: u64, units: u64, record: &mut impl FnMut(Word)) {
        let run = address.wrapping_sub(self.from) & self.address_mask;
        let sum = u128::from(self.count) + u128::from(run) + u128::from(units);
        self.count = sum as u64 & mask(self.count_bits);
        let upper = (sum >> self.count_bits) as u64;
        if upper > 0 {
            record(Word { overflows: true, upper, ..Word::default() });
        }
    }

    /// An indirect branch, or an exception.
    fn indirect(&mut self, target: u64, is_exception: bool, record: &mut impl FnMut(Word)) {
        record(Word {
            indirect: true,
            sends_history: true,
            branch_type: is_exception.into(),
            count: std::mem::take(&mut self.count),
            address: target ^ std::mem::replace(&mut self.last_address, target),
            history: std::mem::replace(&mut self.history, 1),
            ..Word::default()
        });
    }

    /// The trace begins, where an exception leads to or at an instruction that retires.
    fn begin(&mut self, address: u64, starts: bool, record: &mut impl FnMut(Word)) {
        (self.is_known, self.from, self.last_address) = (true, address, address);
        let word = Word { synchronises: true, address, ..Word::default() };
        record(Word { starts, resumes: !starts, ..word });
    }

    /// Ends the trace, or a part of it.
    pub fn flush(&mut self, record: &mut impl FnMut(Word)) {
        if std::mem::take(&mut self.has_run) {
            let address = self.program_counter >> self.unit_shift;
            if !self.is_known {
                self.begin(address, false, record);
            }
            self.add(address, self.least_units, record);
        }
        record(Word {
            flush: true,
            sends_history: true,
            count: std::mem::take(&mut self.count),
            history: std::mem::replace(&mut self.history, 1),
            ..Word::default()
        });
        self.is_known = false;
        self.stack.clear();
    }
}
