//! What is recorded of the blocks, and when.

use super::config::Config;
use super::config::SYNC_HALF_BITS;
use super::layout::{HISTORY_FULL, REQUESTED, Word};
use super::repeats::{Branch, Repeats};
use crate::config::mask;
use crate::configuration::Configuration;
use crate::e_trace::return_stack::ReturnStack;
use crate::event::{Event, Kind};

/// Decides what is recorded.
#[derive(Clone, Debug)]
pub struct RecordFormer {
    unit_shift: u32,
    least_units: u64,
    reads_lengths: bool,
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
    /// How long it is, in units.
    last_units: u64,
    /// Where the code begins that is not counted, in units.
    from: u64,
    /// The code since the last message, in units.
    count: u64,
    /// Outcomes after a first 1, the newest lowest.
    history: u64,
    /// The last address in a message.
    last_address: u64,
    stack: ReturnStack,
    repeats: Option<Box<Repeats>>,
    switches: bool,
    tells_state: bool,
    /// The next block that is taken has a message with a synchronisation.
    is_requested: bool,
    /// Blocks were lost, and the trace has not begun since then.
    is_overrun: bool,
    /// In what the execution goes on, as messages of ownership say it.
    state: u64,
    /// The last one that was sent.
    told: u64,
    /// When the last block retired.
    time: u64,
    /// The time of the last message that has one.
    told_time: u64,
    time_mask: u64,
}

impl RecordFormer {
    /// The registers as reset leaves them.
    pub fn new(config: &Config) -> Self {
        Self {
            unit_shift: config.unit_shift(),
            least_units: config.least_units(),
            reads_lengths: config.reads_lengths(),
            count_bits: config.count_bits,
            address_mask: mask(config.address_bits()),
            history_bits: config.history_bits,
            has_history: config.branch_history,
            is_known: false,
            has_run: false,
            program_counter: 0,
            last_units: config.least_units(),
            from: 0,
            count: 0,
            history: 1,
            last_address: 0,
            stack: ReturnStack::new(config.return_stack_entries),
            repeats: config.counts_repeats().then(|| Box::new(Repeats::new(config))),
            switches: config.switches(),
            tells_state: config.tells_state(),
            is_requested: false,
            is_overrun: false,
            state: config.process(&config.protocol.reset_state()),
            told: 0,
            time: 0,
            told_time: 0,
            time_mask: mask(config.time_bits()),
        }
    }

    /// The execution goes on in another state.
    pub fn pass(&mut self, state: u64) {
        self.state = state;
    }

    /// The last block has retired at this time.
    pub fn retire_at(&mut self, time: u64) {
        self.time = time & self.time_mask;
    }

    /// The time that a message says: the whole one, or how much later it is than in the last message.
    fn stamp(&mut self, is_whole: bool) -> u64 {
        let before = std::mem::replace(&mut self.told_time, self.time);
        if is_whole { self.time } else { self.time.wrapping_sub(before) & self.time_mask }
    }

    /// Asks for a synchronisation after the next block that is taken; nothing is done if the trace begins before that.
    pub fn request(&mut self) {
        self.is_requested = self.switches;
    }

    /// Forgets what was not sent.
    pub fn discard(&mut self) {
        self.flush(&mut |_| {});
        (self.is_requested, self.is_overrun, self.told_time) = (false, false, 0);
    }

    /// Blocks are lost: what has retired is told as at an end, and then that there is a loss.
    pub fn lose(&mut self, record: &mut impl FnMut(Word)) {
        let word = self.end(record);
        record(Word { ends: true, error: true, ..word });
        self.is_overrun = true;
    }

    /// An event, with the instructions before it; the execution goes on in the state `after`.
    #[inline]
    pub fn event(&mut self, event: &Event, after: u64, record: &mut impl FnMut(Word)) {
        if event.kind == Kind::Exception && !event.taken {
            if event.instructions > 0 {
                (self.has_run, self.program_counter) = (true, event.program_counter);
                self.last_units = self.units(event);
            }
            return;
        }
        let has_run = std::mem::take(&mut self.has_run) || event.instructions > 0;
        if !has_run && !self.is_known {
            self.state = after;
            self.begin(event.target >> self.unit_shift, true, record);
            self.own(record);
            return;
        }
        let address = event.program_counter >> self.unit_shift;
        if !self.is_known {
            self.begin(address, false, record);
            self.own(record);
        }
        self.state = after;
        // The instruction before an exception that comes after none is the last one of the run.
        let units = if event.instructions > 0 { self.units(event) } else { self.last_units };
        if has_run {
            self.add(address, units, record);
        }
        self.follow(event, address.wrapping_add(units), record);
    }

    /// The length of an event's instruction in units, as far as the pins say it.
    #[inline]
    fn units(&self, event: &Event) -> u64 {
        if event.call || self.reads_lengths {
            u64::from(event.length) >> self.unit_shift
        } else {
            self.least_units
        }
    }

