//! Which table predicts an indirect branch's target, and what each learns.

use tracewright_elaborate::prelude::*;
use tracewright_sim::traptor::config::Config;

use super::indirect_branch_target_buffer::IndirectBranchTargetBuffer;
use super::last_value_predictor::LastValuePredictor;
use super::return_address_stack::ReturnAddressStack;
use crate::parts::ports::Clear;
use crate::parts::predictor_table::Reading;

block! {
    /// The return address stack, the indirect branch target buffer, and the upper bits they share.
    pub TargetPredictor("target_predictor") of (config: &Config, clear_bits: usize) {
        let (has_stack, has_buffer) =
            (config.has_return_address_stack(), config.has_indirect_branch_target_buffer());
        let reading = Reading::of(config.memory_style, &config.port);
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
        synchronous = reading,
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
    stage held_buffer_learns: has_buffer if reading;
    stage held_use_stack: has_stack = undefined if reading;
    stage held_stack_is_wrong: has_stack = undefined if reading;
    stage held_upper_is_wrong: upper_bits > 0 = undefined if reading;
    local path_return_address: lower_bits;
    stage read_return_address: if has_stack { lower_bits } else { 0 } = undefined if reading;
    param has_stack = usize::from(has_stack);
    param has_buffer = usize::from(has_buffer);
    param has_upper = usize::from(upper_bits > 0);
    param lower_bits = lower_bits;
    param alignment = alignment;
}

#[kernel]
impl Logic for TargetPredictor {
    fn update(&mut self) {
        use_stack = 0;
        lower = resized(target);
        missed = 1;
        path_return_address = 0;
        if when(has_stack) {
            use_stack = is_return;
            path_return_address =
                resized(program_counter >> alignment) + resized(length >> alignment);
            read_return_address.d = path_return_address;
        }

        if when(has_buffer) {
            join(clear, indirect_branch_target_buffer.clear);
            indirect_branch_target_buffer.update_path = update_path;
            buffer_learns = update & indirect & taken & !use_stack;
            held_buffer_learns.d = buffer_learns;
            indirect_branch_target_buffer.learn = held_buffer_learns.q;
            indirect_branch_target_buffer =
                IndirectBranchTargetBuffer { program_counter, taken: path_taken, target: lower };
            missed = !indirect_branch_target_buffer.hit | indirect_branch_target_buffer.is_wrong;
        }

        if when(has_stack) {
            join(clear, return_address_stack.clear);
            return_address_stack = ReturnAddressStack {
                pop: update & is_return & taken,
                push: update & call & taken,
                return_address: read_return_address.q,
            };
            stack_is_wrong = return_address_stack.top != lower;
            held_use_stack.d = use_stack;
            held_stack_is_wrong.d = stack_is_wrong;
            if held_use_stack.q {
                missed = held_stack_is_wrong.q;
            }
        }

        if when(has_upper) {
            last_value_predictor.update = update & indirect & taken;
            upper = resized(target >> lower_bits);
            last_value_predictor.target_upper = upper;
            upper_is_wrong = last_value_predictor.predicted_upper != upper;
            held_upper_is_wrong.d = upper_is_wrong;
            missed = missed | held_upper_is_wrong.q;
        }
    }
}
