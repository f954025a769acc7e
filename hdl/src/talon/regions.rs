//! Regions of the program: the upper bits of addresses, so that stack and target buffer keep a number instead.

use tracewright_elaborate::prelude::*;
use tracewright_sim::talon::config::Config;

block! {
    /// Registers with the upper bits of the regions that the program jumped to last.
    ///
    /// One comparator for each register finds the region of a jump's target. The region that a jump comes from is
    /// the one that the last jump went to, so that the return address of a call needs no comparators of its own.
    pub Regions("regions") of (config: &Config) {
        let registers = config.target_regions as usize;
        let upper_bits = config.upper_target_bits() as usize;
        let number_bits = config.region_bits() as usize;
    }
    parameters {
        registers,
        upper_bits,
    }

    /// upper bits of the target
    in target: upper_bits;
    /// the program jumps to it
    in jump: 1;
    /// a region of which the upper bits are asked
    in asked: number_bits;
    /// the region of the target: the one that has it, or the one that takes it
    out number: number_bits;
    /// a register has the target's upper bits
    out is_known: 1;
    /// the region that the last jump went to
    out here: number_bits;
    /// upper bits of the region that is asked for
    out upper: upper_bits;
    reg uppers: upper_bits for _ in 0..registers;
    reg oldest: number_bits;
    reg last: number_bits;
    param numbers = Word::new(number_bits, each as u64) for each in 0..registers;
}

#[kernel]
impl Logic for Regions {
    fn update(&mut self) {
        here = last.q;
        number = oldest.q;
        is_known = 0;
        upper = uppers[0].q;
        for each in 0..uppers.len() {
            if asked == each {
                upper = uppers[each].q;
            }
            // No two registers that are in use have the same bits. After reset all have, and the first one counts.
            if !is_known && uppers[each].q == target {
                is_known = 1;
                number = numbers[each];
            }
        }
        if jump {
            last.d = number;
            if !is_known {
                oldest.d = oldest.q + 1;
                for each in 0..uppers.len() {
                    if oldest.q == each {
                        uppers[each].d = target;
                    }
                }
            }
        }
    }
}
