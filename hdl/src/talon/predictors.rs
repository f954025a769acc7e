//! What is known of a block before it is coded: outcome, target and instructions, as the predictors see them.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::mask;
use tracewright_sim::configuration::Configuration;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::tick::Timed;

use super::additive_predictor::AdditivePredictor;
use super::instruction_counter::InstructionCounter;
use super::outcome_predictor::OutcomePredictor;
use super::target_predictor::TargetPredictor;
use super::tick::front::{Front, Waiting};
use crate::parts::ports::{Clear, RetiredBlock};
use crate::parts::predictor_table::Reading;
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
    has_time: usize::from(config.times_events());
    time: if config.times_events() { Waiting::<View>::new(config).width() } else { 0 };
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
        let reading = Reading::of(config.memory_style, &config.port);
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
    in early_pc: config.processor.address_width as usize * reading.count();
    /// an exception follows that block
    in early_exception: reading;
    /// the core waits for the module
    in is_held: usize::from(config.times_events());
    out step: step_bits;
    out step_valid: 1;
    /// a block is between the retire port and the step
    out is_busy: reading;
    /// the entry to clear, where the instruction counter numbers them
    out swept: if sweeps { clear_bits } else { 0 };
    block outcome_predictor: OutcomePredictor(config, clear_bits) if !config.is_additive();
    block additive_predictor: AdditivePredictor(config, clear_bits) if config.is_additive();
    block target_predictor: TargetPredictor(config, clear_bits);
    block instruction_counter: InstructionCounter(config, clear_bits);
    #[label("front")]
    block front: Front(config, clear_bits) for _ in 0..usize::from(config.times_events());
    block stages: Stage(found_bits, count_bits, address_bits) for _ in 0..stages;
    local address: address_bits;
    local target: address_bits;
    /// a conditional or an unconditional taken indirect branch
    local has_symbol: 1;
    local question: Question(config);
    stage held_question: question_bits if reading;
    /// the same when it is asked
    view late_question: Question(config);
    local learns_target: 1;
    local excepts: 1;
    /// by what a target is looked up
    local looked_up: address_bits;
    local early_address: address_bits * reading.count();
    local reference: address_bits;
    local found: Found(config);
    local difference: address_bits;
    /// the same when the outcome is predicted
    view late: Found(config);
    local late_count: count_bits;
    local late_difference: address_bits;
    local choice_confidence: confidence_bits;
    stage held_wrong: 1 = undefined if reading;
    stage held_confidence: confidence_bits = undefined if reading;
    /// the outcome or the choice is not the predicted one
    local predicted_wrong: 1;
    /// the confidence of the predicted outcome or choice
    local predicted_confidence: confidence_bits;
    local step_word: Step(config);
    local in_stages: 1;
    /// where a branch that is not taken goes on, as far as times are looked up
    local follows: address_bits * usize::from(config.times_events());
    local has_time: usize::from(config.times_events());
    param branch_units = Word::new(address_bits, Timed::BRANCH_BYTES >> config.processor.alignment);
    param looks_up_early = reading;
    param has_path = usize::from(config.gshare_path_bits > 0);
    param sweeps = sweeps;
    param is_additive = usize::from(config.is_additive());
    param has_regions = usize::from(config.has_regions());
    param kept_bits = kept_bits;
    param alignment = config.processor.alignment as usize;
    param upper = Word::new(address_bits, mask(address_bits as u32) & !mask(kept_bits as u32));
}

