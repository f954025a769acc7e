//! Derives the retired instructions from the blocks that ran.

use std::io::Write;

use tracewright_capture_plugin::wire::{Access as Entry, BlockDefinition};
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::trace_io::Writer;

use crate::Error;
use crate::block::{Block, End};
use crate::changes::CodeHistory;
use crate::retire::{Counts, Processor, Retire, Signal};

/// Follows the virtual processors and writes their events.
pub(crate) struct Follower<W: Write> {
    blocks: Vec<Block>,
    /// The code of the blocks.
    pub history: CodeHistory,
    processors: Vec<Processor>,
    retire: Retire<W>,
    /// Instructions to skip before the trace begins.
    skip: u64,
    limit: u64,
}

impl<W: Write> Follower<W> {
    /// A follower for this many threads.
    pub(crate) fn new(writer: Writer<W>, threads: usize, skip: u64, limit: u64) -> Self {
        let of = |thread| Processor { thread, ..Processor::default() };
        let processors = (0..threads as u8).map(of).collect();
        let retire = Retire { writer, counts: Counts::default() };
        let history = CodeHistory::default();
        Self { blocks: Vec::new(), history, processors, retire, skip, limit }
    }

    /// Adds a block, whose number is the next, with its code at `address`.
    pub(crate) fn add(&mut self, block: Block, address: u64, definition: &BlockDefinition) {
        self.blocks.push(block);
        let blocks = &mut self.blocks;
        self.history.add(address, definition, |number| blocks[number as usize].is_contested = true);
    }

    pub(crate) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Bits of the largest address of code.
    pub(crate) fn address_bits(&self) -> u32 {
        let largest = self.blocks.iter().map(|block| block.last.program_counter).max();
        u64::BITS - largest.unwrap_or(0).leading_zeros()
    }

    pub(crate) fn writer(&self) -> &Writer<W> {
        &self.retire.writer
    }

    pub(crate) fn into_parts(self) -> (Writer<W>, CodeHistory) {
        (self.retire.writer, self.history)
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
            let restarts = next.runs_again_from(block);
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
