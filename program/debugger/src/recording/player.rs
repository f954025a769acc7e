//! Goes to any place of a recording.

use tracewright_view::Step;
use tracewright_view::blocks::BlockIndex;
use tracewright_view::calls::{Calls, OpenCall};

use super::log::Entry;
use super::state::{Moment, Place};
use super::{Recording, Unseen};
use crate::error::Error;

/// Events between two moments that are remembered.
const MARK_EVENTS: u64 = 1 << 11;

/// A place in the log.
#[derive(Clone, Debug)]
pub(super) struct Cursor {
    /// The chunk.
    pub(super) chunk: usize,
    /// The offset in its log.
    pub(super) at: usize,
    /// Where the execution is there.
    pub(super) moment: Moment,
}

/// The instruction that retires next.
#[derive(Clone, Copy, Debug)]
pub struct Here {
    /// The step that it is of; `None` at the end of the recording.
    pub step: Option<Step>,
    /// Instructions of the step that retired before.
    pub before: u64,
    /// The number of its thread or context.
    pub number: usize,
}

/// A recording, and a place in it that can be moved.
#[derive(Debug)]
pub struct Player {
    recording: Recording,
    /// The log of one chunk.
    log: Vec<u8>,
    /// The number of that chunk.
    loaded: Option<usize>,
    /// Before the event of the instruction at hand.
    cursor: Cursor,
    /// Places before the cursor in its chunk.
    marks: Vec<Cursor>,
    here: Here,
    /// The instructions before the one at hand.
    position: u64,
}

impl Player {
    /// A player at the beginning of a recording.
    ///
    /// # Errors
    /// When the recording cannot be read.
    pub fn new(recording: Recording) -> Result<Player, Error> {
        let moment = Moment::beginning(Some(Calls::default()));
        let mut player = Player {
            recording,
            log: Vec::new(),
            loaded: None,
            cursor: Cursor { chunk: 0, at: 0, moment },
            marks: Vec::new(),
            here: Here { step: None, before: 0, number: 0 },
            position: 0,
        };
        player.go_to(0)?;
        Ok(player)
    }

    /// The recording.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// The instructions before the one at hand, over all threads.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The instruction at hand.
    pub fn here(&self) -> &Here {
        &self.here
    }

    /// The number of the event at hand.
    pub fn event(&self) -> u64 {
        self.cursor.moment.events
    }

    /// Where a thread is; `None` before it begins.
    pub fn place(&self, number: usize) -> Option<&Place> {
        let place = self.cursor.moment.places.get(number)?;
        (number == self.here.number || place.events > 0).then_some(place)
    }

    /// The threads that have begun.
    pub fn numbers(&self) -> Vec<usize> {
        let places = self.cursor.moment.places.len().max(self.here.number + 1);
        (0..places).filter(|number| self.place(*number).is_some()).collect()
    }

    /// The address of the next instruction of a thread, if it is known.
    pub fn program_counter(&self, number: usize) -> Option<u64> {
        if number == self.here.number
            && let Some(Step { block: Some(block), event, .. }) = self.here.step
        {
            let mut addresses = self.recording.blocks().program_counters(block, event.instructions);
            return addresses.nth(self.here.before as usize);
        }
        self.place(number)?.address
    }

    /// The block with the next instruction of a thread, and how many of its instructions retired.
    fn block_of(&self, number: usize) -> Option<(BlockIndex, u64)> {
        match self.here.step {
            Some(Step { block: Some(block), .. }) if number == self.here.number => {
                Some((block, self.here.before))
            }
            _ => Some((self.place(number)?.block?, 0)),
        }
    }

    /// The open calls of a thread, the innermost first.
    pub fn open_calls(&mut self, number: usize) -> Vec<OpenCall> {
        let block = self.block_of(number);
        let Some(calls) = &self.cursor.moment.calls else { return Vec::new() };
        let mut calls = calls.clone();
        if let Some((block, before)) = block {
            let Recording { walker, names, .. } = &mut self.recording;
            let blocks = walker.blocks();
            // The calls are those of the next instruction: a jump leads to another function when that one begins.
            let instructions = (before + 1).min(blocks.get(block).instructions);
            if instructions > 0 {
                let step = beginning_of(block, blocks.get(block).program, instructions);
                calls.step(blocks, names, (number, &step), &mut Unseen);
            }
        }
        calls.open(number).rev().collect()
    }

