//! The code of an image as one thread finds it while it changes.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use tracewright_sim::code::{ChangingCode, Code, Instruction};

use crate::changes::Change;
use crate::image::{Image, Segment};
use crate::instruction_set::InstructionSet;
use crate::kernel_helpers;
use crate::overlay::{Overlay, PAGE};

/// A version of code, with the files read.
#[derive(Clone, Debug)]
pub(crate) enum Loaded {
    Segments(Vec<Segment>),
    Bytes { address: u64, bytes: Vec<u8>, is_patch: bool },
}

/// The number of the state in which all threads begin.
const BEGINNING: u64 = 1;

/// The changes of all threads.
#[derive(Clone, Debug)]
pub(crate) struct Timeline {
    versions: Vec<Loaded>,
    threads: Vec<Vec<Change>>,
    /// For each thread, the number of the state before its first change is applied to the code that all begin with.
    states: Vec<u64>,
    /// Pages that some version writes to.
    pages: FxHashSet<u64>,
    /// Bytes of all versions.
    size: u64,
}

impl Timeline {
    pub(crate) fn new(versions: Vec<Loaded>, threads: Vec<Vec<Change>>) -> Self {
        let mut pages = FxHashSet::default();
        let mut size = 0;
        let mut cover = |range: Range<u64>| {
            size += range.end - range.start;
            pages.extend(range.start / PAGE..=(range.end - 1) / PAGE);
        };
        for version in &versions {
            match version {
                Loaded::Segments(segments) => {
                    segments.iter().for_each(|segment| cover(segment.range.clone()));
                }
                Loaded::Bytes { address, bytes, .. } => {
                    cover(*address..address.saturating_add(bytes.len() as u64));
                }
            }
        }
        let mut changes = 0;
        let states = threads.iter().map(|thread| {
            changes += thread.len() as u64;
            BEGINNING + changes - thread.len() as u64
        });
        Self { versions, states: states.collect(), threads, pages, size }
    }
}

/// The code as a thread finds it at a point of its execution.
#[derive(Clone, Debug)]
pub(crate) struct ThreadCode {
    image: Arc<Image>,
    timeline: Arc<Timeline>,
    thread: usize,
    /// Changes that were applied.
    applied: usize,
    /// Shared by copies, until the code changes.
    overlay: Arc<Overlay>,
}

impl ThreadCode {
    pub(crate) fn new(image: Arc<Image>, timeline: Arc<Timeline>, thread: u8) -> Self {
        let mut code =
            Self { image, timeline, thread: thread.into(), applied: 0, overlay: Arc::default() };
        code.advance(0);
        code
    }

    fn next(&self) -> Option<Change> {
        self.timeline.threads.get(self.thread)?.get(self.applied).copied()
    }

    fn last(&self) -> Option<Change> {
        self.timeline.threads.get(self.thread)?.get(self.applied.checked_sub(1)?).copied()
    }

    fn apply(&mut self, version: &Loaded) {
        match version {
            Loaded::Segments(segments) => {
                for Segment { range, bytes, file } in segments {
                    Arc::make_mut(&mut self.overlay).write(range.start, bytes, Some(*file as u32));
                }
            }
            Loaded::Bytes { address, bytes, is_patch } => {
                for (address, byte) in (*address..=u64::MAX).zip(bytes) {
                    let owner = if *is_patch { self.owner(address) } else { None };
                    Arc::make_mut(&mut self.overlay).set(address, *byte, owner);
                }
            }
        }
    }

    fn owner(&self, byte_address: u64) -> Option<u32> {
        match self.overlay.get(byte_address) {
            Some((_, owner)) => owner,
            None => self.image.segment(byte_address).map(|segment| segment.file as u32),
        }
    }

    /// The bytes from an address on; `None` for those that are no code.
    fn bytes<const N: usize>(&self, byte_address: u64) -> [Option<u8>; N] {
        let mut bytes = [None; N];
        self.fill(byte_address, &mut bytes);
        bytes
    }

