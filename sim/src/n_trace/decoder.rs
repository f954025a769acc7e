//! The decoder: trace bits and the program in, events out.

use std::collections::VecDeque;
use std::io::Read;

use super::config::Config;
use super::record_reader::{Message, RecordReader};
use crate::config::mask;
use crate::configuration::Configuration;
use crate::decode::error::DecodeError;
use crate::decode::field_reader::FieldReader;
use crate::decode::record_decoder::RecordDecoder;
use crate::decode::replay::Replay;
use crate::e_trace::return_stack::ReturnStack;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::{Event, Kind};
use crate::parameter::ParameterError;
use crate::program::{Block, Program};

/// What comes after the code that a message counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// A direct branch that is taken.
    Taken,
    /// An indirect branch to an address.
    Jump(u64),
    /// An exception, or the end of the trace.
    Anything,
}

/// Replays a program along a trace of N-Trace.
#[derive(Clone)]
pub struct Decoder<'a> {
    replay: Replay<'a>,
    records: RecordReader,
    unit_shift: u32,
    least_units: u64,
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
        })
    }

    fn impossible(&self, what: &str) -> DecodeError {
        self.replay.impossible(what.into())
    }

    /// Units of the instruction that ends a block.
    fn units(&self, block: &Block) -> u64 {
        if block.call { u64::from(block.length) >> self.unit_shift } else { self.least_units }
    }

    /// Code up to the end of a block.
    fn code_of(&self, block: &Block) -> i128 {
        let run = (block.program_counter >> self.unit_shift).wrapping_sub(self.from);
        i128::from(run & self.address_mask) + i128::from(self.units(block))
    }

    fn add_history(&mut self, history: u64) {
        let branches = history.checked_ilog2().unwrap_or(0);
        self.outcomes.extend((0..branches).rev().map(|place| history >> place & 1 == 1));
    }

    /// Ends a block that has neither a jump nor a branch. A damaged trace may lead to a ring of such blocks.
    fn fall_through<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.straight_blocks += 1;
        if self.straight_blocks > self.replay.program().most_blocks() {
            return Err(self.impossible("no jump is ever reached").into());
        }
        self.replay.end_block(false, 0, emit)?;
        Ok(())
    }

    /// Ends the block at hand, which goes to `target` if that is `Some`.
    fn end_block<E: From<DecodeError>>(
        &mut self,
        target: Option<u64>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let block = self.replay.known_block()?;
        let Some(steps) = self.most_steps.checked_sub(1) else {
            return Err(self.impossible("more code than was counted").into());
        };
        (self.most_steps, self.straight_blocks, self.reached) = (steps, 0, None);
        self.ahead -= self.code_of(block);
        let after = (block.program_counter >> self.unit_shift).wrapping_add(self.units(block));
        let event = self.replay.end_block(target.is_some(), target.unwrap_or(0), emit)?;
        let next = target.map_or(after, |target| target >> self.unit_shift);
        self.from = next & self.address_mask;
        match (event.call && event.taken, event.is_return && event.taken) {
            (true, true) => self.stack.clear(),
            (true, false) => self.stack.push((after & self.address_mask) << self.unit_shift),
            (false, true) if self.stack.depth() > 0 => self.stack.pop(),
            (false, _) => {}
        }
        Ok(())
    }

    /// Ends the block at hand as the program, the outcomes and the stack say.
    fn step<E: From<DecodeError>>(
        &mut self,
        is_last: bool,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let block = self.replay.known_block()?;
        let at = block.program_counter;
        if !block.is_complete {
            let what = format!("no code is known after {}", self.replay.place());
            return Err(self.replay.impossible(what).into());
        }
        let is_return = block.is_return && !block.call;
        let target = match block.kind {
            Kind::Exception => return self.fall_through(emit),
            Kind::DirectJump => Some(block.target),
            Kind::IndirectJump => match self.stack.top().filter(|_| is_return) {
                Some(target) => Some(target),
                None => {
                    let what = format!("the target of the jump at {at:#x} was not sent");
                    return Err(self.replay.impossible(what).into());
                }
            },
            Kind::DirectConditional | Kind::IndirectConditional => {
                let taken = match self.has_history {
                    true => self.outcomes.pop_front(),
                    false => Some(is_last),
                };
                match (taken, block.kind) {
                    (Some(true), Kind::DirectConditional) => Some(block.target),
                    (Some(false), _) => None,
                    _ => {
                        let what = format!("nothing says where the branch at {at:#x} goes");
                        return Err(self.replay.impossible(what).into());
                    }
                }
            }
        };
        self.end_block(target, emit)
    }

    /// True if the block at hand ends in the indirect branch that a message tells, once all code before it is followed.
    fn is_goal(&mut self, block: &Block) -> bool {
        let is_taken = match block.kind {
            Kind::IndirectJump => self.outcomes.is_empty(),
            // Without histories the branch is taken because it has a target.
            Kind::IndirectConditional => {
                !self.has_history || self.outcomes.len() == 1 && self.outcomes[0]
            }
            _ => false,
        };
        is_taken && block.is_complete && self.ahead == self.code_of(block)
    }

    /// Follows the program over so much code, with these outcomes.
    fn follow<E: From<DecodeError>>(
        &mut self,
        (count, history): (u64, u64),
        goal: Goal,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.ahead += i128::from(count);
        self.add_history(history);
        while self.ahead != 0 {
            let block = self.replay.known_block()?;
            let code = self.code_of(block);
            if let Goal::Jump(target) = goal
                && self.is_goal(block)
            {
                self.outcomes.clear();
                self.end_block(Some(target), emit)?;
                break;
            }
            let ends = block.kind == Kind::Exception && self.ahead == code;
            if !block.is_complete || self.ahead < code || ends && goal == Goal::Anything {
                self.stop(goal, emit)?;
                break;
            }
            let is_last = goal == Goal::Taken && self.ahead == code;
            if is_last && block.kind != Kind::DirectConditional {
                return Err(self.impossible("no branch is where one is taken").into());
            }
            self.step(is_last, emit)?;
            if self.ahead == 0 && matches!(goal, Goal::Jump(_)) {
                return Err(self.impossible("no indirect branch is where one was").into());
            }
        }
        if self.ahead != 0 || !self.outcomes.is_empty() {
            return Err(self.impossible("more branches were sent than have retired").into());
        }
        self.most_steps = 1 << self.count_bits;
        Ok(())
    }

    /// Stops in the middle of a block, after the code that is left.
    fn stop<E: From<DecodeError>>(
        &mut self,
        goal: Goal,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let last = self.ahead - i128::from(self.least_units);
        if goal != Goal::Anything || last < 0 {
            return Err(self.impossible("the code ends in the middle of a block").into());
        }
        let address = self.from.wrapping_add(last as u64) & self.address_mask;
        if self.reached != Some(address) {
            self.reach(address, emit)?;
        }
        self.ahead = 0;
        Ok(())
    }

    /// Follows a straight run to an instruction.
    fn reach<E: From<DecodeError>>(
        &mut self,
        address: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let at = address << self.unit_shift;
        while !self.replay.reach(at) {
            let block = self.replay.known_block()?;
            if block.kind != Kind::Exception || !block.is_complete {
                let what = format!("{at:#x} is not reached from {}", self.replay.place());
                return Err(self.replay.impossible(what).into());
            }
            self.fall_through(emit)?;
        }
        Ok(())
    }

    /// Follows the program up to the last branch of a full history.
    fn decide<E: From<DecodeError>>(
        &mut self,
        history: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.add_history(history);
        while !self.outcomes.is_empty() {
            self.step(false, emit)?;
        }
        Ok(())
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

    fn message<E: From<DecodeError>>(
        &mut self,
        message: Message,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        match message {
            Message::Start { is_target, address } => {
                (self.is_known, self.address, self.from) = (true, address, address);
                self.most_steps = 1 << self.count_bits;
                if is_target {
                    self.except(address, emit)?;
                } else {
                    self.reach(address, emit)?;
                    self.reached = Some(address);
                }
            }
            Message::CountFull { times } => {
                self.ahead += i128::from(times) << self.count_bits;
                self.most_steps += 2 << self.count_bits;
            }
            Message::HistoryFull(history) => self.decide(history, emit)?,
            Message::Direct(count) => self.follow((count, 1), Goal::Taken, emit)?,
            Message::Indirect { is_exception, count, address, history } => {
                self.address ^= address;
                let address = self.address;
                if is_exception {
                    self.follow((count, history), Goal::Anything, emit)?;
                    self.except(address, emit)?;
                } else {
                    let target = Goal::Jump(address << self.unit_shift);
                    self.follow((count, history), target, emit)?;
                }
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
        let Some(message) = read.map_err(|source| self.replay.field(source))? else {
            return Err(self.impossible("a message that no encoder sends").into());
        };
        let is_allowed = match message {
            Message::Start { .. } => !self.is_known,
            Message::End { count: 0, history: 1 } => true,
            _ => self.is_known,
        };
        if !is_allowed {
            return Err(self.impossible("a message that cannot follow the one before").into());
        }
        self.replay.summary.records += 1;
        self.message(message, emit)
    }

    fn replay(&mut self) -> &mut Replay<'a> {
        &mut self.replay
    }

    fn word_bits(&self) -> u32 {
        self.word_bits
    }
}
