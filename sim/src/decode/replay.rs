//! Following a program along a trace: what every decoder does between its records.
//!
//! A decoder knows from its records which way each branch went; [`Replay`] keeps the place in the
//! program, makes the events, and counts what has retired.

use super::error::DecodeError;
use super::field_reader::FieldError;
use super::summary::Summary;
use crate::code::CurrentCode;
use crate::event::{Event, Kind};
use crate::program::{Block, BlockIndex, Place, Program};

mod changing_code;

/// A place in a program that moves on as instructions retire.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    program: &'a Program,
    thread: u8,
    place: Place,
    /// The block at hand with its number, looked up once; `None` where no code is known.
    at: Option<(BlockIndex, &'a Block)>,
    /// Instructions of the current block that have retired.
    consumed: u64,
    /// Where an exception of 0 instructions would be.
    last_program_counter: Option<u64>,
    /// Events and instructions so far; the records are the decoder's to count.
    pub summary: Summary,
    /// Where the record at hand begins, for errors.
    pub position: u64,
    most_instructions: u64,
    /// The code at hand, if it changes.
    code: Option<CurrentCode>,
    /// The event at which it changes next, counted from where this replay starts.
    next_change: u64,
    /// Events of the thread before this replay starts.
    events_before: u64,
    /// True if the replay starts where a trace says, and not where the program does.
    is_placed: bool,
}

impl<'a> Replay<'a> {
    /// At the start of `thread` in `program`.
    pub fn new(program: &'a Program, thread: u8) -> Self {
        let place = Place::Start(thread);
        let code = program.changing(thread);
        let mut replay = Self {
            program,
            thread,
            place,
            at: None,
            consumed: 0,
            last_program_counter: None,
            summary: Summary::default(),
            position: 0,
            most_instructions: u64::MAX,
            next_change: code.as_ref().map_or(u64::MAX, CurrentCode::next_change),
            code,
            events_before: 0,
            is_placed: false,
        };
        replay.at = replay.block_at(place);
        replay
    }

    /// Goes on at a place of another program, whose code does not change; `begins` is the same place where that program
    /// finds it. What has retired since the last event is no longer counted.
    pub fn go_on_in(&mut self, program: &'a Program, place: Place, begins: Place) {
        (self.program, self.place, self.consumed) = (program, place, 0);
        self.at = self.block_at(begins);
    }

    /// The block that starts at a place, in the code at hand.
    fn block_at(&self, place: Place) -> Option<(BlockIndex, &'a Block)> {
        let index = match &self.code {
            None => self.program.block_at(place),
            Some(code) => {
                let address = self.program.changing_address(place, code)?;
                self.program.changing_block(address, code)
            }
        };
        index.map(|index| (index, self.program.block(index)))
    }

    /// Refuses to replay more than `instructions`, so that a damaged trace ends.
    pub fn limit(&mut self, instructions: u64) {
        self.most_instructions = instructions;
    }

