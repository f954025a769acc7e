//! The compressor of one core: blocks in, what the coder sends out.

mod coding;

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{index_bits, mask};
use tracewright_sim::talon::config::Config;

use super::instruction_counter::InstructionCounter;
use super::outcome_predictor::OutcomePredictor;
use super::target_predictor::TargetPredictor;
use crate::encode::fifo::Fifo;
use crate::parts::ports::{Clear, RetiredBlock, Stream};
use crate::parts::stage::Stage;
use coding::Coding;

packed! {
    /// What is known of a block before its outcome is predicted, but its instructions and its address.
    pub Found of (confidence_bits: usize);
    valid: 1;
    flush: 1;
    exception: 1;
    overflows: 1;
    overflows_first: 1;
    conditional: 1;
    /// a taken indirect branch
    has_target: 1;
    has_candidate: 1;
    has_choice: 1;
    wrong: 1;
    has_other: 1;
    is_other: 1;
    confidence: confidence_bits;
}

packed! {
    /// A block with something to send or to tell the coder: symbols, an address, or an escape.
    pub Step of (confidence_bits: usize, count_bits: usize, address_bits: usize);
    flush: 1;
    exception: 1;
    overflows: 1;
    /// an overflow escape goes before everything else
    overflows_first: 1;
    has_outcome: 1;
    outcome_wrong: 1;
    /// a taken indirect branch
    has_target: 1;
    has_candidate: 1;
    target_wrong: 1;
    has_other: 1;
    is_other: 1;
    outcome_confidence: confidence_bits;
    target_confidence: confidence_bits;
    /// instructions since the last symbol
    instructions: count_bits;
    /// exclusive or of the target and its reference
    difference: address_bits;
}

