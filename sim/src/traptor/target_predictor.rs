//! Which table predicts an indirect branch's target, and what each learns.

use super::config::Config;
use super::indirect_branch_target_buffer::{IndirectBranchTargetBuffer, Lookup};
use super::last_value_predictor::LastValuePredictor;
use super::return_address_stack::ReturnAddressStack;
use crate::config::{CallLength, mask};
use crate::event::Event;

/// The return address stack, the indirect branch target buffer, and the upper bits they share.
///
/// Returns use the stack alone. Where there is no stack they are indirect branches like any other.
#[derive(Clone, Debug)]
pub struct TargetPredictor {
    return_address_stack: Option<ReturnAddressStack>,
    indirect_branch_target_buffer: Option<IndirectBranchTargetBuffer>,
    last_value_predictor: LastValuePredictor,
    lower_mask: u64,
    address_mask: u64,
    call_length: CallLength,
}

/// A prediction, and where it came from.
#[derive(Clone, Copy, Debug, Default)]
pub struct TargetPrediction {
    /// The byte address predicted; `None` where no table has one.
    pub target: Option<u64>,
    lookup: Option<Lookup>,
}

impl TargetPredictor {
    /// The tables as reset leaves them.
    pub fn new(config: &Config) -> Self {
        let kept = config.processor.address_width - config.elided_upper();
        let depth = config.return_address_stack_depth;
        let lower_mask = mask(kept) & !mask(config.processor.alignment);
        Self {
            return_address_stack: config
                .has_return_address_stack()
                .then(|| ReturnAddressStack::new(depth)),
            indirect_branch_target_buffer: config
                .has_indirect_branch_target_buffer()
                .then(|| IndirectBranchTargetBuffer::new(config)),
            last_value_predictor: LastValuePredictor::new(kept),
            lower_mask,
            address_mask: mask(config.processor.address_width),
            call_length: CallLength::of(&config.processor),
        }
    }

    /// The target predicted for an indirect branch. Apart, because most branches are direct.
    #[inline(never)]
    pub fn predict(&self, program_counter: u64, is_return: bool) -> TargetPrediction {
        if let (Some(stack), true) = (&self.return_address_stack, is_return) {
            let target = Some(self.last_value_predictor.complete(stack.top()));
            return TargetPrediction { target, lookup: None };
        }
        let lookup = self
            .indirect_branch_target_buffer
            .as_ref()
            .map(|buffer| buffer.look_up(program_counter));
        let lower = lookup.and_then(|lookup| lookup.target);
        TargetPrediction {
            target: lower.map(|lower| self.last_value_predictor.complete(lower)),
            lookup,
        }
    }

    /// Learns from a branch of any kind, given what was predicted if it is indirect.
    #[inline(always)]
    pub fn update(&mut self, branch: &Event, prediction: &TargetPrediction) {
        if branch.taken && (branch.kind.is_indirect() || branch.call || branch.is_return) {
            self.update_targets(branch, prediction);
        }
        if let Some(buffer) = &mut self.indirect_branch_target_buffer
            && branch.kind.is_counted()
        {
            buffer.update_path(branch.program_counter, branch.taken);
        }
    }

    /// Learns from a branch that was taken to a target that a table has, or leaves a return address.
    #[inline(never)]
    fn update_targets(&mut self, branch: &Event, prediction: &TargetPrediction) {
        if let Some(buffer) = &mut self.indirect_branch_target_buffer
            && let Some(lookup) = prediction.lookup
        {
            buffer.update(lookup, branch.target & self.lower_mask);
        }
        if let Some(stack) = &mut self.return_address_stack
            && (branch.call || branch.is_return)
        {
            let length = self.call_length.bytes(branch);
            let return_address =
                branch.program_counter.wrapping_add(length.into()) & self.address_mask;
            stack.update(branch.is_return, branch.call.then_some(return_address & self.lower_mask));
        }
        if branch.kind.is_indirect() {
            self.last_value_predictor.update(branch.target);
        }
    }
}
