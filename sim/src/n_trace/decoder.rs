//! The decoder: trace bits and the program in, events out.

mod follow;

use std::collections::VecDeque;
use std::io::Read;

use self::follow::{Goal, Reach};
use super::config::Config;
use super::layout::codes;
use super::record_reader::{Message, RecordReader};
use crate::config::mask;
use crate::configuration::Configuration;
use crate::decode::error::DecodeError;
use crate::decode::field_reader::FieldReader;
use crate::decode::record_decoder::RecordDecoder;
use crate::decode::replay::Replay;
use crate::e_trace::return_stack::ReturnStack;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::Event;
use crate::parameter::ParameterError;
use crate::program::Program;

/// Replays a program along a trace of N-Trace.
#[derive(Clone)]
pub struct Decoder<'a> {
    replay: Replay<'a>,
    records: RecordReader,
    unit_shift: u32,
    least_units: u64,
    reads_lengths: bool,
    count_bits: u32,
    address_mask: u64,
    word_bits: u32,
    has_history: bool,
    /// The trace has begun.
    is_known: bool,
    /// Outcomes of branches to come.
    outcomes: VecDeque<bool>,
    /// The last address in a message, in units.
    address: u64,
    /// Where the code begins that is not counted, in units.
    from: u64,
    /// The last instruction known to have retired, in units.
    reached: Option<u64>,
    /// Code that messages have counted before it was followed, less code that was followed before.
    ahead: i128,
    /// Blocks that may be followed before the counter of code is in a message.
    most_steps: u64,
    /// Blocks without a jump or a branch, one after the other.
    straight_blocks: usize,
    stack: ReturnStack,
    /// The last branch, if it was the last message: its code, its outcomes and where it leads.
    last: Option<(u64, u64, Goal)>,
    /// The time of the last message that has one.
    time: u64,
    time_mask: u64,
    /// The same, if the last message has one.
    stamp: Option<u64>,
}

impl<'a> Decoder<'a> {
    /// A decoder in the state in which reset leaves the hardware, for one thread of the program.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config, program: &'a Program, thread: u8) -> Result<Self, ParameterError> {
        config.validate()?;
        Ok(Self {
            replay: Replay::new(program, thread),
            records: RecordReader::new(config),
            unit_shift: config.unit_shift(),
            least_units: config.least_units(),
            reads_lengths: config.reads_lengths(),
            count_bits: config.count_bits,
            address_mask: mask(config.address_bits()),
            word_bits: config.port.word_bits(),
            has_history: config.branch_history,
            is_known: false,
            outcomes: VecDeque::new(),
            address: 0,
            from: 0,
            reached: None,
            ahead: 0,
            most_steps: 0,
            straight_blocks: 0,
            stack: ReturnStack::new(config.return_stack_entries),
            last: None,
            time: 0,
            time_mask: mask(config.time_bits()),
            stamp: None,
        })
    }

    fn impossible(&self, what: &str) -> DecodeError {
        self.replay.impossible(what.into())
    }

    /// An exception leads to an address, in units.
    fn except<E: From<DecodeError>>(
        &mut self,
        target: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        (self.from, self.reached, self.straight_blocks) = (target, None, 0);
        self.replay.exception(target << self.unit_shift, emit)
    }

    /// A branch, which may come again.
    fn branch<E: From<DecodeError>>(
        &mut self,
        (count, history, goal): (u64, u64, Goal),
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.last = Some((count, history, goal));
        self.follow((count, history), goal, emit)
    }

    /// A branch or jump to the last address in a message, with a synchronisation.
    fn synchronise<E: From<DecodeError>>(
        &mut self,
        counted: (u64, u64),
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.follow(counted, Goal::At(self.address << self.unit_shift), emit)?;
        self.stack.clear();
        Ok(())
    }

    /// What leads to the last address in a message.
    fn indirect<E: From<DecodeError>>(
        &mut self,
        (count, history): (u64, u64),
        is_exception: bool,
        synchronises: bool,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let address = self.address;
        if is_exception {
            self.follow((count, history), Goal::Anything, emit)?;
            self.except(address, emit)?;
            if synchronises {
                self.stack.clear();
            }
            return Ok(());
        }
        if synchronises {
            return self.synchronise((count, history), emit);
        }
        let target = Goal::Jump(address << self.unit_shift);
        self.branch((count, history, target), emit)
    }

    fn message<E: From<DecodeError>>(
        &mut self,
        message: Message,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        let last = self.last.take();
        match message {
            Message::Start { is_target, address } => {
                (self.is_known, self.address, self.from) = (true, address, address);
                self.most_steps = 1 << self.count_bits;
                if is_target {
                    self.except(address, emit)?;
                } else {
                    self.reach(Reach::At(address), emit)?;
                    self.reached = Some(address);
                }
            }
            Message::CountFull { times } => {
                self.ahead += i128::from(times) << self.count_bits;
                self.most_steps += 2 << self.count_bits;
            }
            Message::HistoryFull { history, times } => {
                for _ in 0..times {
                    self.decide(history, emit)?;
                }
            }
            Message::Direct { count, target: None } => {
                self.branch((count, 1, Goal::Taken), emit)?;
            }
            Message::Direct { count, target: Some(address) } => {
                self.address = address;
                self.synchronise((count, 1), emit)?;
            }
            Message::BranchAgain(times) => {
                let Some(branch) = last else {
                    return Err(self.impossible("no branch that could come again").into());
                };
                for _ in 0..times {
                    self.branch(branch, emit)?;
                }
            }
            Message::Ownership => {}
            Message::Error => {
                let (position, what) = (self.replay.position, "blocks were lost".into());
                return Err(DecodeError::Gap { position, what }.into());
            }
            Message::Indirect { is_exception, count, synchronises, address, history } => {
                self.address = if synchronises { address } else { self.address ^ address };
                self.indirect((count, history), is_exception, synchronises, emit)?;
            }
            Message::End { count, history } => {
                self.follow((count, history), Goal::Anything, emit)?;
                self.replay.finish_system_call(emit)?;
                (self.is_known, self.reached) = (false, None);
                self.stack.clear();
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl<'a> RecordDecoder<'a> for Decoder<'a> {
    fn record<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.replay.position = bits.position();
        let read = self.records.message(&mut FieldReader(bits));
        let Some((message, time)) = read.map_err(|source| self.replay.field(source))? else {
            return Err(self.impossible("a message that no encoder sends").into());
        };
        let is_allowed = match message {
            Message::Start { .. } | Message::Error => !self.is_known,
            Message::End { count: 0, history: 1 } => true,
            _ => self.is_known,
        };
        if !is_allowed {
            return Err(self.impossible("a message that cannot follow the one before").into());
        }
        self.replay.summary.records += 1;
        if let Some(time) = time {
            let before = if message.synchronises() { 0 } else { self.time };
            self.time = before.wrapping_add(time) & self.time_mask;
        }
        let ends = self.message(message, emit)?;
        self.stamp = time.map(|_| self.time);
        // Nothing is filled up before the message that says that blocks are lost.
        let next = if ends { bits.peek(8) } else { Ok(None) };
        let next = next.map_err(|source| self.replay.field(source))?;
        Ok(ends && next != Some(codes::ERROR << 2))
    }

    fn take_time(&mut self) -> Option<u64> {
        self.stamp.take()
    }

    fn replay(&mut self) -> &mut Replay<'a> {
        &mut self.replay
    }

    fn word_bits(&self) -> u32 {
        self.word_bits
    }
}
