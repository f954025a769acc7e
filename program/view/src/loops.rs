//! Hot loops, found by taken branches to the same or a lower address of a function.

use std::collections::BTreeMap;

use serde::Serialize;
use tracewright_image::Image;
use tracewright_sim::event::Kind;

use crate::functions::Functions;
use crate::lines::Lines;
use crate::profile::Counts;

/// A loop: its first instruction, and the branches back to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Loop {
    /// The function of the loop.
    pub function: String,
    /// File and line of its first instruction.
    pub line: Option<String>,
    /// Its first instruction, the target of the branches back.
    pub address: u64,
    /// The last branch back.
    pub end: u64,
    /// How often it was entered from outside.
    pub entries: u64,
    /// How often its first instruction ran.
    pub iterations: u64,
    /// Instructions from the first to the last one, without what they call.
    pub instructions: u64,
}

/// Every loop, the one with the most instructions first.
///
/// A loop is the target of taken branches to the same or a lower address of the same function. Calls, returns and
/// exceptions make no loops.
pub fn loops(
    image: &Image,
    counts: &Counts,
    functions: &Functions<'_>,
    lines: &mut Lines,
) -> Vec<Loop> {
    let instruction_set = image.instruction_set();
    // For each first instruction: the last branch back, and how often all branches back were taken.
    let mut found: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    for site in &counts.sites {
        let branch = site.branch;
        if branch.call || branch.is_return || branch.kind == Kind::Exception {
            continue;
        }
        let back = site.targets.iter().filter(|(target, _)| **target <= site.address);
        for (target, taken) in back {
            if functions.start(*target) == functions.start(site.address) {
                let (end, back) = found.entry(*target).or_default();
                *end = site.address.max(*end);
                *back += taken;
            }
        }
    }
    let of = |(address, (end, back)): (u64, (u64, u64))| {
        let iterations = counts.of(address);
        // The branch back that ends an execution is followed by no iteration.
        let ends = counts.arrivals.iter().filter(|arrival| **arrival == address).count() as u64;
        let line = lines.at(instruction_set.byte_address(address));
        let inside = counts.within(address, end.saturating_add(1));
        Loop {
            function: functions.name(functions.start(address)),
            line: line.map(|line| format!("{}:{}", line.file, line.line)),
            address: instruction_set.byte_address(address),
            end: instruction_set.byte_address(end),
            entries: (iterations + ends).saturating_sub(back),
            iterations,
            instructions: inside.iter().map(|(_, count)| count).sum(),
        }
    };
    let mut loops: Vec<Loop> = found.into_iter().map(of).collect();
    loops.sort_by_key(|one| (std::cmp::Reverse(one.instructions), one.address));
    loops
}
