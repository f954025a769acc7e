//! Moments of an execution, with the calls that are open there.

use std::collections::VecDeque;

use tracewright_sim::event::Kind;

use super::{Hit, MOST_FRAMES, Span};
use crate::names::FunctionIndex;
use crate::walker::Step;

/// A frame of the stack at a moment: a function that was entered and not left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackFrame {
    /// The function.
    pub function: FunctionIndex,
    /// The address of the instruction that led to it, if it is known.
    pub site: Option<u64>,
}

/// An instruction of an execution.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The number of the instruction, counted from 0 over all threads.
    pub instruction: u64,
    /// The number of the event whose instructions it is one of, counted from 0.
    pub event: u64,
    /// The thread, or the number of the context.
    pub thread: usize,
    /// The number of the program.
    pub program: usize,
    /// The address of the instruction.
    pub address: u64,
    /// The open calls, from the outermost on, at most 200 of them.
    pub calls: Vec<StackFrame>,
    /// Open calls further out.
    pub left_out: usize,
    /// The functions that the compiler put into the innermost one there, from the outermost.
    pub inlined: Vec<FunctionIndex>,
}

/// A taken branch or exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// The number of its instruction, counted from 0 over all threads; for an exception, of the instruction before it.
    pub instruction: u64,
    /// Its address.
    pub address: u64,
    /// Where it led.
    pub target: u64,
    /// Its kind.
    pub kind: Kind,
    /// The number of the program.
    pub program: usize,
}

/// The number of an instruction, over all threads and in its thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    over_all: u64,
    of_thread: u64,
}

/// What is open in a thread.
#[derive(Debug)]
pub(super) struct Thread {
    pub frames: Vec<StackFrame>,
    /// Instructions of the steps before.
    pub instructions: u64,
    /// The lines that the last instruction was of.
    lines: Vec<usize>,
    /// Where the open span of each pair began.
    open: Vec<Option<Number>>,
    jumps: VecDeque<Jump>,
}

impl Thread {
    pub fn new(pairs: usize) -> Self {
        Self {
            frames: Vec::new(),
            instructions: 0,
            lines: Vec::new(),
            open: vec![None; pairs],
            jumps: VecDeque::new(),
        }
    }

    pub fn is_in(&self, place: usize) -> bool {
        self.lines.contains(&place)
    }

    pub fn set_in(&mut self, place: usize, is_in: bool) {
        self.lines.retain(|line| *line != place);
        if is_in {
            self.lines.push(place);
        }
    }

    /// Begins a span, unless one is open.
    pub fn open(&mut self, pair: usize, at: Number) {
        self.open[pair].get_or_insert(at);
    }

    /// Ends a span, if one is open.
    pub fn close(&mut self, pair: usize, thread: usize, at: Number) -> Option<Span> {
        let from = self.open[pair].take()?;
        let instructions = at.of_thread - from.of_thread;
        Some(Span { instructions, from: from.over_all, to: at.over_all, thread })
    }

    /// Keeps the branch of a step, if it was taken, and drops the oldest one of more than `most`.
    pub fn jumped(&mut self, step: &Step, before: u64, most: usize) {
        let event = &step.event;
        if !event.taken || step.is_first || most == 0 {
            return;
        }
        if self.jumps.len() == most {
            self.jumps.pop_front();
        }
        let instruction = (before + event.instructions).saturating_sub(1);
        self.jumps.push_back(Jump {
            instruction,
            address: event.program_counter,
            target: event.target,
            kind: event.kind,
            program: step.program,
        });
    }

    pub fn jumps(&self) -> Vec<Jump> {
        self.jumps.iter().copied().collect()
    }
}

/// The step at hand.
#[derive(Debug, Default)]
pub(super) struct Current {
    /// Instructions of all threads before it.
    before: u64,
    event: u64,
    program: usize,
    /// Its instructions that were observed.
    ran: u64,
}

impl Current {
    pub fn begin(&mut self, step: &Step) {
        self.event = step.index;
        self.program = step.program;
        self.ran = 0;
    }

    pub fn end(&mut self, step: &Step) {
        self.before += step.event.instructions;
    }

    /// Instructions of all threads before the step.
    pub fn instructions(&self) -> u64 {
        self.before
    }

    /// Takes in that instructions were observed; gives how many of the step were.
    pub fn run(&mut self, instructions: u64) -> u64 {
        self.ran += instructions;
        self.ran
    }

    /// The number of an instruction of the step, if `instructions` of the thread were before the step.
    pub fn place_in(&self, instructions: u64, hit: &Hit) -> Number {
        Number { over_all: self.before + hit.offset, of_thread: instructions + hit.offset }
    }

    pub fn moment(
        &self,
        number: usize,
        thread: &Thread,
        hit: &Hit,
        inlined: &[FunctionIndex],
    ) -> Moment {
        let left_out = thread.frames.len().saturating_sub(MOST_FRAMES);
        Moment {
            instruction: self.before + hit.offset,
            event: self.event,
            thread: number,
            program: self.program,
            address: hit.address,
            calls: thread.frames[left_out..].to_vec(),
            left_out,
            inlined: inlined.to_vec(),
        }
    }
}
