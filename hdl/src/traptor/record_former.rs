//! The branch and instruction counters, and the decision what is recorded.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::mask;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::traptor::config::Config;

use crate::encode::record::word_layout;
use crate::target_difference::TargetDifference;

packed! {
    /// A record of T-raptor on its way to the encoder (`tracewright_sim::traptor::layout`).
    pub Record of (format: &RecordFormat) {
        let layout = word_layout(format, Self::FIELDS);
    }
    flush;
    overflow_first;
    instruction_count_overflow;
    branch_count_overflow;
    exception;
    sends_branch_count;
    sends_instruction_count;
    sends_outcome;
    sends_target;
    taken;
    below;
    count;
    target;
}

block! {
    /// Counts every block and forms at most one record per cycle.
    ///
    /// While the tables are cleared, the instruction counter numbers their entries if it is wide enough.
    pub RecordFormer("record_former") of (config: &Config, clear_bits: usize) {
        let format = config.format();
        let branch_count_bits = config.branch_count_bits as usize;
        let instruction_count_bits = config.instruction_count_bits as usize;
        let target_bits = format.width("target") as usize;
        let retire_count_bits = config.processor.retire_count_bits as usize;
        let takes_difference = config.port.is_parallel();
        let sweeps = config.sweeps_by_instruction_count();
        let swept_bits = if sweeps { clear_bits } else { 0 };
    }
    parameters {
        branch_count_bits,
        instruction_count_bits,
        retire_count_bits,
        target_bits,
        outcome_bit_for_jumps = config.outcome_bit_for_jumps,
        takes_difference,
        swept_bits if sweeps,
    }

    /// a block retires
    in retire: 1;
    /// its instructions
    in count: retire_count_bits;
    /// its last instruction may change the flow
    in control_flow: 1;
    /// conditional or indirect
    in counted: 1;
    in conditional: 1;
    in indirect: 1;
    in exception: 1;
    in taken: 1;
    /// in instruction units
    in target: target_bits;
    /// outcome or target was not predicted
    in missed: 1;
    /// make a flush record
    in flush: 1;
    /// the tables are being cleared; no block retires
    in clearing: usize::from(sweeps);
    /// the entry to clear
    out swept: swept_bits;
    out record_valid: 1;
    out record: Record(&format);
    reg branch_count: branch_count_bits;
    reg instruction_count: instruction_count_bits;
    block target_difference: TargetDifference(&config.processor) if takes_difference;
    local branch_count_next: branch_count_bits;
    /// instructions of the block, or one entry that is cleared
    local counted_now: retire_count_bits;
    local total: instruction_count_bits + 1;
    local mispredicted: 1;
    local branch_overflow: 1;
    local clears: 1;
    /// instructions beyond the counter's range
    local above_range: 1;
    local upper_half: 1;
    /// of the last instruction too
    local leaves_more: 1;
    /// a control-flow instruction may take a half off
    local halves: 1;
    /// the last entry is being cleared
    local is_swept: 1;
    local instruction_overflow: 1;
    local overflow_first: 1;
    local instruction_count_top: 1;
    local counted_instructions: instruction_count_bits;
    local has_target: 1;
    local sends_outcome: 1;
    local excepts: 1;
    local record_count: format.width("count");
    local sent_target: target_bits;
    local below: 1;
    param outcome_bit_for_jumps = config.outcome_bit_for_jumps;
    param takes_difference = takes_difference;
    param sweeps = sweeps;
    param before_limit = Word::new(branch_count_bits, mask(config.branch_count_bits) - 1);
    param half = instruction_count_bits - 1;
    param count_top = instruction_count_bits;
}

#[kernel]
impl Logic for RecordFormer {
    fn update(&mut self) {
        mispredicted = retire & missed;

        // The counters.
        branch_count_next = branch_count.q + resized(retire & counted);
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
        branch_overflow = 0;
        if branch_count.q == before_limit {
            branch_overflow = retire & counted & !mispredicted;
        }
        clears = mispredicted | branch_overflow | (retire & exception) | flush;
        // A sequential instruction that leaves the range takes half of it off. The last one of a block that
        // ends in a branch is not sequential: it does so only with more than 0 left above the range, which
        // fits the bits of one block. So does a branch without another record that is in the upper half.
        above_range = resized(total >> count_top, 1);
        upper_half = above_range | resized(total >> half, 1);
        leaves_more = resized(total, count.width()).any();
        halves = retire & control_flow & !clears;
        instruction_overflow = (halves & upper_half) | (above_range & !control_flow);
        overflow_first = above_range & control_flow & (exception | leaves_more);

        // What is taken off are whole halves, so that only the top bit of the count depends on it.
        instruction_count_top = upper_half;
        if halves {
            instruction_count_top = above_range & !leaves_more;
        }
        counted_instructions = (resized(instruction_count_top) << half)
            | resized(resized(total, instruction_count.width() - 1));
        branch_count.d = branch_count_next;
        instruction_count.d = counted_instructions;
        if clears || is_swept {
            branch_count.d = 0;
            instruction_count.d = 0;
        }

        // The record.
        excepts = retire & exception;
        record_valid = clears | instruction_overflow;
        sends_outcome = mispredicted & indirect;
        if when(!outcome_bit_for_jumps) {
            sends_outcome = mispredicted & indirect & conditional;
        }
        has_target = (mispredicted & indirect & taken) | excepts;
        record_count = resized(counted_instructions);
        if mispredicted {
            record_count = resized(branch_count_next);
        }

        // A serial encoder takes the difference itself.
        sent_target = target;
        below = 0;
        if takes_difference {
            target_difference = TargetDifference { target, send: has_target };
            sent_target = target_difference.magnitude;
            below = target_difference.below;
        }

        record = Record {
            flush,
            overflow_first,
            instruction_count_overflow: instruction_overflow,
            branch_count_overflow: branch_overflow,
            exception: excepts,
            sends_branch_count: mispredicted,
            sends_instruction_count: excepts | flush,
            sends_outcome,
            sends_target: has_target,
            taken,
            below,
            count: record_count,
            target: sent_target,
        };
    }
}
