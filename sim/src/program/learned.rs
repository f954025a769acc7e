//! A program that is learned from a trace.

use rustc_hash::{FxHashMap, FxHashSet};

use super::call_lengths::infer_length;
use super::{Block, BlockIndex, Blocks, LENGTH_MAX, NONE, Place, Program, ProgramError};
use crate::event::{Event, Kind, Machine};

/// The blocks that ran.
#[derive(Clone, Debug, Default)]
pub(super) struct Learned {
    pub(super) blocks: Vec<Block>,
    pub(super) at: FxHashMap<u64, u32>,
    pub(super) after: FxHashMap<u64, u32>,
    /// The first block of every thread.
    starts: Vec<u32>,
    /// Addresses of instructions after which an exception was seen: block and count to address.
    pub(super) points: FxHashMap<(u32, u64), u64>,
    /// Blocks that begin within another one, after so many of its instructions.
    pub(super) parts: FxHashMap<u32, (u32, u64)>,
    call_lengths: FxHashMap<u64, u8>,
    /// The lengths of the instructions at points, where the trace says them.
    pub(super) point_lengths: FxHashMap<u64, u8>,
}

impl Learned {
    #[inline]
    pub(super) fn block_at(&self, place: Place) -> Option<BlockIndex> {
        let index = match place {
            Place::Start(thread) => *self.starts.get(usize::from(thread))?,
            Place::At(address) => *self.at.get(&address)?,
            Place::After(address) => *self.after.get(&address)?,
        };
        (index != NONE).then_some(BlockIndex(index))
    }

    #[inline]
    pub(super) fn block(&self, index: BlockIndex) -> &Block {
        &self.blocks[index.0 as usize]
    }

    pub(super) fn point(&self, index: BlockIndex, count: u64) -> Option<u64> {
        let (index, before) = self.parts.get(&index.0).copied().unwrap_or((index.0, 0));
        self.points.get(&(index, before.checked_add(count)?)).copied()
    }

    /// A damaged program may have a block of more instructions than can be counted, but few of them are known.
    pub(super) fn count_to(&self, index: BlockIndex, before: u64, address: u64) -> Option<u64> {
        let last = self.block(index).instructions;
        if last.saturating_sub(before) <= self.points.len() as u64 {
            return (before + 1..=last).find(|count| self.point(index, *count) == Some(address));
        }
        let (index, cut) = self.parts.get(&index.0).copied().unwrap_or((index.0, 0));
        let known =
            self.points.iter().filter(|((block, _), at)| (*block, **at) == (index, address));
        known
            .filter_map(|((_, count), _)| count.checked_sub(cut))
            .filter(|count| (before + 1..=last).contains(count))
            .min()
    }

    /// Instructions of a block up to the first point after so many that ends before an address.
    pub(super) fn count_before(&self, index: BlockIndex, before: u64, address: u64) -> Option<u64> {
        (1..=LENGTH_MAX).find_map(|length| {
            let at = address.wrapping_sub(length.into());
            let is_there = self.point_lengths.get(&at) == Some(&length);
            is_there.then(|| self.count_to(index, before, at)).flatten()
        })
    }

    pub(super) fn most_blocks(&self) -> usize {
        self.blocks.len()
    }

    #[inline]
    pub(super) fn call_length(&self, program_counter: u64) -> Option<u8> {
        self.call_lengths.get(&program_counter).copied()
    }
}

/// Learns a program from the events of its threads.
#[derive(Clone, Debug)]
pub struct ProgramBuilder {
    machine: Machine,
    program: Learned,
    cursor: Cursor,
    /// The cursors of the other threads, and an idle one for the thread at hand.
    cursors: Vec<Cursor>,
    thread: u8,
    events: u64,
    return_targets: FxHashSet<u64>,
    /// The instructions that end blocks, by address: blocks may overlap.
    ends: FxHashMap<u64, End>,
}

/// Where a thread is.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    place: Place,
    /// The block at `place` if it is known, so that the hot path needs no look-up.
    current: u32,
    last_program_counter: Option<u64>,
}

impl Cursor {
    fn at_start(thread: u8) -> Self {
        Self { place: Place::Start(thread), current: NONE, last_program_counter: None }
    }
}

/// A run of instructions to a branch, in words.
fn run(instructions: u64, kind: Kind, program_counter: u64, length: u8) -> String {
    let call = match length {
        0 => String::new(),
        length => format!(", a call of {length} bytes"),
    };
    format!("{instructions} instructions to the {kind} at {program_counter:#x}{call}")
}

