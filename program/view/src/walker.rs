//! Derives every retired instruction of an execution from its events and its code.

use std::sync::Arc;

use tracewright_sim::code::{Branch, Code, CurrentCode};
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::program::Place;

use crate::blocks::{BlockIndex, Blocks, ProgramCounters};
use crate::error::{Contradiction, Impossible};

/// The step of a thread that one event describes.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The number of the event, from 0.
    pub index: u64,
    /// The event.
    pub event: Event,
    /// The block whose first `event.instructions` instructions retired; `None` if no instruction did.
    pub block: Option<BlockIndex>,
    /// The number of the program.
    pub program: usize,
    /// The block at which the thread continues.
    pub next: BlockIndex,
    /// Number of instructions that the thread retired before.
    pub before: u64,
    /// True for the first event of a thread, also after a reset.
    pub is_first: bool,
    /// True for the instructions after the last event that is known: `event` has their number and nothing else of its
    /// own.
    pub is_trailing: bool,
    /// The address to which the flow had led when an exception came: what was attempted there did not retire, or an
    /// interrupt came before it. `None` for all other events, for a system call that retired, and where the flow is
    /// not known.
    pub exception_at: Option<u64>,
}

/// Follows events through code.
///
/// A trace says where each of its threads begins by a taken exception before any instruction. Thread 0 of a trace that
/// does not begins at the entry. The only thread of a trace with contexts may go on in another program.
#[derive(Debug)]
pub struct Walker {
    blocks: Blocks,
    threads: Vec<Thread>,
    /// The number of the program at hand.
    program: usize,
    /// Where each program begins.
    entries: Vec<Option<u64>>,
    events: u64,
}

#[derive(Clone, Debug)]
struct Thread {
    /// The block at which it continues; `None` before its first event.
    block: Option<BlockIndex>,
    instructions: u64,
    /// False before its first event.
    is_begun: bool,
    /// The number of the thread's previous event since the last gap.
    last: Option<(u64, Event)>,
    /// The code as the thread finds it, if it changes, and the number of the thread's events.
    code: Option<(CurrentCode, u64)>,
}

impl Walker {
    /// A walker at the beginning of a trace of `code`.
    pub fn new(code: Arc<dyn Code>, entry: Option<u64>) -> Self {
        Self::of_programs([(code, entry)])
    }

    /// A walker at the beginning of a trace of several programs, each with its entry, in the first one.
    pub fn of_programs(programs: impl IntoIterator<Item = (Arc<dyn Code>, Option<u64>)>) -> Self {
        let (code, entries): (Vec<_>, Vec<_>) = programs.into_iter().unzip();
        Self { blocks: Blocks::new(code), threads: Vec::new(), program: 0, entries, events: 0 }
    }

    /// Goes back to the beginning, with the blocks that are known: another run of the same programs follows.
    pub fn restart(&mut self) {
        self.threads.clear();
        (self.program, self.events) = (0, 0);
    }

    /// Goes on in a program, by its number, at the address that the only thread has reached.
    pub fn go_on_in(&mut self, program: usize) {
        if program == self.program {
            return;
        }
        self.program = program;
        if let Some(Thread { block: Some(block), .. }) = self.threads.first_mut() {
            let address = self.blocks.get(*block).start;
            *block = self.blocks.at(program, address);
        }
    }

    /// The number of the program at hand.
    pub fn program(&self) -> usize {
        self.program
    }

    /// The block at which the only thread goes on, if that is known.
    pub fn next(&self) -> Option<BlockIndex> {
        self.threads.first()?.block
    }

    /// Where the program at hand begins.
    fn entry(&self) -> Option<u64> {
        self.entries.get(self.program).copied().flatten()
    }

    /// The blocks that were reached so far.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Events of this run so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// The addresses of the instructions that were retired in a step.
    #[inline]
    pub fn program_counters(&self, step: &Step) -> ProgramCounters<'_> {
        let of = |block| self.blocks.program_counters(block, step.event.instructions);
        step.block.map_or_else(ProgramCounters::none, of)
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// When the code cannot produce the event; later events are not valid then.
    #[inline]
    pub fn step(&mut self, event: &Event) -> Result<Step, Box<Contradiction>> {
        let place = usize::from(event.thread);
        if place >= self.threads.len() {
            self.begin(place);
        }
        let program = self.program;
        let thread = &self.threads[place];
        let (known, before) = (thread.block, thread.instructions);
        let is_first = !thread.is_begun;
        let is_exception = event.kind == Kind::Exception && event.taken;
        let block = match known {
            _ if event.instructions == 0 => None,
            Some(block) => Some(block),
            None => match self.first_block(place) {
                Some(block) => Some(block),
                None => {
                    return Err(self.fail(event, Impossible::Beginning { thread: event.thread }));
                }
            },
        };
        if let Some(block) = block
            && let Some(impossible) = self.impossible(block, event)
        {
            return Err(self.fail(event, impossible));
        }
        if block.is_none() && !is_exception {
            return Err(self.fail(event, Impossible::Nothing));
        }
        let exception_at = self.exception_at(event, block, known);
        let next = self.next_block(place, event, block);
        let thread = &mut self.threads[place];
        let (index, event, is_trailing) = (self.events, *event, false);
        let step = Step {
            index,
            event,
            block,
            program,
            next,
            before,
            is_first,
            is_trailing,
            exception_at,
        };
        thread.block = Some(next);
        thread.is_begun = true;
        thread.instructions += event.instructions;
        thread.last = Some((self.events, event));
        self.events += 1;
        Ok(step)
    }

