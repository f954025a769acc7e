//! Functions and the numbers of their instructions.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use serde::Serialize;
use tracewright_image::Image;

use crate::names::{self, FunctionIndex};
use crate::profile::Counts;
use crate::views::Seen;

/// The counts of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FunctionCount {
    /// The name, or `file+0x1234`.
    pub function: String,
    /// The number of its program.
    #[serde(skip)]
    pub program: usize,
    /// The address of its first instruction.
    pub address: u64,
    /// Instructions of the function itself.
    pub instructions: u64,
    /// Instructions of the function and of the functions that it called.
    pub total: u64,
    /// How often its first instruction ran.
    pub entered: u64,
}

/// The first addresses of functions, from symbols or, in code without symbols, from the targets of calls.
#[derive(Clone, Debug)]
pub struct Functions<'a> {
    image: &'a Image,
    entered: BTreeSet<u64>,
    /// The functions whose unlikely parts begin at these addresses.
    hot: FxHashMap<u64, u64>,
}

impl<'a> Functions<'a> {
    /// The functions of an execution.
    pub fn new(image: &'a Image, counts: &Counts) -> Self {
        let byte_address = |address: &u64| image.instruction_set().byte_address(*address);
        let is_unknown = |address: &u64| image.function_at(*address).is_none();
        let calls = counts.sites.iter().filter(|site| site.branch.call);
        let targets = calls.flat_map(|site| site.targets.keys().map(byte_address));
        let mut entered: BTreeSet<u64> = targets.filter(is_unknown).collect();
        // Code that was not called begins where its file or the gap between two symbols begins.
        let mut before = None;
        for address in counts.instructions.iter().map(|(address, _)| byte_address(address)) {
            let file = image.file_at(address).map(|file| &file.path);
            let gap = is_unknown(&address).then_some(file);
            if gap.is_some() && gap != before {
                entered.insert(address);
            }
            before = gap;
        }
        Self { image, entered, hot: names::hot_parts(image) }
    }

    /// The first address of the function of an instruction.
    pub fn start(&self, address: u64) -> u64 {
        let address = self.image.instruction_set().byte_address(address);
        if let Some(symbol) = self.image.function_at(address) {
            return *self.hot.get(&symbol.address).unwrap_or(&symbol.address);
        }
        self.entered.range(..=address).next_back().copied().unwrap_or(address)
    }

    /// The first addresses of the unlikely parts of the function that begins at an address.
    pub fn cold_parts(&self, start: u64) -> Vec<u64> {
        let of = |(cold, hot): (&u64, &u64)| (*hot == start).then_some(*cold);
        let mut parts: Vec<u64> = self.hot.iter().filter_map(of).collect();
        parts.sort_unstable();
        parts
    }

    /// The name of the function that begins at an address.
    pub fn name(&self, start: u64) -> String {
        names::spoken(self.image, start)
    }
}

impl FunctionCount {
    /// Every function that ran, the one with the most instructions of its own first.
    ///
    /// The instructions are those that the call tree counts for a function, so that a table of these and folded stacks
    /// agree.
    pub fn all<L, T>(seen: &Seen<L, T>) -> Vec<FunctionCount> {
        let inclusive = seen.tree.inclusive();
        let of = |(place, &instructions): (usize, &u64)| {
            let index = FunctionIndex::at(place);
            let function = seen.names.get(index);
            let total = inclusive.get(&index).copied().unwrap_or(0);
            let entered = |address: u64| seen.counts[function.program].of(address);
            FunctionCount {
                function: function.name.clone(),
                program: function.program,
                address: function.address,
                instructions,
                total: total.max(instructions),
                entered: entered(function.address).max(entered(function.address | 1)),
            }
        };
        let own = seen.own.iter().enumerate().filter(|(_, instructions)| **instructions > 0);
        let mut functions: Vec<FunctionCount> = own.map(of).collect();
        functions
            .sort_by_key(|function| std::cmp::Reverse((function.instructions, function.address)));
        functions
    }
}
