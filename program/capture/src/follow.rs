//! Derives the retired instructions from the blocks that ran.

use std::io::Write;

use tracewright_capture_plugin::wire::{Access as Entry, BLOCK_END, BlockDefinition, Register};
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::trace_io::{Extensions, Writer};

use crate::Error;
use crate::block::{Block, End};
use crate::changes::CodeHistory;
use crate::contexts::MachineCode;
use crate::emulator::Target;
use crate::hart::{Hart, Traps};
use crate::retire::{Counts, Processor, Retire, Signal};
use crate::session::Options;

/// Follows the virtual processors and writes their events.
pub(crate) struct Follower<W: Write> {
    blocks: Vec<Block>,
    /// The code of the blocks, if they are of a program.
    pub history: CodeHistory,
    /// The code of the blocks, if they are of a machine.
    machine_code: MachineCode,
    is_machine: bool,
    /// True if the ends of a machine's blocks are reported.
    marks_ends: bool,
    /// The only processor of a machine that is followed, if it is not each of them.
    hart: Option<usize>,
    processors: Vec<Processor>,
    retire: Retire<W>,
    /// Instructions to skip before the trace begins.
    skip: u64,
    limit: u64,
}

impl<W: Write> Follower<W> {
    /// A follower for a target, with the extensions that the trace has.
    pub(crate) fn new(writer: Writer<W>, target: &Target, options: &Options) -> Self {
        let Extensions { states: has_states, .. } = options.extensions;
        let hart = Hart::new(target.instruction_set.address_bits().into());
        let of = |thread| Processor { thread, hart: hart.clone(), ..Processor::default() };
        let processors = (0..=options.extensions.thread_max()).map(of).collect();
        let retire = Retire { writer, counts: Counts::default(), has_states };
        Self {
            blocks: Vec::new(),
            history: CodeHistory::default(),
            machine_code: MachineCode::default(),
            is_machine: target.is_machine,
            marks_ends: target.is_machine && options.marks_ends(),
            hart: options.hart,
            processors,
            retire,
            skip: options.skip,
            limit: options.limit,
        }
    }

    /// Adds a block, whose number is the next, with its code at `address`.
    pub(crate) fn add(&mut self, block: Block, address: u64, definition: BlockDefinition) {
        self.blocks.push(block);
        if self.is_machine {
            return self.machine_code.add(address, definition);
        }
        let blocks = &mut self.blocks;
        let contest = |number: u32| blocks[number as usize].is_contested = true;
        self.history.add(address, &definition, contest);
    }

    pub(crate) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Bits of the largest address of code.
    pub(crate) fn address_bits(&self) -> u32 {
        let largest = self.blocks.iter().map(|block| block.last.program_counter).max();
        u64::BITS - largest.unwrap_or(0).leading_zeros()
    }

    /// Number of contexts in the trace, 0 without states.
    pub(crate) fn contexts(&self) -> u64 {
        let first = self.processors.first().filter(|_| self.retire.has_states);
        first.map_or(0, |processor| processor.hart.contexts())
    }

    pub(crate) fn writer(&self) -> &Writer<W> {
        &self.retire.writer
    }

    pub(crate) fn into_parts(self) -> (Writer<W>, CodeHistory, MachineCode) {
        (self.retire.writer, self.history, self.machine_code)
    }

    pub(crate) fn counts(&self) -> Counts {
        self.retire.counts
    }

    /// True when the trace has reached its limit of instructions.
    pub(crate) fn is_full(&self) -> bool {
        self.retire.writer.instructions() >= self.limit
    }

    /// Notes that the next block of the processor is a signal handler.
    pub(crate) fn signal(&mut self, processor: usize, signal: Signal) {
        if let Some(processor) = self.processors.get_mut(processor) {
            processor.signal = Some(signal);
        }
    }

    /// Blocks between checks of the limit, if there is one.
    fn step(&self) -> usize {
        if self.limit == u64::MAX { usize::MAX } else { 8 }
    }

    /// Takes the blocks that ran on a processor.
    pub(crate) fn run(&mut self, processor: usize, numbers: &[u8]) -> Result<(), Error> {
        if processor >= self.processors.len() {
            self.retire.counts.left_out += numbers.len() as u64 / 4;
            return Ok(());
        }
        let mut state = std::mem::take(&mut self.processors[processor]);
        let (numbers, _) = numbers.as_chunks::<4>();
        let done = numbers.chunks(self.step()).try_for_each(|numbers| {
            if self.is_full() {
                return Ok(());
            }
            numbers
                .iter()
                .try_for_each(|number| self.enter(&mut state, u32::from_ne_bytes(*number)))
        });
        self.processors[processor] = state;
        done
    }

    /// Takes the blocks that ran on a processor, and its memory accesses.
    pub(crate) fn run_with_data(&mut self, processor: usize, entries: &[u8]) -> Result<(), Error> {
        if processor >= self.processors.len() {
            self.retire.counts.left_out += entries.len() as u64 / 8;
            return Ok(());
        }
        let mut state = std::mem::take(&mut self.processors[processor]);
        let (entries, _) = entries.as_chunks::<8>();
        let done = entries.iter().try_for_each(|entry| {
            let entry = u64::from_ne_bytes(*entry);
            match Entry::from_entry(entry) {
                Some(access) => {
                    if state.current.is_some() {
                        state.accesses.push(access);
                    }
                    Ok(())
                }
                None if self.is_full() => Ok(()),
                None => self.enter(&mut state, entry as u32),
            }
        });
        self.processors[processor] = state;
        done
    }

