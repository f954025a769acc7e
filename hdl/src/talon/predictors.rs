//! What is known of a block before it is coded: outcome, target and instructions, as the predictors see them.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::mask;
use tracewright_sim::configuration::Configuration;
use tracewright_sim::talon::config::Config;

use super::additive_predictor::AdditivePredictor;
use super::instruction_counter::InstructionCounter;
use super::outcome_predictor::OutcomePredictor;
use super::target_predictor::TargetPredictor;
use crate::parts::ports::{Clear, RetiredBlock};
use crate::parts::stage::Stage;

packed! {
    /// What the outcome predictor is asked of a block.
    pub Question of (config: &Config);
    predict: 1;
    learn: 1;
    taken: 1;
    update_path: usize::from(config.gshare_path_bits > 0);
    address: config.processor.instruction_address_bits();
    target: config.gshare_path_bits;
}

packed! {
    /// What is known of a block before its outcome is predicted, but its instructions and its address.
    pub Found of (config: &Config);
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
    confidence: config.confidence_bits();
}

packed! {
    /// A block with something to send or to tell the coder: symbols, an address, or an escape.
    pub Step of (config: &Config);
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
    outcome_confidence: config.confidence_bits();
    target_confidence: config.confidence_bits();
    /// instructions since the last symbol
    instructions: config.instruction_count_bits;
    /// exclusive or of the target and its reference
    difference: config.processor.instruction_address_bits();
}

block! {
    /// Blocks in, steps of the coder out, one per cycle.
    ///
    /// Where tables are read through registers, a step comes five cycles after its block: one before the outcome
    /// predictor, three in it, and one after it.
    pub Predictors("predictors") of (config: &Config, clear_bits: usize) {
        let address_bits = config.processor.instruction_address_bits() as usize;
        let count_bits = config.instruction_count_bits as usize;
        let kept_bits = config.low_target_bits() as usize;
        let confidence_bits = config.confidence_bits() as usize;
        let is_synchronous = config.is_synchronous();
        let sweeps = config.sweeps_by_instruction_count();
        let question_bits = Question::<View>::new(config).width();
        let found_bits = Found::<View>::new(config).width();
        let step_bits = Step::<View>::new(config).width();
        // The first of the blocks in flight is in the retire register.
        let stages = config.blocks_in_flight().saturating_sub(1) as usize;
    }

    in clear: Clear(clear_bits);
    in retire: RetiredBlock(&config.processor);
    in flush: 1;
    /// in the synchronous style, the address of the next cycle's block in bytes
    in early_pc: if is_synchronous { config.processor.address_width } else { 0 };
    /// an exception follows that block
    in early_exception: usize::from(is_synchronous);
    out step: step_bits;
    out step_valid: 1;
    /// a block is between the retire port and the step
    out is_busy: usize::from(is_synchronous);
    /// the entry to clear, where the instruction counter numbers them
    out swept: if sweeps { clear_bits } else { 0 };
    block outcome_predictor: OutcomePredictor(config, clear_bits) if !config.is_additive();
    block additive_predictor: AdditivePredictor(config, clear_bits) if config.is_additive();
    block target_predictor: TargetPredictor(config, clear_bits);
    block instruction_counter: InstructionCounter(config, clear_bits);
    block stages: Stage(found_bits, count_bits, address_bits) for _ in 0..stages;
    local address: address_bits;
    local target: address_bits;
    /// a conditional or an unconditional taken indirect branch
    local has_symbol: 1;
    local question: Question(config);
    reg held_question: if is_synchronous { question_bits } else { 0 };
    /// the same when it is asked
    view late_question: Question(config);
    local learns_target: 1;
    local excepts: 1;
    /// by what a target is looked up
    local looked_up: address_bits;
    local early_address: if is_synchronous { address_bits } else { 0 };
    local reference: address_bits;
    local found: Found(config);
    local difference: address_bits;
    /// the same when the outcome is predicted
    view late: Found(config);
    local late_count: count_bits;
    local late_difference: address_bits;
    local choice_confidence: confidence_bits;
    reg held_wrong: usize::from(is_synchronous) = undefined;
    reg held_confidence: if is_synchronous { confidence_bits } else { 0 } = undefined;
    /// the outcome or the choice is not the predicted one
    local predicted_wrong: 1;
    /// the confidence of the predicted outcome or choice
    local predicted_confidence: confidence_bits;
    local step_word: Step(config);
    local in_stages: 1;
    param is_synchronous = usize::from(is_synchronous);
    param has_path = usize::from(config.gshare_path_bits > 0);
    param sweeps = sweeps;
    param is_additive = usize::from(config.is_additive());
    param has_regions = usize::from(config.has_regions());
    param kept_bits = kept_bits;
    param alignment = config.processor.alignment as usize;
    param upper = Word::new(address_bits, mask(address_bits as u32) & !mask(kept_bits as u32));
}