/// What an instruction is, wherever the block began that it ends: kind, call, return, length of a call.
type End = (Kind, bool, bool, u8);

impl ProgramBuilder {
    /// Nothing learned yet.
    pub fn new(machine: Machine) -> Self {
        Self {
            machine,
            program: Learned::default(),
            cursor: Cursor::at_start(0),
            cursors: Vec::new(),
            thread: 0,
            events: 0,
            return_targets: FxHashSet::default(),
            ends: FxHashMap::default(),
        }
    }

    /// Learns one event.
    ///
    /// # Errors
    /// When it contradicts an earlier one: the program changed while it ran, or the trace is damaged.
    #[inline]
    pub fn event(&mut self, event: &Event) -> Result<(), ProgramError> {
        if event.thread != self.thread {
            self.switch(event.thread);
        }
        if let Some(current) = self.known_successor(event) {
            let place = if event.taken {
                Place::At(event.target)
            } else {
                Place::After(event.program_counter)
            };
            let last_program_counter = Some(event.program_counter);
            self.cursor = Cursor { place, current, last_program_counter };
            self.events += 1;
            return Ok(());
        }
        self.other_event(event)
    }

    /// Passes over events of one thread that were learned before, each right after the same event; the last one is given.
    pub fn pass_over(&mut self, events: u64, last: &Event) {
        if last.thread != self.thread {
            self.switch(last.thread);
        }
        let place =
            if last.taken { Place::At(last.target) } else { Place::After(last.program_counter) };
        let last_program_counter = Some(last.program_counter);
        self.cursor = Cursor { place, current: NONE, last_program_counter };
        self.events += events;
    }

    /// The block after a branch of which nothing new is learned, if that is known.
    #[inline]
    fn known_successor(&self, event: &Event) -> Option<u32> {
        let block = self.program.blocks.get(self.cursor.current as usize)?;
        let next = match (event.taken, event.kind) {
            (false, _) => block.fall_through,
            (true, Kind::DirectJump | Kind::DirectConditional) if block.target == event.target => {
                block.taken
            }
            (true, _) => NONE,
        };
        (block.is_complete && next != NONE && block.ends_with(event)).then_some(next)
    }

    #[inline(never)]
    fn other_event(&mut self, event: &Event) -> Result<(), ProgramError> {
        let learned = if event.kind == Kind::Exception && event.taken {
            self.exception(event)
        } else {
            self.branch(event)
        };
        learned.map_err(|what| ProgramError { event: self.events, what })?;
        self.events += 1;
        self.cursor.last_program_counter = Some(event.program_counter);
        Ok(())
    }

    fn switch(&mut self, thread: u8) {
        let threads = usize::from(thread.max(self.thread)) + 1;
        for fresh in self.cursors.len()..threads {
            self.cursors.push(Cursor::at_start(fresh as u8));
        }
        self.cursors[usize::from(self.thread)] = self.cursor;
        self.cursor = self.cursors[usize::from(thread)];
        self.thread = thread;
    }

    fn branch(&mut self, event: &Event) -> Result<(), String> {
        let index = self.current()?;
        self.learn_block(index, event)?;
        let (current, place) = if !event.taken {
            (self.fall_through(index, event)?, Place::After(event.program_counter))
        } else if matches!(event.kind, Kind::DirectJump | Kind::DirectConditional) {
            (self.taken(index, event)?, Place::At(event.target))
        } else {
            if event.is_return {
                self.return_targets.insert(event.target);
            }
            (NONE, Place::At(event.target))
        };
        (self.cursor.current, self.cursor.place) = (current, place);
        Ok(())
    }

    /// Fills the block in that ends with this event, or checks that it ends with it again.
    fn learn_block(&mut self, index: u32, event: &Event) -> Result<(), String> {
        let place = self.cursor.place;
        let block = &mut self.program.blocks[index as usize];
        if block.is_complete {
            return match block.ends_with(event) {
                true => Ok(()),
                false => Err(format!(
                    "after {place} came {} before, now {}",
                    run(block.instructions, block.kind, block.program_counter, block.length),
                    run(event.instructions, event.kind, event.program_counter, event.length)
                )),
            };
        }
        let length = if event.call { event.length } else { 0 };
        let end = (event.kind, event.call, event.is_return, length);
        if *self.ends.entry(event.program_counter).or_insert(end) != end {
            return Err(format!(
                "the {} at {:#x} was another instruction before",
                event.kind, event.program_counter
            ));
        }
        *block = Block {
            instructions: event.instructions,
            program_counter: event.program_counter,
            target: event.target,
            kind: event.kind,
            call: event.call,
            is_return: event.is_return,
            length: event.length,
            last_length: event.length,
            is_complete: true,
            taken: NONE,
            fall_through: NONE,
        };
        if event.call && event.length != 0 {
            self.program.call_lengths.insert(event.program_counter, event.length);
        }
        Ok(())
    }

