//! The target of an indirect branch: the candidates, how sure the first of them is, and what is learned.

use super::block::Addresses;
use super::config::Config;
use super::outcomes::{Outcome, Outcomes};
use super::regions::Regions;
use super::return_address_stack::ReturnAddressStack;
use super::score::States;
use super::single_target_buffer::SingleTargetBuffer;
use super::target_buffer::{Place, TargetBuffer, Targets};
use crate::event::Event;

/// The return address stack, and the target buffer for everything that is not a return.
#[derive(Clone, Debug)]
pub struct TargetPredictor {
    stack: ReturnAddressStack,
    buffer: Buffer,
    addresses: Addresses,
    regions: Option<Regions>,
    compares_second: bool,
    return_confidence: u32,
    single: [i8; 4],
    recent: [i8; 4],
    choice: [i8; 4],
}

/// The target buffer, with one or two targets in each entry.
#[derive(Clone, Debug)]
enum Buffer {
    Single(SingleTargetBuffer),
    Double(TargetBuffer),
}

impl Buffer {
    fn new(config: &Config) -> Self {
        if config.targets_per_entry == 1 {
            Self::Single(SingleTargetBuffer::new(config))
        } else {
            Self::Double(TargetBuffer::new(config))
        }
    }

    #[inline]
    fn look_up(&self, address: u64) -> (Place, Option<Targets>) {
        match self {
            Self::Single(buffer) => buffer.look_up(address),
            Self::Double(buffer) => buffer.look_up(address),
        }
    }

    #[inline]
    fn learn(&mut self, place: &Place, target: u64, near: bool) -> Option<bool> {
        match self {
            Self::Single(buffer) => buffer.learn(place, target, near),
            Self::Double(buffer) => buffer.learn(place, target, near),
        }
    }
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
    /// The confidence of the entry in the target buffer.
    level: usize,
    /// The outcome prediction that chose between two targets.
    choice: Option<Outcome>,
}

/// What the confidence of a candidate depends on; an entry of the target buffer is known by its own confidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// An address on the return address stack: `return_confidence`.
    Return,
    /// An entry with one target: a place in `single_target_confidences`.
    Single(usize),
    /// The recent one of an entry's two targets: a place in `recent_target_confidences`.
    Recent(usize),
    /// The one of an entry's two targets that the outcome predictor chose: a place in `choice_confidences`.
    Choice(usize, States),
}

impl TargetPrediction {
    /// True if a target is sent as predicted.
    ///
    /// Where two candidates are the same target, it is the second of the branch that is right, as the hardware learns
    /// it, and the choice of the first is wrong.
    #[inline]
    pub fn is_right(&self, target: u64) -> bool {
        let chose_first = || self.choice.as_ref().is_some_and(|choice| !choice.taken());
        self.candidate.is_some_and(|(candidate, _)| candidate == target)
            && !(self.other == Some(target) && chose_first())
    }

    /// What the candidate's confidence depends on, if there is a candidate and scores say its confidence.
    pub fn basis(&self) -> Option<Basis> {
        self.candidate?;
        Some(match (&self.place, &self.choice, self.other) {
            (None, ..) => Basis::Return,
            (_, Some(choice), _) => Basis::Choice(self.level, choice.states()?),
            (_, None, Some(_)) => Basis::Recent(self.level),
            (_, None, None) => Basis::Single(self.level),
        })
    }
}

impl TargetPredictor {
    /// The tables as the clear sweep leaves them.
    pub fn new(config: &Config) -> Self {
        Self {
            stack: ReturnAddressStack::new(config),
            buffer: Buffer::new(config),
            addresses: Addresses::new(config),
            regions: config.has_regions().then(|| Regions::new(config)),
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
        outcomes: &mut Outcomes,
    ) -> TargetPrediction {
        let complete = |kept| self.complete(address, kept);
        if is_return {
            let second = self.stack.second().filter(|_| self.compares_second);
            return TargetPrediction {
                candidate: self.stack.top().map(|top| (complete(top), self.return_confidence)),
                other: second.map(complete),
                reference: address,
                place: None,
                level: 0,
                choice: None,
            };
        }
        let (place, found) = self.buffer.look_up(address);
        let none = TargetPrediction {
            candidate: None,
            other: None,
            reference: address,
            place: Some(place),
            level: found.map_or(0, |found| found.confidence.into()),
            choice: None,
        };
        let Some(Targets { targets, has_two, recent, .. }) = found else { return none };
        let [first, second] = targets.map(complete);
        let level = none.level;
        let reference = if recent { second } else { first };
        if !has_two {
            let candidate = Some((first, self.single[level] as u32));
            return TargetPrediction { candidate, reference, ..none };
        }
        let choice = (!is_conditional).then(|| outcomes.predict(address));
        let (chosen, k) = match &choice {
            Some(choice) => (choice.taken(), choice.confidence().min(self.choice[level] as u32)),
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
        outcomes: &mut Outcomes,
    ) {
        let (kept, near) = self.enter(address, target);
        let Some(place) = &prediction.place else {
            let is_top = prediction.candidate.is_some_and(|(top, _)| top == target);
            if !is_top && prediction.other == Some(target) {
                self.stack.pop();
            }
            self.stack.pop();
            return;
        };
        let slot = self.buffer.learn(place, kept, near);
        if let (Some(slot), Some(choice)) = (slot, &prediction.choice) {
            outcomes.learn(choice, slot);
        }
    }

    /// The address that a table keeps: with the upper bits of its region, or without regions of the branch.
    #[inline]
    fn complete(&self, address: u64, kept: u64) -> u64 {
        match &self.regions {
            None => self.addresses.complete(address, kept),
            Some(regions) => self.addresses.join(regions.upper(self.addresses.upper(kept)), kept),
        }
    }

    /// The program jumps: what tables keep of the target, and whether a kept one with the same bits is the same target.
    #[inline]
    pub fn enter(&mut self, address: u64, target: u64) -> (u64, bool) {
        let Some(regions) = &mut self.regions else {
            return (self.addresses.kept(target), self.addresses.are_near(address, target));
        };
        let (number, is_known) = regions.enter(self.addresses.upper(target));
        (self.addresses.in_region(number, target), is_known)
    }

    /// Puts the return address of a call on the stack, after its target was entered: it is in the region that was left.
    #[inline]
    pub fn call(&mut self, call: &Event) {
        let address = self.addresses.return_address(call);
        self.stack.push(match &self.regions {
            None => self.addresses.kept(address),
            Some(regions) => self.addresses.in_region(regions.left(), address),
        });
    }
}