    /// What an event does, whose code is counted; `after` is the address after it.
    #[inline]
    fn follow(&mut self, event: &Event, after: u64, record: &mut impl FnMut(Word)) {
        if self.has_history && event.kind.is_conditional() {
            self.history = self.history << 1 | u64::from(event.taken);
        }
        let target = event.target >> self.unit_shift;
        let next = if event.taken { target } else { after };
        let is_inferred = self.infers(event, after << self.unit_shift);
        self.from = next & self.address_mask;
        let requested = self.is_requested && event.taken;
        let is_jump = event.kind.is_indirect() && event.taken && (!is_inferred || requested);
        // With a history an indirect branch tells where a direct one leads too.
        let tells_direct = requested && self.has_history;
        if is_jump || tells_direct || event.kind == Kind::Exception {
            self.indirect(target, event.kind == Kind::Exception, record);
        } else if !self.has_history {
            if requested {
                self.synchronise(target, record);
            } else if event.kind == Kind::DirectConditional && event.taken {
                self.direct(record);
            }
        } else if self.history >> self.history_bits != 0 {
            let history = std::mem::replace(&mut self.history, 1);
            if let Some(repeats) = &mut self.repeats {
                repeats.history(history, record);
                return;
            }
            let (code, time) = (HISTORY_FULL, self.stamp(false));
            record(Word { full: true, code, history, stamps: true, time, ..Word::default() });
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
            self.end_repeats(record);
            record(Word { overflows: true, upper, ..Word::default() });
        }
    }

    /// A direct branch that is taken.
    fn direct(&mut self, record: &mut impl FnMut(Word)) {
        let count = std::mem::take(&mut self.count);
        let branch = Branch { target: None, count, history: 1 };
        if !self.repeats.as_mut().is_some_and(|repeats| repeats.counts(branch, record)) {
            let time = self.stamp(false);
            record(Word { direct: true, count, stamps: true, time, ..Word::default() });
        }
    }

    /// A direct branch or jump with a synchronisation.
    fn synchronise(&mut self, target: u64, record: &mut impl FnMut(Word)) {
        self.end_repeats(record);
        (self.is_requested, self.last_address) = (false, target);
        record(Word {
            indirect: true,
            requested_direct: true,
            sync_low: 0,
            sync_high: REQUESTED & mask(SYNC_HALF_BITS),
            branch_type: REQUESTED >> SYNC_HALF_BITS,
            count: std::mem::take(&mut self.count),
            address: target,
            stamps: true,
            time: self.stamp(true),
            ..Word::default()
        });
        self.stack.clear();
        self.own(record);
    }

    /// An indirect branch, or an exception.
    fn indirect(&mut self, target: u64, is_exception: bool, record: &mut impl FnMut(Word)) {
        let (count, history) =
            (std::mem::take(&mut self.count), std::mem::replace(&mut self.history, 1));
        let requested = std::mem::take(&mut self.is_requested);
        // The standard has the state after every synchronisation.
        let owns = self.tells_state && (requested || self.told != self.state);
        if let Some(repeats) = &mut self.repeats {
            if is_exception || requested || owns {
                repeats.end(record);
            } else if repeats.counts(Branch { target: Some(target), count, history }, record) {
                return;
            }
        }
        let last_address = std::mem::replace(&mut self.last_address, target);
        record(Word {
            indirect: true,
            plain: !requested,
            requested,
            sync_low: if requested { REQUESTED & mask(SYNC_HALF_BITS) } else { 0 },
            sync_high: if requested { REQUESTED >> SYNC_HALF_BITS } else { 0 },
            sends_history: true,
            branch_type: is_exception.into(),
            count,
            address: if requested { target } else { target ^ last_address },
            history,
            stamps: true,
            time: self.stamp(requested),
            ..Word::default()
        });
        if requested {
            self.stack.clear();
        }
        if owns {
            self.own(record);
        }
    }

    /// Says in what the execution goes on.
    fn own(&mut self, record: &mut impl FnMut(Word)) {
        if self.tells_state {
            self.told = self.state;
            record(Word { owns: true, owner: self.state, ..Word::default() });
        }
    }

    /// A message is due after which nothing comes again.
    fn end_repeats(&mut self, record: &mut impl FnMut(Word)) {
        if let Some(repeats) = &mut self.repeats {
            repeats.end(record);
        }
    }

    /// The trace begins, where an exception leads to or at an instruction that retires.
    fn begin(&mut self, address: u64, starts: bool, record: &mut impl FnMut(Word)) {
        (self.is_known, self.from, self.last_address) = (true, address, address);
        self.is_requested = false;
        let overruns = std::mem::take(&mut self.is_overrun);
        let time = self.stamp(true);
        let word = Word { synchronises: true, overruns, address, time, ..Word::default() };
        record(Word { starts: starts && !overruns, resumes: !starts && !overruns, ..word });
    }

    /// Ends the trace, or a part of it.
    pub fn flush(&mut self, record: &mut impl FnMut(Word)) {
        let word = self.end(record);
        record(Word { flush: true, ends: true, ..word });
    }

    /// What is told at an end.
    fn end(&mut self, record: &mut impl FnMut(Word)) -> Word {
        if std::mem::take(&mut self.has_run) {
            let address = self.program_counter >> self.unit_shift;
            if !self.is_known {
                self.begin(address, false, record);
            }
            self.add(address, self.last_units, record);
        }
        self.end_repeats(record);
        self.is_known = false;
        self.stack.clear();
        Word {
            sends_history: true,
            count: std::mem::take(&mut self.count),
            history: std::mem::replace(&mut self.history, 1),
            stamps: true,
            time: self.stamp(false),
            ..Word::default()
        }
    }
}
