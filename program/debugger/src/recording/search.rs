//! Finds instructions in a recording by their addresses.

use rustc_hash::{FxHashMap, FxHashSet};
use tracewright_view::Step;
use tracewright_view::blocks::BlockIndex;

use super::log::Entry;
use super::player::Player;
use super::state::Moment;
use super::{Chunk, Recording};
use crate::error::Error;

/// Addresses at which the execution is to stop.
#[derive(Clone, Debug, Default)]
pub struct Breakpoints {
    /// Each in one program, by its number, or in all.
    addresses: FxHashSet<(Option<usize>, u64)>,
    /// The instructions of each block that are at them.
    of_blocks: FxHashMap<BlockIndex, Box<[u64]>>,
    /// Blocks that were looked at.
    known: usize,
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The instructions that retired before it.
    pub position: u64,
    /// The number of its thread or context.
    pub number: usize,
}

impl Breakpoints {
    /// Adds an address of all programs; false if it was there.
    pub fn add(&mut self, address: u64) -> bool {
        self.forget();
        self.addresses.insert((None, address))
    }

    /// Adds an address of one program, by its number.
    pub fn add_in(&mut self, program: usize, address: u64) {
        self.forget();
        self.addresses.insert((Some(program), address));
    }

    /// Removes an address of all programs; false if it was not there.
    pub fn remove(&mut self, address: u64) -> bool {
        self.forget();
        self.addresses.remove(&(None, address))
    }

    /// True if one is at an address of all programs.
    pub fn contains(&self, address: u64) -> bool {
        self.addresses.contains(&(None, address))
    }

    fn has(&self, program: usize, address: u64) -> bool {
        self.contains(address) || self.addresses.contains(&(Some(program), address))
    }

    fn forget(&mut self) {
        self.of_blocks.clear();
        self.known = 0;
    }

    /// Looks at the blocks that are new.
    fn update(&mut self, recording: &Recording) {
        let blocks = recording.blocks();
        let sets = recording.programs().iter().map(|program| program.image.instruction_set());
        let sets: Vec<_> = sets.collect();
        if self.known == blocks.len() || self.addresses.is_empty() {
            return;
        }
        let mut sorted: Vec<u64> = self.addresses.iter().map(|(_, address)| *address).collect();
        sorted.sort_unstable();
        for (index, block) in blocks.iter().skip(self.known) {
            let set = sets[block.program];
            let first = sorted.partition_point(|address| *address < set.byte_address(block.start));
            let is_in = sorted
                .get(first)
                .is_some_and(|address| *address <= block.program_counter.max(block.start));
            if !is_in {
                continue;
            }
            let places: Vec<u64> = (0..)
                .zip(blocks.program_counters(index, block.instructions))
                .filter(|(_, address)| self.has(block.program, set.byte_address(*address)))
                .map(|(place, _)| place)
                .collect();
            if !places.is_empty() {
                self.of_blocks.insert(index, places.into());
            }
        }
        self.known = blocks.len();
    }

    fn may_be_in(&self, chunk: &Chunk) -> bool {
        let visited = chunk.visited();
        self.of_blocks.keys().any(|block| visited.binary_search(block).is_ok())
    }

    /// The instructions of a step that are at the addresses.
    fn of_step(&self, step: &Step) -> &[u64] {
        let places = step.block.and_then(|block| self.of_blocks.get(&block));
        let places = places.map_or(&[][..], |places| &**places);
        &places[..places.partition_point(|place| *place < step.event.instructions)]
    }
}

impl Player {
    /// The first instruction at one of the addresses at or after a position.
    ///
    /// # Errors
    /// When the recording cannot be read.
    pub fn find(&mut self, from: u64, at: &mut Breakpoints) -> Result<Option<Found>, Error> {
        at.update(self.recording());
        for chunk in self.recording().chunk_of(from)..self.recording().chunks.len() {
            if !at.may_be_in(&self.recording().chunks[chunk]) {
                continue;
            }
            let mut found = None;
            self.each_step(chunk, |moment, step| {
                let next = at.of_step(step).iter().map(|place| moment.instructions + place);
                let next = next.into_iter().find(|position| *position >= from);
                found = next.map(|position| Found { position, number: moment.current });
                found.is_none()
            })?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The last instruction at one of the addresses before a position.
    ///
    /// # Errors
    /// When the recording cannot be read.
    pub fn find_back(&mut self, before: u64, at: &mut Breakpoints) -> Result<Option<Found>, Error> {
        at.update(self.recording());
        for chunk in (0..=self.recording().chunk_of(before)).rev() {
            if !at.may_be_in(&self.recording().chunks[chunk]) {
                continue;
            }
            let mut found = None;
            self.each_step(chunk, |moment, step| {
                let places = at.of_step(step).iter().map(|place| moment.instructions + place);
                if let Some(position) = places.rev().find(|position| *position < before) {
                    found = Some(Found { position, number: moment.current });
                }
                moment.instructions < before
            })?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The first instruction of a thread at or after a position.
    ///
    /// # Errors
    /// When the recording cannot be read.
    pub fn next_of(&mut self, number: usize, from: u64) -> Result<Option<u64>, Error> {
        for chunk in self.recording().chunk_of(from)..self.recording().chunks.len() {
            if !self.recording().chunks[chunk].may_have(number) {
                continue;
            }
            let mut found = None;
            self.each_step(chunk, |moment, step| {
                let end = moment.instructions + step.event.instructions;
                if moment.current == number && end > from && step.event.instructions > 0 {
                    found = Some(moment.instructions.max(from));
                }
                found.is_none()
            })?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The last instruction of a thread before a position.
    ///
    /// # Errors
    /// When the recording cannot be read.
    pub fn last_of(&mut self, number: usize, before: u64) -> Result<Option<u64>, Error> {
        for chunk in (0..=self.recording().chunk_of(before)).rev() {
            if !self.recording().chunks[chunk].may_have(number) {
                continue;
            }
            let mut found = None;
            self.each_step(chunk, |moment, step| {
                let end = moment.instructions + step.event.instructions;
                let is_it = moment.current == number && step.event.instructions > 0;
                if is_it && moment.instructions < before {
                    found = Some(end.min(before) - 1);
                }
                moment.instructions < before
            })?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Passes the steps of a chunk, each with the moment before it, until `take` gives false.
    fn each_step(
        &mut self,
        chunk: usize,
        mut take: impl FnMut(&Moment, &Step) -> bool,
    ) -> Result<(), Error> {
        let loaded;
        let log = match self.log_of(chunk) {
            [] => {
                loaded = self.recording().chunks[chunk].log()?;
                &loaded
            }
            log => log,
        };
        let recording = self.recording();
        let (mut moment, mut at) = (recording.chunks[chunk].begin.clone(), 0);
        let blocks = recording.blocks();
        while let Some(entry) = Entry::read(log, &mut at) {
            match entry {
                Entry::Event(number) => {
                    let from = moment.here().block;
                    let Some(step) = recording.edges.step(from, number) else { break };
                    if !take(&moment, step) {
                        break;
                    }
                    moment.pass(blocks, step);
                }
                Entry::Thread(number) => moment.enter(number as usize),
                Entry::Context(number) => {
                    let jump = recording.jumps.get(number as usize);
                    jump.into_iter().for_each(|jump| moment.pass_context(blocks, jump));
                }
                Entry::Gap(number) => {
                    let jump = recording.jumps.get(number as usize);
                    jump.into_iter().for_each(|jump| moment.gap(blocks, jump));
                }
            }
        }
        Ok(())
    }
}