    /// Goes to the instruction before which so many have retired; to the end if there are no more.
    ///
    /// # Errors
    /// When the recording cannot be read.
    pub fn go_to(&mut self, position: u64) -> Result<(), Error> {
        let position = position.min(self.recording.instructions);
        let chunk = self.recording.chunk_of(position);
        let is_ahead = self.cursor.chunk == chunk
            && self.loaded == Some(chunk)
            && self.cursor.moment.instructions <= position
            && self.cursor.moment.calls.is_some();
        if !is_ahead {
            self.come_near(chunk, position)?;
        }
        loop {
            let is_last = self.cursor.chunk + 1 >= self.recording.chunks.len();
            if let Some((step, number)) = self.approach(position) {
                let before = position - self.cursor.moment.instructions;
                self.here = Here { step: Some(step), before, number };
                break;
            }
            if is_last {
                self.here = Here { step: None, before: 0, number: self.cursor.moment.current };
                break;
            }
            let next = self.cursor.chunk + 1;
            self.load(next)?;
            self.cursor.chunk = next;
            self.cursor.at = 0;
            self.marks.clear();
        }
        self.position = position;
        Ok(())
    }

    /// Takes the place at or before a position from which the least is to be followed.
    fn come_near(&mut self, chunk: usize, position: u64) -> Result<(), Error> {
        let is_before = |mark: &&Cursor| mark.moment.instructions <= position;
        if self.loaded == Some(chunk)
            && let Some(mark) = self.marks.iter().rev().find(is_before)
        {
            let cursor = mark.clone();
            self.marks.retain(|mark| mark.at <= cursor.at);
            self.cursor = cursor;
            return Ok(());
        }
        let chunks = &self.recording.chunks;
        let first = (0..=chunk).rev().find(|place| chunks[*place].calls.is_some()).unwrap_or(0);
        let begin = &chunks[first];
        let calls = begin.calls.clone().or_else(|| Some(Calls::default()));
        let moment = Moment { calls, ..begin.begin.clone() };
        self.cursor = Cursor { chunk: first, at: 0, moment };
        self.marks.clear();
        self.load(first)
    }

    pub(super) fn load(&mut self, chunk: usize) -> Result<(), Error> {
        if self.loaded != Some(chunk) {
            self.log = self.recording.chunks[chunk].log()?;
            self.loaded = Some(chunk);
            self.marks.clear();
        }
        Ok(())
    }

    /// Follows the log of the chunk up to the event with the instruction at a position; `None` at its end. Gives the
    /// step of that event and its thread.
    fn approach(&mut self, position: u64) -> Option<(Step, usize)> {
        let Self { recording, log, cursor, marks, .. } = self;
        loop {
            let mut at = cursor.at;
            let entry = Entry::read(log, &mut at)?;
            if let Entry::Event(number) = entry {
                let from = cursor.moment.here().block;
                let step = recording.edges.step(from, number)?;
                if cursor.moment.instructions + step.event.instructions > position {
                    return Some((*step, cursor.moment.current));
                }
                let events = cursor.moment.events;
                if events.is_multiple_of(MARK_EVENTS)
                    && marks.last().is_none_or(|mark| mark.moment.events < events)
                {
                    marks.push(cursor.clone());
                }
            }
            recording.apply(&mut cursor.moment, entry);
            cursor.at = at;
        }
    }

    pub(super) fn log_of(&self, chunk: usize) -> &[u8] {
        if self.loaded == Some(chunk) { &self.log } else { &[] }
    }
}

/// The first instructions of a block as a step.
fn beginning_of(block: BlockIndex, program: usize, instructions: u64) -> Step {
    Step {
        index: 0,
        event: tracewright_sim::event::Event::straight_run(instructions, 0),
        block: Some(block),
        program,
        next: block,
        before: 0,
        is_first: false,
        is_trailing: false,
        exception_at: None,
    }
}

impl Recording {
    /// The chunk with the instruction at a position.
    pub(super) fn chunk_of(&self, position: u64) -> usize {
        let begins_before = |chunk: &super::Chunk| chunk.begin.instructions <= position;
        self.chunks.partition_point(begins_before).saturating_sub(1)
    }

    /// Takes an entry of the log.
    #[inline]
    pub(super) fn apply(&mut self, moment: &mut Moment, entry: Entry) {
        let Recording { walker, names, edges, jumps, .. } = self;
        let blocks = walker.blocks();
        match entry {
            Entry::Event(number) => {
                if let Some(step) = edges.step(moment.here().block, number) {
                    moment.step(blocks, names, step);
                }
            }
            Entry::Thread(number) => moment.enter(number as usize),
            Entry::Context(number) => {
                if let Some(jump) = jumps.get(number as usize) {
                    moment.context(blocks, names, jump);
                }
            }
            Entry::Gap(number) => {
                if let Some(jump) = jumps.get(number as usize) {
                    moment.gap(blocks, jump);
                }
            }
        }
    }
}
