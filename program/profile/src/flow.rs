//! The flow of control of an execution: branches that were taken, and the straight ranges of code between them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tracewright_image::{Image, Owner};
use tracewright_sim::event::Kind;
use tracewright_view::blocks::{BlockIndex, Blocks};
use tracewright_view::{Follower, Step};

/// A place in the code of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The number of the program.
    pub program: usize,
    /// The file that the code is from, if it is of one.
    pub file: Owner,
    /// The address, without a Thumb bit.
    pub address: u64,
}

/// How often branches were taken and ranges ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Taken branches, exceptions not among them: where from, where to, how often.
    pub branches: BTreeMap<(Place, Place), u64>,
    /// Straight ranges: the first and the last instruction, how often.
    pub ranges: BTreeMap<(Place, Place), u64>,
}

/// Records the flow of an execution.
///
/// A range begins where the last one has ended by a taken branch, an exception, or where the execution was not known,
/// and goes on over all branches that are not taken. All ranges together have every instruction that retired.
#[derive(Debug)]
pub struct Recorder {
    images: Vec<Arc<Image>>,
    threads: Vec<Thread>,
    /// The last way through each block that ends with a taken branch.
    last: Vec<Last>,
    /// Ranges that end with a taken branch: the first block, the last one, the one that follows.
    ways: FxHashMap<(BlockIndex, BlockIndex, BlockIndex), u64>,
    /// Ranges that end otherwise: the first block, the last one, the address of the last instruction.
    ends: FxHashMap<(BlockIndex, BlockIndex, u64), u64>,
    flow: Flow,
}

/// The range that a thread is in.
#[derive(Clone, Copy, Debug, Default)]
struct Thread {
    /// Its first block, the last one so far, and the address of the last instruction.
    range: Option<(BlockIndex, BlockIndex, u64)>,
}

/// A way that is counted before it has a place in the table: loops take the same one again and again.
#[derive(Clone, Copy, Debug)]
struct Last {
    way: (BlockIndex, BlockIndex),
    count: u64,
}

impl Recorder {
    /// Nothing of the programs with these images, in their order.
    pub fn new(images: impl IntoIterator<Item = Arc<Image>>) -> Self {
        Self {
            images: images.into_iter().collect(),
            threads: Vec::new(),
            last: Vec::new(),
            ways: FxHashMap::default(),
            ends: FxHashMap::default(),
            flow: Flow::default(),
        }
    }

    /// The flow, when all steps were taken.
    pub fn flow(self) -> Flow {
        self.flow
    }

    /// Counts a range that ends with a taken branch.
    #[inline]
    fn take(&mut self, first: BlockIndex, end: BlockIndex, next: BlockIndex) {
        if end.place() >= self.last.len() {
            let none = Last { way: (end, end), count: 0 };
            self.last.resize((end.place() + 1).next_power_of_two(), none);
        }
        let last = &mut self.last[end.place()];
        if last.way == (first, next) {
            last.count += 1;
            return;
        }
        let before = std::mem::replace(last, Last { way: (first, next), count: 1 });
        if before.count > 0 {
            let (first, next) = before.way;
            *self.ways.entry((first, end, next)).or_default() += before.count;
        }
    }

    /// Ends the range of a thread that no branch ends.
    fn cut(&mut self, thread: usize) {
        if let Some(range) = self.threads[thread].range.take() {
            *self.ends.entry(range).or_default() += 1;
        }
    }

    fn place(&self, blocks: &Blocks, index: BlockIndex, address: u64) -> Place {
        let program = blocks.get(index).program;
        let image = &self.images[program];
        let file = match blocks.own_code(index) {
            Some((_, file)) => file,
            None => image.owner_at(address),
        };
        Place { program, file, address: image.instruction_set().byte_address(address) }
    }
}

impl Follower for Recorder {
    #[inline]
    fn step(&mut self, _: &Blocks, step: &Step) {
        let number = usize::from(step.event.thread);
        if number >= self.threads.len() {
            self.threads.resize(number + 1, Thread::default());
        }
        if step.is_first {
            self.cut(number);
        }
        if let Some(block) = step.block {
            let first = self.threads[number].range.map_or(block, |(first, ..)| first);
            if step.event.taken && step.event.kind != Kind::Exception {
                self.threads[number].range = None;
                return self.take(first, block, step.next);
            }
            self.threads[number].range = Some((first, block, step.event.program_counter));
        }
        if step.event.taken {
            self.cut(number);
        }
    }

    fn gap(&mut self) {
        for thread in 0..self.threads.len() {
            self.cut(thread);
        }
    }

    fn finish(&mut self, blocks: &Blocks) {
        for (end, _) in blocks.iter() {
            let Some(Last { way: (first, next), count }) = self.last.get(end.place()).copied()
            else {
                break;
            };
            if count > 0 {
                *self.ways.entry((first, end, next)).or_default() += count;
            }
        }
        let mut flow = Flow::default();
        for ((first, end, next), count) in &self.ways {
            let last = blocks.get(*end).program_counter;
            let begin = self.place(blocks, *first, blocks.get(*first).start);
            let from = self.place(blocks, *end, last);
            let to = self.place(blocks, *next, blocks.get(*next).start);
            *flow.ranges.entry((begin, from)).or_default() += count;
            *flow.branches.entry((from, to)).or_default() += count;
        }
        for ((first, end, last), count) in &self.ends {
            let begin = self.place(blocks, *first, blocks.get(*first).start);
            let from = self.place(blocks, *end, *last);
            *flow.ranges.entry((begin, from)).or_default() += count;
        }
        self.flow = flow;
    }
}