    /// The block after a taken direct branch, whose target cannot change.
    fn taken(&mut self, index: u32, event: &Event) -> Result<u32, String> {
        let block = &mut self.program.blocks[index as usize];
        if block.taken != NONE && block.target != event.target {
            return Err(format!(
                "the direct branch at {:#x} went to {:#x} before, now to {:#x}",
                event.program_counter, block.target, event.target
            ));
        }
        block.target = event.target;
        if block.taken == NONE {
            let next = self.locate(Place::At(event.target))?;
            self.program.blocks[index as usize].taken = next;
        }
        Ok(self.program.blocks[index as usize].taken)
    }

    /// The block after a branch that is not taken.
    fn fall_through(&mut self, index: u32, event: &Event) -> Result<u32, String> {
        if self.program.blocks[index as usize].fall_through == NONE {
            let next = self.locate(Place::After(event.program_counter))?;
            self.program.blocks[index as usize].fall_through = next;
        }
        Ok(self.program.blocks[index as usize].fall_through)
    }

    fn exception(&mut self, event: &Event) -> Result<(), String> {
        let index = self.current()?;
        let pc = event.program_counter;
        match self.cursor.last_program_counter {
            Some(last) if event.instructions == 0 => {
                if last != pc {
                    return Err(format!(
                        "an exception of 0 instructions is at {pc:#x}, not at {last:#x} like the event before"
                    ));
                }
            }
            _ => {
                let known = *self.program.points.entry((index, event.instructions)).or_insert(pc);
                if known != pc {
                    return Err(format!("an instruction at {known:#x} before is at {pc:#x} now"));
                }
                if event.length != 0 {
                    self.program.point_lengths.insert(pc, event.length);
                }
            }
        }
        self.cursor.place = Place::At(event.target);
        self.cursor.current = NONE;
        Ok(())
    }

    fn current(&mut self) -> Result<u32, String> {
        if self.cursor.current == NONE {
            self.cursor.current = self.locate(self.cursor.place)?;
        }
        Ok(self.cursor.current)
    }

    fn locate(&mut self, place: Place) -> Result<u32, String> {
        let fresh = self.program.blocks.len() as u32;
        if fresh == NONE {
            return Err("the program has more than 4294967295 blocks".into());
        }
        let index = match place {
            Place::Start(thread) => {
                let thread = usize::from(thread);
                if self.program.starts.len() <= thread {
                    self.program.starts.resize(thread + 1, NONE);
                }
                let start = &mut self.program.starts[thread];
                if *start == NONE {
                    *start = fresh;
                }
                *start
            }
            Place::At(address) => *self.program.at.entry(address).or_insert(fresh),
            Place::After(address) => *self.program.after.entry(address).or_insert(fresh),
        };
        if index == fresh {
            self.program.blocks.push(Block::incomplete(u64::MAX));
        }
        Ok(index)
    }

    /// The program, with the lengths of calls that the trace did not give inferred from its returns.
    ///
    /// # Errors
    /// When an exception was seen after an instruction that also is a branch, or past a block's end.
    pub fn finish(mut self) -> Result<Program, ProgramError> {
        for ((index, count), pc) in &self.program.points {
            let block = &self.program.blocks[*index as usize];
            let at_end = *count == block.instructions && block.kind == Kind::Exception;
            if block.is_complete
                && (*count > block.instructions || *count == block.instructions && !at_end)
            {
                let what = format!(
                    "an exception at {pc:#x} comes after a branch at {:#x}; it must count 0 instructions",
                    block.program_counter
                );
                return Err(ProgramError { event: self.events, what });
            }
        }
        for block in &mut self.program.blocks {
            if block.call && block.length == 0 {
                block.length = infer_length(
                    self.machine,
                    block.program_counter,
                    block.kind,
                    &self.return_targets,
                );
                block.last_length = block.length;
                self.program.call_lengths.insert(block.program_counter, block.length);
            }
        }
        Ok(Program { machine: self.machine, blocks: Blocks::Learned(self.program) })
    }
}
