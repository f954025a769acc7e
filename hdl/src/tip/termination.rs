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

#[kernel]
impl Logic for Termination {
    fn update(&mut self) {
        code = resized(itype, 4);
        traps = bit(code == exception) | bit(code == interrupt);
        branch_kind = sequential;
        if code == trap_return {
            branch_kind = indirect_jump;
        } else if code == not_taken || code == taken_branch {
            branch_kind = direct_conditional;
        }
        call = 0;
        is_return = 0;
        if when(is_short) {
            if code == uninferable_jump {
                branch_kind = indirect_jump;
            }
        } else {
            if code >= uninferable_call {
                // Odd codes are inferable, but for that of a return.
                branch_kind = indirect_jump;
                if resized(code, 1).any() && code != back {
                    branch_kind = direct_jump;
                }
            }
            call = bit(code == uninferable_call) | bit(code == inferable_call) | bit(code == swap);
            is_return = bit(code == swap) | bit(code == back);
        }
        taken = traps | bit(branch_kind);
        if code == not_taken {
            taken = 0;
        }
    }
}