    /// The block at hand, `None` where no code is known.
    #[inline]
    pub fn block(&self) -> Option<&'a Block> {
        self.at.map(|(_, block)| block)
    }

    /// The block at hand.
    ///
    /// # Errors
    /// Where no code is known.
    #[inline]
    pub fn known_block(&self) -> Result<&'a Block, DecodeError> {
        self.block().ok_or_else(|| self.no_code())
    }

    #[cold]
    #[inline(never)]
    fn no_code(&self) -> DecodeError {
        self.impossible(format!("no code is known at {}", self.place))
    }

    /// Instructions of the block at hand that have retired.
    #[inline]
    pub fn consumed(&self) -> u64 {
        self.consumed
    }

    /// The program that is followed.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// Where the block at hand begins.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Retires instructions inside the block at hand, its end left undecided.
    #[inline]
    pub fn consume(&mut self, instructions: u64) {
        self.consumed += instructions;
    }

    /// The address of the last event.
    pub fn last_program_counter(&self) -> Option<u64> {
        self.last_program_counter
    }

    /// Retires the instructions of the block at hand up to that at an address; false, and nothing is done, if it is not
    /// known to be ahead in the block.
    pub fn reach(&mut self, address: u64) -> bool {
        let Some((index, _)) = self.at else { return false };
        let found = self.program.count_to(index, self.consumed, address);
        self.consumed = found.unwrap_or(self.consumed);
        found.is_some()
    }

    /// Retires the instructions of the block at hand up to that which ends before an address; false, and nothing is done, if
    /// none is known to do so ahead in the block.
    pub fn reach_end(&mut self, address: u64) -> bool {
        let Some((index, _)) = self.at else { return false };
        let found = self.program.count_before(index, self.consumed, address);
        self.consumed = found.unwrap_or(self.consumed);
        found.is_some()
    }

    /// Follows the program for `instructions` with no branch taken but direct jumps, and leaves the
    /// last instruction undecided if it may change the flow; true if it may.
    ///
    /// # Errors
    /// Where the program cannot do that, or `emit` fails.
    pub fn advance<E: From<DecodeError>>(
        &mut self,
        instructions: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut left = instructions;
        loop {
            if left == 0 {
                return Ok(self.is_at_end());
            }
            self.pass(emit)?;
            let rest = self.known_block()?.instructions - self.consumed;
            if rest == 0 {
                let what = format!(
                    "no code is known {} instructions on from {}",
                    self.consumed, self.place
                );
                return Err(self.impossible(what).into());
            }
            let step = left.min(rest);
            self.consumed += step;
            left -= step;
        }
    }

    /// True where the last instruction of the block at hand has retired and is not decided.
    pub fn is_at_end(&self) -> bool {
        self.block().is_some_and(|block| block.is_complete && self.consumed == block.instructions)
    }

    /// Decides an undecided last instruction: a direct jump goes, anything else comes straight back.
    ///
    /// # Errors
    /// When it is an indirect jump, whose target nobody said, or `emit` fails.
    pub fn pass<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.is_at_end() {
            return Ok(());
        }
        let block = self.known_block()?;
        match block.kind {
            Kind::DirectJump => self.end_block(true, block.target, emit).map(|_| ()),
            Kind::IndirectJump => {
                let what =
                    format!("the indirect jump at {:#x} has no target", block.program_counter);
                Err(self.impossible(what).into())
            }
            _ => self.end_block(false, 0, emit).map(|_| ()),
        }
    }

    /// Ends the block at hand; `target` is 0 unless `taken`. Returns the event.
    ///
    /// # Errors
    /// Where the program cannot do that, or `emit` fails.
    // Always in line: an event is then not copied from one place to the other.
    #[inline(always)]
    pub fn end_block<E: From<DecodeError>>(
        &mut self,
        taken: bool,
        target: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<Event, E> {
        let (index, block) = self.at.ok_or_else(|| self.no_code())?;
        let event = Event {
            instructions: block.instructions,
            program_counter: block.program_counter,
            target,
            kind: block.kind,
            call: block.call,
            is_return: block.is_return,
            taken,
            length: block.length,
            thread: self.thread,
        };
        self.place = if taken { Place::At(target) } else { Place::After(block.program_counter) };
        self.at = if self.code.is_some() {
            self.changing_successor(index, taken.then_some(target))
        } else if taken && block.kind.is_indirect() {
            self.block_at(self.place)
        } else {
            self.program.successor(block, taken)
        };
        // A learned program knows where a branch led; code says it, even to where there is no code.
        if taken && self.at.is_none() && !block.kind.is_indirect() && !self.program.is_code() {
            return Err(self.never_taken(block).into());
        }
        self.emit(event, emit)?;
        Ok(event)
    }

    /// The address of the instruction after which an exception would be now.
    ///
    /// # Errors
    /// Where the program was never seen to have one there.
    pub fn exception_program_counter(&self) -> Result<u64, DecodeError> {
        let known = self.at.and_then(|(index, _)| self.program.point(index, self.consumed));
        let last = self.last_program_counter.filter(|_| self.consumed == 0);
        // The reset that a trace may begin with comes after no instruction; a learned program has seen it. The
        // instruction before a packet is not in the packet.
        let is_first = self.consumed == 0 && self.summary.events == 0;
        let reset = (is_first && (self.program.is_code() || self.is_placed)).then_some(0);
        known.or(last).or(reset).ok_or_else(|| {
            let what = format!("no instruction is known {} after {}", self.consumed, self.place);
            self.impossible(what)
        })
    }

    /// An exception after what has retired of the block at hand.
    ///
    /// # Errors
    /// Where the program was never seen to have one there, or `emit` fails.
    pub fn exception<E: From<DecodeError>>(
        &mut self,
        target: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let program_counter = self.exception_program_counter()?;
        self.place = Place::At(target);
        self.at = self.block_at(self.place);
        let event = Event {
            thread: self.thread,
            ..Event::exception(self.consumed, program_counter, target)
        };
        self.emit(event, emit)
    }

    /// Decides an undecided branch before an exception or a flush; a system call stays undecided.
    ///
    /// # Errors
    /// Those of [`pass`](Self::pass).
    pub fn finish_branch<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let at_call = self.block().is_some_and(|block| block.kind == Kind::Exception);
        if at_call { Ok(()) } else { self.pass(emit) }
    }

    /// A system call right before a flush has retired and came back; true if there was one.
    ///
    /// # Errors
    /// When `emit` fails.
    pub fn finish_system_call<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        let at_call = self.is_at_end() && self.block().is_some_and(|b| b.kind == Kind::Exception);
        if at_call {
            self.end_block(false, 0, emit)?;
            // A system call that traps is one taken exception: none can follow one that came back.
            self.last_program_counter = None;
        }
        Ok(at_call)
    }

    /// The end of the trace: what has retired of the block at hand has no event.
    ///
    /// # Errors
    /// When that is more than was traced.
    pub fn finish(&mut self) -> Result<Summary, DecodeError> {
        self.summary.trailing_instructions = self.consumed;
        self.retire(self.consumed)?;
        Ok(self.summary)
    }

    #[inline(always)]
    fn emit<E: From<DecodeError>>(
        &mut self,
        event: Event,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.consumed = 0;
        self.last_program_counter = Some(event.program_counter);
        self.summary.events += 1;
        if self.summary.events >= self.next_change {
            self.change();
        }
        self.retire(event.instructions)?;
        emit(event)
    }

    #[cold]
    #[inline(never)]
    fn never_taken(&self, block: &Block) -> DecodeError {
        let what = format!("the branch at {:#x} was never seen taken", block.program_counter);
        self.impossible(what)
    }

    /// Counts retired instructions.
    #[inline]
    fn retire(&mut self, instructions: u64) -> Result<(), DecodeError> {
        let total = self.summary.instructions.checked_add(instructions);
        self.summary.instructions = total.unwrap_or(u64::MAX);
        if total.is_none_or(|total| total > self.most_instructions) {
            return Err(self.too_many());
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn too_many(&self) -> DecodeError {
        let most = self.most_instructions;
        self.impossible(format!("more than the {most} instructions that were traced"))
    }

    /// The error of a field that cannot be read.
    #[cold]
    #[inline(never)]
    pub fn field(&self, source: impl Into<FieldError>) -> DecodeError {
        DecodeError::Field {
            record: self.summary.records,
            position: self.position,
            source: source.into(),
        }
    }

    /// The error of a record that the program cannot follow.
    #[cold]
    #[inline(never)]
    pub fn impossible(&self, mut what: String) -> DecodeError {
        if let Some(last) = self.last_program_counter {
            what += &format!(" (after event {}, at {last:#x})", self.summary.events);
        }
        DecodeError::Impossible { record: self.summary.records, position: self.position, what }
    }
}