    /// The block at which the thread goes on after an event.
    #[inline]
    fn next_block(&mut self, place: usize, event: &Event, block: Option<BlockIndex>) -> BlockIndex {
        let is_exception = event.kind == Kind::Exception && event.taken;
        match (block, &mut self.threads[place].code) {
            (block, Some((code, events))) => {
                *events += 1;
                code.next(*events);
                match block {
                    Some(block) if !event.taken => {
                        let address = self.blocks.get(block).next;
                        self.blocks.next_in(block, address, code)
                    }
                    Some(block) if !is_exception => self.blocks.next_in(block, event.target, code),
                    _ => self.blocks.at_in(event.target, code),
                }
            }
            (Some(block), None) if event.taken && !is_exception => {
                self.blocks.jump(block, event.target)
            }
            (Some(block), None) if !event.taken => self.blocks.after(block),
            _ => self.blocks.at(self.program, event.target),
        }
    }

    /// The block at the entry point, where the first thread begins.
    fn first_block(&mut self, place: usize) -> Option<BlockIndex> {
        let entry = self.entry().filter(|_| place == 0)?;
        Some(match &self.threads[place].code {
            Some((code, _)) => self.blocks.at_in(entry, code),
            None => self.blocks.at(self.program, entry),
        })
    }

    /// Where an exception came that is no system call: after the instructions of its block, or at the beginning of the
    /// `known` one if none of them has retired.
    fn exception_at(
        &self,
        event: &Event,
        block: Option<BlockIndex>,
        known: Option<BlockIndex>,
    ) -> Option<u64> {
        let is_system_call = block.is_some_and(|block| {
            let block = self.blocks.get(block);
            block.branch.is_some() && event.instructions == block.instructions
        });
        if event.kind != Kind::Exception || !event.taken || is_system_call {
            return None;
        }
        match block {
            Some(block) => Some(self.blocks.behind(block, event.instructions)),
            None => known.map(|block| self.blocks.get(block).start),
        }
    }

    /// Takes the instructions of the only thread after its last event, at the end or before a gap; `None` if there are
    /// none, or where they begin is not known.
    pub fn trail(&mut self, instructions: u64) -> Option<Step> {
        if instructions == 0 {
            return None;
        }
        if self.threads.is_empty() {
            self.begin(0);
        }
        let block = match (self.threads[0].block, self.entry()) {
            (Some(block), _) => block,
            (None, Some(entry)) => self.at(entry),
            (None, None) => return None,
        };
        // They go on without a branch, so they are of one block.
        let instructions = instructions.min(self.blocks.get(block).instructions);
        let program_counter = self.blocks.point(block, instructions)?;
        let event = Event::straight_run(instructions, program_counter);
        let next = self.at(self.blocks.behind(block, instructions));
        let thread = &mut self.threads[0];
        let (before, is_first) = (thread.instructions, !thread.is_begun);
        thread.instructions += instructions;
        (thread.block, thread.is_begun) = (Some(next), true);
        let (index, block) = (self.events, Some(block));
        let (program, is_trailing, exception_at) = (self.program, true, None);
        Some(Step {
            index,
            event,
            block,
            program,
            next,
            before,
            is_first,
            is_trailing,
            exception_at,
        })
    }

    /// Continues at another place, after a part of the execution of the only thread that is not known.
    pub fn gap(&mut self, goes_on: Option<Place>) {
        if self.threads.is_empty() {
            self.begin(0);
        }
        let block = match goes_on {
            None | Some(Place::Start(_)) => None,
            Some(Place::At(address)) => Some(self.at(address)),
            Some(Place::After(address)) => {
                let block = self.at(address);
                Some(self.at(self.blocks.behind(block, 1)))
            }
        };
        let thread = &mut self.threads[0];
        thread.is_begun = block.is_some();
        (thread.block, thread.last) = (block, None);
    }

    /// The block at an address, as thread 0 finds it.
    fn at(&mut self, address: u64) -> BlockIndex {
        match &self.threads[0].code {
            Some((code, _)) => self.blocks.at_in(address, code),
            None => self.blocks.at(self.program, address),
        }
    }

    /// Adds the threads up to this one.
    #[cold]
    fn begin(&mut self, place: usize) {
        for number in self.threads.len()..=place {
            let code = self.blocks.changing(self.program, number as u8).map(|code| (code, 0));
            let (block, last) = (None, None);
            self.threads.push(Thread { block, instructions: 0, is_begun: false, last, code });
        }
    }

    /// The reason why the instructions of an event cannot be the first ones of a block, if there is one.
    #[inline]
    fn impossible(&self, index: BlockIndex, event: &Event) -> Option<Impossible> {
        let block = self.blocks.get(index);
        let is_end = event.instructions == block.instructions;
        if is_end
            && let Some(Branch { kind, target, .. }) = block.branch
            && kind == event.kind
            && block.program_counter == event.program_counter
        {
            let is_direct = matches!(kind, Kind::DirectJump | Kind::DirectConditional);
            let wrong = is_direct && event.taken && target != event.target;
            return wrong.then_some(Impossible::Target { target });
        }
        // An exception can come between any two instructions, but not instead of an event.
        let is_between = event.kind == Kind::Exception
            && event.taken
            && event.instructions <= block.instructions
            && !(is_end && block.branch.is_some());
        if is_between && self.blocks.point(index, event.instructions) == Some(event.program_counter)
        {
            return None;
        }
        Some(Impossible::Block(*block))
    }

    #[cold]
    fn fail(&self, event: &Event, impossible: Impossible) -> Box<Contradiction> {
        let before = self.threads.get(usize::from(event.thread)).and_then(|thread| thread.last);
        Box::new(Contradiction { index: self.events, event: *event, before, impossible })
    }
}