#[kernel]
impl Logic for Predictors {
    fn update(&mut self) {
        address = resized(retire.pc >> alignment);
        target = resized(retire.target >> alignment);
        has_symbol = retire.conditional | retire.indirect;
        excepts = retire.valid & retire.exception;
        // Exceptions are looked up by the region of the program alone.
        looked_up = address;
        if retire.exception {
            looked_up = address & upper;
        }
        learns_target = retire.valid & retire.indirect & retire.taken;

        join(clear, target_predictor.clear);
        target_predictor.address = looked_up;
        if when(looks_up_early) {
            early_address = resized(early_pc >> alignment);
            target_predictor.early_address = early_address;
            if early_exception {
                target_predictor.early_address = early_address & upper;
            }
        }
        target_predictor = TargetPredictor {
            length: retire.length >> alignment,
            target,
            learn: learns_target | excepts,
            is_return: retire.is_return & !retire.exception,
            conditional: retire.conditional | retire.exception,
            call: retire.valid & retire.call & retire.taken & (retire.direct | retire.indirect),
        };

        // The outcome predictor also chooses between two targets, of which the second is "taken".
        if when(is_additive) {
            join(clear, additive_predictor.clear);
        } else {
            join(clear, outcome_predictor.clear);
        }
        question = Question {
            predict: retire.valid
                & (retire.conditional | (retire.indirect & target_predictor.has_choice)),
            learn: retire.valid
                & (retire.conditional
                    | (retire.indirect & target_predictor.has_choice & !target_predictor.wrong)),
            address,
            taken: retire.taken,
        };
        if !retire.conditional {
            question.taken = target_predictor.is_second;
        }
        if when(has_path) {
            question = Question { update_path: learns_target, target: resized(target) };
        }
        held_question.d = question;
        late_question = held_question.q;
        if when(is_additive) {
            additive_predictor = AdditivePredictor {
                predict: late_question.predict,
                learn: late_question.learn,
                taken: late_question.taken,
                address: late_question.address,
            };
        } else {
            outcome_predictor = OutcomePredictor {
                predict: late_question.predict,
                learn: late_question.learn,
                taken: late_question.taken,
                address: late_question.address,
            };
            if when(has_path) {
                outcome_predictor = OutcomePredictor {
                    update_path: late_question.update_path,
                    target: late_question.target,
                };
            }
        }

        instruction_counter = InstructionCounter {
            retire: retire.valid,
            count: retire.count,
            control_flow: retire.direct | retire.indirect,
            has_symbol,
            exception: retire.exception,
            flush,
        };
        if when(sweeps) {
            instruction_counter.clearing = clear.valid;
            swept = instruction_counter.swept;
        }

        reference = (address & upper) | resized(target_predictor.reference);
        if when(has_regions) {
            target_predictor.follow = retire.valid & retire.taken & retire.direct;
            reference = (resized(target_predictor.reference_upper) << kept_bits)
                | resized(target_predictor.reference);
        }
        difference = target ^ reference;
        found = Found {
            flush,
            exception: excepts,
            overflows: instruction_counter.overflows,
            overflows_first: instruction_counter.overflows_first,
            conditional: retire.valid & retire.conditional,
            has_target: learns_target,
            has_candidate: target_predictor.has_candidate,
            has_choice: target_predictor.has_choice,
            wrong: target_predictor.wrong,
            has_other: target_predictor.has_other,
            is_other: target_predictor.is_other,
            confidence: target_predictor.confidence,
            valid: flush
                | found.exception
                | found.overflows
                | found.overflows_first
                | found.conditional
                | learns_target,
        };

        late = found;
        late_count = instruction_counter.instructions;
        late_difference = difference;
        in_stages = 0;
        for stage in 0..stages.len() {
            stages[stage] = Stage { flags: late, count: late_count, target: late_difference };
            late = stages[stage].later_flags;
            late_count = stages[stage].later_count;
            late_difference = stages[stage].later_target;
            in_stages = in_stages | fitted(stages[stage].later_flags);
        }

        if when(is_additive) {
            held_wrong.d = additive_predictor.wrong;
            held_confidence.d = additive_predictor.confidence;
        } else {
            held_wrong.d = outcome_predictor.wrong;
            held_confidence.d = outcome_predictor.confidence;
        }
        predicted_wrong = held_wrong.q;
        predicted_confidence = held_confidence.q;
        if when(looks_up_early) {
            is_busy = in_stages;
        }
        // The step, with the outcome or the choice as it was predicted.
        choice_confidence = late.confidence;
        if predicted_confidence < late.confidence {
            choice_confidence = predicted_confidence;
        }
        step_word = Step {
            flush: late.flush,
            exception: late.exception,
            overflows: late.overflows,
            overflows_first: late.overflows_first,
            has_outcome: late.conditional,
            outcome_wrong: predicted_wrong,
            outcome_confidence: predicted_confidence,
            has_target: late.has_target,
            has_candidate: late.has_candidate,
            has_other: late.has_other,
            target_wrong: late.wrong,
            is_other: late.is_other,
            target_confidence: late.confidence,
        };
        if late.has_choice {
            step_word = Step {
                target_wrong: late.wrong | predicted_wrong,
                is_other: !late.wrong,
                target_confidence: choice_confidence,
            };
        }
        step_word = Step { instructions: late_count, difference: late_difference };
        for at in 0..front.len() {
            has_time = found.conditional | learns_target | excepts;
            follows = target;
            if !(retire.taken | retire.exception) {
                follows = address + branch_units;
            }
            join(clear, front[at].clear);
            front[at] = Front {
                is_held,
                retires: has_time,
                outcome: retire.taken | retire.exception,
                follows,
                branch: address,
                instructions: fitted(instruction_counter.instructions),
            };
            if retire.exception {
                front[at].branch = follows;
            }
            step_word = Step { has_time, time: front[at].waiting };
        }
        step_valid = late.valid;
        step = step_word;
    }
}
