//! Functions and the numbers of their instructions.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use serde::Serialize;
use tracewright_image::Image;

use crate::names::{self, FunctionIndex, Names};
use crate::profile::Counts;

/// The counts of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FunctionCount {
    /// The name, or `file+0x1234`.
    pub function: String,
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
        Self { image, entered }
    }

    /// The first address of the function of an instruction.
    pub fn start(&self, address: u64) -> u64 {
        let address = self.image.instruction_set().byte_address(address);
        if let Some(symbol) = self.image.function_at(address) {
            return symbol.address;
        }
        self.entered.range(..=address).next_back().copied().unwrap_or(address)
    }

    /// The name of the function that begins at an address.
    pub fn name(&self, start: u64) -> String {
        names::spoken(self.image, start)
    }

    /// Every function that ran, the one with the most instructions of its own first.
    pub fn counts(
        &self,
        counts: &Counts,
        inclusive: &FxHashMap<FunctionIndex, u64>,
        names: &Names,
    ) -> Vec<FunctionCount> {
        let total: FxHashMap<u64, u64> = inclusive
            .iter()
            .map(|(function, instructions)| (names.get(*function).address, *instructions))
            .collect();
        let mut functions: Vec<FunctionCount> = Vec::new();
        let mut places: FxHashMap<u64, usize> = FxHashMap::default();
        for (address, count) in &counts.instructions {
            let start = self.start(*address);
            let place = *places.entry(start).or_insert_with(|| {
                functions.push(FunctionCount {
                    function: self.name(start),
                    address: start,
                    instructions: 0,
                    total: total.get(&start).copied().unwrap_or(0),
                    entered: 0,
                });
                functions.len() - 1
            });
            let function = &mut functions[place];
            function.instructions += count;
            function.entered += if self.image.instruction_set().byte_address(*address) == start {
                *count
            } else {
                0
            };
        }
        for function in &mut functions {
            function.total = function.total.max(function.instructions);
        }
        functions
            .sort_by_key(|function| std::cmp::Reverse((function.instructions, function.address)));
        functions
    }
}