    /// Takes the blocks that ran on a processor of a machine, and the changes of its registers.
    pub(crate) fn run_in_machine(&mut self, processor: usize, entries: &[u8]) -> Result<(), Error> {
        let processor = match self.hart {
            Some(hart) if hart != processor => return Ok(()),
            // It is the only thread of the trace.
            Some(_) => 0,
            None => processor,
        };
        if processor >= self.processors.len() {
            self.retire.counts.left_out += entries.len() as u64 / 4;
            return Ok(());
        }
        let mut state = std::mem::take(&mut self.processors[processor]);
        let mut entries = entries.as_chunks::<4>().0.iter().map(|word| u32::from_ne_bytes(*word));
        let mut done = Ok(());
        while let (Some(entry), Ok(())) = (entries.next(), &done) {
            done = match Register::from_entry(entry) {
                Some(register) => match (entries.next(), entries.next()) {
                    (Some(low), Some(high)) => {
                        state.hart.set(register, u64::from(high) << 32 | u64::from(low));
                        Ok(())
                    }
                    _ => Err(Error::Damaged("a register without a value")),
                },
                None if entry == BLOCK_END => {
                    state.hart.is_at_end = true;
                    Ok(())
                }
                None if self.is_full() => Ok(()),
                None => self.enter_in_machine(&mut state, entry),
            };
        }
        self.processors[processor] = state;
        done
    }

    fn enter_in_machine(&mut self, state: &mut Processor, number: u32) -> Result<(), Error> {
        let traps = match (state.current, self.blocks.get(number as usize)) {
            (Some(current), Some(next)) => {
                let block = &self.blocks[current as usize];
                let traps = state.hart.traps_between(block, next.first);
                let is_cut = self.marks_ends && !state.hart.is_at_end;
                let cut_at = block.index_of(next.first).filter(|_| is_cut);
                match (traps.last(), cut_at) {
                    (Some(_), _) => self.retire.traps(state, block, &traps, is_cut)?,
                    (None, Some(index)) => self.retire.retire(state, block, index)?,
                    (None, None) => self.follow(state, number)?,
                }
                state.current = Some(number);
                traps
            }
            _ => {
                self.follow(state, number)?;
                Traps::default()
            }
        };
        if state.current.is_some() {
            self.retire.tell_state(state, traps.last().map(|trap| trap.cause))?;
            // A decoder knows a context from the event after which the trace says it.
            let context = state.hart.told_context();
            self.machine_code.enter(context, state.thread, number, state.next_event());
        }
        state.hart.begin_block();
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, state: &mut Processor, number: u32) -> Result<(), Error> {
        self.follow(state, number)?;
        if self.blocks[number as usize].is_contested && state.current.is_some() {
            self.history.enter(state.thread, number, state.next_event());
        }
        Ok(())
    }

    #[inline(always)]
    fn follow(&mut self, state: &mut Processor, number: u32) -> Result<(), Error> {
        let Some(next) = self.blocks.get(number as usize) else {
            return Err(Error::Damaged("a block number without a definition"));
        };
        let (to, count) = (next.first, next.count);
        if let Some(current) = state.current {
            let block = &self.blocks[current as usize];
            // Where the ends of blocks are reported, a block that was left has been dealt with.
            let restarts = !self.marks_ends && next.runs_again_from(block);
            let plain = state.signal.is_none()
                && state.held.is_none()
                && state.accesses.is_empty()
                && !restarts;
            if plain && block.end == End::Branch && block.last.kind != Kind::Exception {
                let event = &block.last;
                // If both targets of a conditional branch are the same address, it is traced as not taken.
                let taken = to != block.next || !event.kind.is_conditional();
                let indirect = event.kind.is_indirect() && to != event.program_counter;
                if !taken || indirect || to == event.target {
                    let event = Event {
                        instructions: state.since + block.count,
                        target: if taken { to } else { 0 },
                        taken,
                        thread: state.thread,
                        ..*event
                    };
                    (state.since, state.last) = (0, event.program_counter);
                    state.events += 1;
                    state.current = Some(number);
                    return Ok(self.retire.writer.write(&event)?);
                }
            } else if plain && block.end == End::Next && to == block.next {
                state.since += block.count;
                state.last = block.last.program_counter;
                state.current = Some(number);
                return Ok(());
            }
            self.retire.leave(state, block, to, restarts)?;
            if block.end == End::Repeat && to == block.last.program_counter {
                // The instruction continues as the first of the next block.
                state.accesses.iter_mut().for_each(|access| access.instruction = 0);
            } else {
                // Accesses of instructions that did not retire are dropped.
                state.accesses.clear();
            }
        } else if self.skip > self.retire.counts.skipped {
            self.retire.counts.skipped += count;
            return Ok(());
        } else {
            self.retire.exception(state, to)?;
        }
        state.current = Some(number);
        Ok(())
    }

    /// The program has ended, by itself if `is_whole`: what its threads did last was then a system call
    /// that did not return. Otherwise it is not known how far the last blocks ran.
    pub(crate) fn finish(&mut self, is_whole: bool) -> Result<(), Error> {
        for index in 0..self.processors.len() {
            let mut state = std::mem::take(&mut self.processors[index]);
            let Some(current) = state.current.take() else { continue };
            let block = &self.blocks[current as usize];
            if is_whole && block.is_system_call() && state.signal.is_none() {
                self.retire.retire(&mut state, block, block.count - 1)?;
                self.retire.branch(&mut state, block, None)?;
            }
            self.retire.release(&mut state)?;
        }
        Ok(())
    }

    /// Number of threads that have run.
    pub(crate) fn threads(&self) -> usize {
        self.processors.iter().filter(|state| state.current.is_some()).count()
    }
}