block! {
    /// Predictors, a queue of steps, and the coder.
    ///
    /// A block is taken every cycle. Its step enters the queue in the same cycle, or three cycles later where tables are
    /// read through registers; the queue has room for the blocks in between.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let address_bits = config.processor.instruction_address_bits() as usize;
        let count_bits = config.instruction_count_bits as usize;
        let kept_bits = config.table_target_bits() as usize;
        let confidence_bits = index_bits(config.most_confidence + 1) as usize;
        let is_synchronous = config.is_synchronous();
        let sweeps = config.sweeps_by_instruction_count();
        let record_bits = config.format().bits() as usize;
        let found_bits = Found::<View>::new(confidence_bits).width();
        let step_bits = Step::<View>::new(confidence_bits, count_bits, address_bits).width();
        let depth = config.port.record_queue_depth as usize;
        let reserve = if is_synchronous { 3 } else { 0 };
    }

    in clear: Clear(clear_bits);
    /// valid is high only while the compressor is ready
    in retire: RetiredBlock(&config.processor);
    /// send a flush; only when ready
    in flush: 1;
    /// a block or a flush is taken
    out ready: 1;
    /// no step waits inside
    out is_empty: 1;
    out record: Stream(record_bits);
    /// the entry to clear, where the instruction counter numbers them
    out swept: if sweeps { clear_bits } else { 0 };
    block outcome_predictor: OutcomePredictor(config, clear_bits);
    block target_predictor: TargetPredictor(config, clear_bits);
    block instruction_counter: InstructionCounter(config, clear_bits);
    block stages: Stage(found_bits, count_bits, address_bits) for _ in 0..reserve;
    block queue: Fifo(depth, reserve, step_bits, false);
    block coding: Coding(config);
    local address: address_bits;
    local target: address_bits;
    /// a conditional or an unconditional taken indirect branch
    local has_symbol: 1;
    local learns_target: 1;
    local excepts: 1;
    /// by what a target is looked up
    local looked_up: address_bits;
    local reference: address_bits;
    local found: Found(confidence_bits);
    local difference: address_bits;
    /// the same when the outcome is predicted
    view late: Found(confidence_bits);
    local late_count: count_bits;
    local late_difference: address_bits;
    local choice_confidence: confidence_bits;
    local step: Step(confidence_bits, count_bits, address_bits);
    local in_stages: 1;
    param is_synchronous = usize::from(is_synchronous);
    param has_path = usize::from(config.gshare_path_bits > 0);
    param sweeps = sweeps;
    param alignment = config.processor.alignment as usize;
    param upper = Word::new(address_bits, mask(address_bits as u32) & !mask(kept_bits as u32));
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = self.queue.in_.ready.val();
        self.address.next =
            bits_to(self.retire.pc.val() >> self.alignment.val(), self.address.width());
        self.target.next =
            bits_to(self.retire.target.val() >> self.alignment.val(), self.target.width());
        self.has_symbol.next = self.retire.conditional.val() | self.retire.indirect.val();
        self.excepts.next = self.retire.valid.val() & self.retire.exception.val();
        // Exceptions are looked up by the region of the program alone.
        self.looked_up.next = self.address.val();
        if self.retire.exception.val().any() {
            self.looked_up.next = self.address.val() & self.upper.val();
        }
        self.learns_target.next =
            self.retire.valid.val() & self.retire.indirect.val() & self.retire.taken.val();

        connect::join(&mut self.clear, &mut self.target_predictor.clear);
        self.target_predictor.address.next = self.looked_up.val();
        self.target_predictor.length.next = self.retire.length.val() >> self.alignment.val();
        self.target_predictor.target.next = self.target.val();
        self.target_predictor.learn.next = self.learns_target.val() | self.excepts.val();
        self.target_predictor.is_return.next =
            self.retire.is_return.val() & !self.retire.exception.val();
        self.target_predictor.conditional.next =
            self.retire.conditional.val() | self.retire.exception.val();
        self.target_predictor.call.next = self.retire.valid.val()
            & self.retire.call.val()
            & self.retire.taken.val()
            & (self.retire.direct.val() | self.retire.indirect.val());

        // The outcome predictor also chooses between two targets, of which the second is "taken".
        connect::join(&mut self.clear, &mut self.outcome_predictor.clear);
        self.outcome_predictor.predict.next = self.retire.valid.val()
            & (self.retire.conditional.val()
                | (self.retire.indirect.val() & self.target_predictor.has_choice.val()));
        self.outcome_predictor.learn.next = self.retire.valid.val()
            & (self.retire.conditional.val()
                | (self.retire.indirect.val()
                    & self.target_predictor.has_choice.val()
                    & !self.target_predictor.wrong.val()));
        self.outcome_predictor.address.next = self.address.val();
        self.outcome_predictor.taken.next = self.retire.taken.val();
        if !self.retire.conditional.val().any() {
            self.outcome_predictor.taken.next = self.target_predictor.is_second.val();
        }
        if self.has_path.val() == 1 {
            self.outcome_predictor.update_path.next = self.learns_target.val();
            self.outcome_predictor.target.next =
                bits_to(self.target.val(), self.outcome_predictor.target.width());
        }

        self.instruction_counter.retire.next = self.retire.valid.val();
        self.instruction_counter.count.next = self.retire.count.val();
        self.instruction_counter.control_flow.next =
            self.retire.direct.val() | self.retire.indirect.val();
        self.instruction_counter.has_symbol.next = self.has_symbol.val();
        self.instruction_counter.exception.next = self.retire.exception.val();
        self.instruction_counter.flush.next = self.flush.val();
        if self.sweeps.val() == 1 {
            self.instruction_counter.clearing.next = self.clear.valid.val();
            self.swept.next = self.instruction_counter.swept.val();
        }

        self.reference.next = (self.address.val() & self.upper.val())
            | bits_to(self.target_predictor.reference.val(), self.reference.width());
        self.difference.next = self.target.val() ^ self.reference.val();
        self.found.flush.next = self.flush.val();
        self.found.exception.next = self.excepts.val();
        self.found.overflows.next = self.instruction_counter.overflows.val();
        self.found.overflows_first.next = self.instruction_counter.overflows_first.val();
        self.found.conditional.next = self.retire.valid.val() & self.retire.conditional.val();
        self.found.has_target.next = self.learns_target.val();
        self.found.has_candidate.next = self.target_predictor.has_candidate.val();
        self.found.has_choice.next = self.target_predictor.has_choice.val();
        self.found.wrong.next = self.target_predictor.wrong.val();
        self.found.has_other.next = self.target_predictor.has_other.val();
        self.found.is_other.next = self.target_predictor.is_other.val();
        self.found.confidence.next = self.target_predictor.confidence.val();
        self.found.valid.next = self.flush.val()
            | self.found.exception.val()
            | self.found.overflows.val()
            | self.found.overflows_first.val()
            | self.found.conditional.val()
            | self.learns_target.val();

        self.late.next = self.found.val();
        self.late_count.next = self.instruction_counter.instructions.val();
        self.late_difference.next = self.difference.val();
        self.in_stages.next = 0.into();
        if self.is_synchronous.val() == 1 {
            for stage in 0..self.stages.len() {
                self.stages[stage].flags.next = self.late.val();
                self.stages[stage].count.next = self.late_count.val();
                self.stages[stage].target.next = self.late_difference.val();
                self.late.next = self.stages[stage].later_flags.val();
                self.late_count.next = self.stages[stage].later_count.val();
                self.late_difference.next = self.stages[stage].later_target.val();
                self.in_stages.next = self.in_stages.val()
                    | unsigned_cast_to_fit(self.stages[stage].later_flags.val());
            }
        }

        // The step, with the outcome or the choice as it was predicted.
        self.choice_confidence.next = self.late.confidence.val();
        if self.outcome_predictor.confidence.val() < self.late.confidence.val() {
            self.choice_confidence.next = self.outcome_predictor.confidence.val();
        }
        self.step.flush.next = self.late.flush.val();
        self.step.exception.next = self.late.exception.val();
        self.step.overflows.next = self.late.overflows.val();
        self.step.overflows_first.next = self.late.overflows_first.val();
        self.step.has_outcome.next = self.late.conditional.val();
        self.step.outcome_wrong.next = self.outcome_predictor.wrong.val();
        self.step.outcome_confidence.next = self.outcome_predictor.confidence.val();
        self.step.has_target.next = self.late.has_target.val();
        self.step.has_candidate.next = self.late.has_candidate.val();
        self.step.has_other.next = self.late.has_other.val();
        self.step.target_wrong.next = self.late.wrong.val();
        self.step.is_other.next = self.late.is_other.val();
        self.step.target_confidence.next = self.late.confidence.val();
        if self.late.has_choice.val().any() {
            self.step.target_wrong.next =
                self.late.wrong.val() | self.outcome_predictor.wrong.val();
            self.step.is_other.next = !self.late.wrong.val();
            self.step.target_confidence.next = self.choice_confidence.val();
        }
        self.step.instructions.next = self.late_count.val();
        self.step.difference.next = self.late_difference.val();
        self.queue.in_.valid.next = self.late.valid.val();
        self.queue.in_.word.next = self.step.val();

        connect::join(&mut self.queue.out_, &mut self.coding.step);
        connect::join(&mut self.coding.record, &mut self.record);
        self.is_empty.next = !(self.queue.out_.valid.val() | self.in_stages.val());
    }
}