    fn fill(&self, byte_address: u64, bytes: &mut [Option<u8>]) {
        let mut at = 0;
        while at < bytes.len() {
            let address = byte_address.wrapping_add(at as u64);
            match self.image.segment(address) {
                Some(segment) => {
                    let known = &segment.bytes[(address - segment.range.start) as usize..];
                    let (rest, count) = (&mut bytes[at..], known.len());
                    rest.iter_mut().zip(known).for_each(|(byte, known)| *byte = Some(*known));
                    at += count;
                }
                None => at += 1,
            }
        }
        self.overlay.lay_over(byte_address, bytes);
    }

    fn byte_address(&self, address: u64) -> u64 {
        self.image.instruction_set().byte_address(address)
    }
}

impl ChangingCode for ThreadCode {
    fn next_change(&self) -> u64 {
        self.next().map_or(u64::MAX, |change| change.event)
    }

    fn advance(&mut self, event: u64) {
        let timeline = Arc::clone(&self.timeline);
        if self.last().is_some_and(|last| last.event > event) {
            (self.applied, self.overlay) = (0, Arc::default());
        }
        while let Some(change) = self.next().filter(|change| change.event <= event) {
            self.apply(&timeline.versions[change.version as usize]);
            self.applied += 1;
        }
    }

    fn state(&self) -> u32 {
        let before = self.timeline.states.get(self.thread).filter(|_| self.applied > 0);
        let number = before.map_or(BEGINNING, |before| before + self.applied as u64);
        u32::try_from(number).ok().filter(|number| *number < u32::MAX).unwrap_or(0)
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        const BEFORE: usize = InstructionSet::BEFORE;
        const WINDOW: usize = BEFORE + InstructionSet::LONGEST;
        let instruction_set = self.image.instruction_set();
        let byte_address = self.byte_address(address);
        if kernel_helpers::range(instruction_set).is_some_and(|range| range.contains(&byte_address))
        {
            return self.image.instruction(address);
        }
        let reach = byte_address.min(BEFORE as u64) as usize;
        let window = self.bytes::<WINDOW>(byte_address - reach as u64);
        let (before, after) = window.split_at(reach);
        // What is known right before the instruction, and from it on.
        let gap = before.iter().rposition(Option::is_none).map_or(0, |gap| gap + 1);
        let mut code = [0; WINDOW];
        let known = before[gap..].iter().chain(after.iter().take_while(|byte| byte.is_some()));
        let mut length = 0;
        for (place, byte) in code.iter_mut().zip(known.copied().flatten()) {
            *place = byte;
            length += 1;
        }
        let (before, bytes) = code[..length].split_at(reach - gap);
        if bytes.is_empty() {
            return None;
        }
        let instruction = instruction_set.instruction(address, before, bytes)?;
        Some(self.image.with_table(instruction, bytes))
    }

    fn read(&self, address: u64, length: usize) -> Vec<u8> {
        let mut bytes = vec![None; length];
        self.fill(self.byte_address(address), &mut bytes);
        bytes.into_iter().map_while(|byte| byte).collect()
    }

    fn is(&self, address: u64, bytes: &[u8]) -> bool {
        let mut here = [None; 64];
        let mut at = self.byte_address(address);
        bytes.chunks(here.len()).all(|chunk| {
            let here = &mut here[..chunk.len()];
            here.fill(None);
            self.fill(at, here);
            at = at.wrapping_add(chunk.len() as u64);
            here.iter().zip(chunk).all(|(here, byte)| *here == Some(*byte))
        })
    }

    fn is_fixed(&self, range: Range<u64>) -> bool {
        let last = range.end.saturating_sub(1).max(range.start);
        // Instructions of ARM depend on the bytes before them, too.
        let first = range.start.saturating_sub(InstructionSet::BEFORE as u64);
        (first / PAGE..=last / PAGE).all(|page| !self.timeline.pages.contains(&page))
    }

    fn file(&self, address: u64) -> Option<u32> {
        self.owner(self.byte_address(address))
    }

    fn size(&self) -> u64 {
        self.timeline.size
    }

    fn boxed_clone(&self) -> Box<dyn ChangingCode> {
        Box::new(self.clone())
    }
}
