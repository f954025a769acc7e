//! Instructions since the last symbol, which an exception and a flush tell.

use tracewright_elaborate::prelude::*;
use tracewright_sim::talon::config::Config;

block! {
    /// Counts the instructions of every block, and gives up half of its range where it would leave it.
    ///
    /// While the tables are cleared, it numbers their entries if it is wide enough.
    pub InstructionCounter("instruction_counter") of (config: &Config, clear_bits: usize) {
        let count_bits = config.instruction_count_bits as usize;
        let retire_count_bits = config.processor.retire_count_bits as usize;
        let sweeps = config.sweeps_by_instruction_count();
        let swept_bits = if sweeps { clear_bits } else { 0 };
    }
    parameters {
        count_bits,
        retire_count_bits,
        swept_bits if sweeps,
    }

    /// a block retires
    in retire: 1;
    /// its instructions
    in count: retire_count_bits;
    /// its last instruction is a jump or a branch
    in control_flow: 1;
    /// its last instruction has a symbol
    in has_symbol: 1;
    /// an exception follows it
    in exception: 1;
    in flush: 1;
    /// the tables are being cleared; no block retires
    in clearing: usize::from(sweeps);
    /// the entry to clear
    out swept: swept_bits;
    /// instructions since the last symbol, those of the block included
    out instructions: count_bits;
    /// the jump that ends the block finds the counter in its upper half, or a sequential block leaves the range
    out overflows: 1;
    /// the block leaves the range before what its last instruction or an exception says
    out overflows_first: 1;
    reg instruction_count: count_bits;
    /// instructions of the block, or one entry that is cleared
    local counted_now: retire_count_bits;
    local total: count_bits + 1;
    local clears: 1;
    local above_range: 1;
    local upper_half: 1;
    /// of the last instruction too
    local leaves_more: 1;
    /// a jump may take a half off
    local halves: 1;
    local count_top: 1;
    /// the last entry is being cleared
    local is_swept: 1;
    param sweeps = sweeps;
    param half = count_bits - 1;
    param count_top_place = count_bits;
}

#[kernel]
impl Logic for InstructionCounter {
    fn update(&mut self) {
        counted_now = 0;
        if retire {
            counted_now = count;
        }
        is_swept = 0;
        if when(sweeps) {
            swept = resized(instruction_count.q);
            counted_now = counted_now | resized(clearing);
            is_swept = clearing & bit(swept.all());
        }
        total = resized(instruction_count.q) + resized(counted_now);
        clears = (retire & (has_symbol | exception)) | flush;

        // The last instruction of a block is not sequential if it is a jump or a branch: the block then leaves the
        // range before it only with more than 0 left above, which fits the bits of one block.
        above_range = resized(total >> count_top_place, 1);
        upper_half = above_range | resized(total >> half, 1);
        leaves_more = resized(total, count.width()).any();
        halves = retire & control_flow & !has_symbol;
        overflows = (halves & upper_half) | (above_range & !control_flow & !exception);
        overflows_first = above_range & ((control_flow & leaves_more) | exception);

        // What is taken off are whole halves, so that only the top bit of the count depends on it.
        count_top = upper_half;
        if halves {
            count_top = above_range & !leaves_more;
        }
        instructions =
            (resized(count_top) << half) | resized(resized(total, instructions.width() - 1));
        instruction_count.d = instructions;
        if clears || is_swept {
            instruction_count.d = 0;
        }
    }
}
