//! Makes a recording of the events of a trace.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tracewright_sim::code::Code;
use tracewright_sim::event::{Event, ExecutionState, Kind};
use tracewright_sim::packet::part;
use tracewright_view::blocks::BlockIndex;
use tracewright_view::calls::Calls;
use tracewright_view::names::Names;
use tracewright_view::{Error as ViewError, OfContext, Step, Walker};

use super::chunk::Chunk;
use super::edges::Edges;
use super::log::Entry;
use super::state::Moment;
use super::{Gap, Jump, Recording, Stack};
use crate::error::Error;

/// Events in a chunk: the open calls of so many are followed in some milliseconds.
const CHUNK_EVENTS: u64 = 1 << 17;

/// The most bytes of the open calls at the beginnings of chunks.
const CALLS_BYTES: usize = 1 << 28;

/// The most beginnings of blocks with system calls that are kept.
const MOST_SYSTEM_CALLS: usize = 15;

/// Takes events in the order of a trace.
#[derive(Debug)]
pub struct Recorder {
    recording: Recording,
    moment: Moment,
    /// The contexts by number, if the trace has them.
    contexts: Option<FxHashMap<u64, usize>>,
    numbers_of_jumps: FxHashMap<Jump, u32>,
    last: Option<Step>,
    begin: Moment,
    log: Vec<u8>,
    visited: Vec<BlockIndex>,
    /// The chunk in which each block ran last, from 1.
    seen: Vec<u32>,
    numbers: u64,
    /// Every so many chunks have their calls.
    stride: usize,
    size_of_calls: usize,
}

