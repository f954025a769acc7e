//! The target of an indirect branch: the candidates, how sure the first of them is, and what is learned.

use super::block::Addresses;
use super::config::Config;
use super::outcome_predictor::{OutcomePrediction, OutcomePredictor};
use super::return_address_stack::ReturnAddressStack;
use super::target_buffer::{Place, TargetBuffer, Targets};
use crate::event::Event;

/// The return address stack, and the target buffer for everything that is not a return.
#[derive(Clone, Debug)]
pub struct TargetPredictor {
    stack: ReturnAddressStack,
    buffer: TargetBuffer,
    addresses: Addresses,
    compares_second: bool,
    return_confidence: u32,
    single: [i8; 4],
    recent: [i8; 4],
    choice: [i8; 4],
}

/// The candidates for a target, all in instruction units.
#[derive(Clone, Copy, Debug)]
pub struct TargetPrediction {
    /// The most likely one, if there is any, and its confidence: it is wrong with probability 2^-k.
    pub candidate: Option<(u64, u32)>,
    /// The next one.
    pub other: Option<u64>,
    /// The address from which another target is sent.
    pub reference: u64,
    place: Option<Place>,
    /// The outcome prediction that chose between two targets.
    choice: Option<OutcomePrediction>,
}

impl TargetPredictor {
    /// The tables as the clear sweep leaves them.
    pub fn new(config: &Config) -> Self {
        Self {
            stack: ReturnAddressStack::new(config),
            buffer: TargetBuffer::new(config),
            addresses: Addresses::new(config),
            compares_second: config.return_addresses_compared == 2,
            return_confidence: config.return_confidence,
            single: config.single_target_confidences.0,
            recent: config.recent_target_confidences.0,
            choice: config.choice_confidences.0,
        }
    }

    /// Predicts the target of the indirect branch at `address`, in instruction units.
    ///
    /// The outcome predictor chooses between two targets of an unconditional branch.
    #[inline]
    pub fn predict(
        &self,
        address: u64,
        is_return: bool,
        is_conditional: bool,
        outcomes: &mut OutcomePredictor,
    ) -> TargetPrediction {
        let complete = |kept| self.addresses.complete(address, kept);
        if is_return {
            let second = self.stack.second().filter(|_| self.compares_second);
            return TargetPrediction {
                candidate: self.stack.top().map(|top| (complete(top), self.return_confidence)),
                other: second.map(complete),
                reference: address,
                place: None,
                choice: None,
            };
        }
        let (place, found) = self.buffer.look_up(address);
        let none = TargetPrediction {
            candidate: None,
            other: None,
            reference: address,
            place: Some(place),
            choice: None,
        };
        let Some(Targets { targets, has_two, recent, confidence }) = found else { return none };
        let [first, second] = targets.map(complete);
        let level = usize::from(confidence);
        let reference = if recent { second } else { first };
        if !has_two {
            let candidate = Some((first, self.single[level] as u32));
            return TargetPrediction { candidate, reference, ..none };
        }
        let choice = (!is_conditional).then(|| outcomes.predict(address));
        let (chosen, k) = match &choice {
            Some(choice) => (choice.taken, choice.confidence.min(self.choice[level] as u32)),
            None => (recent, self.recent[level] as u32),
        };
        let (target, other) = if chosen { (second, first) } else { (first, second) };
        TargetPrediction {
            candidate: Some((target, k)),
            other: Some(other),
            reference,
            choice,
            ..none
        }
    }

    /// Learns the target of an indirect branch that was taken, in instruction units.
    #[inline]
    pub fn learn(
        &mut self,
        address: u64,
        target: u64,
        prediction: &TargetPrediction,
        outcomes: &mut OutcomePredictor,
    ) {
        let Some(place) = &prediction.place else {
            let is_top = prediction.candidate.is_some_and(|(top, _)| top == target);
            if !is_top && prediction.other == Some(target) {
                self.stack.pop();
            }
            self.stack.pop();
            return;
        };
        let near = self.addresses.are_near(address, target);
        let slot = self.buffer.learn(place, self.addresses.kept(target), near);
        if let (Some(slot), Some(choice)) = (slot, &prediction.choice) {
            outcomes.learn(choice, slot);
        }
    }

    /// Puts the return address of a call on the stack.
    #[inline]
    pub fn call(&mut self, call: &Event) {
        self.stack.push(self.addresses.kept(self.addresses.return_address(call)));
    }
}
