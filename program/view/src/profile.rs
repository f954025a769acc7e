//! Counts how often instructions and branches ran.

use rustc_hash::FxHashMap;
use tracewright_sim::code::Branch;
use tracewright_sim::event::Kind;

use crate::blocks::{BlockIndex, Blocks};
use crate::walker::Step;

/// The counters during an execution, one for each block, so that an event costs little.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    blocks: Vec<BlockCount>,
    /// Blocks that an exception interrupted or at whose beginning the execution ends, by the number of instructions that did not run.
    partial: FxHashMap<(BlockIndex, u64), u64>,
    targets: FxHashMap<(BlockIndex, u64), u64>,
    threads: Vec<u64>,
    exceptions: u64,
    /// Exceptions by the program and the address to which the flow had led.
    attempted: FxHashMap<(usize, u64), u64>,
    /// Where the last event of each thread leads, by the program and the address, while nothing has run there.
    arrivals: Vec<Option<(usize, u64)>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct BlockCount {
    executed: u64,
    taken: u64,
}

impl Profile {
    /// Counts a step.
    #[inline]
    pub fn step(&mut self, blocks: &Blocks, step: &Step) {
        let event = &step.event;
        let thread = usize::from(event.thread);
        if thread >= self.threads.len() {
            self.threads.resize(thread + 1, 0);
            self.arrivals.resize(thread + 1, None);
        }
        self.threads[thread] += event.instructions;
        let is_exception = event.kind == Kind::Exception && event.taken;
        if !step.is_trailing {
            let leads = event.taken && !is_exception;
            self.arrivals[thread] = leads.then_some((step.program, event.target));
        } else if event.instructions > 0 {
            self.arrivals[thread] = None;
        }
        self.exceptions += u64::from(is_exception && !step.is_first);
        if let Some(address) = step.exception_at.filter(|_| !step.is_first) {
            *self.attempted.entry((step.program, address)).or_default() += 1;
        }
        let Some(index) = step.block else { return };
        if index.place() >= self.blocks.len() {
            self.blocks.resize(blocks.len().max(index.place() + 1), BlockCount::default());
        }
        let may_be_partial = is_exception || step.is_trailing;
        if may_be_partial && event.instructions < blocks.get(index).instructions {
            *self.partial.entry((index, event.instructions)).or_default() += 1;
            return;
        }
        let count = &mut self.blocks[index.place()];
        count.executed += 1;
        count.taken += u64::from(event.taken);
        if event.taken && event.kind.is_indirect() {
            *self.targets.entry((index, event.target)).or_default() += 1;
        }
    }

    /// The counts of each program by instruction and by branch.
    pub fn finish(&self, blocks: &Blocks) -> Vec<Counts> {
        (0..blocks.programs()).map(|program| self.of_program(blocks, program)).collect()
    }

    fn of_program(&self, blocks: &Blocks, program: usize) -> Counts {
        let mut instructions: FxHashMap<u64, u64> = FxHashMap::default();
        let mut sites: FxHashMap<u64, Site> = FxHashMap::default();
        let mut count = |index, length, times| {
            for address in blocks.program_counters(index, length) {
                *instructions.entry(address).or_default() += times;
            }
        };
        for (index, block) in blocks.iter().filter(|(_, block)| block.program == program) {
            let Some(BlockCount { executed, taken }) = self.blocks.get(index.place()).copied()
            else {
                continue;
            };
            if executed == 0 {
                continue;
            }
            count(index, block.instructions, executed);
            if let Some(branch) = block.branch {
                let address = block.program_counter;
                let site = sites.entry(address).or_insert_with(|| Site::new(address, branch));
                site.executed += executed;
                site.taken += taken;
            }
        }
        let is_ours = |index: &BlockIndex| blocks.get(*index).program == program;
        for ((index, length), times) in self.partial.iter().filter(|((index, _), _)| is_ours(index))
        {
            count(*index, *length, *times);
        }
        for ((index, target), times) in self.targets.iter().filter(|((index, _), _)| is_ours(index))
        {
            if let Some(site) = sites.get_mut(&blocks.get(*index).program_counter) {
                *site.targets.entry(*target).or_default() += times;
            }
        }
        for site in sites.values_mut() {
            let is_direct = matches!(site.branch.kind, Kind::DirectJump | Kind::DirectConditional);
            if is_direct && site.taken > 0 {
                site.targets.insert(site.branch.target, site.taken);
            }
        }
        let mut instructions: Vec<(u64, u64)> = instructions.into_iter().collect();
        instructions.sort_unstable();
        let mut sites: Vec<Site> = sites.into_values().collect();
        sites.sort_unstable_by_key(|site| site.address);
        let of_program = self.attempted.iter().filter(|((number, _), _)| *number == program);
        let mut attempted: Vec<(u64, u64)> =
            of_program.map(|((_, address), count)| (*address, *count)).collect();
        attempted.sort_unstable();
        let arrivals = self.arrivals.iter().flatten().filter(|(number, _)| *number == program);
        let total = self.threads.iter().sum();
        Counts {
            instructions,
            sites,
            total,
            threads: self.threads.clone(),
            exceptions: self.exceptions,
            attempted,
            arrivals: arrivals.map(|(_, address)| *address).collect(),
        }
    }
}

/// The counts of every instruction and branch of a program.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// The number of runs of every instruction that ran, by address.
    pub instructions: Vec<(u64, u64)>,
    /// Every control-flow instruction that ran, by address.
    pub sites: Vec<Site>,
    /// Number of retired instructions of all programs.
    pub total: u64,
    /// Number of retired instructions of each thread in all programs.
    pub threads: Vec<u64>,
    /// Number of taken exceptions in all programs, without the beginnings of threads.
    pub exceptions: u64,
    /// Addresses before whose instruction exceptions came that are no system calls, and how many.
    pub attempted: Vec<(u64, u64)>,
    /// Targets to which the last events of threads lead, and at which nothing has run.
    pub arrivals: Vec<u64>,
}

/// A control-flow instruction.
#[derive(Clone, Debug)]
pub struct Site {
    /// The address of the instruction.
    pub address: u64,
    /// The kind of the instruction.
    pub branch: Branch,
    /// How often it ran.
    pub executed: u64,
    /// How often it was taken.
    pub taken: u64,
    /// The targets, with the number of times that each was taken.
    pub targets: std::collections::BTreeMap<u64, u64>,
}

impl Site {
    fn new(address: u64, branch: Branch) -> Self {
        Self { address, branch, executed: 0, taken: 0, targets: Default::default() }
    }
}

impl Counts {
    /// How often the instruction at an address ran.
    pub fn of(&self, address: u64) -> u64 {
        match self.instructions.binary_search_by_key(&address, |(address, _)| *address) {
            Ok(place) => self.instructions[place].1,
            Err(_) => 0,
        }
    }

    /// The instructions of a range of addresses that ran.
    pub fn within(&self, from: u64, to: u64) -> &[(u64, u64)] {
        let begin = self.instructions.partition_point(|(address, _)| *address < from);
        let end = self.instructions.partition_point(|(address, _)| *address < to);
        &self.instructions[begin..end.max(begin)]
    }

    /// The branch at an address, if it ran.
    pub fn site(&self, address: u64) -> Option<&Site> {
        let place = self.sites.binary_search_by_key(&address, |site| site.address).ok()?;
        Some(&self.sites[place])
    }
}
