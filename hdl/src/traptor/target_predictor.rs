//! Which table predicts an indirect branch's target, and what each learns.

use tracewright_elaborate::prelude::*;
use tracewright_sim::traptor::config::Config;

use super::indirect_branch_target_buffer::IndirectBranchTargetBuffer;
use super::last_value_predictor::LastValuePredictor;
use super::return_address_stack::ReturnAddressStack;
use crate::parts::ports::Clear;

block! {
    /// The return address stack, the indirect branch target buffer, and the upper bits they share.
    pub TargetPredictor("target_predictor") of (config: &Config, clear_bits: usize) {
        let (has_stack, has_buffer) =
            (config.has_return_address_stack(), config.has_indirect_branch_target_buffer());
        let is_synchronous = config.is_synchronous();
        let upper_bits = config.elided_upper() as usize;
        let lower_bits = config.table_target_bits() as usize;
        let alignment = config.processor.alignment as usize;
        let address_width = config.processor.address_width as usize;
        let target_bits = config.processor.instruction_address_bits() as usize;
    }
    parameters {
        return_address_stack_depth = config.return_address_stack_depth as usize,
        buffer_entries = config.indirect_branch_target_buffer_entries as usize,
        lower_bits,
        upper_bits,
        alignment,
        clear_bits,
        synchronous = is_synchronous,
    }

    in clear: Clear(clear_bits);
    /// a conditional or indirect branch retires
    in update_path: 1;
    /// outcome of the branch
    in path_taken: 1;
    /// in bytes
    in program_counter: address_width;
    /// in bytes
    in length: 4;
    /// a control-flow instruction is predicted
    in update: 1;
    /// in the cycle of the prediction: it is indirect
    in indirect: 1;
    /// in the cycle of the prediction: it leaves a return address
    in call: 1;
    /// in the cycle of the prediction: it is a return
    in is_return: 1;
    /// in the cycle of the prediction: it is taken
    in taken: 1;
    /// in instruction units
    in target: target_bits;
    /// no table has the target; a cycle later where tables are read through registers
    out missed: 1;
    block return_address_stack: ReturnAddressStack(config, clear_bits) if has_stack;
    block indirect_branch_target_buffer: IndirectBranchTargetBuffer(config, clear_bits) if has_buffer;
    block last_value_predictor: LastValuePredictor(upper_bits) if upper_bits > 0;
    local use_stack: 1;
    /// bits of the target that the tables hold
    local lower: lower_bits;
    local upper: upper_bits;
    local buffer_learns: 1;
    local stack_is_wrong: 1;
    local upper_is_wrong: 1;
    reg held_buffer_learns: usize::from(is_synchronous && has_buffer);
    reg held_use_stack: usize::from(is_synchronous && has_stack) = undefined;
    reg held_stack_is_wrong: usize::from(is_synchronous && has_stack) = undefined;
    reg held_upper_is_wrong: usize::from(is_synchronous && upper_bits > 0) = undefined;
    local path_return_address: lower_bits;
    local return_address: lower_bits;
    reg read_return_address: if is_synchronous && has_stack { lower_bits } else { 0 } = undefined;
    param is_synchronous = usize::from(is_synchronous);
    param has_stack = usize::from(has_stack);
    param has_buffer = usize::from(has_buffer);
    param has_upper = usize::from(upper_bits > 0);
    param lower_bits = lower_bits;
    param alignment = alignment;
}

impl Logic for TargetPredictor {
    #[hdl_gen]
    fn update(&mut self) {
        self.use_stack.next = 0.into();
        self.lower.next = bits_to(self.target.val(), self.lower.width());
        self.missed.next = 1.into();
        self.path_return_address.next = 0.into();
        self.return_address.next = 0.into();
        if self.has_stack.val() == 1 {
            self.use_stack.next = self.is_return.val();
            self.path_return_address.next =
                bits_to(self.program_counter.val() >> self.alignment.val(), self.lower.width())
                    + bits_to(self.length.val() >> self.alignment.val(), self.lower.width());
            self.return_address.next = self.path_return_address.val();
            if self.is_synchronous.val() == 1 {
                self.read_return_address.d.next = self.path_return_address.val();
                self.return_address.next = self.read_return_address.q.val();
            }
        }

        if self.has_buffer.val() == 1 {
            connect::join(&mut self.clear, &mut self.indirect_branch_target_buffer.clear);
            self.indirect_branch_target_buffer.update_path.next = self.update_path.val();
            self.buffer_learns.next =
                self.update.val() & self.indirect.val() & self.taken.val() & !self.use_stack.val();
            self.indirect_branch_target_buffer.learn.next = self.buffer_learns.val();
            if self.is_synchronous.val() == 1 {
                self.held_buffer_learns.d.next = self.buffer_learns.val();
                self.indirect_branch_target_buffer.learn.next = self.held_buffer_learns.q.val();
            }
            self.indirect_branch_target_buffer.program_counter.next = self.program_counter.val();
            self.indirect_branch_target_buffer.taken.next = self.path_taken.val();
            self.indirect_branch_target_buffer.target.next = self.lower.val();
            self.missed.next = !self.indirect_branch_target_buffer.hit.val()
                | self.indirect_branch_target_buffer.is_wrong.val();
        }

        if self.has_stack.val() == 1 {
            connect::join(&mut self.clear, &mut self.return_address_stack.clear);
            self.return_address_stack.pop.next =
                self.update.val() & self.is_return.val() & self.taken.val();
            self.return_address_stack.push.next =
                self.update.val() & self.call.val() & self.taken.val();
            self.return_address_stack.return_address.next = self.return_address.val();
            self.stack_is_wrong.next =
                bits_to(self.return_address_stack.top.val() != self.lower.val(), 1);
            if self.is_synchronous.val() == 1 {
                self.held_use_stack.d.next = self.use_stack.val();
                self.held_stack_is_wrong.d.next = self.stack_is_wrong.val();
                if self.held_use_stack.q.val().any() {
                    self.missed.next = self.held_stack_is_wrong.q.val();
                }
            } else if self.use_stack.val().any() {
                self.missed.next = self.stack_is_wrong.val();
            }
        }

        if self.has_upper.val() == 1 {
            self.last_value_predictor.update.next =
                self.update.val() & self.indirect.val() & self.taken.val();
            self.upper.next =
                bits_to(self.target.val() >> self.lower_bits.val(), self.upper.width());
            self.last_value_predictor.target_upper.next = self.upper.val();
            self.upper_is_wrong.next =
                bits_to(self.last_value_predictor.predicted_upper.val() != self.upper.val(), 1);
            if self.is_synchronous.val() == 1 {
                self.held_upper_is_wrong.d.next = self.upper_is_wrong.val();
                self.missed.next = self.missed.val() | self.held_upper_is_wrong.q.val();
            } else {
                self.missed.next = self.missed.val() | self.upper_is_wrong.val();
            }
        }
    }
}