impl Recorder {
    /// Starts at the beginning of an execution of programs, the first of which is that of all contexts that have none
    /// of their own. `has_contexts` is true if the trace says in which context the execution goes on.
    pub fn new(programs: &[OfContext], has_contexts: bool) -> Self {
        let code = programs.iter().map(|program| {
            let code: Arc<dyn Code> = program.image.clone();
            (code, Some(program.entry))
        });
        let moment = Moment::beginning(Some(Calls::default()));
        let recording = Recording {
            walker: Walker::of_programs(code),
            names: Names::new(programs.iter().map(|program| program.image.clone())),
            programs: programs.to_vec(),
            edges: Edges::default(),
            jumps: Vec::new(),
            stacks: vec![Stack { program: 0, context: None }],
            gaps: Vec::new(),
            system_calls: Vec::new(),
            chunks: Vec::new(),
            events: 0,
            instructions: 0,
        };
        let mut recorder = Self {
            recording,
            begin: moment.clone(),
            moment,
            contexts: has_contexts.then(FxHashMap::default),
            numbers_of_jumps: FxHashMap::default(),
            last: None,
            log: Vec::new(),
            visited: Vec::new(),
            seen: Vec::new(),
            numbers: 0,
            stride: 1,
            size_of_calls: 0,
        };
        if has_contexts {
            recorder.recording.stacks.clear();
            let (_, program) = recorder.number_of(0);
            recorder.recording.walker.go_on_in(program);
        }
        recorder
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// When the program cannot produce it.
    #[inline]
    pub fn event(&mut self, event: &Event) -> Result<(), Error> {
        let number = match self.contexts {
            None => usize::from(event.thread),
            Some(_) => self.moment.current,
        };
        if number != self.moment.current {
            self.enter(number);
        }
        let step = self.recording.walker.step(event).map_err(ViewError::from)?;
        self.take(&step)
    }

    /// Takes in what the execution goes on.
    ///
    /// # Errors
    /// When the recording cannot be kept.
    pub fn state(&mut self, state: &ExecutionState) -> Result<(), Error> {
        if self.contexts.is_some() {
            let (to, program) = self.number_of(state.context);
            if to != self.moment.current {
                let left =
                    self.last.map(|last| last.exception_at.unwrap_or(last.event.program_counter));
                self.recording.walker.go_on_in(program);
                let jump = Jump { to, block: self.recording.walker.next(), left };
                Entry::Context(self.number_of_jump(jump)).write(&mut self.log);
                let Recording { walker, names, .. } = &mut self.recording;
                self.moment.context(walker.blocks(), names, &jump);
            }
        }
        Ok(())
    }

    /// Takes the instructions after the last event of the only thread, at the end of what is known.
    ///
    /// # Errors
    /// When the recording cannot be kept.
    pub fn trail(&mut self, instructions: u64) -> Result<(), Error> {
        match self.recording.walker.trail(instructions) {
            Some(step) => self.take(&step),
            None => Ok(()),
        }
    }

    /// Takes a part of the execution that is not known, after the instructions before it that have no event.
    ///
    /// # Errors
    /// When the recording cannot be kept.
    pub fn gap(&mut self, gap: &part::Gap) -> Result<(), Error> {
        self.trail(gap.trailing_instructions)?;
        let at = self.moment.instructions;
        self.recording.gaps.push(Gap { at, says: gap.reason.to_string() });
        let mut to = self.moment.current;
        self.recording.walker.gap(None);
        if self.contexts.is_some() {
            let (number, program) = self.number_of(gap.context);
            self.recording.walker.go_on_in(program);
            to = number;
        }
        self.recording.walker.gap(gap.goes_on);
        let jump = Jump { to, block: self.recording.walker.next(), left: None };
        Entry::Gap(self.number_of_jump(jump)).write(&mut self.log);
        self.moment.gap(self.recording.walker.blocks(), &jump);
        self.last = None;
        Ok(())
    }

    /// The recording.
    ///
    /// # Errors
    /// When no instruction retired, or it cannot be kept.
    pub fn finish(mut self) -> Result<Recording, Error> {
        if self.moment.instructions == 0 {
            return Err(Error::Empty);
        }
        self.end_chunk()?;
        self.recording.events = self.moment.events;
        self.recording.instructions = self.moment.instructions;
        Ok(self.recording)
    }

    /// The number of a context and of its program.
    fn number_of(&mut self, context: u64) -> (usize, usize) {
        let Recording { stacks, programs, .. } = &mut self.recording;
        let Some(contexts) = &mut self.contexts else { return (0, 0) };
        let number = *contexts.entry(context).or_insert_with(|| {
            let own = programs.iter().position(|program| program.context == Some(context));
            stacks.push(Stack { program: own.unwrap_or(0), context: Some(context) });
            stacks.len() - 1
        });
        (number, stacks[number].program)
    }

    fn number_of_jump(&mut self, jump: Jump) -> u32 {
        let jumps = &mut self.recording.jumps;
        *self.numbers_of_jumps.entry(jump).or_insert_with(|| {
            jumps.push(jump);
            jumps.len() as u32 - 1
        })
    }

    #[cold]
    fn enter(&mut self, number: usize) {
        let stacks = &mut self.recording.stacks;
        if number >= stacks.len() {
            stacks.resize(number + 1, Stack { program: 0, context: None });
        }
        Entry::Thread(number as u32).write(&mut self.log);
        self.moment.enter(number);
    }

    #[inline]
    fn take(&mut self, step: &Step) -> Result<(), Error> {
        let from = self.moment.here().block;
        Entry::Event(self.recording.edges.number(from, step)).write(&mut self.log);
        if let Some(block) = step.block {
            let chunk = self.recording.chunks.len() as u32 + 1;
            if block.place() >= self.seen.len() {
                self.seen.resize(self.recording.walker.blocks().len(), 0);
            }
            if self.seen[block.place()] != chunk {
                self.seen[block.place()] = chunk;
                self.visited.push(block);
            }
        }
        if step.event.kind == Kind::Exception && step.event.taken {
            self.note_system_call(step);
        }
        self.numbers |= 1 << (self.moment.current % 64);
        let Recording { walker, names, .. } = &mut self.recording;
        self.moment.step(walker.blocks(), names, step);
        self.last = Some(*step);
        match self.moment.events - self.begin.events >= CHUNK_EVENTS {
            true => self.end_chunk(),
            false => Ok(()),
        }
    }

    /// Keeps the beginning of a short block with a system call that leads elsewhere.
    #[cold]
    fn note_system_call(&mut self, step: &Step) {
        let Some(block) = step.block.map(|block| *self.recording.blocks().get(block)) else {
            return;
        };
        let start = block.start;
        let is_short = block.instructions <= 3 && block.branch.is_some();
        let known = &mut self.recording.system_calls;
        if is_short && step.event.instructions == block.instructions && !known.contains(&start) {
            known.truncate(MOST_SYSTEM_CALLS);
            known.push(start);
        }
    }

    #[cold]
    fn end_chunk(&mut self) -> Result<(), Error> {
        let visited = std::mem::take(&mut self.visited);
        let chunks = &mut self.recording.chunks;
        if !chunks.len().is_multiple_of(self.stride) {
            self.begin.calls = None;
        }
        let chunk = Chunk::new(&self.begin, &self.log, visited, self.numbers)?;
        self.size_of_calls += chunk.size_of_calls();
        chunks.push(chunk);
        if self.size_of_calls > CALLS_BYTES {
            self.stride *= 2;
            for (place, chunk) in chunks.iter_mut().enumerate() {
                if !place.is_multiple_of(self.stride) {
                    chunk.calls = None;
                }
            }
            self.size_of_calls = chunks.iter().map(Chunk::size_of_calls).sum();
        }
        self.begin = self.moment.clone();
        self.log.clear();
        self.numbers = 0;
        Ok(())
    }
}
