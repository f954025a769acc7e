//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::traptor::config::Config;

use super::gshare::Gshare;
use super::record_former::RecordFormer;
use super::target_predictor::TargetPredictor;
use crate::parts::ports::{Clear, RetiredBlock, Stream};
use crate::parts::stage::Stage;

packed! {
    /// What is known of a block in single bits, on its way to the record former.
    pub Flags of (parts: usize);
    valid: 1;
    flush: 1;
    control_flow: 1;
    conditional: 1;
    indirect: 1;
    exception: 1;
    taken: 1;
    call: 1;
    is_return: 1;
    outcome_missed: 1;
    predicted: 1;
    /// A bit for every part of the target that is not as predicted.
    differs: parts;
}

/// Target bits that are compared before the stage of the record former.
const PART_BITS: usize = 8;

block! {
    /// Predictors and record former.
    ///
    /// A record leaves in the cycle of its block, or three cycles later where tables are read through
    /// registers: the tables are read in the first cycle, their predictions are compared part by part in the
    /// second, and the record is formed in the third and leaves in the fourth. A block is taken every cycle in both cases.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let target_bits = config.processor.instruction_address_bits() as usize;
        let count_bits = config.processor.retire_count_bits as usize;
        let is_synchronous = config.is_synchronous();
        let sweeps = config.sweeps_by_instruction_count();
        let record_bits = config.format().bits() as usize;
        let parts = target_bits.div_ceil(PART_BITS);
        let flag_bits = Flags::<View>::new(parts).width();
    }

    in clear: Clear(clear_bits);
    /// valid is high only while the compressor is ready
    in retire: RetiredBlock(&config.processor);
    /// make a flush record; only when ready
    in flush: 1;
    /// a block or a flush is taken
    out ready: 1;
    /// no record waits inside
    out is_empty: 1;
    out record: Stream(record_bits);
    /// the entry to clear, where the instruction counter numbers them
    out swept: if sweeps { clear_bits } else { 0 };
    /// make a flush record; only when ready
    block gshare: Gshare(config, clear_bits);
    block target_predictor: TargetPredictor(config, clear_bits);
    block record_former: RecordFormer(config, clear_bits);
    block read_stage: Stage(flag_bits, count_bits, target_bits) if is_synchronous;
    block record_stage: Stage(flag_bits, count_bits, target_bits) if is_synchronous;
    local flags: Flags(parts);
    /// the block whose entries are read
    view read_flags: Flags(parts);
    local compared_flags: Flags(parts);
    /// the block that is recorded
    view record_flags: Flags(parts);
    /// in instruction units
    local target_units: target_bits;
    local read_count: count_bits;
    local read_target: target_bits;
    local outcome_missed: 1;
    /// of the predicted target
    local wrong_bits: target_bits;
    local wrong_part: PART_BITS for _ in 0..parts;
    /// parts with wrong bits
    local differs: parts;
    local target_missed: 1;
    local record_count: count_bits;
    local record_target: target_bits;
    reg formed_valid: usize::from(is_synchronous);
    reg formed: if is_synchronous { record_bits } else { 0 };
    param is_synchronous = usize::from(is_synchronous);
    param sweeps = sweeps;
    param part_bits = PART_BITS;
    param alignment = config.processor.alignment as usize;
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = self.record.ready.val();
        self.target_units.next =
            bits_to(self.retire.target.val() >> self.alignment.val(), self.target_units.width());
        self.flags.valid.next = self.retire.valid.val();
        self.flags.flush.next = self.flush.val();
        self.flags.control_flow.next =
            self.retire.direct.val() | self.retire.indirect.val() | self.retire.exception.val();
        self.flags.conditional.next = self.retire.conditional.val();
        self.flags.indirect.next = self.retire.indirect.val();
        self.flags.exception.next = self.retire.exception.val();
        self.flags.taken.next = self.retire.taken.val();
        self.flags.call.next = self.retire.call.val();
        self.flags.is_return.next = self.retire.is_return.val();
        self.flags.outcome_missed.next = 0.into();
        self.flags.predicted.next = 0.into();
        self.flags.differs.next = 0.into();

        // The tables' addresses.
        connect::join(&mut self.clear, &mut self.gshare.clear);
        self.gshare.update.next = self.retire.valid.val() & self.retire.conditional.val();
        self.gshare.program_counter.next = self.retire.pc.val();
        self.gshare.taken.next = self.retire.taken.val();
        connect::join(&mut self.clear, &mut self.target_predictor.clear);
        self.target_predictor.update_path.next =
            self.retire.valid.val() & (self.retire.conditional.val() | self.retire.indirect.val());
        self.target_predictor.path_taken.next = self.retire.taken.val();
        self.target_predictor.program_counter.next = self.retire.pc.val();
        self.target_predictor.length.next = self.retire.length.val();

        // What they say, and what they learn.
        if self.is_synchronous.val() == 1 {
            self.read_stage.flags.next = self.flags.val();
            self.read_stage.count.next = self.retire.count.val();
            self.read_stage.target.next = self.target_units.val();
            self.read_flags.next = self.read_stage.later_flags.val();
            self.read_count.next = self.read_stage.later_count.val();
            self.read_target.next = self.read_stage.later_target.val();
        } else {
            self.read_flags.next = self.flags.val();
            self.read_count.next = self.retire.count.val();
            self.read_target.next = self.target_units.val();
        }
        self.gshare.learn.next = self.read_flags.valid.val() & self.read_flags.conditional.val();
        self.gshare.outcome.next = self.read_flags.taken.val();
        self.target_predictor.update.next = self.read_flags.valid.val()
            & self.read_flags.control_flow.val()
            & !self.read_flags.exception.val();
        self.target_predictor.indirect.next = self.read_flags.indirect.val();
        self.target_predictor.call.next = self.read_flags.call.val();
        self.target_predictor.is_return.next = self.read_flags.is_return.val();
        self.target_predictor.taken.next = self.read_flags.taken.val();
        self.target_predictor.target.next = self.read_target.val();
        self.outcome_missed.next = self.read_flags.conditional.val()
            & (self.gshare.predicted_taken.val() ^ self.read_flags.taken.val());
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
        self.compared_flags.valid.next = self.read_flags.valid.val();
        self.compared_flags.flush.next = self.read_flags.flush.val();
        self.compared_flags.control_flow.next = self.read_flags.control_flow.val();
        self.compared_flags.conditional.next = self.read_flags.conditional.val();
        self.compared_flags.indirect.next = self.read_flags.indirect.val();
        self.compared_flags.exception.next = self.read_flags.exception.val();
        self.compared_flags.taken.next = self.read_flags.taken.val();
        self.compared_flags.call.next = self.read_flags.call.val();
        self.compared_flags.is_return.next = self.read_flags.is_return.val();
        self.compared_flags.outcome_missed.next = self.outcome_missed.val();
        self.compared_flags.predicted.next = self.target_predictor.predicted.val();
        self.compared_flags.differs.next = self.differs.val();

        // The record.
        if self.is_synchronous.val() == 1 {
            self.record_stage.flags.next = self.compared_flags.val();
            self.record_stage.count.next = self.read_count.val();
            self.record_stage.target.next = self.read_target.val();
            self.record_flags.next = self.record_stage.later_flags.val();
            self.record_count.next = self.record_stage.later_count.val();
            self.record_target.next = self.record_stage.later_target.val();
            self.is_empty.next = !(self.read_flags.valid.val()
                | self.read_flags.flush.val()
                | self.record_flags.valid.val()
                | self.record_flags.flush.val()
                | self.formed_valid.q.val());
        } else {
            self.record_flags.next = self.compared_flags.val();
            self.record_count.next = self.read_count.val();
            self.record_target.next = self.read_target.val();
            self.is_empty.next = 1.into();
        }
        if self.sweeps.val() == 1 {
            self.record_former.clearing.next = self.clear.valid.val();
            self.swept.next = self.record_former.swept.val();
        }
        self.record_former.retire.next = self.record_flags.valid.val();
        self.record_former.count.next = self.record_count.val();
        self.record_former.control_flow.next = self.record_flags.control_flow.val();
        self.record_former.counted.next =
            self.record_flags.conditional.val() | self.record_flags.indirect.val();
        self.record_former.conditional.next = self.record_flags.conditional.val();
        self.record_former.indirect.next = self.record_flags.indirect.val();
        self.record_former.exception.next = self.record_flags.exception.val();
        self.record_former.taken.next = self.record_flags.taken.val();
        self.record_former.target.next = self.record_target.val();
        self.target_missed.next = self.record_flags.indirect.val() & self.record_flags.taken.val();
        if self.record_flags.predicted.val().any() && !self.record_flags.differs.val().any() {
            self.target_missed.next = 0.into();
        }
        self.record_former.missed.next =
            self.target_missed.val() | self.record_flags.outcome_missed.val();
        self.record_former.flush.next = self.record_flags.flush.val();
        self.record.valid.next = self.record_former.record_valid.val();
        self.record.word.next = self.record_former.record.val();
        if self.is_synchronous.val() == 1 {
            self.formed_valid.d.next = self.record_former.record_valid.val();
            self.formed.d.next = self.record_former.record.val();
            self.record.valid.next = self.formed_valid.q.val();
            self.record.word.next = self.formed.q.val();
        }
    }
}
