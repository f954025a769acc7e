//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::traptor::config::Config;

use super::gshare::Gshare;
use super::record_former::RecordFormer;
use super::target_predictor::TargetPredictor;
use super::top::Stage;

/// What is said of a block in single bits, on its way to the record former.
mod flag {
    pub const RETIRE: usize = 0;
    pub const FLUSH: usize = 1;
    pub const CONTROL_FLOW: usize = 2;
    pub const CONDITIONAL: usize = 3;
    pub const INDIRECT: usize = 4;
    pub const EXCEPTION: usize = 5;
    pub const TAKEN: usize = 6;
    pub const CALL: usize = 7;
    pub const RETURN: usize = 8;
    pub const OUTCOME_MISSED: usize = 9;
    pub const PREDICTED: usize = 10;
    /// A flag for every part of the target that is not as predicted.
    pub const DIFFERS: usize = 11;
}

/// Target bits that are compared before the stage of the record former.
const PART_BITS: usize = 8;

block! {
    /// Predictors and record former.
    ///
    /// A record leaves in the clock of its block, or three clocks later where tables are read through
    /// registers: the tables are read in the first clock, what they say is compared part by part in the
    /// second, and the record is formed in the third, to leave in the fourth. Either way a block is taken every clock.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let address_width = config.processor.address_width as usize;
        let target_bits = config.processor.instruction_address_bits() as usize;
        let count_bits = config.processor.retire_count_bits as usize;
        let is_synchronous = config.is_synchronous();
        let record_bits = config.format().bits() as usize;
        let parts = target_bits.div_ceil(PART_BITS);
        let flag_bits = flag::DIFFERS + parts;
    }

    // The tables are being cleared.
    in clear: 1;
    // The entry to clear, in its lower bits.
    in clear_index: clear_bits;
    /// a block retires; only when ready
    in retire: 1;
    // Its instructions.
    in count: count_bits;
    // Byte address of its last instruction.
    in program_counter: address_width;
    // Length of that instruction in bytes.
    in length: 4;
    // What that instruction is.
    in branch_kind: 3;
    // It leaves a return address.
    in call: 1;
    // It goes back to one.
    in is_return: 1;
    // The flow changed.
    in taken: 1;
    // Where to.
    in target: address_width;
    /// make a flush record; only when ready
    in flush: 1;
    // A block or a flush is taken.
    out ready: 1;
    // No record waits inside.
    out is_empty: 1;
    // There is a record.
    out record_valid: 1;
    // The record.
    out record: record_bits;
    // It is taken.
    in record_ready: 1;
    block gshare: Gshare(config, clear_bits);
    block target_predictor: TargetPredictor(config, clear_bits);
    block record_former: RecordFormer(config);
    block read_stage: Stage(flag_bits, count_bits, target_bits) if is_synchronous;
    block record_stage: Stage(flag_bits, count_bits, target_bits) if is_synchronous;
    local control_flow: 1;
    local conditional: 1;
    local indirect: 1;
    local exception: 1;
    local flags: flag_bits;
    /// in instruction units
    local target_units: target_bits;
    /// the block whose entries are read
    local read_flags: flag_bits;
    local read_count: count_bits;
    local read_target: target_bits;
    local outcome_missed: 1;
    /// of the predicted target
    local wrong_bits: target_bits;
    local wrong_part: PART_BITS for _ in 0..parts;
    /// parts with wrong bits
    local differs: parts;
    local compared_flags: flag_bits;
    local target_missed: 1;
    /// the block that is recorded
    local record_flags: flag_bits;
    local record_count: count_bits;
    local record_target: target_bits;
    reg formed_valid: usize::from(is_synchronous);
    reg formed: if is_synchronous { record_bits } else { 0 };
    param is_synchronous = usize::from(is_synchronous);
    param at_retire = flag::RETIRE;
    param at_flush = flag::FLUSH;
    param at_control_flow = flag::CONTROL_FLOW;
    param at_conditional = flag::CONDITIONAL;
    param at_indirect = flag::INDIRECT;
    param at_exception = flag::EXCEPTION;
    param at_taken = flag::TAKEN;
    param at_call = flag::CALL;
    param at_return = flag::RETURN;
    param at_outcome_missed = flag::OUTCOME_MISSED;
    param at_predicted = flag::PREDICTED;
    param at_differs = flag::DIFFERS;
    param part_bits = PART_BITS;
    param alignment = config.processor.alignment as usize;
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = self.record_ready.val();
        self.control_flow.next = bits_to(self.branch_kind.val().any(), 1);
        self.conditional.next =
            bits_to(self.branch_kind.val() == 2, 1) | bits_to(self.branch_kind.val() == 4, 1);
        self.indirect.next =
            bits_to(self.branch_kind.val() == 3, 1) | bits_to(self.branch_kind.val() == 4, 1);
        self.exception.next = bits_to(self.branch_kind.val() == 5, 1);
        self.target_units.next =
            bits_to(self.target.val() >> self.alignment.val(), self.target_units.width());
        self.flags.next = (bits_to(self.retire.val(), self.flags.width()) << self.at_retire.val())
            | (bits_to(self.flush.val(), self.flags.width()) << self.at_flush.val())
            | (bits_to(self.control_flow.val(), self.flags.width()) << self.at_control_flow.val())
            | (bits_to(self.conditional.val(), self.flags.width()) << self.at_conditional.val())
            | (bits_to(self.indirect.val(), self.flags.width()) << self.at_indirect.val())
            | (bits_to(self.exception.val(), self.flags.width()) << self.at_exception.val())
            | (bits_to(self.taken.val(), self.flags.width()) << self.at_taken.val())
            | (bits_to(self.call.val(), self.flags.width()) << self.at_call.val())
            | (bits_to(self.is_return.val(), self.flags.width()) << self.at_return.val());

        // The tables' addresses.
        self.gshare.clear.next = self.clear.val();
        self.gshare.clear_index.next = self.clear_index.val();
        self.gshare.update.next = self.retire.val() & self.conditional.val();
        self.gshare.program_counter.next = self.program_counter.val();
        self.gshare.taken.next = self.taken.val();
        self.target_predictor.clear.next = self.clear.val();
        self.target_predictor.clear_index.next = self.clear_index.val();
        self.target_predictor.update_path.next =
            self.retire.val() & (self.conditional.val() | self.indirect.val());
        self.target_predictor.path_taken.next = self.taken.val();
        self.target_predictor.program_counter.next = self.program_counter.val();
        self.target_predictor.length.next = self.length.val();

        // What they say, and what they learn.
        if self.is_synchronous.val() == 1 {
            self.read_stage.flags.next = self.flags.val();
            self.read_stage.count.next = self.count.val();
            self.read_stage.target.next = self.target_units.val();
            self.read_flags.next = self.read_stage.later_flags.val();
            self.read_count.next = self.read_stage.later_count.val();
            self.read_target.next = self.read_stage.later_target.val();
        } else {
            self.read_flags.next = self.flags.val();
            self.read_count.next = self.count.val();
            self.read_target.next = self.target_units.val();
        }
        self.gshare.learn.next = bits_to(self.read_flags.val() >> self.at_retire.val(), 1)
            & bits_to(self.read_flags.val() >> self.at_conditional.val(), 1);
        self.gshare.outcome.next = bits_to(self.read_flags.val() >> self.at_taken.val(), 1);
        self.target_predictor.update.next =
            bits_to(self.read_flags.val() >> self.at_retire.val(), 1)
                & bits_to(self.read_flags.val() >> self.at_control_flow.val(), 1)
                & !bits_to(self.read_flags.val() >> self.at_exception.val(), 1);
        self.target_predictor.indirect.next =
            bits_to(self.read_flags.val() >> self.at_indirect.val(), 1);
        self.target_predictor.call.next = bits_to(self.read_flags.val() >> self.at_call.val(), 1);
        self.target_predictor.is_return.next =
            bits_to(self.read_flags.val() >> self.at_return.val(), 1);
        self.target_predictor.taken.next = bits_to(self.read_flags.val() >> self.at_taken.val(), 1);
        self.target_predictor.target.next = self.read_target.val();
        self.outcome_missed.next = bits_to(self.read_flags.val() >> self.at_conditional.val(), 1)
            & (self.gshare.predicted_taken.val()
                ^ bits_to(self.read_flags.val() >> self.at_taken.val(), 1));
        self.wrong_bits.next =
            self.target_predictor.predicted_target.val() ^ self.read_target.val();
        self.differs.next = 0.into();
        for part in 0..self.differs.width() {
            self.wrong_part[part].next =
                unsigned_cast_to_fit(self.wrong_bits.val() >> (part * self.part_bits.val()));
            if self.wrong_part[part].val().any() {
                self.differs.next = self.differs.val().replace_bit(part, true);
            }
        }
        self.compared_flags.next = self.read_flags.val()
            | (bits_to(self.outcome_missed.val(), self.flags.width())
                << self.at_outcome_missed.val())
            | (bits_to(self.target_predictor.predicted.val(), self.flags.width())
                << self.at_predicted.val())
            | (bits_to(self.differs.val(), self.flags.width()) << self.at_differs.val());

        // The record.
        if self.is_synchronous.val() == 1 {
            self.record_stage.flags.next = self.compared_flags.val();
            self.record_stage.count.next = self.read_count.val();
            self.record_stage.target.next = self.read_target.val();
            self.record_flags.next = self.record_stage.later_flags.val();
            self.record_count.next = self.record_stage.later_count.val();
            self.record_target.next = self.record_stage.later_target.val();
            self.is_empty.next = !(bits_to(self.read_flags.val() >> self.at_retire.val(), 1)
                | bits_to(self.read_flags.val() >> self.at_flush.val(), 1)
                | bits_to(self.record_flags.val() >> self.at_retire.val(), 1)
                | bits_to(self.record_flags.val() >> self.at_flush.val(), 1)
                | self.formed_valid.q.val());
        } else {
            self.record_flags.next = self.compared_flags.val();
            self.record_count.next = self.read_count.val();
            self.record_target.next = self.read_target.val();
            self.is_empty.next = 1.into();
        }
        self.record_former.retire.next =
            bits_to(self.record_flags.val() >> self.at_retire.val(), 1);
        self.record_former.count.next = self.record_count.val();
        self.record_former.control_flow.next =
            bits_to(self.record_flags.val() >> self.at_control_flow.val(), 1);
        self.record_former.counted.next =
            bits_to(self.record_flags.val() >> self.at_conditional.val(), 1)
                | bits_to(self.record_flags.val() >> self.at_indirect.val(), 1);
        self.record_former.conditional.next =
            bits_to(self.record_flags.val() >> self.at_conditional.val(), 1);
        self.record_former.indirect.next =
            bits_to(self.record_flags.val() >> self.at_indirect.val(), 1);
        self.record_former.exception.next =
            bits_to(self.record_flags.val() >> self.at_exception.val(), 1);
        self.record_former.taken.next = bits_to(self.record_flags.val() >> self.at_taken.val(), 1);
        self.record_former.target.next = self.record_target.val();
        self.target_missed.next = bits_to(self.record_flags.val() >> self.at_indirect.val(), 1)
            & bits_to(self.record_flags.val() >> self.at_taken.val(), 1);
        if bits_to(self.record_flags.val() >> self.at_predicted.val(), 1).any()
            && !bits_to(self.record_flags.val() >> self.at_differs.val(), self.differs.width())
                .any()
        {
            self.target_missed.next = 0.into();
        }
        self.record_former.missed.next = self.target_missed.val()
            | bits_to(self.record_flags.val() >> self.at_outcome_missed.val(), 1);
        self.record_former.flush.next = bits_to(self.record_flags.val() >> self.at_flush.val(), 1);
        self.record_valid.next = self.record_former.record_valid.val();
        self.record.next = self.record_former.record.val();
        if self.is_synchronous.val() == 1 {
            self.formed_valid.d.next = self.record_former.record_valid.val();
            self.formed.d.next = self.record_former.record.val();
            self.record_valid.next = self.formed_valid.q.val();
            self.record.next = self.formed.q.val();
        }
    }
}