impl Logic for Predictors {
    #[hdl_gen]
    fn update(&mut self) {
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
        if self.is_synchronous.val() == 1 {
            self.early_address.next =
                bits_to(self.early_pc.val() >> self.alignment.val(), self.address.width());
            self.target_predictor.early_address.next = self.early_address.val();
            if self.early_exception.val().any() {
                self.target_predictor.early_address.next =
                    self.early_address.val() & self.upper.val();
            }
        }
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
        if self.is_additive.val() == 1 {
            connect::join(&mut self.clear, &mut self.additive_predictor.clear);
        } else {
            connect::join(&mut self.clear, &mut self.outcome_predictor.clear);
        }
        self.question.predict.next = self.retire.valid.val()
            & (self.retire.conditional.val()
                | (self.retire.indirect.val() & self.target_predictor.has_choice.val()));
        self.question.learn.next = self.retire.valid.val()
            & (self.retire.conditional.val()
                | (self.retire.indirect.val()
                    & self.target_predictor.has_choice.val()
                    & !self.target_predictor.wrong.val()));
        self.question.address.next = self.address.val();
        self.question.taken.next = self.retire.taken.val();
        if !self.retire.conditional.val().any() {
            self.question.taken.next = self.target_predictor.is_second.val();
        }
        if self.has_path.val() == 1 {
            self.question.update_path.next = self.learns_target.val();
            self.question.target.next = bits_to(self.target.val(), self.question.target.width());
        }
        self.late_question.next = self.question.val();
        if self.is_synchronous.val() == 1 {
            self.held_question.d.next = self.question.val();
            self.late_question.next = self.held_question.q.val();
        }
        if self.is_additive.val() == 1 {
            self.additive_predictor.predict.next = self.late_question.predict.val();
            self.additive_predictor.learn.next = self.late_question.learn.val();
            self.additive_predictor.taken.next = self.late_question.taken.val();
            self.additive_predictor.address.next = self.late_question.address.val();
        } else {
            self.outcome_predictor.predict.next = self.late_question.predict.val();
            self.outcome_predictor.learn.next = self.late_question.learn.val();
            self.outcome_predictor.taken.next = self.late_question.taken.val();
            self.outcome_predictor.address.next = self.late_question.address.val();
            if self.has_path.val() == 1 {
                self.outcome_predictor.update_path.next = self.late_question.update_path.val();
                self.outcome_predictor.target.next = self.late_question.target.val();
            }
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
        if self.has_regions.val() == 1 {
            self.target_predictor.follow.next =
                self.retire.valid.val() & self.retire.taken.val() & self.retire.direct.val();
            self.reference.next =
                (bits_to(self.target_predictor.reference_upper.val(), self.reference.width())
                    << self.kept_bits.val())
                    | bits_to(self.target_predictor.reference.val(), self.reference.width());
        }
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

        if self.is_additive.val() == 1 {
            self.predicted_wrong.next = self.additive_predictor.wrong.val();
            self.predicted_confidence.next = self.additive_predictor.confidence.val();
            if self.is_synchronous.val() == 1 {
                self.held_wrong.d.next = self.additive_predictor.wrong.val();
                self.held_confidence.d.next = self.additive_predictor.confidence.val();
            }
        } else {
            self.predicted_wrong.next = self.outcome_predictor.wrong.val();
            self.predicted_confidence.next = self.outcome_predictor.confidence.val();
            if self.is_synchronous.val() == 1 {
                self.held_wrong.d.next = self.outcome_predictor.wrong.val();
                self.held_confidence.d.next = self.outcome_predictor.confidence.val();
            }
        }
        if self.is_synchronous.val() == 1 {
            self.predicted_wrong.next = self.held_wrong.q.val();
            self.predicted_confidence.next = self.held_confidence.q.val();
            self.is_busy.next = self.in_stages.val();
        }
        // The step, with the outcome or the choice as it was predicted.
        self.choice_confidence.next = self.late.confidence.val();
        if self.predicted_confidence.val() < self.late.confidence.val() {
            self.choice_confidence.next = self.predicted_confidence.val();
        }
        self.step_word.flush.next = self.late.flush.val();
        self.step_word.exception.next = self.late.exception.val();
        self.step_word.overflows.next = self.late.overflows.val();
        self.step_word.overflows_first.next = self.late.overflows_first.val();
        self.step_word.has_outcome.next = self.late.conditional.val();
        self.step_word.outcome_wrong.next = self.predicted_wrong.val();
        self.step_word.outcome_confidence.next = self.predicted_confidence.val();
        self.step_word.has_target.next = self.late.has_target.val();
        self.step_word.has_candidate.next = self.late.has_candidate.val();
        self.step_word.has_other.next = self.late.has_other.val();
        self.step_word.target_wrong.next = self.late.wrong.val();
        self.step_word.is_other.next = self.late.is_other.val();
        self.step_word.target_confidence.next = self.late.confidence.val();
        if self.late.has_choice.val().any() {
            self.step_word.target_wrong.next = self.late.wrong.val() | self.predicted_wrong.val();
            self.step_word.is_other.next = !self.late.wrong.val();
            self.step_word.target_confidence.next = self.choice_confidence.val();
        }
        self.step_word.instructions.next = self.late_count.val();
        self.step_word.difference.next = self.late_difference.val();
        self.step_valid.next = self.late.valid.val();
        self.step.next = self.step_word.val();
    }
}
