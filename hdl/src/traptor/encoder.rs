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
    pub Flags of ();
    valid: 1;
    flush: 1;
    control_flow: 1;
    conditional: 1;
    indirect: 1;
    exception: 1;
    taken: 1;
    call: 1;
    is_return: 1;
    /// The outcome or the target was not predicted.
    missed: 1;
}

block! {
    /// Predictors and record former.
    ///
    /// A record leaves in the cycle of its block, or four cycles later where tables are read through registers:
    /// the tables are read in the first cycle, tags and targets are compared in the second, the way is chosen and the
    /// tables learn in the third, and the record is formed in the fourth and leaves in the fifth. A block is taken
    /// every cycle in both cases.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let target_bits = config.processor.instruction_address_bits() as usize;
        let count_bits = config.processor.retire_count_bits as usize;
        let is_synchronous = config.is_synchronous();
        let sweeps = config.sweeps_by_instruction_count();
        let record_bits = config.format().bits() as usize;
        let flag_bits = Flags::<View>::new().width();
    }

    in clear: Clear(clear_bits);
    /// every register takes the value that it has after a reset
    in restart_registers: usize::from(config.protocol.restarts_tables());
    /// entries of another epoch read as cleared; while nothing else writes, one is written
    in memory_sweep: if config.protocol.clears_in_background() { clear_bits + 2 } else { 0 };
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
    block compare_stage: Stage(flag_bits, count_bits, target_bits) if is_synchronous;
    block record_stage: Stage(flag_bits, count_bits, target_bits) if is_synchronous;
    local flags: Flags();
    /// the block whose entries are read
    view read_flags: Flags();
    /// the block whose way is chosen
    view chosen_flags: Flags();
    local learned_flags: Flags();
    /// the block that is recorded
    view record_flags: Flags();
    /// in instruction units
    local target_units: target_bits;
    local read_count: count_bits;
    local read_target: target_bits;
    local chosen_count: count_bits;
    local chosen_target: target_bits;
    local missed: 1;
    local record_count: count_bits;
    local record_target: target_bits;
    reg formed_valid: usize::from(is_synchronous);
    reg formed: if is_synchronous { record_bits } else { 0 } = undefined;
    param is_synchronous = usize::from(is_synchronous);
    param sweeps = sweeps;
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
        self.flags.missed.next = 0.into();

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
            self.compare_stage.flags.next = self.read_flags.val();
            self.compare_stage.count.next = self.read_count.val();
            self.compare_stage.target.next = self.read_target.val();
            self.chosen_flags.next = self.compare_stage.later_flags.val();
            self.chosen_count.next = self.compare_stage.later_count.val();
            self.chosen_target.next = self.compare_stage.later_target.val();
        } else {
            self.read_flags.next = self.flags.val();
            self.read_count.next = self.retire.count.val();
            self.read_target.next = self.target_units.val();
            self.chosen_flags.next = self.flags.val();
            self.chosen_count.next = self.retire.count.val();
            self.chosen_target.next = self.target_units.val();
        }
        self.gshare.learn.next =
            self.chosen_flags.valid.val() & self.chosen_flags.conditional.val();
        self.gshare.outcome.next = self.chosen_flags.taken.val();
        self.target_predictor.update.next = self.read_flags.valid.val()
            & self.read_flags.control_flow.val()
            & !self.read_flags.exception.val();
        self.target_predictor.indirect.next = self.read_flags.indirect.val();
        self.target_predictor.call.next = self.read_flags.call.val();
        self.target_predictor.is_return.next = self.read_flags.is_return.val();
        self.target_predictor.taken.next = self.read_flags.taken.val();
        self.target_predictor.target.next = self.read_target.val();
        self.missed.next = (self.chosen_flags.conditional.val()
            & (self.gshare.predicted_taken.val() ^ self.chosen_flags.taken.val()))
            | (self.chosen_flags.indirect.val()
                & self.chosen_flags.taken.val()
                & self.target_predictor.missed.val());
        self.learned_flags.valid.next = self.chosen_flags.valid.val();
        self.learned_flags.flush.next = self.chosen_flags.flush.val();
        self.learned_flags.control_flow.next = self.chosen_flags.control_flow.val();
        self.learned_flags.conditional.next = self.chosen_flags.conditional.val();
        self.learned_flags.indirect.next = self.chosen_flags.indirect.val();
        self.learned_flags.exception.next = self.chosen_flags.exception.val();
        self.learned_flags.taken.next = self.chosen_flags.taken.val();
        self.learned_flags.call.next = self.chosen_flags.call.val();
        self.learned_flags.is_return.next = self.chosen_flags.is_return.val();
        self.learned_flags.missed.next = self.missed.val();

        // The record.
        if self.is_synchronous.val() == 1 {
            self.record_stage.flags.next = self.learned_flags.val();
            self.record_stage.count.next = self.chosen_count.val();
            self.record_stage.target.next = self.chosen_target.val();
            self.record_flags.next = self.record_stage.later_flags.val();
            self.record_count.next = self.record_stage.later_count.val();
            self.record_target.next = self.record_stage.later_target.val();
            self.is_empty.next = !(self.read_flags.valid.val()
                | self.read_flags.flush.val()
                | self.chosen_flags.valid.val()
                | self.chosen_flags.flush.val()
                | self.record_flags.valid.val()
                | self.record_flags.flush.val()
                | self.formed_valid.q.val());
        } else {
            self.record_flags.next = self.learned_flags.val();
            self.record_count.next = self.chosen_count.val();
            self.record_target.next = self.chosen_target.val();
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
        self.record_former.missed.next = self.record_flags.missed.val();
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
