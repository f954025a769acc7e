//! The target of an indirect branch: the candidates, how sure the first of them is, and what is learned.

use tracewright_elaborate::prelude::*;
use tracewright_sim::talon::config::Config;

use super::regions::Regions;
use super::return_address_stack::ReturnAddressStack;
use super::single_target_buffer::SingleTargetBuffer;
use super::target_buffer::TargetBuffer;
use crate::parts::ports::Clear;

block! {
    /// Compares the target of a branch with what stack and target buffer know, and learns it.
    ///
    /// The outcome predictor chooses between two targets of an unconditional branch, so that this block only says what
    /// follows from either choice.
    pub TargetPredictor("target_predictor") of (config: &Config, clear_bits: usize) {
        let address_bits = config.processor.instruction_address_bits() as usize;
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
    in early_address: if config.is_synchronous() { address_bits } else { 0 };
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
    param has_single = usize::from(has_single);
    param has_upper = usize::from(upper_bits > 0);
    param is_synchronous = usize::from(config.is_synchronous());
    param compares_second = usize::from(config.compares_second_return_address());
    param return_confidence = Word::new(confidence_bits, config.return_confidence.into());
    param single = value.clone() for value in &single;
    param recent = value.clone() for value in &recent;
    param choice = value.clone() for value in &choice;
}

impl Logic for TargetPredictor {
    #[hdl_gen]
    fn update(&mut self) {
        self.kept.next = bits_to(self.target.val(), self.kept.width());
        self.is_near.next = 1.into();
        if self.has_regions.val() == 1 {
            self.regions.target.next =
                bits_to(self.target.val() >> self.low_bits.val(), self.regions.target.width());
            self.regions.jump.next = self.learn.val() | self.follow.val();
            self.low_target.next = bits_to(self.target.val(), self.low_target.width());
            self.kept.next = (bits_to(self.regions.number.val(), self.kept.width())
                << self.low_bits.val())
                | bits_to(self.low_target.val(), self.kept.width());
            self.is_near.next = self.regions.is_known.val();
        } else if self.has_upper.val() == 1 {
            self.is_near.next = !bits_to(
                ((self.target.val() ^ self.address.val()) >> self.low_bits.val()).any(),
                1,
            );
        }

        self.stack.push.next = self.call.val();
        self.stack.return_address.next = bits_to(
            self.address.val() + bits_to(self.length.val(), self.address.width()),
            self.kept.width(),
        );
        if self.has_regions.val() == 1 {
            self.return_address.next = bits_to(
                self.address.val() + bits_to(self.length.val(), self.address.width()),
                self.return_address.width(),
            );
            self.stack.return_address.next = (bits_to(self.regions.here.val(), self.kept.width())
                << self.low_bits.val())
                | bits_to(self.return_address.val(), self.kept.width());
        }
        self.is_top.next = self.is_near.val()
            & self.stack.has_top.val()
            & bits_to(self.stack.top.val() == self.kept.val(), 1);
        self.is_below.next = 0.into();
        self.stack.pop.next = self.learn.val() & self.is_return.val();
        if self.compares_second.val() == 1 {
            self.is_below.next = self.is_near.val()
                & self.stack.has_second.val()
                & bits_to(self.stack.second.val() == self.kept.val(), 1);
            self.stack.pop_second.next = self.is_below.val() & !self.is_top.val();
        }

        self.looked_up.next = self.address.val();
        if self.is_synchronous.val() == 1 {
            self.looked_up.next = self.early_address.val();
        }
        self.trains.next = self.learn.val() & !self.is_return.val();
        if self.has_single.val() == 1 {
            connect::join(&mut self.clear, &mut self.single_buffer.clear);
            self.single_buffer.address.next = self.looked_up.val();
            self.single_buffer.target.next = self.kept.val();
            self.single_buffer.is_near.next = self.is_near.val();
            self.single_buffer.learn.next = self.trains.val();
            self.hit.next = self.single_buffer.hit.val();
            self.has_two.next = self.single_buffer.has_two.val();
            self.last_is_second.next = self.single_buffer.recent.val();
            self.entry_confidence.next = self.single_buffer.confidence.val();
            self.last_target.next = self.single_buffer.recent_target.val();
            self.first_matches.next = self.single_buffer.is_first.val();
            self.second_matches.next = self.single_buffer.is_second.val();
        } else {
            connect::join(&mut self.clear, &mut self.buffer.clear);
            self.buffer.address.next = self.looked_up.val();
            self.buffer.target.next = self.kept.val();
            self.buffer.is_near.next = self.is_near.val();
            self.buffer.learn.next = self.trains.val();
            self.hit.next = self.buffer.hit.val();
            self.has_two.next = self.buffer.has_two.val();
            self.last_is_second.next = self.buffer.recent.val();
            self.entry_confidence.next = self.buffer.confidence.val();
            self.last_target.next = self.buffer.recent_target.val();
            self.first_matches.next = self.buffer.is_first.val();
            self.second_matches.next = self.buffer.is_second.val();
        }
        self.is_recent.next = self.first_matches.val();
        if self.last_is_second.val().any() {
            self.is_recent.next = self.second_matches.val();
        }
        self.is_known.next = self.first_matches.val() | self.second_matches.val();

        self.has_choice.next = 0.into();
        self.is_second.next = !self.first_matches.val();
        self.reference.next = bits_to(self.address.val(), self.reference.width());
        if self.has_regions.val() == 1 {
            self.regions.asked.next =
                bits_to(self.last_target.val() >> self.low_bits.val(), self.regions.asked.width());
            self.reference_upper.next =
                bits_to(self.address.val() >> self.low_bits.val(), self.reference_upper.width());
        }
        self.confidence.next = self.return_confidence.val();
        if self.is_return.val().any() {
            self.has_candidate.next = self.stack.has_top.val();
            self.wrong.next = !self.is_top.val();
            self.is_other.next = self.is_below.val() & !self.is_top.val();
            self.has_other.next = 0.into();
            if self.compares_second.val() == 1 {
                self.has_other.next = self.stack.has_second.val();
            }
        } else {
            self.has_candidate.next = self.hit.val();
            self.has_other.next = self.hit.val() & self.has_two.val();
            self.has_choice.next = self.has_other.val() & !self.conditional.val();
            self.wrong.next = !self.is_recent.val();
            self.is_other.next = self.has_other.val() & self.is_known.val() & !self.is_recent.val();
            if self.has_choice.val().any() {
                self.wrong.next = !self.is_known.val();
            }
            if self.hit.val().any() {
                self.reference.next = bits_to(self.last_target.val(), self.reference.width());
                if self.has_regions.val() == 1 {
                    self.reference_upper.next = self.regions.upper.val();
                }
            }
            for level in 0..self.single.len() {
                if self.entry_confidence.val() == level {
                    self.confidence.next = self.single[level].val();
                    if self.has_choice.val().any() {
                        self.confidence.next = self.choice[level].val();
                    } else if self.has_two.val().any() {
                        self.confidence.next = self.recent[level].val();
                    }
                }
            }
        }
    }
}
