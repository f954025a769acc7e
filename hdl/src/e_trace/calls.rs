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
    block return_stack: ReturnStack(config);
    local is_return: 1;
    local fails: 1;
    local is_call: 1;
    local after_call: config.processor.address_width as usize;
    local is_one: 1;
    /// the only instruction since an inferred return
    local is_after: 1;
    param alignment = config.processor.alignment as usize;
}

impl Logic for Calls {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_return.next = self.retire.valid.val()
            & self.retire.indirect.val()
            & !self.retire.conditional.val()
            & self.retire.is_return.val()
            & !self.retire.call.val()
            & bits_to(self.return_stack.depth.val().any(), 1);
        self.infers.next = 0.into();
        self.fails.next = self.is_return.val();
        if self.return_stack.top.val() == self.target_units.val() {
            self.infers.next = self.is_return.val();
            self.fails.next = 0.into();
        }

        // What a report of the last instruction says, before its own call or return.
        self.is_one.next = bits_to(self.retire.count.val() == 1, 1);
        self.is_after.next = self.has_just_returned.q.val() & self.is_one.val();
        self.reports_depth.next = self.kept_reports.q.val();
        self.last_depth.next = self.kept_depth.q.val();
        if self.retire.valid.val().any() && self.retire.count.val().any() {
            self.reports_depth.next = self.is_after.val();
            // A branch is found by its outcome, whatever call it is in.
            if !(self.reports.val() | self.retire.conditional.val()).any() {
                self.reports_depth.next = self.is_after.val() | self.has_returned.q.val();
            }
            self.last_depth.next = self.return_stack.depth.val()
                + bits_to(self.is_after.val(), self.last_depth.width());
            self.has_just_returned.d.next = self.infers.val();
            self.failed.d.next = self.fails.val();
        }
        self.kept_reports.d.next = self.reports_depth.val();
        self.kept_depth.d.next = self.last_depth.val();
        self.reported_depth.next = self.kept_reports.q.val();
        self.depth_before.next = self.kept_depth.q.val();
        self.is_failed.next = self.failed.q.val();
        self.depth.next = self.return_stack.depth.val();

        // Calls and returns are followed.
        self.is_call.next = self.retire.valid.val()
            & self.retire.call.val()
            & (self.retire.direct.val() | self.retire.indirect.val());
        self.after_call.next =
            self.retire.pc.val() + bits_to(self.retire.length.val(), self.after_call.width());
        self.return_stack.return_address.next =
            bits_to(self.after_call.val() >> self.alignment.val(), self.target_units.width());
        self.return_stack.push.next = self.is_call.val() & self.retire.taken.val();
        self.return_stack.pop.next = self.infers.val();
        self.return_stack.forget.next = self.forget.val();
        if self.makes_report.val().any() {
            self.has_returned.d.next = 0.into();
        }
        if self.infers.val().any() {
            self.has_returned.d.next = 1.into();
        }
        if (self.retire.valid.val() & self.retire.conditional.val()).any()
            || self.is_call.val().any()
        {
            self.has_returned.d.next = 0.into();
        }
        if self.forget.val().any() {
            self.has_just_returned.d.next = 0.into();
            self.has_returned.d.next = 0.into();
            self.kept_reports.d.next = 0.into();
            self.failed.d.next = 0.into();
        }
    }
}
