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

impl Logic for RecordFormer {
    #[hdl_gen]
    fn update(&mut self) {
        self.mispredicted.next = self.retire.val() & self.missed.val();

        // The counters.
        self.branch_count_next.next = self.branch_count.q.val()
            + bits_to(self.retire.val() & self.counted.val(), self.branch_count.width());
        self.counted_now.next = 0.into();
        if self.retire.val().any() {
            self.counted_now.next = self.count.val();
        }
        self.is_swept.next = 0.into();
        if self.sweeps.val() == 1 {
            self.swept.next = bits_to(self.instruction_count.q.val(), self.swept.width());
            self.counted_now.next =
                self.counted_now.val() | bits_to(self.clearing.val(), self.count.width());
            self.is_swept.next = self.clearing.val() & bits_to(self.swept.val().all(), 1);
        }
        self.total.next = bits_to(self.instruction_count.q.val(), self.total.width())
            + bits_to(self.counted_now.val(), self.total.width());
        self.branch_overflow.next = 0.into();
        if self.branch_count.q.val() == self.before_limit.val() {
            self.branch_overflow.next =
                self.retire.val() & self.counted.val() & !self.mispredicted.val();
        }
        self.clears.next = self.mispredicted.val()
            | self.branch_overflow.val()
            | (self.retire.val() & self.exception.val())
            | self.flush.val();
        // A sequential instruction that leaves the range takes half of it off. The last one of a block that
        // ends in a branch is not sequential: it does so only with more than 0 left above the range, which
        // fits the bits of one block. So does a branch without another record that is in the upper half.
        self.above_range.next = bits_to(self.total.val() >> self.count_top.val(), 1);
        self.upper_half.next =
            self.above_range.val() | bits_to(self.total.val() >> self.half.val(), 1);
        self.leaves_more.next = bits_to(bits_to(self.total.val(), self.count.width()).any(), 1);
        self.halves.next = self.retire.val() & self.control_flow.val() & !self.clears.val();
        self.instruction_overflow.next = (self.halves.val() & self.upper_half.val())
            | (self.above_range.val() & !self.control_flow.val());
        self.overflow_first.next = self.above_range.val()
            & self.control_flow.val()
            & (self.exception.val() | self.leaves_more.val());

        // What is taken off are whole halves, so that only the top bit of the count depends on it.
        self.instruction_count_top.next = self.upper_half.val();
        if self.halves.val().any() {
            self.instruction_count_top.next = self.above_range.val() & !self.leaves_more.val();
        }
        self.counted_instructions.next =
            (bits_to(self.instruction_count_top.val(), self.instruction_count.width())
                << self.half.val())
                | bits_to(
                    bits_to(self.total.val(), self.instruction_count.width() - 1),
                    self.instruction_count.width(),
                );
        self.branch_count.d.next = self.branch_count_next.val();
        self.instruction_count.d.next = self.counted_instructions.val();
        if self.clears.val().any() || self.is_swept.val().any() {
            self.branch_count.d.next = 0.into();
            self.instruction_count.d.next = 0.into();
        }

        // The record.
        self.excepts.next = self.retire.val() & self.exception.val();
        self.record_valid.next = self.clears.val() | self.instruction_overflow.val();
        self.sends_outcome.next = self.mispredicted.val() & self.indirect.val();
        if self.outcome_bit_for_jumps.val() == 0 {
            self.sends_outcome.next =
                self.mispredicted.val() & self.indirect.val() & self.conditional.val();
        }
        self.has_target.next =
            (self.mispredicted.val() & self.indirect.val() & self.taken.val()) | self.excepts.val();
        self.record_count.next =
            bits_to(self.counted_instructions.val(), self.record_count.width());
        if self.mispredicted.val().any() {
            self.record_count.next =
                bits_to(self.branch_count_next.val(), self.record_count.width());
        }

        // A serial encoder takes the difference itself.
        self.sent_target.next = self.target.val();
        self.below.next = 0.into();
        if self.takes_difference.val().any() {
            self.target_difference.target.next = self.target.val();
            self.target_difference.send.next = self.has_target.val();
            self.sent_target.next = self.target_difference.magnitude.val();
            self.below.next = self.target_difference.below.val();
        }

        self.record.flush.next = self.flush.val();
        self.record.overflow_first.next = self.overflow_first.val();
        self.record.instruction_count_overflow.next = self.instruction_overflow.val();
        self.record.branch_count_overflow.next = self.branch_overflow.val();
        self.record.exception.next = self.excepts.val();
        self.record.sends_branch_count.next = self.mispredicted.val();
        self.record.sends_instruction_count.next = self.excepts.val() | self.flush.val();
        self.record.sends_outcome.next = self.sends_outcome.val();
        self.record.sends_target.next = self.has_target.val();
        self.record.taken.next = self.taken.val();
        self.record.below.next = self.below.val();
        self.record.count.next = self.record_count.val();
        self.record.target.next = self.sent_target.val();
    }
}
