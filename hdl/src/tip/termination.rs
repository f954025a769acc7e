//! How a block ends.

use tracewright_elaborate::prelude::*;
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::tip::{EXCEPTION, INTERRUPT};

block! {
    /// What a code of itype says. A reserved code says nothing.
    pub Termination("termination") of (itype_bits: u32) {
        let bits = itype_bits as usize;
    }
    parameters {
        itype_width = bits,
    }

    /// how the block ends
    in itype: bits;
    /// it ends in an exception or an interrupt
    out traps: 1;
    /// 0 none, 1 jump, 2 branch, 3 indirect jump
    out branch_kind: 3;
    /// the last instruction leaves a return address
    out call: 1;
    /// the last instruction returns to such an address
    out is_return: 1;
    /// the flow goes on where the next block begins
    out taken: 1;
    local code: 4;
    constant sequential: 3 = 0;
    constant direct_jump: 3 = InstructionKind::DirectJump.pin_code();
    constant direct_conditional: 3 = InstructionKind::DirectConditional.pin_code();
    constant indirect_jump: 3 = InstructionKind::IndirectJump.pin_code();
    constant exception: 4 = u64::from(EXCEPTION);
    constant interrupt: 4 = u64::from(INTERRUPT);
    constant trap_return: 4 = 3;
    constant not_taken: 4 = 4;
    constant taken_branch: 4 = 5;
    /// of 3 bits only
    constant uninferable_jump: 4 = 6;
    constant uninferable_call: 4 = 8;
    constant inferable_call: 4 = 9;
    constant swap: 4 = 12;
    constant back: 4 = 13;
    param is_short = usize::from(bits == 3);
}

impl Logic for Termination {
    #[hdl_gen]
    fn update(&mut self) {
        self.code.next = bits_to(self.itype.val(), 4);
        self.traps.next = bits_to(self.code.val() == self.exception.val(), 1)
            | bits_to(self.code.val() == self.interrupt.val(), 1);
        self.branch_kind.next = self.sequential.val();
        if self.code.val() == self.trap_return.val() {
            self.branch_kind.next = self.indirect_jump.val();
        } else if self.code.val() == self.not_taken.val()
            || self.code.val() == self.taken_branch.val()
        {
            self.branch_kind.next = self.direct_conditional.val();
        }
        self.call.next = 0.into();
        self.is_return.next = 0.into();
        if self.is_short.val() == 1 {
            if self.code.val() == self.uninferable_jump.val() {
                self.branch_kind.next = self.indirect_jump.val();
            }
        } else {
            if self.code.val() >= self.uninferable_call.val() {
                // Odd codes are inferable, but for that of a return.
                self.branch_kind.next = self.indirect_jump.val();
                if bits_to(self.code.val(), 1).any() && self.code.val() != self.back.val() {
                    self.branch_kind.next = self.direct_jump.val();
                }
            }
            self.call.next = bits_to(self.code.val() == self.uninferable_call.val(), 1)
                | bits_to(self.code.val() == self.inferable_call.val(), 1)
                | bits_to(self.code.val() == self.swap.val(), 1);
            self.is_return.next = bits_to(self.code.val() == self.swap.val(), 1)
                | bits_to(self.code.val() == self.back.val(), 1);
        }
        self.taken.next = self.traps.val() | bits_to(self.branch_kind.val().any(), 1);
        if self.code.val() == self.not_taken.val() {
            self.taken.next = 0.into();
        }
    }
}
