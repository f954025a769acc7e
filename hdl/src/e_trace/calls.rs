//! Calls and returns: which returns are inferred, and what tells one call from another where an address is.

use tracewright_elaborate::prelude::*;
use tracewright_sim::e_trace::config::Config;

use super::return_stack::ReturnStack;
use crate::parts::ports::RetiredBlock;

block! {
    /// Infers returns, and keeps the depth that a report of the last instruction has, so that a decoder stops in the right
    /// call.
    pub Calls("calls") of (config: &Config) {
        let address_bits = config.address_bits() as usize;
        let depth_bits = config.depth_bits() as usize;
    }
    parameters {
        address_bits,
        depth_bits,
    }

    in retire: RetiredBlock(&config.processor);
    /// the target of the jump, in instruction units
    in target_units: address_bits;
    /// the address of the jump before this block is sent
    in reports: 1;
    /// an address is sent
    in makes_report: 1;
    /// the trace goes on with a start or a trap
    in forget: 1;
    /// a return to the address on the stack
    out infers: 1;
    /// the jump that is pending is a return to another address than that on the stack
    out is_failed: 1;
    /// return addresses on the stack
    out depth: depth_bits;
    /// a report of this block's last instruction says the depth
    out reports_depth: 1;
    out last_depth: depth_bits;
    /// the same of the block before
    out reported_depth: 1;
    out depth_before: depth_bits;
    reg failed: 1;
    /// the last instruction is a return that was inferred
    reg has_just_returned: 1;
    /// a return was inferred since the last call, branch or address
    reg has_returned: 1;
    reg kept_reports: 1;
    reg kept_depth: depth_bits;
    block return_stack: ReturnStack(config.return_stack_entries, address_bits);
    local is_return: 1;
    local fails: 1;
    local is_call: 1;
    local after_call: config.processor.address_width as usize;
    local is_one: 1;
    /// the only instruction since an inferred return
    local is_after: 1;
    param alignment = config.processor.alignment as usize;
}

#[kernel]
impl Logic for Calls {
    fn update(&mut self) {
        is_return = retire.valid
            & retire.indirect
            & !retire.conditional
            & retire.is_return
            & !retire.call
            & bit(return_stack.depth);
        infers = 0;
        fails = is_return;
        if return_stack.top == target_units {
            infers = is_return;
            fails = 0;
        }

        // What a report of the last instruction says, before its own call or return.
        is_one = retire.count == 1;
        is_after = has_just_returned.q & is_one;
        reports_depth = kept_reports.q;
        last_depth = kept_depth.q;
        if retire.valid && retire.count {
            reports_depth = is_after;
            // A branch is found by its outcome, whatever call it is in.
            if !(reports | retire.conditional) {
                reports_depth = is_after | has_returned.q;
            }
            last_depth = return_stack.depth + resized(is_after);
            has_just_returned.d = infers;
            failed.d = fails;
        }
        kept_reports.d = reports_depth;
        kept_depth.d = last_depth;
        reported_depth = kept_reports.q;
        depth_before = kept_depth.q;
        is_failed = failed.q;
        depth = return_stack.depth;

        // Calls and returns are followed.
        is_call = retire.valid & retire.call & (retire.direct | retire.indirect);
        after_call = retire.pc + resized(retire.length);
        return_stack = ReturnStack {
            return_address: resized(after_call >> alignment),
            push: is_call & retire.taken,
            pop: infers,
            forget,
        };
        if makes_report {
            has_returned.d = 0;
        }
        if infers {
            has_returned.d = 1;
        }
        if (retire.valid & retire.conditional) || is_call {
            has_returned.d = 0;
        }
        if forget {
            has_just_returned.d = 0;
            has_returned.d = 0;
            kept_reports.d = 0;
            failed.d = 0;
        }
    }
}
