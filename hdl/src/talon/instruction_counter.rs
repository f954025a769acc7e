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

impl Logic for InstructionCounter {
    #[hdl_gen]
    fn update(&mut self) {
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
        self.clears.next =
            (self.retire.val() & (self.has_symbol.val() | self.exception.val())) | self.flush.val();

        // The last instruction of a block is not sequential if it is a jump or a branch: the block then leaves the
        // range before it only with more than 0 left above, which fits the bits of one block.
        self.above_range.next = bits_to(self.total.val() >> self.count_top_place.val(), 1);
        self.upper_half.next =
            self.above_range.val() | bits_to(self.total.val() >> self.half.val(), 1);
        self.leaves_more.next = bits_to(bits_to(self.total.val(), self.count.width()).any(), 1);
        self.halves.next = self.retire.val() & self.control_flow.val() & !self.has_symbol.val();
        self.overflows.next = (self.halves.val() & self.upper_half.val())
            | (self.above_range.val() & !self.control_flow.val() & !self.exception.val());
        self.overflows_first.next = self.above_range.val()
            & ((self.control_flow.val() & self.leaves_more.val()) | self.exception.val());

        // What is taken off are whole halves, so that only the top bit of the count depends on it.
        self.count_top.next = self.upper_half.val();
        if self.halves.val().any() {
            self.count_top.next = self.above_range.val() & !self.leaves_more.val();
        }
        self.instructions.next = (bits_to(self.count_top.val(), self.instructions.width())
            << self.half.val())
            | bits_to(
                bits_to(self.total.val(), self.instructions.width() - 1),
                self.instructions.width(),
            );
        self.instruction_count.d.next = self.instructions.val();
        if self.clears.val().any() || self.is_swept.val().any() {
            self.instruction_count.d.next = 0.into();
        }
    }
}
