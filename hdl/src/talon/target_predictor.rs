//! The target of an indirect branch: the candidates, how sure the first of them is, and what is learned.

use tracewright_elaborate::prelude::*;
use tracewright_sim::talon::config::Config;

use super::regions::Regions;
use super::return_address_stack::ReturnAddressStack;
use super::single_target_buffer::SingleTargetBuffer;
use super::target_buffer::TargetBuffer;
use crate::parts::ports::Clear;
use crate::parts::predictor_table::Reading;

block! {
    /// Compares the target of a branch with what stack and target buffer know, and learns it.
    ///
    /// The outcome predictor chooses between two targets of an unconditional branch, so that this block only says what
    /// follows from either choice.
    pub TargetPredictor("target_predictor") of (config: &Config, clear_bits: usize) {
        let address_bits = config.processor.instruction_address_bits() as usize;
        let early = Reading::of(config.memory_style, &config.port);
        let kept_bits = config.table_target_bits() as usize;
        let low_bits = config.low_target_bits() as usize;
        let upper_bits = address_bits - low_bits;
        let has_regions = config.has_regions();
        let of_regions = |bits: usize| if has_regions { bits } else { 0 };
        let has_single = config.targets_per_entry == 1;
        let confidence_bits = config.confidence_bits() as usize;
        let confidences = |list: &[i8; 4]| {
            list.map(|value| Word::new(confidence_bits, value as u64)).to_vec()
        };
        let single = confidences(&config.single_target_confidences.0);
        let recent = confidences(&config.recent_target_confidences.0);
        let choice = confidences(&config.choice_confidences.0);
    }
    parameters {
        address_bits,
        kept_bits,
        clear_bits,
    }

    in clear: Clear(clear_bits);
    /// address of the block's last instruction in instruction units
    in address: address_bits;
    /// in the synchronous style, the address of the next cycle's block
    in early_address: address_bits * early.count();
    /// its length in instruction units
    in length: 4;
    /// its target in instruction units
    in target: address_bits;
    /// a taken indirect branch retires
    in learn: 1;
    /// it is a return
    in is_return: 1;
    /// it is conditional
    in conditional: 1;
    /// a taken call retires
    in call: 1;
    /// a taken direct branch retires
    in follow: of_regions(1);
    /// there is a candidate
    out has_candidate: 1;
    /// there is one that the outcome predictor chooses from two
    out has_choice: 1;
    /// the candidate is wrong; with a choice: both are
    out wrong: 1;
    /// confidence of the candidate; with a choice: the highest one
    out confidence: confidence_bits;
    /// there is another candidate
    out has_other: 1;
    /// without a choice: the target is the other candidate
    out is_other: 1;
    /// with a choice: the target is the second one
    out is_second: 1;
    /// kept bits of the address from which a target is sent
    out reference: low_bits;
    /// the others
    out reference_upper: of_regions(upper_bits);
    block stack: ReturnAddressStack(config);
    block regions: Regions(config) if has_regions;
    block buffer: TargetBuffer(config, clear_bits) if !has_single;
    block single_buffer: SingleTargetBuffer(config, clear_bits) if has_single;
    /// the address by which the buffer is looked up
    local looked_up: address_bits;
    /// the buffer learns
    local trains: 1;
    // What the buffer says.
    local hit: 1;
    local has_two: 1;
    local last_is_second: 1;
    local entry_confidence: 2;
    local last_target: kept_bits;
    local first_matches: 1;
    local second_matches: 1;
    local kept: kept_bits;
    /// low bits of the target, and of the return address of a call
    local low_target: of_regions(low_bits);
    local return_address: of_regions(low_bits);
    local is_near: 1;
    local is_top: 1;
    local is_below: 1;
    local is_recent: 1;
    local is_known: 1;
    param low_bits = low_bits;
    param has_regions = usize::from(has_regions);
    param has_history = usize::from(config.has_target_history());
    param has_single = usize::from(has_single);
    param has_upper = usize::from(upper_bits > 0);
    param is_early = early;
    param compares_second = usize::from(config.compares_second_return_address());
    param return_confidence = Word::new(confidence_bits, config.return_confidence.into());
    param single = value.clone() for value in &single;
    param recent = value.clone() for value in &recent;
    param choice = value.clone() for value in &choice;
}

#[kernel]
impl Logic for TargetPredictor {
    fn update(&mut self) {
        kept = resized(target);
        is_near = 1;
        if when(has_regions) {
            regions = Regions { target: resized(target >> low_bits), jump: learn | follow };
            low_target = resized(target);
            kept = (resized(regions.number) << low_bits) | resized(low_target);
            is_near = regions.is_known;
        } else if when(has_upper) {
            is_near = !bit((target ^ address) >> low_bits);
        }

        stack = ReturnAddressStack {
            push: call,
            return_address: resized(address + resized(length, address.width())),
        };
        if when(has_regions) {
            return_address = resized(address + resized(length, address.width()));
            stack.return_address = (resized(regions.here) << low_bits) | resized(return_address);
        }
        is_top = is_near & stack.has_top & bit(stack.top == kept);
        is_below = 0;
        stack.pop = learn & is_return;
        if when(compares_second) {
            is_below = is_near & stack.has_second & bit(stack.second == kept);
            stack.pop_second = is_below & !is_top;
        }

        looked_up = address;
        if when(is_early) {
            looked_up = early_address;
        }
        trains = learn & !is_return;
        if when(has_single) {
            join(clear, single_buffer.clear);
            single_buffer =
                SingleTargetBuffer { address: looked_up, target: kept, is_near, learn: trains };
            hit = single_buffer.hit;
            has_two = single_buffer.has_two;
            last_is_second = single_buffer.recent;
            entry_confidence = single_buffer.confidence;
            last_target = single_buffer.recent_target;
            first_matches = single_buffer.is_first;
            second_matches = single_buffer.is_second;
        } else {
            join(clear, buffer.clear);
            buffer = TargetBuffer { address: looked_up, target: kept, is_near, learn: trains };
            hit = buffer.hit;
            has_two = buffer.has_two;
            last_is_second = buffer.recent;
            entry_confidence = buffer.confidence;
            last_target = buffer.recent_target;
            first_matches = buffer.is_first;
            second_matches = buffer.is_second;
        }
        is_recent = first_matches;
        if last_is_second {
            is_recent = second_matches;
        }
        is_known = first_matches | second_matches;

        has_choice = 0;
        is_second = !first_matches;
        if when(has_history) {
            // Both are the same target.
            is_second = second_matches;
        }
        reference = resized(address);
        if when(has_regions) {
            regions.asked = resized(last_target >> low_bits);
            reference_upper = resized(address >> low_bits);
        }
        confidence = return_confidence;
        if is_return {
            has_candidate = stack.has_top;
            wrong = !is_top;
            is_other = is_below & !is_top;
            has_other = 0;
            if when(compares_second) {
                has_other = stack.has_second;
            }
        } else {
            has_candidate = hit;
            has_other = hit & has_two;
            has_choice = has_other & !conditional;
            wrong = !is_recent;
            is_other = has_other & is_known & !is_recent;
            if has_choice {
                wrong = !is_known;
            }
            if hit {
                reference = resized(last_target);
                if when(has_regions) {
                    reference_upper = regions.upper;
                }
            }
            for level in 0..single.len() {
                if entry_confidence == level {
                    confidence = single[level];
                    if has_choice {
                        confidence = choice[level];
                    } else if has_two {
                        confidence = recent[level];
                    }
                }
            }
        }
    }
}
